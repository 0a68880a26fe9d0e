package acdsuite

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
)

// ofText gives the members of a descriptor that the text names, and of those that are
// objects what the text names in them. The rest may change whenever it is read, such as
// the time of a change or a count.
func ofText(descriptor object) object {
	known := object{}
	for _, path := range memberPaths {
		if value := member(descriptor, path); value != nil {
			put(known, path, value)
		}
	}
	return known
}

// memberPaths are the members of a descriptor (ACD 1.2).
var memberPaths = []string{
	"capability_id", "name", "version", "description", "kind", "execution.substrate", "execution.runtime", "execution.entrypoint",
	"invocation.modes", "invocation.command_aliases", "exposure.scope", "exposure.channels",
	"permissions.required", "permissions.granted_by_default", "permissions.danger_level", "inputs.schema", "inputs.required", "outputs.schema",
	"dependencies.capabilities", "dependencies.resources", "lifecycle.hooks.pre_invoke", "lifecycle.hooks.post_invoke", "lifecycle.hooks.on_error",
	"delegation.allowed", "delegation.creates_subagent", "audit.log_invocation", "audit.log_inputs", "audit.log_outputs",
	"status.enabled", "status.mutable", "status.signed",
}

// same tells whether two readings of a descriptor say the same. The order of names in a
// list says nothing.
func same(a, b object) bool {
	a, b = ofText(a), ofText(b)
	return len(a) > 0 && len(b) > 0 && holdsAll(a, b) && holdsAll(b, a)
}

// keeps tells whether a descriptor was kept as it was given.
func keeps(kept, given object) bool { return holdsAll(kept, ofText(given)) }

// holdsAll tells whether everything that was given is in what was kept; defaults and
// further members may be there too.
func holdsAll(kept, given any) bool {
	switch given := given.(type) {
	case object:
		members, is := kept.(object)
		if !is {
			return len(given) == 0 && kept == nil
		}
		for name, value := range given {
			if !holdsAll(members[name], value) {
				return false
			}
		}
		return true
	case []any:
		list, is := kept.([]any)
		if !is {
			return len(given) == 0 && kept == nil
		}
		if all := suites.Texts(given); len(all) == len(given) {
			return slices.Equal(slices.Sorted(slices.Values(all)), slices.Sorted(slices.Values(suites.Texts(list))))
		}
		return suites.EqualJSON(list, given)
	default:
		return given == nil || suites.EqualJSON(kept, given)
	}
}

// wholly lets a copy say something in every member of the text, other than the defaults, and
// more than one thing in each list. That a registry does not take it, as it may, shows
// nothing.
func (w *world) wholly(d object) {
	id := text(d, "capability_id")
	known := []string{w.first().id}
	for _, c := range slices.Backward(w.entries) {
		if c.id != known[0] && w.reasonAgainst(c) == "" { // a hook runs
			known = append(known, c.id)
			break
		}
	}
	hooks := anys(known...)
	nested := object{"type": "object", "required": anys("a", "b"), "properties": object{
		"a": object{"type": "object", "properties": object{"inner": object{"type": "string"}}}, "b": object{"type": "array", "items": object{"enum": anys("x", "y")}},
	}}
	for path, value := range map[string]any{
		"name": "Whole " + id, "description": "A copy of capconform, " + id + ", in many words: " + strings.Repeat("größer, œuvre, 能力, ", 16) + "end.",
		"invocation.modes": anys(modeCommand, "event", "message"), "invocation.command_aliases": anys("alias-of-"+id, "other-alias-of-"+id),
		"exposure": object{"scope": "agent", "channels": anys(channelCLI, "web")}, "execution.runtime": "runtime-of-" + id,
		"permissions":  object{"required": anys(firstPermission, secondPermission), "granted_by_default": true, "danger_level": "high"},
		"inputs":       object{"schema": nested, "required": anys("a", "b")},
		"outputs":      object{"schema": object{"type": "array", "items": nested}},
		"dependencies": object{"capabilities": hooks, "resources": anys("filesystem", "gpu")},
		"lifecycle":    object{"hooks": object{"pre_invoke": hooks, "post_invoke": hooks, "on_error": hooks}},
		"delegation":   object{"allowed": false, "creates_subagent": false},
		"audit":        object{"log_invocation": false, "log_inputs": true, "log_outputs": true},
		"status":       object{"enabled": false, "mutable": true, "signed": false},
	} {
		put(d, path, value)
	}
}
