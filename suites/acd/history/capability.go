package history

import (
	"slices"

	"github.com/capconform/capconform/suites/jsonvalue"
)

// Modes are all modes of the text, in its order.
var Modes = []string{"direct", "command", "message", "event", "ui_action"}

// ModesOf returns the modes of a descriptor.
func ModesOf(members Object) []string { return jsonvalue.Texts(Member(members, "invocation.modes")) }

// RequiredBy returns the permissions that a descriptor requires.
func RequiredBy(members Object) []string {
	return jsonvalue.Texts(Member(members, "permissions.required"))
}

// Guarded reports whether a descriptor asks for permissions.
func Guarded(members Object) bool {
	return len(RequiredBy(members)) > 0 && !Flag(members, "permissions.granted_by_default", false)
}

// Filters are the parameters of a query, as the text prints the first three.
var Filters = []string{"kind", "invocation", "execution", "exposure", "enabled"}

// Fits answers a query by one filter as the text does.
func Fits(members Object, filter string, value any) bool {
	switch filter {
	case "kind":
		return members["kind"] == value
	case "execution":
		return Substrate(members) == value
	case "exposure":
		return Text(members, "exposure.scope") == value
	case "enabled":
		return Enabled(members) == value
	default:
		mode, _ := value.(string)
		return slices.Contains(ModesOf(members), mode)
	}
}

// FitsAll answers a query by several filters.
func FitsAll(members Object, filters Object) bool {
	for name, value := range filters {
		if !Fits(members, name, value) {
			return false
		}
	}
	return true
}
