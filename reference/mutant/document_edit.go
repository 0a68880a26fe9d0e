package mutant

type object = map[string]any

// commanded names a way to a capability in place of a capability.
func commanded() object {
	return object{"transport": "stdio", "command": "npx -y review-server"}
}

// soundEdits keep a document sound.
func soundEdits() []edit {
	return []edit{
		{name: "no-nulls", base: "manifest", at: "prompt_template", value: absent{}, summary: "Leaves out a member that is null."},
		{name: "open-output", base: "manifest", at: "output_schema", value: object{}, summary: "Declares an open output."},
		{name: "draft-07", base: "manifest", at: "input_schema/$schema", value: "http://json-schema.org/draft-07/schema#", summary: "Names an older dialect."},
		{name: "custom", base: "manifest", at: "x-server", value: object{"command": "npx", "url": "stdio://review"}, summary: "Holds transport words in a custom member."},
		{name: "pre-release", base: "manifest", at: "version", value: "2.1.0-rc.1+build.5", summary: "Has a version with pre-release and build."},
		{name: "no-resources", base: "manifests", at: "2/resources", value: []any{}, summary: "Is a skill that bundles nothing."},
		{name: "null-capability", base: "query", at: "capability", value: nil, summary: "Asks for no capability."},
		{name: "no-constraints", base: "task", at: "spec/constraints/must_use_capabilities", value: []any{}, summary: "Demands no capability."},
		{name: "external", base: "task", at: "spec/constraints/external_refs", value: []any{object{"kind": "ticket", "namespace": "tracker", "id": "17", "label": "Ticket"}},
			summary: "Refers to another system."},
		{name: "artifact-address", base: "task", at: "artifacts", value: []any{object{"name": "report", "uri": "https://example.org/report.md"}}, summary: "Holds the address of an artifact."},
		{name: "scopes", base: "task", at: "spec/permission_scopes", value: []any{"tool:mcp:review"}, summary: "Names a mechanism in a permission scope."},
		{name: "label", base: "task", at: "spec/constraints/must_use_capabilities/0/label", value: "Review", summary: "Puts a label into a reference."},
		{name: "label", base: "card", at: "capabilities/0/label", value: "Review", summary: "Puts a label into a reference."},
		{name: "label", base: "delegation", at: "capability/label", value: "Review", summary: "Puts a label into a reference."},
		{name: "documentation", base: "query", at: "capability/docs", value: "https://docs.example.org/review", summary: "Puts the address of a manual into a reference."},
		{name: "table-headers", base: "task", at: "spec/constraints/headers", value: []any{"Place", "Finding"}, summary: "Names the headers of a table."},
		{name: "word-command", base: "task", at: "spec/command", value: "approve", summary: "Has a command that is a word for a person."},
		{name: "goods-transport", base: "task", at: "spec/transport", value: "train", summary: "Speaks of the transport of goods."},
		{name: "url-as-word", base: "task", at: "spec/constraints/url", value: "see the ticket", summary: "Has a member url that holds no address."},
		{name: "command-in-reference", base: "task", at: "spec/constraints/must_use_capabilities/0/command", value: "review", summary: "Puts a word named command into a reference."},
		{name: "goal-on-tools", base: "task", at: "spec/goal", value: "Explain what tools/call does over stdio and SSE.", summary: "Speaks of a transport in its goal."},
	}
}

