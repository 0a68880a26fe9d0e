package acphost

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// Rule is a rule for packages.
type Rule struct {
	Name  string
	Check func(p *Package) error
}

var (
	absoluteURI  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:[^#]+(#[^#]*)?$`)
	crdtPolicies = []string{"lww_register", "mv_register", "rga_text", "grow_only_set", "or_map", "counter", "flag",
		"log_rga"}
)

// rules returns the rules of the text for every package.
func rules() []Rule {
	all := []Rule{
		{"id", func(p *Package) error { _, _, err := splitURI(p.URI); return err }},
		{"schema", checkSchema},
		{"dialect", checkDialect},
		{"schema-uri", func(p *Package) error {
			return errorUnless(absoluteURI.MatchString(p.SchemaURI), "the $id of the schema is not a schema URI")
		}},
		{"asm", func(p *Package) error { return checkPolicies(p.Schema) }},
		{"prompt", func(p *Package) error {
			return errorUnless(absentOr(p.Document["prompt"], isString), "prompt is not a string")
		}},
		{"permissions", checkPermissions},
		{"tools", checkTools},
		{"tool-types", checkToolTypes},
		{"fixed-uri", checkFixedURI},
		{"bindings-mapping", func(p *Package) error {
			return errorUnless(absentOr(p.Document["tool_bindings"], isObject), "tool_bindings is not a mapping")
		}},
		{"bindings", func(p *Package) error {
			return p.checkBindings(func(name string, _ Binding) bool { return p.hasTool(name) }, "belongs to no tool")
		}},
		{"binding-types", func(p *Package) error {
			return p.checkBindings(func(_ string, b Binding) bool { return b.Type != "" }, "has no type")
		}},
		{"triggers", func(p *Package) error {
			return errorUnless(absentOr(p.Metadata["triggers"], isList), "triggers is not a list")
		}},
		{"trigger-values", checkTriggerValues},
		{"trigger-expressions", checkExpressions},
		{"requirements", func(p *Package) error {
			return errorUnless(absentOr(p.Metadata["llm_requirements"], isObject), "llm_requirements is not an object")
		}},
	}
	return slices.Concat(all, requirementRules(), parameterRules())
}

// requirementRules returns the rules for the members of llm_requirements.
func requirementRules() []Rule {
	var all []Rule
	for _, member := range []struct {
		name string
		fits func(value any) bool
	}{{"model_family", isStringList}, {"specific_model_uri", isString}, {"min_context_window", isInteger},
		{"required_features", isStringList}} {
		all = append(all, Rule{member.name, func(p *Package) error {
			return errorUnless(absentOr(p.requirements()[member.name], member.fits), member.name+" has the wrong type")
		}})
	}
	return all
}

// parameterRules returns the rules for the required parameters of bindings. Each is named after the type
// and the parameter, as in http_get.url.
func parameterRules() []Rule {
	var all []Rule
	for _, of := range [][2]string{
		{"http_get", "url"}, {"http_post", "url"}, {"nuwa_a2a", "target_did"}, {"nuwa_a2a", "service_method"},
		{"mcp_service", "service_uri"}, {"mcp_service", "mcp_action"},
	} {
		all = append(all, Rule{of[0] + "." + of[1], func(p *Package) error {
			return p.checkBindings(func(_ string, b Binding) bool { return b.Type != of[0] || stringOf(b.Members[of[1]]) != "" },
				"has no "+of[1])
		}})
	}
	return all
}

func errorUnless(valid bool, fault string) error {
	if valid {
		return nil
	}
	return errors.New("acphost: " + fault)
}

// absentOr reports whether a member is absent or valid.
func absentOr(value any, fits func(any) bool) bool { return value == nil || fits(value) }

func isString(value any) bool {
	_, is := value.(string)
	return is
}

func isList(value any) bool {
	_, is := value.([]any)
	return is
}

func isObject(value any) bool {
	_, is := value.(object)
	return is
}

func isStringList(value any) bool {
	list, is := value.([]any)
	return is && len(stringsOf(list)) == len(list)
}

func isInteger(value any) bool {
	number, is := value.(json.Number)
	if !is {
		return false
	}
	exact, read := new(big.Rat).SetString(number.String())
	return read && exact.IsInt()
}

func (p *Package) checkBindings(valid func(name string, b Binding) bool, fault string) error {
	for name, binding := range p.Bindings {
		if !valid(name, binding) {
			return fmt.Errorf("acphost: the binding of %.64q %s", name, fault)
		}
	}
	return nil
}

func checkSchema(p *Package) error {
	switch {
	case p.Schema == nil:
		return errors.New("acphost: schema is not a string with a JSON object")
	case p.Contract() == nil:
		return errors.New("acphost: schema is not a JSON Schema")
	}
	return nil
}

func checkDialect(p *Package) error {
	dialect, given := p.Schema["$schema"]
	return errorUnless(!given || strings.TrimSuffix(stringOf(dialect),
		"#") == "https://json-schema.org/draft/2020-12/schema",
		"schema is not of JSON Schema 2020-12")
}

// checkPolicies checks x-crdt at every level of a schema.
func checkPolicies(value any) error {
	switch v := value.(type) {
	case object:
		for name, member := range v {
			if err := checkPolicies(member); err != nil {
				return err
			}
			if policy, isText := member.(string); name == "x-crdt" && (!isText || !slices.Contains(crdtPolicies, policy)) {
				return errors.New("acphost: schema names an unknown CRDT policy")
			}
		}
	case []any:
		for _, element := range v {
			if err := checkPolicies(element); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkPermissions(p *Package) error {
	for _, tool := range p.Tools {
		if isBuiltIn(tool.Name) && !slices.Contains(p.Permissions, tool.Name) {
			return fmt.Errorf("acphost: %s is used but is not among the permissions", tool.Name)
		}
	}
	return nil
}

func checkTools(p *Package) error {
	declared, isList := p.Document["tools"].([]any)
	if p.Document["tools"] != nil && !isList {
		return errors.New("acphost: tools is not a list")
	}
	seen := map[string]bool{}
	for _, tool := range p.Tools[:len(declared)] {
		switch {
		case tool.Name == "":
			return errors.New("acphost: a tool is not a function with a name")
		case seen[tool.Name]:
			return fmt.Errorf("acphost: the tool %.64q is declared twice", tool.Name)
		case tool.Function["parameters"] != nil && tool.Parameters == nil:
			return fmt.Errorf("acphost: the parameters of %.64q are not an object", tool.Name)
		}
		seen[tool.Name] = true
	}
	return nil
}

func checkToolTypes(p *Package) error {
	declared, _ := p.Document["tools"].([]any)
	for _, tool := range declared {
		if objectOf(tool)["type"] != "function" {
			return errors.New("acphost: a tool is not a function")
		}
	}
	return nil
}

// checkFixedURI compares the fixed schema_uri of a state tool with the URI of the schema, which another
// rule checks.
func checkFixedURI(p *Package) error {
	if !absoluteURI.MatchString(p.SchemaURI) {
		return nil
	}
	for _, tool := range p.Tools {
		fixed, isFixed := objectOf(objectOf(tool.Parameters["properties"])["schema_uri"])["enum"].([]any)
		if isBuiltIn(tool.Name) && isFixed && !slices.Contains(stringsOf(fixed), p.SchemaURI) {
			return fmt.Errorf("acphost: %s fixes a schema URI other than that of the schema", tool.Name)
		}
	}
	return nil
}

// checkTriggerValues checks that each trigger contains something that a message can match.
func checkTriggerValues(p *Package) error {
	triggers, _ := p.Metadata["triggers"].([]any)
	for _, trigger := range triggers {
		value := trigger
		if isObject(trigger) {
			value = objectOf(trigger)["value"]
		}
		if _, isTruth := value.(bool); isTruth || value == nil {
			return errors.New("acphost: a trigger has no value")
		}
	}
	return nil
}

func checkExpressions(p *Package) error {
	for _, trigger := range p.Triggers {
		if trigger.Type != "regex" {
			continue
		}
		if _, err := regexp.Compile(trigger.Value); err != nil {
			return fmt.Errorf("acphost: a trigger is not a regular expression: %w", err)
		}
	}
	return nil
}
