package acdmutant

import (
	"embed"
	"fmt"
	"slices"

	"github.com/capconform/capconform/reference/mutant"
)

//go:embed documents/*.json
var files embed.FS

// Documents returns the valid and the broken documents of ACD.
func Documents() ([]mutant.Document, error) {
	all, err := mutant.ValidDocuments("acd", files, "agent-capability", "minimal-capability", "registry", "agent-manifest",
		"exemplar", "agent")
	if err != nil {
		return nil, err
	}
	more, err := mutant.Edited("acd", files, edits())
	if err != nil {
		return nil, err
	}
	strict, err := mutant.Edited("acd", files, closed())
	for i := range strict {
		strict[i].Strict = true
	}
	return slices.Concat(all, more, strict), err
}

// row is a fault in a table.
type row mutant.Fault

// closed returns edits that break only the closed readings, which are advice and are
// checked only with --strict.
func closed() []mutant.Edit {
	var all []mutant.Edit
	for _, w := range closedFaults {
		all = append(all, mutant.Fault(w).Closed())
	}
	return all
}

// edits returns edits that keep documents valid in another style, and edits that break
// them. A required member is broken in three ways: absent, of a wrong type or value, and null.
func edits() []mutant.Edit {
	all := styles()
	for _, w := range requiredFaults {
		fault := mutant.Fault(w)
		all = append(all, fault.Edit("missing", "Lacks "+w.At+".", mutant.Absent{}),
			fault.Edit("type", "Gives "+w.At+" another type or value.", w.Value),
			fault.Edit("null", "Gives "+w.At+" as null.", nil))
	}
	for _, w := range valueFaults {
		edit := mutant.Fault(w).Edit("value", "Gives "+w.At+" a value that the text does not permit.", w.Value)
		all = append(all, numbered(all, edit))
	}
	for i := range 8 {
		w := row{fmt.Sprintf("ACD-EX1-%02d", i+1), "exemplar", fmt.Sprintf("capabilities/list/%d", i), "cap.other"}
		edit := mutant.Fault(w).Edit("value", "Lists cap.other instead of a capability of the minimum set.", w.Value)
		all = append(all, edit)
	}
	return breaksMore(all)
}

// breaksMore adds the other requirements that an edit necessarily breaks.
func breaksMore(all []mutant.Edit) []mutant.Edit {
	for i := range all {
		switch all[i].Base + " " + all[i].Name {
		case "registry capabilities-1-invocation-modes-value":
			all[i].Also = []mutant.Also{{ID: "ACD-DESC-37",
				Reason: "without a mode, an adapter cannot be invoked, which ACD-DESC-37 advises against"}}
		case "exemplar capabilities-list-2-value":
			all[i].Also = []mutant.Also{{ID: "ACD-MAN-11",
				Reason: "the channel still exposes the id that is no longer in the list"}}
		}
	}
	return all
}

// numbered makes the name of an edit unique.
func numbered(others []mutant.Edit, e mutant.Edit) mutant.Edit {
	name := e.Name
	taken := func(o mutant.Edit) bool { return o.Base == e.Base && o.Name == e.Name }
	for n := 2; slices.ContainsFunc(others, taken); n++ {
		e.Name = fmt.Sprintf("%s-%d", name, n)
	}
	return e
}

// styles returns edits that keep a document valid.
func styles() []mutant.Edit { return slices.Concat(descriptorStyles(), manifestStyles()) }

