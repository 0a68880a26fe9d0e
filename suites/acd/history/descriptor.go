package history

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
)

// OfText gives the members of a descriptor that the text names, and of those that are
// objects what the text names in them. The rest may change whenever it is read, such as
// the time of a change or a count.
func OfText(descriptor Object) Object {
	known := Object{}
	for _, path := range memberPaths {
		if value := Member(descriptor, path); value != nil {
			Put(known, path, value)
		}
	}
	return known
}

// memberPaths are the members of a descriptor (ACD 1.2).
var memberPaths = []string{
	"capability_id", "name", "version", "description", "kind",
	"execution.substrate", "execution.runtime", "execution.entrypoint",
	"invocation.modes", "invocation.command_aliases", "exposure.scope", "exposure.channels",
	"permissions.required", "permissions.granted_by_default", "permissions.danger_level",
	"inputs.schema", "inputs.required", "outputs.schema",
	"dependencies.capabilities", "dependencies.resources",
	"lifecycle.hooks.pre_invoke", "lifecycle.hooks.post_invoke", "lifecycle.hooks.on_error",
	"delegation.allowed", "delegation.creates_subagent", "audit.log_invocation", "audit.log_inputs", "audit.log_outputs",
	"status.enabled", "status.mutable", "status.signed",
}

// defaults are the values that the text prints for members that may be left out.
var defaults = map[string]bool{
	"permissions.granted_by_default": false, "delegation.allowed": true, "delegation.creates_subagent": false,
	"audit.log_invocation": true, "audit.log_inputs": false, "audit.log_outputs": false,
	"status.enabled": true, "status.mutable": true, "status.signed": false,
}

// Filled gives what OfText does, and the defaults of the members that are left out.
func Filled(descriptor Object) Object {
	known := OfText(descriptor)
	for path, value := range defaults {
		if Member(known, path) == nil {
			Put(known, path, value)
		}
	}
	return known
}

// Same tells whether two readings of a descriptor say the same. The order of names in a
// list says nothing.
func Same(a, b Object) bool {
	if len(OfText(a)) == 0 || len(OfText(b)) == 0 {
		return false
	}
	a, b = Filled(a), Filled(b)
	return HoldsAll(a, b) && HoldsAll(b, a)
}

// Keeps tells whether a descriptor was kept as it was given. What has the default may be left out.
func Keeps(kept, given Object) bool { return kept != nil && HoldsAll(Filled(kept), OfText(given)) }

// HoldsAll tells whether everything that was given is in what was kept; defaults and
// further members may be there too.
func HoldsAll(kept, given any) bool {
	switch given := given.(type) {
	case Object:
		members, is := kept.(Object)
		if !is {
			return len(given) == 0 && kept == nil
		}
		for name, value := range given {
			if !HoldsAll(members[name], value) {
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

// Put puts a value at a path; its objects are made where they are missing.
func Put(of Object, path string, value any) {
	head, rest, further := strings.Cut(path, ".")
	if !further {
		of[head] = value
		return
	}
	inner, is := of[head].(Object)
	if !is {
		inner = Object{}
		of[head] = inner
	}
	Put(inner, rest, value)
}

// Folded is an input schema with the names of inputs.required in it.
func Folded(schema any, demanded []string) any {
	if len(demanded) == 0 {
		return schema
	}
	members, is := schema.(Object)
	if !is {
		members = Object{"type": "object"}
	}
	all := []any{}
	both := append(suites.Texts(members["required"]), demanded...)
	for _, name := range slices.Compact(slices.Sorted(slices.Values(both))) {
		all = append(all, name)
	}
	made := Object{}
	for name, value := range members {
		made[name] = value
	}
	made["required"] = all
	return made
}
