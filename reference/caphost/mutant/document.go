package capmutant

import (
	"embed"
	"slices"

	"github.com/capconform/capconform/reference/mutant"
)

//go:embed documents/*.json
var files embed.FS

// Documents returns the valid and the broken documents of CAP.
func Documents() ([]mutant.Document, error) {
	bases := []string{"manifest", "capability", "manifests", "task", "card", "query", "delegation", "audit", "reference"}
	all, err := mutant.ValidDocuments("cap", files, bases...)
	if err != nil {
		return nil, err
	}
	more, err := mutant.Edited("cap", files, slices.Concat(validEdits(), brokenEdits()))
	for i := range more {
		if more[i].Requirement == "CAP-MAN-04" { // the members that a skill must have depend on its Skills system
			more[i].Supports = []string{"prompt_template", "resources", "required_permissions"}
		}
	}
	return append(all, more...), err
}

// row is an edit in a table.
type row mutant.Edit

func brokenEdits() []mutant.Edit {
	var all []mutant.Edit
	for _, r := range slices.Concat(manifestEdits(), shownEdits(), upperEdits(), besideEdits()) {
		all = append(all, mutant.Edit(r))
	}
	return all
}

// commanded returns a transport and a command in place of a reference.
func commanded() object {
	return object{"transport": "stdio", "command": "npx -y review-server"}
}

// validEdits returns edits that keep a document valid.
func validEdits() []mutant.Edit {
	return []mutant.Edit{
		{Name: "no-nulls", Base: "manifest", At: "prompt_template", Value: mutant.Absent{},
			Summary: "Omits a member that is null."},
		{Name: "open-output", Base: "manifest", At: "output_schema", Value: object{}, Summary: "Declares an open output."},
		{Name: "draft-07", Base: "manifest", At: "input_schema/$schema", Value: "http://json-schema.org/draft-07/schema#",
			Summary: "Names an older dialect."},
		{Name: "custom", Base: "manifest", At: "x-server", Value: object{"command": "npx", "url": "stdio://review"},
			Summary: "Contains transport words in a custom member."},
		{Name: "pre-release", Base: "manifest", At: "version", Value: "2.1.0-rc.1+build.5",
			Summary: "Has a version with pre-release and build."},
		{Name: "no-resources", Base: "manifests", At: "2/resources", Value: []any{},
			Summary: "Is a skill without resources."},
		{Name: "null-capability", Base: "query", At: "capability", Value: nil, Summary: "Queries no capability."},
		{Name: "no-constraints", Base: "task", At: "spec/constraints/must_use_capabilities", Value: []any{},
			Summary: "Requires no capability."},
		{Name: "external", Base: "task", At: "spec/constraints/external_refs",
			Value:   []any{object{"kind": "ticket", "namespace": "tracker", "id": "17", "label": "Ticket"}},
			Summary: "Refers to another system."},
		{Name: "artifact-address", Base: "task", At: "artifacts",
			Value:   []any{object{"name": "report", "uri": "https://example.org/report.md"}},
			Summary: "Contains the address of an artifact."},
		{Name: "scopes", Base: "task", At: "spec/permission_scopes", Value: []any{"tool:mcp:review"},
			Summary: "Names a mechanism in a permission scope."},
		{Name: "label", Base: "task", At: "spec/constraints/must_use_capabilities/0/label", Value: "Review",
			Summary: "Adds a label to a reference."},
		{Name: "label", Base: "card", At: "capabilities/0/label", Value: "Review", Summary: "Adds a label to a reference."},
		{Name: "label", Base: "delegation", At: "capability/label", Value: "Review",
			Summary: "Adds a label to a reference."},
		{Name: "documentation", Base: "query", At: "capability/docs", Value: "https://docs.example.org/review",
			Summary: "Adds the address of a manual to a reference."},
		{Name: "table-headers", Base: "task", At: "spec/constraints/headers", Value: []any{"Place", "Finding"},
			Summary: "Names the headers of a table."},
		{Name: "word-command", Base: "task", At: "spec/command", Value: "approve",
			Summary: "Has a command that is a word for people."},
		{Name: "goods-transport", Base: "task", At: "spec/transport", Value: "train",
			Summary: "Is about the transport of goods."},
		{Name: "url-as-word", Base: "task", At: "spec/constraints/url", Value: "see the ticket",
			Summary: "Has a member url that is not an address."},
		{Name: "ticket-address", Base: "task", At: "spec/constraints/url", Value: "https://tracker.example.org/tickets/17",
			Summary: "Has the address of a ticket beside its capabilities."},
		{Name: "command-in-reference", Base: "task", At: "spec/constraints/must_use_capabilities/0/command",
			Value:   "review",
			Summary: "Adds a word named command to a reference."},
		{Name: "camel-case-words", Base: "task", At: "spec/constraints/functionName", Value: "the name of the function",
			Summary: "Has a member in camel case whose value is not a transport detail."},
		{Name: "goal-on-tools", Base: "task", At: "spec/goal", Value: "Explain what tools/call does over stdio and SSE.",
			Summary: "Mentions a transport in its goal."},
	}
}