func descriptorStyles() []mutant.Edit {
	return []mutant.Edit{
		{Name: "nulls", Base: "minimal-capability", At: "status", Value: nil, Summary: "Gives an optional member as null."},
		{Name: "inner-null", Base: "agent-capability", At: "permissions/danger_level", Value: nil,
			Summary: "Gives an optional member inside another as null."},
		{Name: "custom", Base: "agent-capability", At: "x-owner", Value: object{"team": "notes"},
			Summary: "Has a member that the text does not define."},
		{Name: "inner-custom", Base: "agent-capability", At: "execution/timeout_s", Value: 30,
			Summary: "Has a member that the text does not define inside another."},
		{Name: "own-type", Base: "agent-capability", At: "type", Value: "note-keeper",
			Summary: "Has a private member named type."},
		{Name: "boolean-schema", Base: "agent-capability", At: "outputs/schema", Value: true,
			Summary: "Has true as a schema."},
		{Name: "schema-reference", Base: "agent-capability", At: "inputs/schema", Value: "schemas/note.json",
			Summary: "Has a reference as its input schema."},
		{Name: "draft-07", Base: "agent-capability", At: "inputs/schema/$schema",
			Value: "http://json-schema.org/draft-07/schema#", Summary: "Names an older dialect."},
		{Name: "own-channel", Base: "agent-capability", At: "exposure/channels/0", Value: "matrix",
			Summary: "Names a channel that the text does not print."},
		{Name: "own-resource", Base: "agent-capability", At: "dependencies/resources/0", Value: "camera",
			Summary: "Names a resource that the text does not print."},
		{Name: "every-mode", Base: "agent-capability", At: "invocation/modes",
			Value: []any{"ui_action", "event", "message", "command", "direct"}, Summary: "Has every mode."},
		{Name: "no-aliases", Base: "agent-capability", At: "invocation/command_aliases", Value: []any{},
			Summary: "Has no aliases."},
		{Name: "disabled", Base: "registry", At: "capabilities/3/status", Value: object{"enabled": false},
			Summary: "Contains a disabled capability."},
		{Name: "agent-shell", Base: "registry", At: "capabilities/0/exposure/scope", Value: "agent",
			Summary: "Gives a shell the scope agent."},
		{Name: "mode-twice", Base: "agent-capability", At: "invocation/modes", Value: []any{"direct", "direct"},
			Summary: "Lists a mode twice."},
	}
}

func manifestStyles() []mutant.Edit {
	return []mutant.Edit{
		{Name: "id-twice", Base: "agent-manifest", At: "capabilities/list",
			Value: []any{"cap.web.adapter", "cap.notes.list", "cap.notes.list"}, Summary: "Lists an id twice."},
		{Name: "protocol", Base: "agent-manifest", At: "protocol", Value: "P3394",
			Summary: "Names the protocol that its agent speaks."},
		{Name: "endpoint", Base: "agent-manifest", At: "protocol", Value: object{"name": "IEEE P3394", "endpoint": "/umf"},
			Summary: "Describes the protocol that its agent speaks."},
		{Name: "urn-free", Base: "agent-manifest", At: "agent_id", Value: "notes", Summary: "Has an id that is not a URN."},
		{Name: "no-channels", Base: "agent-manifest", At: "channels", Value: mutant.Absent{}, Summary: "Has no channels."},
		{Name: "null-policies", Base: "agent-manifest", At: "policies", Value: nil, Summary: "Gives its policies as null."},
		{Name: "own-policy", Base: "agent-manifest", At: "policies/capability_mutation", Value: "open to everybody",
			Summary: "Has a policy that the text does not define."},
		{Name: "external", Base: "agent-manifest", At: "capabilities/registry", Value: "external",
			Summary: "Has an external registry."},
		{Name: "channel-title", Base: "agent-manifest", At: "channels/0/title", Value: "The web",
			Summary: "Gives a channel a title."},
		{Name: "channel-commands", Base: "agent-manifest", At: "channels/0/commands", Value: true,
			Summary: "Says that a channel accepts commands."},
		{Name: "channel-command-ids", Base: "agent-manifest", At: "channels/0/supported_commands",
			Value: []any{"cap.notes.list"}, Summary: "Lists ids under a channel in an additional member."},
		{Name: "skills-view", Base: "agent-manifest", At: "skills", Value: []any{"cap.notes.list"},
			Summary: "Lists the ids of its skills."},
		{Name: "praised", Base: "agent-manifest", At: "name", Value: "An exemplar of order",
			Summary: "Has the word exemplar in its name."},
		{Name: "part-of-registry", Base: "agent", At: "0/capabilities/list",
			Value: []any{"cap.web.adapter", "cap.notes.list"}, Summary: "Lists fewer capabilities than there are descriptors."},
		{Name: "kind-of-channels", Base: "agent", At: "3/exposure/channels", Value: []any{"chat", "browser"},
			Summary: "Names kinds of channels in the exposure of a capability."},
		{Name: "channel-in-capitals", Base: "agent", At: "3/exposure/channels", Value: []any{"WEB"},
			Summary: "Writes the name of a channel in capitals."},
		{Name: "disabled-on-channel", Base: "agent", At: "3/status", Value: object{"enabled": false},
			Summary: "Lists a disabled capability under a channel."},
		{Name: "more", Base: "exemplar", At: "capabilities/list/8", Value: "cap.help",
			Summary: "Lists more than the minimum set."},
		{Name: "large-cli", Base: "exemplar", At: "channels/0/channel_id", Value: "CLI", Summary: "Writes cli in capitals."},
	}
}

