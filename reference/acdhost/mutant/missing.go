package acdmutant

import (
	"context"
	"sync"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// notServing leaves an operation out.
func notServing(operation string) defect {
	return operates(operation, func(rpc.Operation) rpc.Operation { return nil })
}

// missingChecks do not serve what the text demands of an SDK.
func missingChecks() []mutant.Mutant {
	const one = "the query by any filter is one operation"
	return []mutant.Mutant{
		newMutant("no-query-operation", "ACD-SDK1-03", "Serves no query of its registry.", notServing(acdhost.OpQuery)).
			AlsoBreaks("ACD-SDK1-04", one).AlsoBreaks("ACD-SDK1-05", one).AlsoBreaks("ACD-SDK1-06", one),
		newMutant("no-update-operation", "ACD-SDK1-10", "Serves no update of its registry.", notServing(acdhost.OpUpdate)),
		newMutant("no-delete-operation", "ACD-SDK1-11", "Serves no deletion from its registry.", notServing(acdhost.OpDelete)),
		newMutant("no-create-operation", "ACD-SDK1-08", "Serves no creation in its registry.", notServing(acdhost.OpCreate)),
		newMutant("no-invoke-operation", "ACD-SDK2-01", "Serves no invocation.", notServing(acdhost.OpInvoke)),
	}
}

// unheardCalls create although the language model did not consent (FR-SDK-3).
func unheardCalls() []mutant.Mutant {
	var all []mutant.Mutant
	for _, m := range []struct{ requirement, kind, what string }{{"ACD-SDK3-03", "composite", "composites"}, {"ACD-SDK3-06", "proxy", "sub-agents"}} {
		all = append(all,
			newMutant(m.kind+"-model-fails", m.requirement, "Creates "+m.what+" although the language model fails.", consents(m.kind, true)),
			newMutant(m.kind+"-counted-only", m.requirement, "Counts a question to the language model that it never asks before it creates "+m.what+".", consents(m.kind, false)),
			newMutant(m.kind+"-by-update", m.requirement, "Makes "+m.what+" of other capabilities by an update without a language model.", func(h *acdhost.Host) {
				operates(acdhost.OpUpdate, func(sound rpc.Operation) rpc.Operation {
					return func(ctx context.Context, params map[string]any) (any, error) {
						result, err := sound(ctx, params)
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

// consents lets one of a kind be created where a model is configured, whatever that
// says. Unless it asks, it only counts.
func consents(kind string, asks bool) defect {
	return func(h *acdhost.Host) {
		var mutex sync.Mutex
		configured, counted := false, 0
		operates(acdhost.OpConfigure, func(sound rpc.Operation) rpc.Operation {
			return func(ctx context.Context, params map[string]any) (any, error) {
				mutex.Lock()
				configured = params["llm"] != nil
				mutex.Unlock()
				return sound(ctx, params)
			}
		})(h)
		answers(acdhost.OpCalls, func(_, result object) {
			mutex.Lock()
			defer mutex.Unlock()
			result["calls"] = counted
		})(h)
		sound := h.Consent
		h.Consent = func(ctx context.Context, descriptor map[string]any) error {
			mutex.Lock()
			counted++
			ready := configured
			mutex.Unlock()
			if descriptor["kind"] != kind || !ready {
				return sound(ctx, descriptor)
			}
			if asks {
				_ = h.Ask(ctx, descriptor) // the answer changes nothing
			}
			return nil
		}
	}
}