// manifestEdits returns edits that break a Capability, a manifest, or a list of manifests.
func manifestEdits() []row {
	const prompt = "Say in two sentences what matters about {{topic}}."
	return []row{
		{"other-inner-version", "CAP-CAP-01", "capability", "Has another version in its manifest.", "manifest/version",
			"2.2.0", nil},
		{"other-inner-id", "CAP-CAP-01", "capability", "Has another id in its manifest.", "manifest/capability_id",
			"cap:code-audit", nil},
		{"other-inner-kind", "CAP-CAP-01", "capability", "Has another kind in its manifest.", "kind", "skill", nil},
		{"no-version", "CAP-CAP-01", "capability", "Has no version beside its manifest.", "version", mutant.Absent{}, nil},
		{"no-kind", "CAP-CAP-01", "capability", "Has no kind beside its manifest.", "kind", mutant.Absent{}, nil},
		{"no-manifest", "CAP-CAP-01", "capability", "Has no manifest.", "manifest", mutant.Absent{}, nil},
		{"null-manifest", "CAP-CAP-01", "capability", "Has null as manifest.", "manifest", nil, nil},
		{"manifest-name", "CAP-CAP-01", "capability", "Names a file as manifest.", "manifest", "manifest.json", nil},

		{"pair-twice", "CAP-CAP-02", "manifests", "Contains one pair twice.", "1/version", "1.0.0",
			[]mutant.Also{{ID: "CAP-GRAN-05", Reason: "the tool of the skill has the pair that was changed"}}},
		{"version-v", "CAP-CAP-03", "manifest", "Has the version v2.", "version", "v2", nil},
		{"version-latest", "CAP-CAP-03", "manifest", "Has the version latest.", "version", "latest", nil},
		{"kind-title-case", "CAP-CAP-04", "manifest", "Is of the kind Tool.", "kind", "Tool", nil},
		{"kind-prompt", "CAP-CAP-04", "manifest", "Is of the kind prompt.", "kind", "prompt", nil},
		{"kind-missing", "CAP-CAP-04", "manifest", "Has no kind.", "kind", mutant.Absent{}, nil},

		{"name-number", "CAP-MAN-01", "manifest", "Has a number as name.", "name", 1, nil},
		{"no-description", "CAP-MAN-01", "manifest", "Has no description.", "description", mutant.Absent{}, nil},
		{"permissions-string", "CAP-MAN-01", "manifest", "Has its permissions in one string.", "required_permissions", "fs",
			nil},
		{"empty-id", "CAP-MAN-01", "manifest", "Has an empty id.", "capability_id", "", nil},
		{"broken-output", "CAP-MAN-01", "manifest", "Has an output schema that does not compile.", "output_schema",
			object{"type": "objekt"}, nil},
		{"no-input", "CAP-MAN-02", "manifest", "Has no input schema.", "input_schema", mutant.Absent{}, nil},
		{"null-input", "CAP-MAN-02", "manifest", "Has null as input schema.", "input_schema", nil, nil},
		{"text-input", "CAP-MAN-02", "manifest", "Has its input schema as text.", "input_schema", `{"type":"object"}`, nil},
		{"broken-input", "CAP-MAN-02", "manifest", "Has an input schema that does not compile.", "input_schema/type",
			"objekt", nil},
		{"no-output", "CAP-MAN-03", "manifest", "Has no output schema.", "output_schema", mutant.Absent{}, nil},
		{"null-output", "CAP-MAN-03", "manifest", "Has null as output schema.", "output_schema", nil, nil},
		{"no-permissions", "CAP-MAN-04", "manifests", "Is a skill without permissions.", "2/required_permissions",
			mutant.Absent{}, nil},
		{"null-resources", "CAP-MAN-04", "manifests", "Is a skill with null as resources.", "2/resources", nil, nil},
		{"empty-prompt", "CAP-MAN-04", "manifests", "Is a skill with an empty prompt.", "2/prompt_template", "", nil},

		{"tool-with-prompt", "CAP-GRAN-01", "manifest", "Is a tool with a prompt template.", "prompt_template", prompt,
			nil},
		{"tool-with-resources", "CAP-GRAN-01", "manifest", "Is a tool with resources.", "resources", []any{"style"}, nil},
		{"skill-as-tool", "CAP-GRAN-05", "manifests", "Reduces a skill to itself.",
			"2/conformance.reduction/tools/0/capability_id", "conformance.brief", nil},
		{"tool-as-text", "CAP-GRAN-05", "manifests", "Reduces a skill to the name of a tool.",
			"2/conformance.reduction/tools/0", "conformance.echo", nil},
		{"fewer-permissions", "CAP-GRAN-05", "manifests", "Reduces a skill to fewer permissions.",
			"2/conformance.reduction/permissions", []any{}, nil},
		{"other-instructions", "CAP-GRAN-05", "manifests", "Reduces a skill to instructions that lack its prompt.",
			"2/conformance.reduction/prompt_instructions", "Be brief.", nil},
		{"fewer-resources", "CAP-GRAN-05", "manifests", "Reduces a skill to fewer resources.",
			"2/conformance.reduction/resources", []any{}, nil},
		{"further-part", "CAP-GRAN-05", "manifests", "Reduces a skill to an additional part.",
			"2/conformance.reduction/hooks",
			[]any{"after"}, nil},
	}
}