// requiredFaults are required members of documents, each with a wrong value.
var requiredFaults = []row{
	{"ACD-DESC-03", "agent-capability", "capability_id", 7}, {"ACD-DESC-04", "agent-capability", "name", ""},
	{"ACD-DESC-05", "agent-capability", "version", 1.2},
	{"ACD-DESC-06", "agent-capability", "description", 7}, {"ACD-DESC-07", "agent-capability", "kind", "skill"},
	{"ACD-DESC-08", "agent-capability", "execution/substrate", "python"},
	{"ACD-DESC-10", "agent-capability", "invocation/modes", []any{"direct", "cron"}},
	{"ACD-DESC-12", "agent-capability", "exposure/scope", "private"},
	{"ACD-DESC-14", "agent-capability", "permissions", []any{"notes.write"}},
	{"ACD-DESC-08", "minimal-capability", "execution", "external_service"},
	{"ACD-DESC-10", "minimal-capability", "invocation", []any{"direct"}},
	{"ACD-DESC-12", "minimal-capability", "exposure", "agent"},
	{"ACD-MAN-03", "agent-manifest", "agent_id", 7}, {"ACD-MAN-04", "agent-manifest", "name", ""},
	{"ACD-MAN-05", "agent-manifest", "version", 1.4},
	{"ACD-MAN-06", "agent-manifest", "capabilities/registry", "inline | external"},
	{"ACD-MAN-07", "agent-manifest", "capabilities/list", "cap.notes.list"},
	{"ACD-MAN-08", "agent-manifest", "channels/0/channel_id", 7},
	{"ACD-MAN-09", "agent-manifest", "channels/0/capabilities", "cap.web.adapter"},
	{"ACD-MAN-08", "exemplar", "channels/0/channel_id", 7},
	{"ACD-MAN-09", "exemplar", "channels/0/capabilities", "cap.cli.adapter"},
}

const shell, adapter, report = "capabilities/0/", "capabilities/1/", "capabilities/2/"

// closedFaults are members that the closed readings do not permit.
var closedFaults = []row{
	{"ACD-DESC-32", "agent-capability", "x_shelf", "B4"},
	{"ACD-DESC-32", "agent-capability", "execution/x_shelf", "B4"},
	{"ACD-MAN-12", "agent-manifest", "x_shelf", "B4"},
}

