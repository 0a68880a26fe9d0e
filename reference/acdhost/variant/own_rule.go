package acdvariant

import (
	"context"
	"time"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// ownRules are agents with additional rules that no sentence forbids.
func ownRules() []variant.Variant {
	return []variant.Variant{
		newVariant("created-disabled", "Keeps what is created disabled until capability.enable enables it.", createdDisabled,
			"ACD-SDK1-08", "ACD-SDK3-01"),
		newVariant("change-with-version", "Takes an update only with a new version.", func(h *acdhost.Host) {
			turned(acdhost.OpUpdate, func(sound rpc.Operation) rpc.Operation {
				return func(ctx context.Context, params map[string]any) (any, error) {
					before := h.Find(acdhost.Text(params["descriptor"], "capability_id"))
					if before != nil && before["version"] == acdhost.Text(params["descriptor"], "version") {
						return nil, rpc.Refuse("", "a change needs a new version")
					}
					return sound(ctx, params)
				}
			})(h)
		}, "ACD-SDK1-10", "ACD-SDK6-03"),
		newVariant("manifest-twice", "Lists a capability twice in its manifest.",
			answering(acdhost.OpManifest, func(_ object, result any) any {
				members, _ := result.(object)
				part, _ := members["capabilities"].(object)
				if list, is := part["list"].([]any); is && len(list) > 0 {
					part["list"] = append(list, list[0])
				}
				return result
			}), "ACD-MAN-07"),
		newVariant("hooks-later", "Runs hooks after an invocation a moment after its answer.", hooksLater, "ACD-SDK6-06",
			"ACD-SDK6-07"),
		newVariant("shell-networked", "Has a sandbox in which no file can be written and the network can be reached.",
			networked, "ACD-SDK4-03"),
		newVariant("shell-network-granted", "Names the network among the resources of its shell.", func(h *acdhost.Host) {
			networked(h)
			if shell := h.Find("conformance.shell"); shell != nil {
				acdhost.Set(shell, "dependencies.resources", []any{"network"})
				h.Put(shell)
			}
		}, "ACD-SDK4-03"),
		newVariant("identify-internal", "Is an exemplar that keeps cap.identify internal.", func(h *acdhost.Host) {
			if identify := h.Find("cap.identify"); identify != nil {
				acdhost.Set(identify, "exposure", object{"scope": "internal"})
				h.Put(identify)
			}
		}, "ACD-EX1-01"),
	}
}

// networked restricts files alone.
func networked(h *acdhost.Host) {
	h.Executors["shell"] = func(ctx context.Context, call *acdhost.Call) (any, error) {
		return acdhost.RunScript(ctx, "ulimit -f 0; ", acdhost.Text(call.Input, "script"))
	}
}

// createdDisabled switches off what is new.
func createdDisabled(h *acdhost.Host) {
	off := func(descriptor any) {
		if made, is := descriptor.(object); is && h.Find(acdhost.Text(made, "capability_id")) == nil {
			acdhost.Set(made, "status.enabled", false)
		}
	}
	turned(acdhost.OpCreate, func(sound rpc.Operation) rpc.Operation {
		return func(ctx context.Context, params map[string]any) (any, error) {
			off(params["descriptor"])
			return sound(ctx, params)
		}
	})(h)
	for _, entry := range []string{"create", "subagent"} {
		sound := h.Handlers[entry]
		h.Handlers[entry] = func(ctx context.Context, call *acdhost.Call) (any, error) {
			off(call.Input["descriptor"])
			return sound(ctx, call)
		}
	}
}

// hooksLater does not let a caller wait for what comes after the capability.
func hooksLater(h *acdhost.Host) {
	const moment = 50 * time.Millisecond
	h.Hooked = func(ctx context.Context, call *acdhost.Call, run func(context.Context) (any, error)) (any, error) {
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
