package acdmutant

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

func hasPermission(call *acdhost.Call, permission string) bool {
	return slices.Contains(call.Permissions, permission)
}

func grantsItself(call *acdhost.Call) bool {
	return acdhost.Flag(call.Entry, "permissions.granted_by_default", false)
}

// engineSlips run what they must not, or run it otherwise.
func engineSlips() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("disabled-runs-for-one", "ACD-SDK2-05", "Runs disabled capabilities for callers who may enable them.", func(h *acdhost.Host) {
			opens(acdhost.GateEnabled, func(call *acdhost.Call) bool {
				return hasPermission(call, acdhost.Texts(enabler(h), "permissions.required")[0])
			})(h)
		}),
		newMutant("disabled-runs-granted", "ACD-SDK2-05", "Runs disabled capabilities that grant their permissions.", opens(acdhost.GateEnabled, grantsItself)),
		newMutant("runs-twice", "ACD-SDK2-03", "Runs every capability twice.", executesTwice(func(*acdhost.Call) bool { return true })).WithRole("echo"),
		newMutant("events-run-twice", "ACD-SDK2-03", "Runs capabilities twice for events.", executesTwice(func(call *acdhost.Call) bool { return call.Mode == "event" })).WithRole("echo"),
		newMutant("runs-elsewhere-too", "ACD-SDK2-03", "Runs every capability on a second substrate as well.", func(h *acdhost.Host) {
			sound := h.Hooked
			h.Hooked = func(ctx context.Context, call *acdhost.Call, run func(context.Context) (any, error)) (any, error) {
				return sound(ctx, call, func(ctx context.Context) (any, error) {
					h.Ran(call.ID, "transport")
					return run(ctx)
				})
			}
		}).WithRole("echo"),
		newMutant("mode-open-where-granted", "ACD-SDK2-04", "Takes every mode where permissions are granted.", opens(acdhost.GateMode, grantsItself)).WithFixtures(),
		newMutant("mode-open-by-alias", "ACD-SDK2-04", "Takes commands of capabilities that have an alias.", opens(acdhost.GateMode, func(call *acdhost.Call) bool {
			return call.Mode == "command" && len(acdhost.Texts(call.Entry, "invocation.command_aliases")) > 0
		})),
		newMutant("mode-of-its-own", "ACD-SDK2-04", "Takes modes that the text does not have.", opens(acdhost.GateMode, func(call *acdhost.Call) bool { return strings.Contains(call.Mode, "-") })).WithFixtures(),
		newMutant("empty-id-runs", "ACD-SDK2-06", "Runs its first capability for an empty id.", func(h *acdhost.Host) {
			knows(h, func(id string) map[string]any {
				if id != "" {
					return nil
				}
				return h.Entries()[0]
			})
		}),
		newMutant("echo-crossed", "ACD-SDK2-01", "Gives callers who come together the output of the last one's input.", crossesEchoes).WithRole("echo"),
		newMutant("echo-in-ascii", "ACD-SDK2-01", "Loses letters that are not of ASCII.", echoesAs(func(message string) string {
			return strings.Map(func(r rune) rune {
				if r > 127 {
					return '?'
				}
				return r
			}, message)
		})).WithRole("echo"),
		newMutant("echo-cut", "ACD-SDK2-01", "Cuts long messages.", echoesAs(func(message string) string { return message[:min(len(message), 100)] })).WithRole("echo"),
	}
}

func enabler(h *acdhost.Host) object {
	if entry := h.Find("cap.capability.enable"); entry != nil {
		return entry
	}
	return h.Find("capability.enable")
}

// executesTwice runs some calls once more.
func executesTwice(which func(call *acdhost.Call) bool) defect {
	return func(h *acdhost.Host) {
		sound := h.Hooked
		h.Hooked = func(ctx context.Context, call *acdhost.Call, run func(context.Context) (any, error)) (any, error) {
			return sound(ctx, call, func(ctx context.Context) (any, error) {
				if which(call) {
					_, _ = run(ctx)
				}
				return run(ctx)
			})
		}
	}
}

// echoesAs changes what the echo says.
func echoesAs(change func(message string) string) defect {
	return func(h *acdhost.Host) {
		sound := h.Handlers["echo"]
		h.Handlers["echo"] = func(ctx context.Context, call *acdhost.Call) (any, error) {
			result, err := sound(ctx, call)
			if members, is := result.(object); is {
				members["message"] = change(acdhost.Text(members, "message"))
			}
			return result, err
		}
	}
}

// crossesEchoes keeps the input in one place for all callers.
func crossesEchoes(h *acdhost.Host) {
	const company = 2 * time.Millisecond
	var last atomic.Pointer[acdhost.Call]
	sound := h.Handlers["echo"]
	h.Handlers["echo"] = func(ctx context.Context, call *acdhost.Call) (any, error) {
		last.Store(call)
		if call.ID == "conformance.echo" {
			timer := time.NewTimer(company)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-ctx.Done():
			}
			return sound(ctx, last.Load())
		}
		return sound(ctx, call)
	}
}

