package acdmutant

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// narrowDefects returns agents that break a requirement in one narrow case.
func narrowDefects() []mutant.Mutant {
	return slices.Concat(narrowLogs(), narrowRegistries(), narrowShows())
}

func narrowLogs() []mutant.Mutant {
	hooked := func(entry object, _ *acdhost.Call) bool {
		return len(acdhost.Texts(entry, "lifecycle.hooks.pre_invoke")) > 0
	}
	none := func(object, *acdhost.Call, any) object { return nil }
	return []mutant.Mutant{
		newMutant("hooked-unlogged", "ACD-SDK6-01", "Logs no invocation of capabilities with hooks of pre_invoke.",
			recordedAs(hooked, none)),
		newMutant("shell-unlogged", "ACD-SDK6-01", "Logs no invocation of its shell.",
			recordedAs(func(entry object, _ *acdhost.Call) bool {
				return acdhost.Text(entry, "execution.substrate") == "shell"
			}, none)).WithRole("shell"),
	}
}

func narrowRegistries() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("unknown-beginning-runs", "ACD-SDK2-06",
			"Runs a capability for an unknown id with which its id begins.",
			func(h *acdhost.Host) {
				findsUnregistered(h, func(call *acdhost.Call) map[string]any {
					for _, entry := range h.Entries() {
						begins := call.ID != "" && strings.HasPrefix(acdhost.Text(entry, "capability_id"), call.ID)
						if begins && !isCopy(entry) {
							return entry
						}
					}
					return nil
				})
			}),
		newMutant("update-of-disabled-lost", "ACD-SDK1-10",
			"Loses an update of a disabled capability that remains disabled.",
			func(h *acdhost.Host) {
				losesUpdates(h, func(old, now object) bool {
					return !acdhost.Flag(old, "status.enabled", true) && !acdhost.Flag(now, "status.enabled", true)
				})
			}),
		newMutant("update-adds-aliases", "ACD-SDK1-10", "Adds the command aliases of an update to the old ones.",
			func(h *acdhost.Host) {
				changesParams(acdhost.OpUpdate, func(params object) {
					const path = "invocation.command_aliases"
					all := acdhost.Texts(h.Find(acdhost.Text(params, "descriptor.capability_id")), path)
					if now := acdhost.Texts(params, "descriptor."+path); len(all) > 0 && len(now) > 0 {
						list := []any{}
						for _, alias := range slices.Compact(slices.Sorted(slices.Values(append(all, now...)))) {
							list = append(list, alias)
						}
						acdhost.Set(params, "descriptor."+path, list)
					}
				})(h)
			}),
		newMutant("deleted-runs-through-channels", "ACD-SDK1-11",
			"Still runs deleted capabilities for calls through channels.",
			remembersDeleted(func(call *acdhost.Call) bool { return call.Channel != "" })),
	}
}

func narrowShows() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("composite-internal-unasked", "ACD-SDK3-03",
			"Creates internal composites without a language model.",
			consentsTo(func(descriptor object) bool {
				return descriptor["kind"] == "composite" && acdhost.Text(descriptor, "exposure.scope") == "internal"
			})),
		newMutant("composite-llm-unasked", "ACD-SDK3-03",
			"Creates composites of the substrate llm without a language model.",
			consentsTo(func(descriptor object) bool {
				return descriptor["kind"] == "composite" && acdhost.Text(descriptor, "execution.substrate") == "llm"
			})),
		newMutant("proxy-registered-unasked", "ACD-SDK3-06",
			"Registers a proxy without a language model, unless its substrate is agent.", registersProxies),
		newMutant("enable-toggles", "ACD-SDK3-04", "Disables by capability.enable what is enabled already.",
			func(h *acdhost.Host) {
				enable := h.Handlers["enable"]
				h.Handlers["enable"] = func(ctx context.Context, call *acdhost.Call) (any, error) {
					entry := h.Find(acdhost.Text(call.Input, "capability_id"))
					on := acdhost.Flag(entry, "status.enabled", true) && acdhost.Flag(entry, "status.mutable", true)
					if !isCopy(entry) || !on {
						return enable(ctx, call)
					}
					acdhost.Set(entry, "status.enabled", false)
					h.Put(entry)
					return entry, nil
				}
			}),
		newMutant("enable-silences", "ACD-SDK3-04",
			"Ends the log of invocations of a capability that capability.enable enables.",
			func(h *acdhost.Host) {
				enable := h.Handlers["enable"]
				h.Handlers["enable"] = func(ctx context.Context, call *acdhost.Call) (any, error) {
					result, err := enable(ctx, call)
					if entry := h.Find(acdhost.Text(call.Input, "capability_id")); err == nil && entry != nil {
						acdhost.Set(entry, "audit.log_invocation", false)
						h.Put(entry)
					}
					return result, err
				}
			}),
	}
}

// losesUpdates answers some updates without performing them.
func losesUpdates(h *acdhost.Host, which func(old, now object) bool) {
	changesOperation(acdhost.OpUpdate, func(original rpc.Operation) rpc.Operation {
		return func(ctx context.Context, params map[string]any) (any, error) {
			now, _ := params["descriptor"].(object)
			if old := h.Find(acdhost.Text(now, "capability_id")); old != nil && which(old, now) {
				return now, nil
			}
			return original(ctx, params)
		}
	})(h)
}

// consentsTo creates some descriptors without asking the language model.
func consentsTo(which func(descriptor object) bool) defect {
	return func(h *acdhost.Host) {
		original := h.Consent
		h.Consent = func(ctx context.Context, descriptor map[string]any) error {
			if which(descriptor) {
				return nil
			}
			return original(ctx, descriptor)
		}
	}
}

// registersProxies lets acd.registry.create register a proxy without a model, unless its substrate is agent or its id
// is registered already.
func registersProxies(h *acdhost.Host) {
	changesOperation(acdhost.OpCreate, func(original rpc.Operation) rpc.Operation {
		return func(ctx context.Context, params object) (any, error) {
			made, _ := params["descriptor"].(object)
			if made["kind"] != "proxy" || acdhost.Text(made, "execution.substrate") == "agent" ||
				h.Find(acdhost.Text(made, "capability_id")) != nil {
				return original(ctx, params)
			}
			h.Put(made)
			return made, nil
		}
	})(h)
}
