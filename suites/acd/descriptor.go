package acdsuite

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
)

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
		history.Put(d, path, value)
	}
}