// permissionSlips take some callers for others.
func permissionSlips() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("permission-superuser", "ACD-SDK2-02", "Lets callers who may create capabilities pass everywhere.", func(h *acdhost.Host) {
			all := h.Query(object{"execution": "llm"})
			for _, entry := range all {
				if needed := acdhost.Texts(entry, "permissions.required"); len(needed) > 0 {
					opens(acdhost.GatePermission, func(call *acdhost.Call) bool {
						return hasPermission(call, needed[0]) && strings.HasPrefix(call.ID, probes)
					})(h)
				}
			}
		}),
		newMutant("permission-by-beginning", "ACD-SDK2-02", "Takes a permission for all that begin with it.", opens(acdhost.GatePermission, func(call *acdhost.Call) bool {
			for _, needed := range acdhost.Texts(call.Entry, "permissions.required") {
				if !slices.ContainsFunc(call.Permissions, func(held string) bool { return strings.HasPrefix(needed, held) }) {
					return false
				}
			}
			return true
		})),
		newMutant("granted-direct-alone", "ACD-SDK2-07", "Grants permissions by default for direct calls alone.", shuts(func(call *acdhost.Call) bool {
			lacks := func(needed string) bool { return !hasPermission(call, needed) }
			return grantsItself(call) && call.Mode != "direct" && slices.ContainsFunc(acdhost.Texts(call.Entry, "permissions.required"), lacks)
		})).WithFixtures(),
		newMutant("granted-for-ever", "ACD-SDK2-07", "Goes on granting what an update no longer grants.", func(h *acdhost.Host) {
			once := newSet()
			opens(acdhost.GatePermission, func(call *acdhost.Call) bool {
				if grantsItself(call) {
					once.add(call.ID)
				}
				return once.has(call.ID)
			})(h)
		}),
	}
}

// runsInstead changes the code behind an entry point.
func runsInstead(entryPoint string, turn func(h *acdhost.Host, sound acdhost.Executor) acdhost.Executor) defect {
	return func(h *acdhost.Host) { h.Handlers[entryPoint] = turn(h, h.Handlers[entryPoint]) }
}

// freesEntry takes what guards an entry away.
func freesEntry(h *acdhost.Host, id string) {
	if entry := h.Find(id); entry != nil {
		acdhost.Set(entry, "permissions", object{"required": []any{}, "granted_by_default": true})
		h.Put(entry)
	}
}

// creationSlips do more than they are asked for, or ask nobody.
func creationSlips() []mutant.Mutant {
	then := func(do func(h *acdhost.Host, call *acdhost.Call)) func(*acdhost.Host, acdhost.Executor) acdhost.Executor {
		return func(h *acdhost.Host, sound acdhost.Executor) acdhost.Executor {
			return func(ctx context.Context, call *acdhost.Call) (any, error) {
				result, err := sound(ctx, call)
				if err == nil {
					do(h, call)
				}
				return result, err
			}
		}
	}
	return []mutant.Mutant{
		newMutant("create-frees", "ACD-SDK3-02", "Drops the permissions of what capability.create creates.", runsInstead("create", then(func(h *acdhost.Host, call *acdhost.Call) {
			freesEntry(h, acdhost.Text(call.Input, "descriptor.capability_id"))
		}))),
		newMutant("bind-frees", "ACD-SDK3-05", "Drops the permissions of what capability.bind binds.", runsInstead("bind", then(func(h *acdhost.Host, call *acdhost.Call) {
			if id := acdhost.Text(call.Input, "capability_id"); strings.HasPrefix(id, probes) {
				freesEntry(h, id)
			}
		}))),
		newMutant("enable-all", "ACD-SDK3-04", "Enables what was created at runtime with whatever is enabled.", runsInstead("enable", then(func(h *acdhost.Host, _ *acdhost.Call) {
			for _, entry := range h.Entries() {
				if strings.HasPrefix(acdhost.Text(entry, "capability_id"), probes) {
					acdhost.Set(entry, "status.enabled", true)
					h.Put(entry)
				}
			}
		}))),
		newMutant("subagent-unasked", "ACD-SDK3-06", "Creates sub-agents by cap.subagent.create without a language model.", runsInstead("subagent", func(h *acdhost.Host, sound acdhost.Executor) acdhost.Executor {
			return func(ctx context.Context, call *acdhost.Call) (any, error) {
				descriptor, _ := call.Input["descriptor"].(object)
				if acdhost.Text(descriptor, "kind") != "proxy" {
					return sound(ctx, call)
				}
				h.Put(descriptor)
				return descriptor, nil
			}
		})).WithFixtures(),
		newMutant("bind-idle-touched", "ACD-SDK3-05", "Has a capability.bind that binds nothing, and notes when entries were created.", func(h *acdhost.Host) {
			asksOtherwise(acdhost.OpCreate, func(params object) { acdhost.Set(params, "descriptor.created_at", "2026-01-01T00:00:00Z") })(h)
			h.Handlers["bind"] = func(context.Context, *acdhost.Call) (any, error) { return object{}, nil }
		}),
	}
}

// immutableSlips change what is immutable on ways of which nobody thought.
func immutableSlips() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("immutable-hooked", "ACD-SDK6-03", "Gives hooks to what is immutable by cap.hook.create.", runsInstead("hook", func(h *acdhost.Host, _ acdhost.Executor) acdhost.Executor {
			return func(_ context.Context, call *acdhost.Call) (any, error) {
				entry := h.Find(acdhost.Text(call.Input, "capability_id"))
				if entry == nil {
					return nil, rpc.Refuse("", "no such capability")
				}
				acdhost.Set(entry, "lifecycle.hooks."+acdhost.Text(call.Input, "kind"), []any{acdhost.Text(call.Input, "hook")})
				h.Put(entry)
				return entry, nil
			}
		})).WithFixtures(),
		newMutant("immutable-but-for-audit", "ACD-SDK6-03", "Updates what is logged of an immutable capability, if name and permissions stay.", func(h *acdhost.Host) {
			sound := h.Guard
			h.Guard = func(entry, change map[string]any) error {
				if change != nil && change["name"] == entry["name"] && acdhost.Flag(change, "audit.log_inputs", false) && !acdhost.Flag(change, "status.mutable", true) {
					return nil
				}
				return sound(entry, change)
			}
		}),
	}
}
