package acdmutant

import (
	"context"
	"sync/atomic"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
)

// hookedAs runs the hooks of one kind as many times as often returns.
func hookedAs(kind string, often func(n int64, call *acdhost.Call) int) defect {
	return func(h *acdhost.Host) {
		counts := newValueMap()
		h.RunWithHooks = func(ctx context.Context, call *acdhost.Call, run func(context.Context) (any, error)) (any, error) {
			if _, has := counts.get(call.ID); !has {
				counts.put(call.ID, &atomic.Int64{})
			}
			kept, _ := counts.get(call.ID)
			count, _ := kept.(*atomic.Int64)
			n := count.Add(1)
			hooks := func(of string) {
				times := 1
				if of == kind {
					times = often(n, call)
				}
				for range times {
					h.Hooks(ctx, call, of)
				}
			}
			hooks("pre_invoke")
			output, err := run(ctx)
			if err != nil {
				hooks("on_error")
				return nil, err
			}
			hooks("post_invoke")
			return output, nil
		}
	}
}

// hookCounts returns agents that run hooks too often or not often enough.
func hookCounts() []mutant.Mutant {
	if1 := func(is bool) int {
		if is {
			return 1
		}
		return 0
	}
	once := func(n int64, _ *acdhost.Call) int { return if1(n == 1) }
	within := func(_ int64, call *acdhost.Call) int { return if1(call.Channel == "") }
	twofold := func(int64, *acdhost.Call) int { return 2 }
	return []mutant.Mutant{
		newMutant("pre-once", "ACD-SDK6-02", "Runs the hooks of pre_invoke only before the first call of a capability.",
			hookedAs("pre_invoke", once)),
		newMutant("pre-twice", "ACD-SDK6-02", "Runs the hooks of pre_invoke twice.", hookedAs("pre_invoke", twofold)),
		newMutant("pre-within-alone", "ACD-SDK6-02", "Runs no hook of pre_invoke for calls through channels.",
			hookedAs("pre_invoke", within)),
		newMutant("post-once", "ACD-SDK6-06", "Runs the hooks of post_invoke only after the first call of a capability.",
			hookedAs("post_invoke", once)),
		newMutant("post-twice", "ACD-SDK6-06", "Runs the hooks of post_invoke twice.", hookedAs("post_invoke", twofold)),
		newMutant("post-within-alone", "ACD-SDK6-06", "Runs no hook of post_invoke for calls through channels.",
			hookedAs("post_invoke", within)),
		newMutant("on-error-once", "ACD-SDK6-07",
			"Runs the hooks of on_error only after the first failure of a capability.",
			hookedAs("on_error", once)).WithRole("fails"),
		newMutant("on-error-within-alone", "ACD-SDK6-07", "Runs no hook of on_error for calls through channels.",
			hookedAs("on_error", within)).WithRole("fails"),
		newMutant("on-error-of-commands-never", "ACD-SDK6-07", "Runs no hook of on_error in the mode command.",
			hookedAs("on_error", func(_ int64, call *acdhost.Call) int { return if1(call.Mode != "command") }),
		).WithRole("fails").WithFixtures(),
		newMutant("on-error-of-messages-always", "ACD-SDK6-07",
			"Runs the hooks of on_error also after a message that succeeds.",
			func(h *acdhost.Host) {
				hooked := h.RunWithHooks
				h.RunWithHooks = func(ctx context.Context, call *acdhost.Call, run func(context.Context) (any, error)) (any,
					error) {
					output, err := hooked(ctx, call, run)
					if err == nil && call.Mode == "message" {
						h.Hooks(ctx, call, "on_error")
					}
					return output, err
				}
			}).WithRole("fails").WithFixtures(),
		newMutant("on-error-twice", "ACD-SDK6-07", "Runs the hooks of on_error twice.",
			hookedAs("on_error", twofold)).WithRole("fails"),
	}
}
