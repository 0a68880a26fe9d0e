package acdvariant

import (
	"strings"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/variant"
)

// printedDefaults lists the members of a descriptor for which the text prints a default.
var printedDefaults = map[string]bool{
	"permissions.granted_by_default": false, "delegation.allowed": true, "delegation.creates_subagent": false,
	"audit.log_invocation": true, "audit.log_inputs": false, "audit.log_outputs": false,
	"status.enabled": true, "status.mutable": true, "status.signed": false,
}

// omissions returns agents that omit members with the default value.
func omissions() []variant.Variant {
	return []variant.Variant{
		newVariant("defaults-left-out", "Omits members that have the default value from descriptors.",
			func(h *acdhost.Host) {
				for _, operation := range []string{acdhost.OpList, acdhost.OpGet, acdhost.OpQuery, acdhost.OpLegacy} {
					changedResult(operation, func(_ object, result any) any {
						withoutDefaults(result)
						return result
					})(h)
				}
			}, "ACD-SDK1-08"),
	}
}

// withoutDefaults removes members with the default value from each descriptor in an answer.
func withoutDefaults(answer any) {
	switch v := answer.(type) {
	case []any:
		for _, item := range v {
			withoutDefaults(item)
		}
	case object:
		if list, is := v["capabilities"]; is {
			withoutDefaults(list)
			return
		}
		if id := v["capability_id"]; id == "cap.identify" || id == "harbour.berths" { // each member is there once
			return
		}
		for path, printed := range printedDefaults {
			outer, name, _ := strings.Cut(path, ".")
			if inner, is := v[outer].(object); is && inner[name] == printed {
				delete(inner, name)
			}
		}
	}
}
