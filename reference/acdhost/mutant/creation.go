package acdmutant

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// freesEntry removes the permissions of an entry.
func freesEntry(h *acdhost.Host, id string) {
	if entry := h.Find(id); entry != nil {
		acdhost.Set(entry, "permissions", object{"required": []any{}, "granted_by_default": true})
		h.Put(entry)
	}
}

// opensDirect adds the mode direct to an entry.
func opensDirect(h *acdhost.Host, call *acdhost.Call) {
	entry := h.Find(acdhost.Text(call.Input, "capability_id"))
	modes := acdhost.Texts(entry, "invocation.modes")
	if entry == nil || slices.Contains(modes, "direct") {
		return
	}
	opened := []any{"direct"}
	for _, mode := range modes {
		opened = append(opened, mode)
	}
	acdhost.Set(entry, "invocation.modes", opened)
	h.Put(entry)
}

// creationDefects returns agents that do more than was requested, or act without consent.
func creationDefects() []mutant.Mutant {
	then := func(do func(h *acdhost.Host, call *acdhost.Call)) func(*acdhost.Host, acdhost.Executor) acdhost.Executor {
		return func(h *acdhost.Host, original acdhost.Executor) acdhost.Executor {
			return func(ctx context.Context, call *acdhost.Call) (any, error) {
				result, err := original(ctx, call)
				if err == nil {
					do(h, call)
				}
				return result, err
			}
		}
	}
	return []mutant.Mutant{
		newMutant("create-frees", "ACD-SDK3-02",
			"Removes the permissions of a capability that capability.create creates.",
			runsInstead("create", then(func(h *acdhost.Host, call *acdhost.Call) {
				freesEntry(h, acdhost.Text(call.Input, "descriptor.capability_id"))
			}))),
		newMutant("bind-frees", "ACD-SDK3-05", "Removes the permissions of a capability that capability.bind binds.",
			runsInstead("bind", then(func(h *acdhost.Host, call *acdhost.Call) {
				if id := acdhost.Text(call.Input, "capability_id"); strings.HasPrefix(id, probes) {
					freesEntry(h, id)
				}
			}))),
		newMutant("enable-widens-modes", "ACD-SDK3-04",
			"Adds the mode direct to a capability that capability.enable enables.",
			runsInstead("enable", then(opensDirect))),
		newMutant("enable-all", "ACD-SDK3-04",
			"Enables every capability that was created at runtime, whenever one is enabled.",
			runsInstead("enable", then(func(h *acdhost.Host, _ *acdhost.Call) {
				for _, entry := range h.Entries() {
					if strings.HasPrefix(acdhost.Text(entry, "capability_id"), probes) {
						acdhost.Set(entry, "status.enabled", true)
						h.Put(entry)
					}
				}
			}))),
		newMutant("subagent-unasked", "ACD-SDK3-06",
			"Creates sub-agents by cap.subagent.create without a language model.",
			runsInstead("subagent", func(h *acdhost.Host, original acdhost.Executor) acdhost.Executor {
				return func(ctx context.Context, call *acdhost.Call) (any, error) {
					descriptor, _ := call.Input["descriptor"].(object)
					if acdhost.Text(descriptor, "kind") != "proxy" {
						return original(ctx, call)
					}
					h.Put(descriptor)
					return descriptor, nil
				}
			})).WithFixtures(),
		newMutant("bind-idle-touched", "ACD-SDK3-05",
			"Has a capability.bind that binds nothing, and records when entries were created.", func(h *acdhost.Host) {
				changesParams(acdhost.OpCreate,
					func(params object) { acdhost.Set(params, "descriptor.created_at", "2026-01-01T00:00:00Z") })(h)
				h.Handlers["bind"] = func(context.Context, *acdhost.Call) (any, error) { return object{}, nil }
			}),
	}
}

