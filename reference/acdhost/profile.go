package acdhost

// Profile returns the exemplar with the fixtures of the adapter page.
func Profile() *Host {
	return New(append(agentEntries(), fixtures()...))
}

// Ordinary returns an agent with other ids that is not an exemplar and has no fixtures.
func Ordinary() *Host {
	h := New(ordinaryEntries())
	h.AgentID, h.Name = "urn:agent:harbour:desk", "Harbour desk"
	return h
}

// form describes a capability of this host.
type form struct {
	id, name, kind, substrate, entry, scope string
	modes                                   []string
	permission                              string // required, unless it is empty
	more                                    object // by path
}

func (f form) descriptor() object {
	required := []any{}
	if f.permission != "" {
		required = append(required, f.permission)
	}
	d := object{
		"capability_id": f.id, "name": f.name, "version": "1.0.0", "description": f.name + ".", "kind": f.kind,
		"execution":    object{"substrate": f.substrate, "runtime": "go", "entrypoint": f.entry},
		"invocation":   object{"modes": toAnys(f.modes), "command_aliases": []any{}},
		"exposure":     object{"scope": f.scope, "channels": []any{}},
		"permissions":  object{"required": required, "granted_by_default": false, "danger_level": "low"},
		"inputs":       object{"schema": object{"type": "object"}, "required": []any{}},
		"outputs":      object{"schema": object{"type": "object"}},
		"dependencies": object{"capabilities": []any{}, "resources": []any{}},
		"lifecycle":    object{"hooks": object{"pre_invoke": []any{}, "post_invoke": []any{}, "on_error": []any{}}},
		"delegation":   object{"allowed": true, "creates_subagent": false},
		"audit":        object{"log_invocation": true, "log_inputs": false, "log_outputs": false},
		"status":       object{"enabled": true, "mutable": true, "signed": false},
	}
	for path, value := range f.more {
		Set(d, path, value)
	}
	return d
}

func descriptors(forms []form) []object {
	var all []object
	for _, f := range forms {
		all = append(all, f.descriptor())
	}
	return all
}

// Sets of modes.
var (
	everyMode = []string{"direct", "command", "message", "event", "ui_action"}
	byHumans  = []string{"direct", "command", "message"}
	internal  = []string{"direct"}
)

// agentEntries returns the minimum set of FR-EX-1 and other capabilities of the agent.
func agentEntries() []object {
	return descriptors([]form{
		{id: "cap.identify", name: "Identify", kind: "atomic", substrate: "symbolic", entry: "identify", scope: "public",
			modes: byHumans},
		{id: "cap.send_umf", name: "Send UMF", kind: "atomic", substrate: "symbolic", entry: "send_umf", scope: "public",
			modes: []string{"direct", "message"}},
		{id: "cap.cli.adapter", name: "CLI", kind: "atomic", substrate: "transport", scope: "channel",
			modes: []string{"direct", "command", "message", "ui_action"}, more: object{"exposure.channels": []any{"cli"}}},
		{id: "cap.web.adapter", name: "Web", kind: "atomic", substrate: "transport", scope: "channel",
			modes: []string{"message", "ui_action"}, more: object{"exposure.channels": []any{"web"}}},
		{id: "cap.mcp.adapter", name: "MCP", kind: "atomic", substrate: "transport", scope: "channel",
			modes: []string{"direct", "message"}, more: object{"exposure.channels": []any{"mcp"}}},
		{id: "cap.capability.list", name: "List capabilities", kind: "atomic", substrate: "symbolic", entry: "list",
			scope: "human", modes: byHumans},
		{id: "cap.capability.create", name: "Create a capability", kind: "atomic", substrate: "llm", entry: "create",
			scope: "agent", modes: byHumans, permission: "capability.create"},
		{id: "cap.capability.enable", name: "Enable a capability", kind: "atomic", substrate: "llm", entry: "enable",
			scope: "agent", modes: byHumans, permission: "capability.enable"},
		{id: "cap.capability.bind", name: "Bind a capability", kind: "atomic", substrate: "llm", entry: "bind",
			scope: "agent", modes: byHumans, permission: "capability.bind"},
		{id: "cap.subagent.create", name: "Create a sub-agent", kind: "atomic", substrate: "llm", entry: "subagent",
			scope: "agent", modes: byHumans, permission: "capability.create"},
		{id: "cap.command.bind", name: "Bind a command", kind: "atomic", substrate: "symbolic", entry: "bind", scope: "agent",
			modes: byHumans, permission: "capability.bind"},
		{id: "cap.hook.create", name: "Create a hook", kind: "atomic", substrate: "symbolic", entry: "hook", scope: "agent",
			modes: []string{"direct", "event"}, permission: "hook.create"},
		{id: "cap.digest", name: "Digest", kind: "composite", substrate: "llm", entry: "note", scope: "human",
			modes: []string{"command", "ui_action"}},
		{id: "cap.minutes", name: "Minutes", kind: "composite", substrate: "symbolic", entry: "note", scope: "public",
			modes: []string{"direct", "ui_action"}},
		{id: "cap.researcher", name: "Researcher", kind: "proxy", substrate: "agent", scope: "agent",
			modes: []string{"message", "event"}, more: object{"delegation.creates_subagent": true}},
		{id: "cap.translator", name: "Translator", kind: "proxy", substrate: "agent", scope: "human",
			modes: []string{"message", "ui_action"}, more: object{"delegation.creates_subagent": true}},
		{id: "cap.get_weather", name: "Weather", kind: "atomic", substrate: "external_service", scope: "public",
			modes: []string{"direct", "message"}},
		{id: "cap.tides", name: "Tides", kind: "atomic", substrate: "external_service", scope: "human",
			modes: []string{"direct", "ui_action"}},
		{id: "cap.form", name: "Form", kind: "template", substrate: "symbolic", entry: "note", scope: "internal",
			modes: internal},
		{id: "cap.archive", name: "Archive", kind: "atomic", substrate: "symbolic", entry: "note", scope: "human",
			modes: byHumans, more: object{"status.enabled": false}},
		{id: "cap.attic", name: "Attic", kind: "composite", substrate: "symbolic", entry: "note", scope: "internal",
			modes: []string{"event"}, more: object{"status.enabled": false}},
	})
}