// shownEdits returns edits that add details of the transport to a manifest.
func shownEdits() []row {
	return []row{
		{"command", "CAP-MCP-03", "manifest", "Contains a command line in its description.", "description",
			"Reviews. command: /usr/bin/review-server --stdio", nil},
		{"stdio-address", "CAP-MCP-03", "manifest", "Uses a stdio address as name.", "name", "stdio://review-server", nil},
		{"schema-address", "CAP-MCP-03", "manifest", "Contains a stdio address in its schema.", "input_schema/description",
			"Sent to stdio://review-server.", nil},
	}
}

// upperEdits returns edits that break a document of an upper layer.
func upperEdits() []row {
	const item = "spec/constraints/must_use_capabilities/0"
	const joined = "cap:code-review@2.1.0"
	return []row{
		{"joined", "CAP-REF-02", "task", "Names a capability with its version in one string.", item, joined, nil},
		{"bare-name", "CAP-REF-02", "task", "Names a capability by a bare name.", item, "code-review", nil},
		{"empty-name", "CAP-REF-02", "task", "Names a capability by an empty string.", item, "", nil},
		{"no-version", "CAP-REF-02", "task", "Names a capability without a version.", item + "/version", mutant.Absent{},
			nil},
		{"number-version", "CAP-REF-02", "task", "Names a capability with a number as version.", item + "/version", 2, nil},
		{"no-list", "CAP-REF-02", "task", "Names its capabilities in one string.", "spec/constraints/must_use_capabilities",
			"cap:code-review@2.1.0,cap:summary@1.0.0", nil},
		{"joined", "CAP-REF-02", "card", "Names a capability with its version in one string.", "capabilities/0", joined,
			nil},
		{"joined", "CAP-REF-02", "query", "Names a capability with its version in one string.", "capability", joined, nil},
		{"no-version", "CAP-REF-02", "delegation", "Names a capability without a version.", "capability/version",
			mutant.Absent{}, nil},

		{"command", "CAP-IL-02", "card", "Names a command in place of a capability.", "capabilities/0", commanded(), nil},
		{"server", "CAP-IL-02", "delegation", "Names an MCP server beside the capability.", "mcp_server", "review-server",
			nil},
		{"command", "CAP-IL-02", "query", "Queries a command in place of a capability.", "capability", commanded(), nil},
		{"address-as-id", "CAP-IL-02", "delegation", "Uses the address of a tool as id.", "capability/capability_id",
			"http://127.0.0.1:3000/tools/review", nil},

		{"invokes", "CAP-IL-03", "audit", "Records that a capability was invoked.", "events/1/action", "capability.invoke",
			nil},
		{"calls-tool", "CAP-IL-03", "audit", "Records that a tool was called.", "events/1/action", "tools/call", nil},
		{"invokes", "CAP-IL-03", "task", "Records in its trail that a capability was invoked.", "audit_trail/1",
			object{"seq": 2, "action": "capability.invoke", "actor": "agent_planner", "task_id": "task_0417"}, nil},
	}
}