// immutableDefects returns agents that change immutable capabilities in indirect ways.
func immutableDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("immutable-hooked", "ACD-SDK6-03", "Adds hooks to an immutable capability by cap.hook.create.",
			runsInstead("hook", func(h *acdhost.Host, _ acdhost.Executor) acdhost.Executor {
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
		newMutant("immutable-but-for-audit", "ACD-SDK6-03",
			"Updates the audit of an immutable capability, if name and permissions do not change.", func(h *acdhost.Host) {
				original := h.Guard
				h.Guard = func(entry, change map[string]any) error {
					if change != nil && change["name"] == entry["name"] && acdhost.Flag(change, "audit.log_inputs", false) &&
						!acdhost.Flag(change, "status.mutable", true) {
						return nil
					}
					return original(entry, change)
				}
			}),
	}
}

// unheardCalls returns agents that create without the consent of the language model (FR-SDK-3).
func unheardCalls() []mutant.Mutant {
	var all []mutant.Mutant
	for _, m := range []struct{ requirement, kind, what string }{{"ACD-SDK3-03", "composite", "composites"},
		{"ACD-SDK3-06", "proxy", "sub-agents"}} {
		all = append(all,
			newMutant(m.kind+"-model-fails", m.requirement, "Creates "+m.what+" although the language model fails.",
				consents(m.kind, true)),
			newMutant(m.kind+"-counted-only", m.requirement,
				"Counts a question to the language model that it never asks before it creates "+m.what+".",
				consents(m.kind, false)),
			newMutant(m.kind+"-disabled-unasked", m.requirement,
				"Creates disabled "+m.what+" without a language model.", func(h *acdhost.Host) {
					original := h.Consent
					h.Consent = func(ctx context.Context, descriptor map[string]any) error {
						if descriptor["kind"] == m.kind && !acdhost.Flag(descriptor, "status.enabled", true) {
							return nil
						}
						return original(ctx, descriptor)
					}
				}),
			newMutant(m.kind+"-registered-again", m.requirement,
				"Makes "+m.what+" of other capabilities that are registered again without a language model.",
				func(h *acdhost.Host) {
					changesOperation(acdhost.OpCreate, func(original rpc.Operation) rpc.Operation {
						return func(ctx context.Context, params map[string]any) (any, error) {
							descriptor, _ := params["descriptor"].(object)
							before := h.Find(acdhost.Text(descriptor, "capability_id"))
							if before != nil && descriptor["kind"] == m.kind && acdhost.Flag(before, "status.mutable", true) {
								h.Put(descriptor)
								return descriptor, nil
							}
							return original(ctx, params)
						}
					})(h)
				}),
			newMutant(m.kind+"-by-update", m.requirement,
				"Makes "+m.what+" of other capabilities by an update without a language model.", func(h *acdhost.Host) {
					changesOperation(acdhost.OpUpdate, func(original rpc.Operation) rpc.Operation {
						return func(ctx context.Context, params map[string]any) (any, error) {
							result, err := original(ctx, params)
							if descriptor, is := params["descriptor"].(object); err != nil && is && descriptor["kind"] == m.kind {
								h.Put(descriptor)
								return descriptor, nil
							}
							return result, err
						}
					})(h)
				}),
		)
	}
	return all
}

// consents permits the creation of a kind if a model is configured, whatever the model
// answers. If asks is false, it does not ask but counts a request.
func consents(kind string, asks bool) defect {
	return func(h *acdhost.Host) {
		var mutex sync.Mutex
		configured, counted := false, 0
		changesOperation(acdhost.OpConfigure, func(original rpc.Operation) rpc.Operation {
			return func(ctx context.Context, params map[string]any) (any, error) {
				mutex.Lock()
				configured = params["llm"] != nil
				mutex.Unlock()
				return original(ctx, params)
			}
		})(h)
		changesResult(acdhost.OpCalls, func(_, result object) {
			mutex.Lock()
			defer mutex.Unlock()
			result["calls"] = counted
		})(h)
		original := h.Consent
		h.Consent = func(ctx context.Context, descriptor map[string]any) error {
			mutex.Lock()
			counted++
			ready := configured
			mutex.Unlock()
			if descriptor["kind"] != kind || !ready {
				return original(ctx, descriptor)
			}
			if asks {
				_ = h.Ask(ctx, descriptor) // the answer changes nothing
			}
			return nil
		}
	}
}