// fixtures returns the capabilities that have a role.
func fixtures() []object {
	repeat := object{"type": "integer", "minimum": 1, "maximum": 10}
	// The schemas are those of the same capabilities in CAP.
	message := object{
		"type": "object", "required": []any{"message"}, "additionalProperties": false,
		"properties": object{"message": object{"type": "string", "minLength": 1, "maxLength": 280}, "repeat": repeat},
	}
	said := object{
		"type": "object", "required": []any{"message", "repeat"}, "additionalProperties": false,
		"properties": object{"message": object{"type": "string"}, "repeat": repeat},
	}
	reason := object{"type": "object", "additionalProperties": false,
		"properties": object{"reason": object{"type": "string", "maxLength": 280}}}
	return descriptors([]form{
		{id: "conformance.echo", name: "Echo", kind: "atomic", substrate: "symbolic", entry: "echo", scope: "public",
			modes: []string{"direct", "command", "message", "event", "ui_action"},
			more:  object{"inputs.schema": message, "inputs.required": []any{"message"}, "outputs.schema": said}},
		{id: "conformance.fail", name: "Fail", kind: "atomic", substrate: "symbolic", entry: "fail", scope: "agent",
			modes: internal, more: object{"inputs.schema": reason}},
		{id: "conformance.shell", name: "Shell", kind: "atomic", substrate: "shell", entry: "script", scope: "internal",
			modes: internal, permission: "conformance.shell",
			more: object{"permissions.danger_level": "critical"}},
		{id: "conformance.immutable", name: "Constitution", kind: "atomic", substrate: "symbolic", entry: "note",
			scope: "agent", modes: internal, more: object{"status.mutable": false}},
	})
}

// ordinaryEntries returns the capabilities of an agent that does not know this harness.
func ordinaryEntries() []object {
	return descriptors([]form{
		{id: "harbour.berths", name: "Free berths", kind: "atomic", substrate: "symbolic", entry: "send_umf", scope: "public",
			modes: byHumans,
			more: object{"inputs.schema": object{"type": "object", "required": []any{"quay"},
				"properties": object{"quay": object{"type": "string"}}}}},
		{id: "harbour.forecast", name: "Forecast", kind: "atomic", substrate: "external_service", scope: "public",
			modes: everyMode},
		{id: "harbour.day", name: "The day in the harbour", kind: "composite", substrate: "llm", entry: "note",
			scope: "human", modes: []string{"command", "ui_action"}},
		{id: "harbour.pilot", name: "Pilot", kind: "proxy", substrate: "agent", scope: "agent", modes: []string{"message"},
			permission: "pilot"},
		{id: "harbour.desk", name: "Desk", kind: "atomic", substrate: "transport", scope: "channel",
			modes: []string{"direct", "command", "message", "ui_action"}},
		{id: "capability.create", name: "Make", kind: "atomic", substrate: "llm", entry: "create", scope: "internal",
			modes: internal, permission: "harbour.master"},
		{id: "capability.enable", name: "Let", kind: "atomic", substrate: "symbolic", entry: "enable", scope: "internal",
			modes: internal, permission: "harbour.master"},
		{id: "capability.bind", name: "Tie", kind: "atomic", substrate: "symbolic", entry: "bind", scope: "internal",
			modes: internal, permission: "harbour.master"},
		{id: "harbour.lamp", name: "Lamp", kind: "atomic", substrate: "symbolic", entry: "note", scope: "internal",
			modes: internal, more: object{"status.enabled": false}},
		{id: "harbour.rules", name: "Rules", kind: "template", substrate: "symbolic", entry: "note", scope: "internal",
			modes: internal, more: object{"status.mutable": false}},
	})
}
