package acdvariant

import (
	"context"
	"time"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// ownRules returns agents with additional rules that no sentence forbids.
func ownRules() []variant.Variant {
	return []variant.Variant{
		newVariant("created-disabled", "Creates capabilities disabled, until capability.enable enables them.",
			createdDisabled,
			"ACD-SDK1-08", "ACD-SDK3-01"),
		newVariant("change-with-version", "Accepts an update only with a new version.", func(h *acdhost.Host) {
			changedOperation(acdhost.OpUpdate, func(original rpc.Operation) rpc.Operation {
				return func(ctx context.Context, params map[string]any) (any, error) {
					before := h.Find(acdhost.Text(params["descriptor"], "capability_id"))
					if before != nil && before["version"] == acdhost.Text(params["descriptor"], "version") {
						return nil, rpc.Refuse("", "a change needs a new version")
					}
					return original(ctx, params)
				}
			})(h)
		}, "ACD-SDK1-10", "ACD-SDK6-03"),
		newVariant("manifest-twice", "Lists a capability twice in its manifest.",
			changedResult(acdhost.OpManifest, func(_ object, result any) any {
				members, _ := result.(object)
				part, _ := members["capabilities"].(object)
				if list, is := part["list"].([]any); is && len(list) > 0 {
					part["list"] = append(list, list[0])
				}
				return result
			}), "ACD-MAN-07"),
		newVariant("hooks-later", "Runs the hooks after an invocation shortly after its answer.",
			hooksLater, "ACD-SDK6-06",
			"ACD-SDK6-07"),
		newVariant("shell-networked", "Has a sandbox that blocks writing files but permits the network.",
			networked, "ACD-SDK4-03"),
		newVariant("shell-network-granted", "Lists the network in the resources of its shell.", func(h *acdhost.Host) {
			networked(h)
			if shell := h.Find("conformance.shell"); shell != nil {
				acdhost.Set(shell, "dependencies.resources", []any{"network"})
				h.Put(shell)
			}
		}, "ACD-SDK4-03"),
		newVariant("identify-internal", "Is an exemplar whose cap.identify is internal.", func(h *acdhost.Host) {
			if identify := h.Find("cap.identify"); identify != nil {
				acdhost.Set(identify, "exposure", object{"scope": "internal"})
				h.Put(identify)
			}
		}, "ACD-EX1-01"),
	}
}

// networked restricts only files.
func networked(h *acdhost.Host) {
	h.Executors["shell"] = func(ctx context.Context, call *acdhost.Call) (any, error) {
		return acdhost.RunScript(ctx, "ulimit -f 0; ", acdhost.Text(call.Input, "script"))
	}
}

// createdDisabled disables each new capability.
func createdDisabled(h *acdhost.Host) {
	off := func(descriptor any) {
		if made, is := descriptor.(object); is && h.Find(acdhost.Text(made, "capability_id")) == nil {
			acdhost.Set(made, "status.enabled", false)
		}
	}
	changedOperation(acdhost.OpCreate, func(original rpc.Operation) rpc.Operation {
		return func(ctx context.Context, params map[string]any) (any, error) {
			off(params["descriptor"])
			return original(ctx, params)
		}
	})(h)
	for _, entry := range []string{"create", "subagent"} {
		original := h.Handlers[entry]
		h.Handlers[entry] = func(ctx context.Context, call *acdhost.Call) (any, error) {
			off(call.Input["descriptor"])
			return original(ctx, call)
		}
	}
}

// hooksLater answers a caller before the hooks after the capability run.
func hooksLater(h *acdhost.Host) {
	const moment = 50 * time.Millisecond
	h.RunWithHooks = func(ctx context.Context, call *acdhost.Call, run func(context.Context) (any, error)) (any, error) {
		h.Hooks(ctx, call, "pre_invoke")
		output, err := run(ctx)
		kind := "post_invoke"
		if err != nil {
			kind = "on_error"
		}
		later := context.WithoutCancel(ctx)
		time.AfterFunc(moment, func() { h.Hooks(later, call, kind) })
		return output, err
	}
}
