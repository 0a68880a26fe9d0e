package mutant

import (
	"fmt"
	"slices"
)

// acdBases are the sound documents of ACD.
var acdBases = []string{"agent-capability", "minimal-capability", "registry", "agent-manifest", "exemplar", "agent"}

// acdEdits keep documents of ACD sound in another style, or break them. What must be
// there is broken in two ways: it is missing, and it is of a wrong type or value.
func acdEdits() []edit {
	all := acdStyles()
	const shell, adapter, report = "capabilities/0/", "capabilities/1/", "capabilities/2/"
	for _, w := range []wrong{
		{"ACD-DESC-03", "agent-capability", "capability_id", 7}, {"ACD-DESC-04", "agent-capability", "name", ""}, {"ACD-DESC-05", "agent-capability", "version", 1.2},
		{"ACD-DESC-06", "agent-capability", "description", 7}, {"ACD-DESC-07", "agent-capability", "kind", "skill"}, {"ACD-DESC-08", "agent-capability", "execution/substrate", "python"},
		{"ACD-DESC-10", "agent-capability", "invocation/modes", []any{"direct", "cron"}}, {"ACD-DESC-12", "agent-capability", "exposure/scope", "private"},
		{"ACD-DESC-14", "agent-capability", "permissions", []any{"notes.write"}},
		{"ACD-DESC-08", "minimal-capability", "execution", "external_service"}, {"ACD-DESC-10", "minimal-capability", "invocation", []any{"direct"}},
		{"ACD-DESC-12", "minimal-capability", "exposure", "agent"},
		{"ACD-MAN-03", "agent-manifest", "agent_id", 7}, {"ACD-MAN-04", "agent-manifest", "name", ""}, {"ACD-MAN-05", "agent-manifest", "version", 1.4},
		{"ACD-MAN-06", "agent-manifest", "capabilities/registry", "inline | external"}, {"ACD-MAN-07", "agent-manifest", "capabilities/list", "cap.notes.list"},
		{"ACD-MAN-08", "agent-manifest", "channels/0/channel_id", 7}, {"ACD-MAN-09", "agent-manifest", "channels/0/capabilities", "cap.web.adapter"},
	} {
		all = append(all, w.edit("missing", "Lacks "+w.at+".", absent{}), w.edit("type", "Gives "+w.at+" another type or value.", w.value), w.edit("null", "Gives "+w.at+" as null.", nil))
	}
	for _, w := range []wrong{
		{"ACD-DESC-02", "agent-capability", "skill_type", "procedural"}, {"ACD-DESC-02", "agent-capability", "type", "sub-agent"}, {"ACD-DESC-02", "minimal-capability", "isCommand", true},
		{"ACD-DESC-07", "agent-capability", "kind", "atomic | composite | proxy | template"}, {"ACD-DESC-08", "agent-capability", "execution/substrate", "Shell"},
		{"ACD-DESC-09", "agent-capability", "execution/runtime", 7}, {"ACD-DESC-09", "agent-capability", "execution/entrypoint", []any{"notes.Add"}},
		{"ACD-DESC-10", "agent-capability", "invocation/modes", "direct"},
		{"ACD-DESC-11", "agent-capability", "invocation/command_aliases", "note"}, {"ACD-DESC-13", "agent-capability", "exposure/channels", "cli"},
		{"ACD-DESC-13", "agent-capability", "exposure/channels/0", 7}, {"ACD-DESC-15", "agent-capability", "permissions/required", "notes.write"},
		{"ACD-DESC-16", "agent-capability", "permissions/granted_by_default", "no"}, {"ACD-DESC-17", "agent-capability", "permissions/danger_level", "severe"},
		{"ACD-DESC-18", "agent-capability", "inputs/schema", object{"type": "objekt"}}, {"ACD-DESC-18", "agent-capability", "inputs/schema", []any{}}, {"ACD-DESC-18", "agent-capability", "inputs", "text"},
		{"ACD-DESC-19", "agent-capability", "inputs/required", "text"}, {"ACD-DESC-20", "agent-capability", "outputs/schema", 7}, {"ACD-DESC-20", "agent-capability", "outputs/schema/properties/id", "string"},
		{"ACD-DESC-21", "agent-capability", "dependencies/capabilities", []any{object{"id": "cap.notes.store"}}}, {"ACD-DESC-22", "agent-capability", "dependencies/resources", "filesystem"},
		{"ACD-DESC-23", "agent-capability", "lifecycle/hooks/pre_invoke", "cap.quota.check"}, {"ACD-DESC-23", "agent-capability", "lifecycle/hooks", []any{"cap.quota.check"}},
		{"ACD-DESC-24", "agent-capability", "delegation/allowed", "yes"}, {"ACD-DESC-25", "agent-capability", "audit/log_inputs", 1}, {"ACD-DESC-26", "agent-capability", "status/enabled", "true"},
		{"ACD-MAN-02", "agent-manifest", "channels/0/commands", object{"add": "notes.Add"}}, {"ACD-MAN-02", "agent-manifest", "channels/0/on_message", "notes.Add"},
		{"ACD-MAN-07", "agent-manifest", "capabilities/list/1", object{"capability_id": "cap.notes.add"}},
		{"ACD-MAN-08", "agent-manifest", "channels/0", "web"}, {"ACD-MAN-10", "agent-manifest", "policies/shell_access", object{"scope": "none"}}, {"ACD-MAN-10", "agent-manifest", "policies/llm_required_for", "delegation"},
		{"ACD-MAN-11", "agent-manifest", "channels/0/capabilities/1", "cap.notes.erase"}, {"ACD-SDK1-07", "agent-manifest", "skills", []any{object{"name": "summarise"}}},
		{"ACD-SDK1-07", "agent-manifest", "command_registry", "commands.json"}, {"ACD-SDK5-01", "agent-manifest", "channels/0/capabilities", []any{}},
		{"ACD-MAN-01", "agent", "0/capabilities/list/1", "cap.report.print"}, {"ACD-SDK4-04", "agent", "0/channels/0/capabilities/1", "cap.shell.run"},
		{"ACD-SDK4-04", "registry", shell + "exposure/scope", "channel"}, {"ACD-SDK4-04", "registry", shell + "exposure/channels", []any{"mcp"}},
		{"ACD-SDK4-05", "registry", shell + "exposure/scope", "human"}, {"ACD-SDK4-05", "registry", shell + "exposure/scope", "public"},
		{"ACD-SDK5-02", "registry", adapter + "invocation/modes", []any{}},
		{"ACD-DESC-33", "registry", report + "dependencies/capabilities/0", "cap.notes.read"}, {"ACD-DESC-33", "registry", report + "lifecycle/hooks/post_invoke/0", "cap.notes.read"},
		{"ACD-DESC-34", "registry", "capabilities/3/dependencies", object{"capabilities": []any{"cap.report.write"}}}, {"ACD-DESC-34", "registry", "capabilities/3/lifecycle", object{"hooks": object{"on_error": []any{"cap.notes.list"}}}},
		{"ACD-DESC-35", "registry", "capabilities/4/delegation/allowed", false}, {"ACD-DESC-36", "registry", "capabilities/3/invocation/command_aliases/0", "report"},
		{"ACD-DESC-36", "registry", "capabilities/4/invocation/command_aliases", []any{"ask"}}, {"ACD-DESC-37", "registry", "capabilities/3/version", "v1"},
		{"ACD-DESC-37", "agent-capability", "inputs/required/0", "note"}, {"ACD-DESC-37", "minimal-capability", "capability_id", "7 clocks"},
		{"ACD-DESC-38", "registry", "capabilities/4/capability_id", "cap.notes.list"},
		{"ACD-EX2-01", "exemplar", "channels/0/capabilities", []any{"cap.identify"}}, {"ACD-EX2-01", "exemplar", "channels/0/channel_id", "web"},
	} {
		all = append(all, numbered(all, w.edit("value", "Gives "+w.at+" a value that it can't have.", w.value)))
	}
	for i, id := range []string{"ACD-EX1-01", "ACD-EX1-02", "ACD-EX1-03", "ACD-EX1-04", "ACD-EX1-05", "ACD-EX1-06", "ACD-EX1-07", "ACD-EX1-08"} {
		w := wrong{id, "exemplar", fmt.Sprintf("capabilities/list/%d", i), "cap.other"}
		all = append(all, w.edit("value", "Lists cap.other in the place of a capability of the minimum set.", w.value))
	}
	return breaksMore(all)
}

