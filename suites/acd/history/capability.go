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

// Guarded reports whether a descriptor requires permissions that it does not grant by default.
func Guarded(members Object) bool {
	return len(RequiredBy(members)) > 0 && !Flag(members, "permissions.granted_by_default", false)
}

// Filters are the parameters of a query. The text prints the first three.
var Filters = []string{"kind", "invocation", "execution", "exposure", "enabled"}

// Fits reports whether a descriptor matches one filter.
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

// FitsAll reports whether a descriptor matches all filters.
func FitsAll(members Object, filters Object) bool {
	for name, value := range filters {
		if !Fits(members, name, value) {
			return false
		}
	}
	return true
}

// Enabled reports whether a descriptor is enabled.
func Enabled(members Object) bool { return Flag(members, "status.enabled", true) }

// Substrate returns the substrate of a descriptor.
func Substrate(members Object) string { return Text(members, "execution.substrate") }

// Hidden reports whether a capability may be absent from the manifest.
func Hidden(members Object) bool {
	return !Enabled(members) || Text(members, "exposure.scope") == "internal"
}

// ForHumans reports whether people may use a capability on a channel.
func ForHumans(members Object, channel string) bool {
	scope, only := Text(members, "exposure.scope"), jsonvalue.Texts(Member(members, "exposure.channels"))
	open := len(only) == 0 || slices.Contains(only, channel)
	people := scope == "human" || scope == "public"
	return Enabled(members) && len(ModesOf(members)) > 0 && Substrate(members) != "shell" && people && open
}
