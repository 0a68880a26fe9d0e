package acdmutant

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
)

// guards returns agents that check calls of copies, but not hooks or calls of entries.
func guards() []mutant.Mutant {
	enabled := func(entry object) bool { return acdhost.Flag(entry, "status.enabled", true) }
	allowed := func(entry object, call *acdhost.Call) bool {
		return !slices.ContainsFunc(acdhost.Texts(entry, "permissions.required"),
			func(needed string) bool { return !slices.Contains(call.Permissions, needed) })
	}
	shell := func(entry object) bool { return acdhost.Text(entry, "execution.substrate") == "shell" }
	return []mutant.Mutant{
		newMutant("hook-past-permissions", "ACD-SDK2-02", "Runs hooks for callers who lack their permissions.",
			hooksIf(func(entry object, call *acdhost.Call) bool {
				return enabled(entry) && (allowed(entry, call) || !shell(entry))
			})).WithRole("echo"),
		newMutant("hook-past-disabled", "ACD-SDK2-05", "Runs disabled capabilities as hooks.",
			hooksIf(allowed)).WithRole("echo"),
		newMutant("hook-after-past-disabled", "ACD-SDK2-05", "Runs disabled capabilities as hooks of post_invoke.",
			func(h *acdhost.Host) {
				h.RunWithHooks = func(ctx context.Context, call *acdhost.Call, run func(context.Context) (any, error)) (any,
					error) {
					h.Hooks(ctx, call, "pre_invoke")
					output, err := run(ctx)
					if err != nil {
						h.Hooks(ctx, call, "on_error")
						return nil, err
					}
					for _, id := range acdhost.Texts(call.Entry, "lifecycle.hooks.post_invoke") {
						if entry := h.Find(id); entry != nil && allowed(entry, call) {
							_, _ = h.Run(ctx, &acdhost.Call{ID: id, Mode: "event", Input: call.Input, Entry: entry})
						}
					}
					return output, nil
				}
			}).WithRole("echo"),
		newMutant("disabled-entries-run", "ACD-SDK2-05", "Runs its own disabled entries, but not disabled copies.",
			func(h *acdhost.Host) {
				former := victim(h)
				former["capability_id"], former["name"] = "cap.get_old_tides", "Former tides"
				acdhost.Set(former, "status.enabled", false)
				h.Put(former)
				removesGate(acdhost.GateEnabled, func(call *acdhost.Call) bool { return !isCopy(call.Entry) })(h)
			}),
		newMutant("hook-past-shell", "ACD-SDK4-02", "Runs its shell as a hook for callers without its permission.",
			hooksIf(func(entry object, call *acdhost.Call) bool {
				return enabled(entry) && (allowed(entry, call) || shell(entry))
			})).WithRole("shell"),
	}
}

// channelGuards returns agents whose channels check too little.
func channelGuards() []mutant.Mutant {
	shell := func(entry object) bool { return acdhost.Text(entry, "execution.substrate") == "shell" }
	return []mutant.Mutant{
		newMutant("channel-mode-called", "ACD-SDK5-03",
			"Accepts calls through a channel in modes that the channel does not declare.", func(h *acdhost.Host) {
				opensChannel(h, func(c acdhost.Channel, call *acdhost.Call) bool { return h.Realizes(c, call.Entry) })
			}).WithRole("echo"),
		newMutant("channel-excluded-called", "ACD-SDK5-04",
			"Accepts calls through a channel of capabilities that name other channels.",
			func(h *acdhost.Host) {
				opensChannel(h, func(c acdhost.Channel, call *acdhost.Call) bool {
					return !shell(call.Entry) && slices.Contains(c.Modes, call.Mode) &&
						len(acdhost.Texts(call.Entry, "exposure.channels")) > 0
				})
			}).WithRole("echo"),
		newMutant("disabled-query-ignored-none-off", "ACD-SDK1-06",
			"Has no disabled entry, and returns all entries for a query for disabled ones.", ignoresDisabled(true)),
	}
}

// isCopy reports whether an entry is a copy that the suite registered.
func isCopy(entry object) bool {
	return strings.HasPrefix(acdhost.Text(entry, "capability_id"), probes)
}

// hooksIf runs a hook only if lets returns true.
func hooksIf(lets func(entry object, call *acdhost.Call) bool) defect {
	return func(h *acdhost.Host) {
		run := func(ctx context.Context, call *acdhost.Call, kind string) {
			for _, id := range acdhost.Texts(call.Entry, "lifecycle.hooks."+kind) {
				if entry := h.Find(id); entry != nil && lets(entry, call) {
					_, _ = h.Run(ctx, &acdhost.Call{ID: id, Mode: "event", Permissions: call.Permissions, Input: call.Input,
						Entry: entry})
				}
			}
		}
		h.RunWithHooks = func(ctx context.Context, call *acdhost.Call, original func(context.Context) (any, error)) (any,
			error) {
			run(ctx, call, "pre_invoke")
			output, err := original(ctx)
			if err != nil {
				run(ctx, call, "on_error")
				return nil, err
			}
			run(ctx, call, "post_invoke")
			return output, nil
		}
	}
}

// opensChannel accepts calls through a channel that its gate would refuse.
func opensChannel(h *acdhost.Host, which func(c acdhost.Channel, call *acdhost.Call) bool) {
	removesGate(acdhost.GateChannel, func(call *acdhost.Call) bool {
		at := slices.IndexFunc(h.Channels, func(c acdhost.Channel) bool { return c.ID == call.Channel })
		return at >= 0 && which(h.Channels[at], call)
	})(h)
}

// ignoresDisabled treats a query for disabled entries as a query without a filter.
func ignoresDisabled(noneOff bool) defect {
	return func(h *acdhost.Host) {
		for _, entry := range h.Query(object{"enabled": false}) {
			if noneOff {
				h.Delete(acdhost.Text(entry, "capability_id"))
			}
		}
		changesParams(acdhost.OpQuery, func(params object) {
			if params["enabled"] == false {
				delete(params, "enabled")
			}
		})(h)
	}
}