// manifestEdits break a Capability, a manifest, or a list of manifests.
func manifestEdits() []edit {
	const prompt = "Say in two sentences what matters about {{topic}}."
	return []edit{
		{"other-inner-version", "CAP-CAP-01", "capability", "Says another version in its manifest.", "manifest/version", "2.2.0", nil},
		{"other-inner-id", "CAP-CAP-01", "capability", "Says another id in its manifest.", "manifest/capability_id", "cap:code-audit", nil},
		{"other-inner-kind", "CAP-CAP-01", "capability", "Says another kind in its manifest.", "kind", "skill", nil},
		{"no-version", "CAP-CAP-01", "capability", "Has no version of its own.", "version", absent{}, nil},
		{"no-kind", "CAP-CAP-01", "capability", "Has no kind of its own.", "kind", absent{}, nil},
		{"no-manifest", "CAP-CAP-01", "capability", "Has no manifest.", "manifest", absent{}, nil},
		{"null-manifest", "CAP-CAP-01", "capability", "Has null as manifest.", "manifest", nil, nil},
		{"manifest-name", "CAP-CAP-01", "capability", "Names a file as manifest.", "manifest", "manifest.json", nil},

		{"pair-twice", "CAP-CAP-02", "manifests", "Holds one pair twice.", "1/version", "1.0.0",
			[]Also{{"CAP-GRAN-05", "the tool of the skill has the pair that was changed"}}},
		{"version-v", "CAP-CAP-03", "manifest", "Has the version v2.", "version", "v2", nil},
		{"version-latest", "CAP-CAP-03", "manifest", "Has the version latest.", "version", "latest", nil},
		{"kind-title-case", "CAP-CAP-04", "manifest", "Is of the kind Tool.", "kind", "Tool", nil},
		{"kind-prompt", "CAP-CAP-04", "manifest", "Is of the kind prompt.", "kind", "prompt", nil},
		{"kind-missing", "CAP-CAP-04", "manifest", "Has no kind.", "kind", absent{}, nil},

		{"name-number", "CAP-MAN-01", "manifest", "Has a number as name.", "name", 1, nil},
		{"no-description", "CAP-MAN-01", "manifest", "Has no description.", "description", absent{}, nil},
		{"permissions-string", "CAP-MAN-01", "manifest", "Has its permissions in one string.", "required_permissions", "fs", nil},
		{"empty-id", "CAP-MAN-01", "manifest", "Has an empty id.", "capability_id", "", nil},
		{"broken-output", "CAP-MAN-01", "manifest", "Has an output schema that does not compile.", "output_schema", object{"type": "objekt"}, nil},
		{"no-input", "CAP-MAN-02", "manifest", "Has no input schema.", "input_schema", absent{}, nil},
		{"null-input", "CAP-MAN-02", "manifest", "Has null as input schema.", "input_schema", nil, nil},
		{"text-input", "CAP-MAN-02", "manifest", "Has its input schema as text.", "input_schema", `{"type":"object"}`, nil},
		{"broken-input", "CAP-MAN-02", "manifest", "Has an input schema that does not compile.", "input_schema/type", "objekt", nil},
		{"no-output", "CAP-MAN-03", "manifest", "Has no output schema.", "output_schema", absent{}, nil},
		{"null-output", "CAP-MAN-03", "manifest", "Has null as output schema.", "output_schema", nil, nil},
		{"no-permissions", "CAP-MAN-04", "manifests", "Is a skill without permissions.", "2/required_permissions", absent{}, nil},
		{"null-resources", "CAP-MAN-04", "manifests", "Is a skill with null as resources.", "2/resources", nil, nil},
		{"empty-prompt", "CAP-MAN-04", "manifests", "Is a skill with an empty prompt.", "2/prompt_template", "", nil},

		{"tool-with-prompt", "CAP-GRAN-01", "manifest", "Is a tool with a prompt template.", "prompt_template", prompt, nil},
		{"tool-with-resources", "CAP-GRAN-01", "manifest", "Is a tool with resources.", "resources", []any{"style"}, nil},
		{"skill-as-tool", "CAP-GRAN-05", "manifests", "Reduces a skill to itself.", "2/conformance.reduction/tools/0/capability_id", "conformance.brief", nil},
		{"tool-as-text", "CAP-GRAN-05", "manifests", "Reduces a skill to the name of a tool.", "2/conformance.reduction/tools/0", "conformance.echo", nil},
		{"fewer-permissions", "CAP-GRAN-05", "manifests", "Reduces a skill to fewer permissions.", "2/conformance.reduction/permissions", []any{}, nil},
		{"other-instructions", "CAP-GRAN-05", "manifests", "Reduces a skill to instructions without its prompt.", "2/conformance.reduction/prompt_instructions", "Be brief.", nil},
		{"fewer-resources", "CAP-GRAN-05", "manifests", "Reduces a skill to fewer resources.", "2/conformance.reduction/resources", []any{}, nil},
		{"further-part", "CAP-GRAN-05", "manifests", "Reduces a skill to a further part.", "2/conformance.reduction/hooks", []any{"after"}, nil},
		{"command", "CAP-MCP-03", "manifest", "Tells a command line in its description.", "description", "Reviews. command: /usr/bin/review-server --stdio", nil},
		{"stdio-address", "CAP-MCP-03", "manifest", "Uses a stdio address as name.", "name", "stdio://review-server", nil},
	}
}

