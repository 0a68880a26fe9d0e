package acdmutant

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
)

func hasPermission(call *acdhost.Call, permission string) bool {
	return slices.Contains(call.Permissions, permission)
}

func grantsItself(call *acdhost.Call) bool {
	return acdhost.Flag(call.Entry, "permissions.granted_by_default", false)
}

// executionDefects returns agents that run what they must refuse, or run it wrongly.
func executionDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("disabled-runs-for-one", "ACD-SDK2-05",
			"Runs disabled capabilities for callers with the permission to enable them.",
			func(h *acdhost.Host) {
				removesGate(acdhost.GateEnabled, func(call *acdhost.Call) bool {
					return hasPermission(call, acdhost.Texts(enabler(h), "permissions.required")[0])
				})(h)
			}),
		newMutant("disabled-runs-granted", "ACD-SDK2-05",
			"Runs disabled capabilities whose permissions are granted by default.",
			removesGate(acdhost.GateEnabled, grantsItself)),
		newMutant("runs-twice", "ACD-SDK2-03", "Runs every capability twice.",
			executesTwice(func(*acdhost.Call) bool { return true })).WithRole("echo"),
		newMutant("events-run-twice", "ACD-SDK2-03", "Runs capabilities twice in the mode event.",
			executesTwice(func(call *acdhost.Call) bool { return call.Mode == "event" })).WithRole("echo"),
		newMutant("runs-elsewhere-too", "ACD-SDK2-03", "Runs every capability also on a second substrate.",
			func(h *acdhost.Host) {
				original := h.RunWithHooks
				h.RunWithHooks = func(ctx context.Context, call *acdhost.Call, run func(context.Context) (any, error)) (any,
					error) {
					return original(ctx, call, func(ctx context.Context) (any, error) {
						h.LogExecution(call.ID, "transport")
						return run(ctx)
					})
				}
			}).WithRole("echo"),
		newMutant("mode-open-where-granted", "ACD-SDK2-04", "Accepts every mode if permissions are granted by default.",
			removesGate(acdhost.GateMode, grantsItself)).WithFixtures(),
		newMutant("mode-open-by-alias", "ACD-SDK2-04", "Accepts the mode command for every capability that has an alias.",
			removesGate(acdhost.GateMode, func(call *acdhost.Call) bool {
				return call.Mode == "command" && len(acdhost.Texts(call.Entry, "invocation.command_aliases")) > 0
			})),
		newMutant("mode-of-its-own", "ACD-SDK2-04", "Accepts modes that the text does not define.",
			removesGate(acdhost.GateMode, func(call *acdhost.Call) bool {
				return strings.Contains(call.Mode,
					"-")
			})).WithFixtures(),
		newMutant("empty-id-runs", "ACD-SDK2-06", "Runs its first capability for an empty id.", func(h *acdhost.Host) {
			findsUnregistered(h, func(call *acdhost.Call) map[string]any {
				if call.ID != "" {
					return nil
				}
				return h.Entries()[0]
			})
		}),
	}
}

// echoDefects returns agents that return other outputs than those of the input.
func echoDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("echo-crossed", "ACD-SDK2-01", "Returns the output of the last call to all concurrent callers.",
			crossesEchoes).WithRole("echo"),
		newMutant("echo-stale-through-channels", "ACD-SDK2-01",
			"Returns the output of the last internal call to calls through a channel.", stalesEchoes).WithRole("echo"),
	}
}

func enabler(h *acdhost.Host) object {
	if entry := h.Find("cap.capability.enable"); entry != nil {
		return entry
	}
	return h.Find("capability.enable")
}

// executesTwice runs some calls twice.
func executesTwice(which func(call *acdhost.Call) bool) defect {
	return func(h *acdhost.Host) {
		original := h.RunWithHooks
		h.RunWithHooks = func(ctx context.Context, call *acdhost.Call, run func(context.Context) (any, error)) (any, error) {
			return original(ctx, call, func(ctx context.Context) (any, error) {
				if which(call) {
					_, _ = run(ctx)
				}
				return run(ctx)
			})
		}
	}
}

// stalesEchoes returns the output of the last call without a channel to calls of copies through a channel.
func stalesEchoes(h *acdhost.Host) {
	var last atomic.Value
	original := h.Handlers["echo"]
	h.Handlers["echo"] = func(ctx context.Context, call *acdhost.Call) (any, error) {
		if stale := last.Load(); call.Channel != "" && isCopy(call.Entry) && stale != nil &&
			!acdhost.Flag(call.Entry, "audit.log_outputs", false) {
			return stale, nil
		}
		result, err := original(ctx, call)
		if err == nil && call.Channel == "" {
			last.Store(result)
		}
		return result, err
	}
}

// crossesEchoes shares the input among all callers.
func crossesEchoes(h *acdhost.Host) {
	const meetingTime = 10 * time.Millisecond
	var last atomic.Pointer[acdhost.Call]
	original := h.Handlers["echo"]
	h.Handlers["echo"] = func(ctx context.Context, call *acdhost.Call) (any, error) {
		last.Store(call)
		if call.ID == "conformance.echo" {
			timer := time.NewTimer(meetingTime)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-ctx.Done():
			}
			return original(ctx, last.Load())
		}
		return original(ctx, call)
	}
}

// permissionDefects returns agents that accept some calls that they must refuse.
func permissionDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("permission-superuser", "ACD-SDK2-02",
			"Accepts callers with the permission to create capabilities for every capability.",
			func(h *acdhost.Host) {
				all := h.Query(object{"execution": "llm"})
				for _, entry := range all {
					if needed := acdhost.Texts(entry, "permissions.required"); len(needed) > 0 {
						removesGate(acdhost.GatePermission, func(call *acdhost.Call) bool {
							return hasPermission(call, needed[0]) && strings.HasPrefix(call.ID, probes)
						})(h)
					}
				}
			}),
		newMutant("granted-for-ever", "ACD-SDK2-07",
			"Still grants permissions by default after an update sets granted_by_default to false.",
			func(h *acdhost.Host) {
				once := newSet()
				removesGate(acdhost.GatePermission, func(call *acdhost.Call) bool {
					if grantsItself(call) {
						once.add(call.ID)
					}
					return once.has(call.ID)
				})(h)
			}),
	}
}

// runsInstead changes the code behind an entry point.
func runsInstead(entryPoint string, change func(h *acdhost.Host, original acdhost.Executor) acdhost.Executor) defect {
	return func(h *acdhost.Host) { h.Handlers[entryPoint] = change(h, h.Handlers[entryPoint]) }
}