// valueFaults are wrong values of members of documents.
var valueFaults = []row{
	{"ACD-DESC-02", "agent-capability", "skill_type", "procedural"},
	{"ACD-DESC-02", "agent-capability", "type", "sub-agent"},
	{"ACD-DESC-02", "minimal-capability", "isCommand", true},
	{"ACD-DESC-07", "agent-capability", "kind", "atomic | composite | proxy | template"},
	{"ACD-DESC-08", "agent-capability", "execution/substrate", "Shell"},
	{"ACD-DESC-09", "agent-capability", "execution/runtime", 7},
	{"ACD-DESC-09", "agent-capability", "execution/entrypoint", []any{"notes.Add"}},
	{"ACD-DESC-10", "agent-capability", "invocation/modes", "direct"},
	{"ACD-DESC-11", "agent-capability", "invocation/command_aliases", "note"},
	{"ACD-DESC-13", "agent-capability", "exposure/channels", "cli"},
	{"ACD-DESC-13", "agent-capability", "exposure/channels/0", 7},
	{"ACD-DESC-15", "agent-capability", "permissions/required", "notes.write"},
	{"ACD-DESC-16", "agent-capability", "permissions/granted_by_default", "no"},
	{"ACD-DESC-17", "agent-capability", "permissions/danger_level", "severe"},
	{"ACD-DESC-18", "agent-capability", "inputs/schema", object{"type": "objekt"}},
	{"ACD-DESC-18", "agent-capability", "inputs/schema", []any{}},
	{"ACD-DESC-18", "agent-capability", "inputs", "text"},
	{"ACD-DESC-19", "agent-capability", "inputs/required", "text"},
	{"ACD-DESC-20", "agent-capability", "outputs/schema", 7},
	{"ACD-DESC-20", "agent-capability", "outputs/schema/properties/id", "string"},
	{"ACD-DESC-21", "agent-capability", "dependencies/capabilities", []any{object{"id": "cap.notes.store"}}},
	{"ACD-DESC-22", "agent-capability", "dependencies/resources", "filesystem"},
	{"ACD-DESC-23", "agent-capability", "lifecycle/hooks/pre_invoke", "cap.quota.check"},
	{"ACD-DESC-23", "agent-capability", "lifecycle/hooks", []any{"cap.quota.check"}},
	{"ACD-DESC-24", "agent-capability", "delegation/allowed", "yes"},
	{"ACD-DESC-25", "agent-capability", "audit/log_inputs", 1},
	{"ACD-DESC-26", "agent-capability", "status/enabled", "true"},
	{"ACD-MAN-02", "agent-manifest", "channels/0/commands", object{"add": "notes.Add"}},
	{"ACD-MAN-02", "agent-manifest", "channels/0/on_message", "notes.Add"},
	{"ACD-MAN-02", "agent-manifest", "channels/0/slash_commands", []any{object{"name": "add", "runs": "notes.Add"}}},
	{"ACD-MAN-07", "agent-manifest", "capabilities/list/1", object{"capability_id": "cap.notes.add"}},
	{"ACD-MAN-08", "agent-manifest", "channels/0", "web"},
	{"ACD-MAN-10", "agent-manifest", "policies/shell_access", object{"scope": "none"}},
	{"ACD-MAN-10", "agent-manifest", "policies/llm_required_for", "delegation"},
	{"ACD-MAN-11", "agent-manifest", "channels/0/capabilities/1", "cap.notes.erase"},
	{"ACD-SDK1-07", "agent-manifest", "skills", []any{object{"name": "summarise"}}},
	{"ACD-SDK1-07", "agent-manifest", "command_registry", "commands.json"},
	{"ACD-SDK1-07", "agent-manifest", "capabilities/sub_agents", []any{object{"name": "scribe"}}},
	{"ACD-SDK5-01", "agent-manifest", "channels/0/capabilities", []any{}},
	{"ACD-MAN-01", "agent", "0/capabilities/list/1", "cap.report.print"},
	{"ACD-SDK4-04", "agent", "0/channels/0/capabilities/1", "cap.shell.run"},
	{"ACD-SDK4-04", "registry", shell + "exposure/scope", "channel"},
	{"ACD-SDK4-04", "registry", shell + "exposure/channels", []any{"mcp"}},
	{"ACD-SDK4-05", "registry", shell + "exposure/scope", "human"},
	{"ACD-SDK4-05", "registry", shell + "exposure/scope", "public"},
	{"ACD-SDK5-02", "registry", adapter + "invocation/modes", []any{}},
	{"ACD-SDK5-04", "agent", "3/exposure/channels", []any{"cli"}},
	{"ACD-SDK5-04", "agent", "3/exposure/scope", "internal"},
	{"ACD-DESC-33", "registry", report + "dependencies/capabilities/0", "cap.notes.read"},
	{"ACD-DESC-33", "registry", report + "lifecycle/hooks/post_invoke/0", "cap.notes.read"},
	{"ACD-DESC-34", "registry", "capabilities/3/dependencies", object{"capabilities": []any{"cap.report.write"}}},
	{"ACD-DESC-34", "registry", "capabilities/3/lifecycle", object{"hooks": object{"on_error": []any{"cap.notes.list"}}}},
	{"ACD-DESC-35", "registry", "capabilities/4/delegation/allowed", false},
	{"ACD-DESC-36", "registry", "capabilities/3/invocation/command_aliases/0", "report"},
	{"ACD-DESC-36", "registry", "capabilities/4/invocation/command_aliases", []any{"ask"}},
	{"ACD-DESC-37", "registry", "capabilities/3/version", "v1"},
	{"ACD-DESC-37", "agent-capability", "inputs/required/0", "note"},
	{"ACD-DESC-37", "minimal-capability", "capability_id", "7 clocks"},
	{"ACD-DESC-38", "registry", "capabilities/4/capability_id", "cap.notes.list"},
	{"ACD-EX2-01", "exemplar", "channels/0/capabilities", []any{"cap.identify"}},
	{"ACD-EX2-01", "exemplar", "channels/0/channel_id", "web"},
}