// upperEdits break a document of the layers above.
func upperEdits() []edit {
	const item = "spec/constraints/must_use_capabilities/0"
	const joined = "cap:code-review@2.1.0"
	return []edit{
		{"joined", "CAP-REF-02", "task", "Names a capability with its version in one string.", item, joined, nil},
		{"bare-name", "CAP-REF-02", "task", "Names a capability by a bare name.", item, "code-review", nil},
		{"empty-name", "CAP-REF-02", "task", "Names a capability by an empty string.", item, "", nil},
		{"no-version", "CAP-REF-02", "task", "Names a capability without a version.", item + "/version", absent{}, nil},
		{"number-version", "CAP-REF-02", "task", "Names a capability with a number as version.", item + "/version", 2, nil},
		{"no-list", "CAP-REF-02", "task", "Names its capabilities in one string.", "spec/constraints/must_use_capabilities", "cap:code-review@2.1.0,cap:summary@1.0.0", nil},
		{"joined", "CAP-REF-02", "card", "Names a capability with its version in one string.", "capabilities/0", joined, nil},
		{"joined", "CAP-REF-02", "query", "Names a capability with its version in one string.", "capability", joined, nil},
		{"no-version", "CAP-REF-02", "delegation", "Names a capability without a version.", "capability/version", absent{}, nil},

		{"command", "CAP-REF-03", "task", "Names a command in place of a capability.", item, commanded(), nil},
		{"server-beside", "CAP-REF-03", "task", "Names an MCP server beside its capabilities.", "spec/constraints/mcp_server", "review-server", nil},
		{"function", "CAP-REF-03", "task", "Names a local function in its spec.", "spec/function_name", "review.change", nil},
		{"address-as-id", "CAP-REF-03", "task", "Uses the address of a tool as id.", item + "/capability_id", "http://127.0.0.1:3000/tools/review", nil},
		{"endpoint", "CAP-REF-03", "reference", "Names an endpoint beside the reference.", "sse_endpoint", "http://127.0.0.1:3000/sse", nil},
		{"transport-beside", "CAP-REF-03", "task", "Names a transport in a reference.", item + "/transport", "stdio", nil},

		{"tools-beside", "CAP-REF-04", "task", "Names tools beside its capabilities.", "spec/constraints/must_use_tools", []any{"review", "summary"}, nil},
		{"skill-beside", "CAP-REF-04", "task", "Names a skill beside its capabilities.", "spec/constraints/required_skill", "review", nil},
		{"tool-beside", "CAP-REF-04", "delegation", "Names a tool beside the capability.", "tool_name", "review_change", nil},
		{"tool-beside", "CAP-REF-04", "query", "Names a tool beside the capability.", "mcp_tool", "review_change", nil},

		{"command", "CAP-IL-02", "card", "Names a command in place of a capability.", "capabilities/0", commanded(), nil},
		{"server", "CAP-IL-02", "delegation", "Names an MCP server beside the capability.", "mcp_server", "review-server", nil},
		{"command", "CAP-IL-02", "query", "Asks for a command in place of a capability.", "capability", commanded(), nil},
		{"address-as-id", "CAP-IL-02", "delegation", "Uses the address of a tool as id.", "capability/capability_id", "http://127.0.0.1:3000/tools/review", nil},

		{"invokes", "CAP-IL-03", "audit", "Records that a capability was invoked.", "events/1/action", "capability.invoke", nil},
		{"calls-tool", "CAP-IL-03", "audit", "Records that a tool was called.", "events/1/action", "tools/call", nil},
		{"invokes", "CAP-IL-03", "task", "Records in its trail that a capability was invoked.", "audit_trail/1",
			object{"seq": 2, "action": "capability.invoke", "actor": "agent_planner", "task_id": "task_0417"}, nil},
	}
}