// besideEdits add to a document of an upper layer how a capability is reached, or another name for it.
func besideEdits() []row {
	const item = "spec/constraints/must_use_capabilities/0"
	return []row{
		{"command", "CAP-REF-03", "task", "Names a command in place of a capability.", item, commanded(), nil},
		{"server-beside", "CAP-REF-03", "task", "Names an MCP server beside its capabilities.",
			"spec/constraints/mcp_server",
			"review-server", nil},
		{"function", "CAP-REF-03", "task", "Names a local function in its spec.", "spec/function_name", "review.change",
			nil},
		{"address-as-id", "CAP-REF-03", "task", "Uses the address of a tool as id.", item + "/capability_id",
			"http://127.0.0.1:3000/tools/review", nil},
		{"endpoint", "CAP-REF-03", "reference", "Names an endpoint beside the reference.", "sse_endpoint",
			"http://127.0.0.1:3000/sse", nil},
		{"transport-beside", "CAP-REF-03", "task", "Names a transport in a reference.", item + "/transport", "stdio", nil},

		{"server-in-camel-case", "CAP-REF-03", "task", "Names an MCP server beside its capabilities, in camel case.",
			"spec/constraints/mcpServer", "review-server", nil},
		{"function-in-camel-case", "CAP-REF-03", "task", "Names a local function in a reference, in camel case.",
			item + "/functionName", "review_change", nil},
		{"tools-in-camel-case", "CAP-REF-04", "task", "Names tools beside its capabilities, in camel case.",
			"spec/constraints/mustUseTools", []any{"review"}, nil},
		{"tools-as-objects", "CAP-REF-04", "task", "Names tools by objects beside its capabilities.",
			"spec/constraints/must_use_tools", []any{object{"name": "review"}}, nil},
		{"tools-beside", "CAP-REF-04", "task", "Names tools beside its capabilities.", "spec/constraints/must_use_tools",
			[]any{"review", "summary"}, nil},
		{"tools-only", "CAP-REF-04", "task", "Names tools in place of its capabilities.", "spec/constraints",
			object{"must_use_tools": []any{"review", "summary"}}, nil},
		{"skill-beside", "CAP-REF-04", "task", "Names a skill beside its capabilities.", "spec/constraints/required_skill",
			"review", nil},
		{"tool-beside", "CAP-REF-04", "delegation", "Names a tool beside the capability.", "tool_name", "review_change",
			nil},
		{"tool-beside", "CAP-REF-04", "query", "Names a tool beside the capability.", "mcp_tool", "review_change", nil},
	}
}
