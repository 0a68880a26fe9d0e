package capmutant

import (
	"context"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// references returns hosts that break the CapabilityRef of an invoke (CAP-REF), or require more of a
// caller than the ten members announce (CAP-MAN-06).
func references() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("ref-needs-kind", "CAP-REF-01", "Does not know a capability if the reference lacks a third member, kind.",
			requiresParams("kind", func(params map[string]any) bool {
				members, _ := params["ref"].(map[string]any)
				return members["kind"] != nil
			}, caphost.NotFound)),
		newMutant("ref-as-string", "CAP-REF-01", "Knows a capability only by a reference in one string, id@version.",
			requiresParams("id@version", func(params map[string]any) bool {
				_, isString := params["ref"].(string)
				return isString
			}, caphost.NotFound)),
		needsCustom("needs-custom-member", "Denies an invoke that lacks a value from a custom member of the manifest.",
			caphost.PermissionDenied),
		needsCustom("refuses-without-custom-member",
			"Treats an input as invalid if the call lacks a value from a custom member of the manifest.",
			caphost.InvalidInput),
	}
}

// requiresParams refuses invokes of the victim whose params do not fit, with a result that has the given code.
func requiresParams(what string, fits func(params map[string]any) bool, code string) defect {
	return func(h *caphost.Host) {
		target, original := victim(h).Ref, h.Invoke
		h.Invoke = func(ctx context.Context, params map[string]any) (any, error) {
			if refOf(params) == target && !fits(params) {
				outcome := caphost.Outcome{Failure: &caphost.Failure{Code: code, Message: "the call lacks " + what}}
				return outcome.JSON(), nil
			}
			return original(ctx, params)
		}
	}
}

func needsCustom(name, summary, code string) mutant.Mutant {
	const member = "x-ticket"
	return newMutant(name, "CAP-MAN-06", summary, func(h *caphost.Host) {
		sets(member, "violet")(h)
		requiresParams(member, func(params map[string]any) bool { return params[member] == "violet" }, code)(h)
	})
}
