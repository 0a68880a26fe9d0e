package acpsuite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/act/router"
	acpdocument "github.com/capconform/capconform/suites/acp/document"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
)

type (
	flaw       = router.Flaw
	textChange = router.TextChange
)

// flaws returns the flaws of the packages that are offered to routers, one at a time. Each breaks one
// rule of the text for packages.
func flaws() []flaw {
	all := slices.Concat(fileFlaws(), fieldFlaws(), bindingFlaws(), verbFlaws())
	for i := range all {
		all[i].Kind = history.FlawInvalid
	}
	return all
}

// fileFlaws returns flaws of the form of the file and of its sections.
func fileFlaws() []flaw {
	return []flaw{
		{What: "that consists of two YAML documents", Rule: acpdocument.IDDocument,
			ChangeText: appending("---\nmetadata: {}\n")},
		{What: "with a duplicate key", Rule: acpdocument.IDDocument, ChangeText: func(s *testPackage, text string) (string,
			error) {
			return text + "prompt: " + asJSON(s.Prompt) + "\n", nil
		}},
		{What: "without metadata, whose members are at the top level", Rule: acpdocument.IDMetadata,
			ChangeText: moveMetadataToTop},
		{What: "without a schema", Rule: acpdocument.IDSchema, ChangePackage: func(s *testPackage) { s.Schema = "" }},
		{What: "whose schema is a mapping", Rule: acpdocument.IDSchema, ChangeText: replacing("schema: |\n", "schema:\n")},
		{What: "whose prompt is a list", Rule: acpdocument.IDPrompt, ChangeText: writePromptAsList},
		{What: "with a tool that has no type", Rule: acpdocument.IDTools,
			ChangeText: replacingFirst("  - type: function\n    function:\n", "  - function:\n")},
		{What: "whose tool bindings are a list", Rule: acpdocument.IDBindings, ChangeText: writeBindingsAsList},
		{What: "whose schema is not JSON", Rule: acpdocument.IDDialect,
			ChangePackage: func(s *testPackage) { s.Schema = "An object has a title, and may have a note." }},
		{What: "whose schema is of another dialect", Rule: acpdocument.IDDialect,
			ChangeText: replacing(acpdocument.Dialect, "http://json-schema.org/draft-07/schema#")},
	}
}

// fieldFlaws returns flaws of the metadata and of the schema URI.
func fieldFlaws() []flaw {
	all := []flaw{
		{What: "whose id is not a capability URI", Rule: acpdocument.IDVersion,
			ChangePackage: func(s *testPackage) { s.ID = "did:nuwa:cap:" + s.Label + "@1.0" }},
		{What: "whose id has no version", Rule: acpdocument.IDURI,
			ChangePackage: func(s *testPackage) { s.ID = "did:nuwa:cap:" + s.Label }},
		{What: "whose version begins with a letter", Rule: acpdocument.IDVersion,
			ChangePackage: func(s *testPackage) { s.ID = s.CapURI("v1.0.0") }},
		{What: "whose schema has a relative URI", Rule: acpdocument.IDSchemaURI, ChangeText: relativeURI},
		{What: "whose schema has no URI", Rule: acpdocument.IDSchemaURI, ChangeText: withoutURI},
		{What: "with a state tool that fixes another schema URI", Rule: acpdocument.IDFixedURI,
			ChangeText: func(s *testPackage, text string) (string, error) {
				return replacingFirst(`"enum":["`+s.SchemaURI+`"]`, `"enum":["`+s.SchemaURI+`0"]`)(s, text)
			}},
		{What: "with null among its triggers", Rule: acpdocument.IDTriggers,
			ChangeText: replacing("  triggers:\n", "  triggers:\n    - null\n")},
		{What: "with a trigger that is not a regular expression", Rule: acpdocument.IDRegex,
			ChangeText: replacing("  triggers:\n", "  triggers:\n    - {type: regex, value: \"[open\"}\n")},
	}
	for _, of := range []struct{ what, rule, value string }{
		{"whose LLM requirements are a list", acpdocument.IDModels, "[gpt-4]"},
		{"whose model family is a text", "ACP-FIELD-08", "{model_family: gpt-4}"},
		{"whose model family is a list with a mapping", "ACP-FIELD-08", "{model_family: [{name: gpt-4}]}"},
		{"whose model URI is a list", "ACP-FIELD-09", "{specific_model_uri: [\"did:nuwa:model:a\"]}"},
		{"whose context window is a text", "ACP-FIELD-10", "{min_context_window: \"8000\"}"},
		{"whose context window has a fraction", "ACP-FIELD-10", "{min_context_window: 1.5}"},
		{"whose required features are a text", "ACP-FIELD-11", "{required_features: tool_use}"},
		{"whose required features are a list with a mapping", "ACP-FIELD-11", "{required_features: [{name: tool_use}]}"},
	} {
		all = append(all,
			flaw{What: of.what, Rule: of.rule, ChangeText: replacing("  signature:",
				"  llm_requirements: "+of.value+"\n  signature:")})
	}
	return all
}

