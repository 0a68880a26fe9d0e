package proof

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/jsonvalue"
)

// guardsOfACD are the members by which entries are filtered, routed and guarded.
var guardsOfACD = []string{"version", "kind", "execution", "invocation", "exposure", "permissions", "status"}

// differsInGuards reports whether an item differs from an entry in the members that guard it. It may omit members.
func differsInGuards(before, after map[string]any) bool {
	for path := range membersOfACD {
		if name, _, _ := strings.Cut(path, "."); !slices.Contains(guardsOfACD, name) {
			continue
		}
		names := strings.Split(path, ".")
		if objectAt(after, names[:len(names)-1])[names[len(names)-1]] != nil && !sameIn(path, before, after) {
			return true
		}
	}
	return false
}

// membersOfACD are the members of a descriptor (ACD 1.2) with the defaults that the text states.
var membersOfACD = map[string]any{
	"capability_id": nil, "name": nil, "version": nil, "description": nil, "kind": nil,
	"execution.substrate": nil, "execution.runtime": nil, "execution.entrypoint": nil, "invocation.modes": nil, "invocation.command_aliases": nil,
	"exposure.scope": nil, "exposure.channels": nil, "permissions.required": nil, "permissions.granted_by_default": false,
	"permissions.danger_level": nil, "inputs.schema": nil, "inputs.required": nil, "outputs.schema": nil, "dependencies.capabilities": nil,
	"dependencies.resources": nil, "lifecycle.hooks.pre_invoke": nil, "lifecycle.hooks.post_invoke": nil, "lifecycle.hooks.on_error": nil,
	"delegation.allowed": true, "delegation.creates_subagent": false, "audit.log_invocation": true, "audit.log_inputs": false,
	"audit.log_outputs": false, "status.enabled": true, "status.mutable": true, "status.signed": false,
}

// sameByText reports whether two descriptors are equivalent.
func sameByText(a, b map[string]any) bool {
	for path := range membersOfACD {
		if !sameIn(path, a, b) {
			return false
		}
	}
	return true
}

// sameIn reports whether two descriptors are equivalent in the members at or below a path.
func sameIn(at string, a, b map[string]any) bool {
	for path, printed := range membersOfACD {
		if path != at && !strings.HasPrefix(path, at+".") {
			continue
		}
		x, y := valueOrDefault(a, path, printed), valueOrDefault(b, path, printed)
		if !jsonvalue.Equal(x, y) {
			return false
		}
	}
	return true
}

// valueOrDefault returns the value of a descriptor at a path: lists are sorted, and an absent member has its default, or no
// value.
func valueOrDefault(of map[string]any, path string, printed any) any {
	names := strings.Split(path, ".")
	value := objectAt(of, names[:len(names)-1])[names[len(names)-1]]
	switch v := value.(type) {
	case nil:
		return printed
	case []any:
		if len(v) == 0 {
			return nil
		}
		sorted := slices.Clone(v)
		slices.SortFunc(sorted, func(x, y any) int { return cmp.Compare(fmt.Sprint(x), fmt.Sprint(y)) })
		return sorted
	}
	return value
}