// breaksMore adds what an edit can't help breaking as well.
func breaksMore(all []edit) []edit {
	for i := range all {
		switch all[i].base + " " + all[i].name {
		case "registry capabilities-1-invocation-modes-value":
			all[i].also = []Also{{"ACD-DESC-37", "without a mode an adapter can't be invoked either"}}
		case "exemplar capabilities-list-2-value":
			all[i].also = []Also{{"ACD-MAN-11", "the channel goes on exposing what the list has lost"}}
		}
	}
	return all
}

// numbered gives an edit a name that no other has.
func numbered(others []edit, e edit) edit {
	name := e.name
	taken := func(o edit) bool { return o.base == e.base && o.name == e.name }
	for n := 2; slices.ContainsFunc(others, taken); n++ {
		e.name = fmt.Sprintf("%s-%d", name, n)
	}
	return e
}

// acdStyles keep a document sound.
func acdStyles() []edit {
	return []edit{
		{name: "nulls", base: "minimal-capability", at: "status", value: nil, summary: "Gives an optional member as null."},
		{name: "inner-null", base: "agent-capability", at: "permissions/danger_level", value: nil, summary: "Gives an optional member within another as null."},
		{name: "custom", base: "agent-capability", at: "x-owner", value: object{"team": "notes"}, summary: "Has a member that the text does not know."},
		{name: "inner-custom", base: "agent-capability", at: "execution/timeout_s", value: 30, summary: "Has a member that the text does not know within another."},
		{name: "own-type", base: "agent-capability", at: "type", value: "note-keeper", summary: "Has a member type of its own."},
		{name: "boolean-schema", base: "agent-capability", at: "outputs/schema", value: true, summary: "Takes true as a schema."},
		{name: "schema-reference", base: "agent-capability", at: "inputs/schema", value: "schemas/note.json", summary: "Refers to its input schema."},
		{name: "draft-07", base: "agent-capability", at: "inputs/schema/$schema", value: "http://json-schema.org/draft-07/schema#", summary: "Names an older dialect."},
		{name: "own-channel", base: "agent-capability", at: "exposure/channels/0", value: "matrix", summary: "Names a channel that the text does not print."},
		{name: "own-resource", base: "agent-capability", at: "dependencies/resources/0", value: "camera", summary: "Names a resource that the text does not print."},
		{name: "every-mode", base: "agent-capability", at: "invocation/modes", value: []any{"ui_action", "event", "message", "command", "direct"}, summary: "Has every mode."},
		{name: "no-aliases", base: "agent-capability", at: "invocation/command_aliases", value: []any{}, summary: "Has no aliases."},
		{name: "disabled", base: "registry", at: "capabilities/3/status", value: object{"enabled": false}, summary: "Holds a capability that is switched off."},
		{name: "agent-shell", base: "registry", at: "capabilities/0/exposure/scope", value: "agent", summary: "Exposes a shell to the agent."},
		{name: "mode-twice", base: "agent-capability", at: "invocation/modes", value: []any{"direct", "direct"}, summary: "Lists a mode twice."},
		{name: "id-twice", base: "agent-manifest", at: "capabilities/list", value: []any{"cap.web.adapter", "cap.notes.list", "cap.notes.list"}, summary: "Lists an id twice."},
		{name: "protocol", base: "agent-manifest", at: "protocol", value: "P3394", summary: "Names the protocol that its agent speaks."},
		{name: "endpoint", base: "agent-manifest", at: "protocol", value: object{"name": "IEEE P3394", "endpoint": "/umf"}, summary: "Describes the protocol that its agent speaks."},
		{name: "urn-free", base: "agent-manifest", at: "agent_id", value: "notes", summary: "Has an id that is no URN."},
		{name: "no-channels", base: "agent-manifest", at: "channels", value: absent{}, summary: "Has no channels."},
		{name: "null-policies", base: "agent-manifest", at: "policies", value: nil, summary: "Gives its policies as null."},
		{name: "own-policy", base: "agent-manifest", at: "policies/capability_mutation", value: "open to everybody", summary: "Has a policy in words of its own."},
		{name: "external", base: "agent-manifest", at: "capabilities/registry", value: "external", summary: "Has an external registry."},
		{name: "channel-title", base: "agent-manifest", at: "channels/0/title", value: "The web", summary: "Gives a channel a title."},
		{name: "channel-commands", base: "agent-manifest", at: "channels/0/commands", value: true, summary: "Says that a channel takes commands."},
		{name: "skills-view", base: "agent-manifest", at: "skills", value: []any{"cap.notes.list"}, summary: "Lists the ids of what was called skills."},
		{name: "praised", base: "agent-manifest", at: "name", value: "An exemplar of order", summary: "Has the word exemplar in its name."},
		{name: "part-of-registry", base: "agent", at: "0/capabilities/list", value: []any{"cap.web.adapter", "cap.notes.list"}, summary: "Lists fewer capabilities than there are."},
		{name: "more", base: "exemplar", at: "capabilities/list/8", value: "cap.help", summary: "Lists more than the minimum set."},
		{name: "large-cli", base: "exemplar", at: "channels/0/channel_id", value: "CLI", summary: "Writes cli in capitals."},
	}
}