// bindingFlaws returns flaws of bindings. The tool with the broken binding is not called.
func bindingFlaws() []flaw {
	boundTo := func(tool func(s *testPackage) string) func(*testPackage) {
		return func(s *testPackage) {
			s.Bindings = append(slices.Clone(s.Bindings),
				environment.Binding{Tool: tool(s), Type: "http_get", Parameters: map[string]string{"url": "http://127.0.0.1/"}})
		}
	}
	all := []flaw{
		{What: "with a binding for a tool that it lacks", Rule: acpdocument.IDBoundTool,
			ChangePackage: boundTo(func(s *testPackage) string { return "absent_" + s.Mark })},
		{What: "with a binding whose key is the name of a tool in another case", Rule: acpdocument.IDBoundTool,
			ChangePackage: boundTo(func(s *testPackage) string {
				name := s.Bindings[0].Tool
				return strings.ToUpper(name[:1]) + name[1:]
			})},
		{What: "with a binding that has no type", Rule: acpdocument.IDBindingType,
			ChangeText: replacing("    type: \"http_get\"\n", "")},
	}
	for _, kind := range acpdocument.BindingTypes() {
		for _, missing := range kind.Parameters {
			all = append(all,
				flaw{What: "with a binding of type " + kind.Name + " that has no " + missing.Name, Rule: missing.ID,
					ChangePackage: func(s *testPackage) {
						rest := map[string]string{}
						for _, p := range kind.Parameters {
							if p.Name != missing.Name {
								rest[p.Name] = validParameters[p.Name]
							}
						}
						s.Tools, s.Bindings = slices.Clone(s.Tools), slices.Clone(s.Bindings)
						s.AddBoundTool("vague", kind.Name, rest)
					}})
		}
	}
	return all
}

// validParameters are the valid parameters of a binding that lacks another one.
var validParameters = map[string]string{
	"target_did": environment.Agent, "service_method": "receiveSimpleMessage", "service_uri": environment.Service,
	"mcp_action": string(environment.Echo),
}

// verbFlaws returns flaws in which a package uses an undeclared verb.
func verbFlaws() []flaw {
	return []flaw{
		{What: "that uses a verb without declaring it", Rule: "ACP-STATE-08",
			ChangePackage: func(s *testPackage) { s.Permissions = []string{toolQuery} }},
		{What: "that uses state.update without declaring it", Rule: "ACP-STATE-13",
			ChangePackage: declareAllExcept(toolUpdate)},
		{What: "that uses state.query without declaring it", Rule: "ACP-STATE-14",
			ChangePackage: declareAllExcept(toolQuery)},
		{What: "that declares all verbs that it uses except one", Rule: "ACP-STATE-15",
			ChangePackage: declareAllExcept(toolDelete)},
	}
}

// declareAllExcept returns a change that makes a package use all verbs and declare all except one.
func declareAllExcept(verb string) func(*testPackage) {
	return func(s *testPackage) {
		s.AddBuiltInTools(toolUpdate, toolDelete)
		s.Permissions = slices.DeleteFunc([]string{toolCreate, toolQuery, toolUpdate, toolDelete},
			func(declared string) bool { return declared == verb })
	}
}

func appending(end string) textChange {
	return func(_ *testPackage, text string) (string, error) { return text + end, nil }
}

// replacing returns a change that replaces a text, which must occur once, by another one.
func replacing(from, to string) textChange {
	return func(_ *testPackage, text string) (string, error) {
		edited, err := act.ReplaceOnce([]byte(text), from, to)
		return string(edited), err
	}
}

// replacingFirst returns a change that replaces the first occurrence of a text by another one.
func replacingFirst(from, to string) textChange {
	return func(_ *testPackage, text string) (string, error) {
		if !strings.Contains(text, from) {
			return "", fmt.Errorf("acpsuite: %q is not in the package", from)
		}
		return strings.Replace(text, from, to, 1), nil
	}
}

// relativeURI makes the schema URI relative, in the schema and in the tools that fix it.
func relativeURI(s *testPackage, text string) (string, error) {
	return strings.ReplaceAll(text, s.SchemaURI, s.Label), nil
}

// withoutURI takes the URI out of the schema and out of the tools that fix it.
func withoutURI(s *testPackage, text string) (string, error) {
	open := strings.ReplaceAll(text, `"enum":["`+s.SchemaURI+`"],`, "")
	return replacing(fmt.Sprintf("    \"$id\": %q,\n", s.SchemaURI), "")(s, open)
}

// moveMetadataToTop removes the key metadata, so that its members are at the top level.
func moveMetadataToTop(_ *testPackage, text string) (string, error) {
	before, rest, found := strings.Cut(text, "metadata:\n")
	members, behind, foundSchema := strings.Cut(rest, "schema: |\n")
	if !found || !foundSchema {
		return "", fmt.Errorf("acpsuite: the package has no metadata before its schema")
	}
	members = strings.ReplaceAll("\n"+members, "\n  ", "\n")
	return before + strings.TrimPrefix(members, "\n") + "schema: |\n" + behind, nil
}

// writePromptAsList writes the prompt as a list of its lines.
func writePromptAsList(s *testPackage, text string) (string, error) {
	before, rest, found := strings.Cut(text, "prompt: |\n")
	_, behind, foundTools := strings.Cut(rest, "\ntools:\n")
	if !found || !foundTools {
		return "", fmt.Errorf("acpsuite: the package has no prompt before its tools")
	}
	return before + "prompt: " + asJSON(strings.Split(s.Prompt, "\n")) + "\ntools:\n" + behind, nil
}

// writeBindingsAsList writes the bindings as a list, with the name of the tool as a member of each.
func writeBindingsAsList(s *testPackage, text string) (string, error) {
	before, _, found := strings.Cut(text, "tool_bindings:\n")
	if !found {
		return "", fmt.Errorf("acpsuite: the package has no bindings")
	}
	var list []any
	for _, b := range s.Bindings {
		entry := object{"tool": b.Tool, "type": b.Type}
		for name, value := range b.Parameters {
			entry[name] = value
		}
		list = append(list, entry)
	}
	return before + "tool_bindings: " + asJSON(list) + "\n", nil
}

// asJSON returns a value as JSON, which is valid YAML.
func asJSON(value any) string { return string(jsonvalue.Encode(value)) }
