// Package acdmutant lists ACD agents with one defect each, and broken documents.
package acdmutant

import (
	"context"
	"slices"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

type object = map[string]any

// defect breaks an agent.
type defect func(h *acdhost.Host)

// newMutant returns an ACD mutant.
func newMutant(name, requirement, summary string, breaks defect) mutant.Mutant {
	return mutant.Mutant{
		Name: "acd-" + name, Suite: "acd", Requirement: requirement, Summary: summary,
		Apply: reference.OfACD(breaks),
	}
}

// victim returns a capability on which no scenario depends: the last one of an external service.
func victim(h *acdhost.Host) object {
	all := slices.DeleteFunc(h.Query(object{"execution": "external_service"}), isCopy)
	return all[len(all)-1]
}

// changesDescriptor changes the descriptor of one capability.
func changesDescriptor(which func(h *acdhost.Host) object, change func(descriptor object)) defect {
	return func(h *acdhost.Host) {
		descriptor := which(h)
		change(descriptor)
		h.Put(descriptor)
	}
}

// entryOf finds a capability by its id.
func entryOf(id string) func(h *acdhost.Host) object {
	return func(h *acdhost.Host) object { return h.Find(id) }
}

// setAt sets a member to a value.
func setAt(path string, value any) func(object) {
	return func(of object) { acdhost.Set(of, path, value) }
}

// changesResult changes the result of an operation.
func changesResult(operation string, change func(params, result object)) defect {
	return changesOperation(operation, func(original rpc.Operation) rpc.Operation {
		return func(ctx context.Context, params map[string]any) (any, error) {
			result, err := original(ctx, params)
			if members, is := result.(object); is && err == nil {
				change(params, members)
			}
			return result, err
		}
	})
}

// changesOperation changes an operation.
func changesOperation(operation string, change func(original rpc.Operation) rpc.Operation) defect {
	return func(h *acdhost.Host) { h.Wrap[operation] = change }
}

// changesParams changes the params of an operation.
func changesParams(operation string, change func(params object)) defect {
	return changesOperation(operation, func(original rpc.Operation) rpc.Operation {
		return func(ctx context.Context, params map[string]any) (any, error) {
			change(params)
			return original(ctx, params)
		}
	})
}

// removesGate removes a gate for some calls.
func removesGate(name string, which func(call *acdhost.Call) bool) defect {
	return func(h *acdhost.Host) {
		for i, gate := range h.Gates {
			if gate.Name == name {
				h.Gates[i].Check = func(h *acdhost.Host, call *acdhost.Call) error {
					if which(call) {
						return nil
					}
					return gate.Check(h, call)
				}
			}
		}
	}
}

// addsGate adds a gate that refuses some calls.
func addsGate(which func(call *acdhost.Call) bool) defect {
	return func(h *acdhost.Host) {
		h.Gates = append(slices.Clone(h.Gates), acdhost.Gate{Name: "defect",
			Check: func(_ *acdhost.Host, call *acdhost.Call) error {
				if which(call) {
					return rpc.Refuse("", "no")
				}
				return nil
			}})
	}
}

func anyCall(*acdhost.Call) bool { return true }

// itemsOf returns the list in an answer.
func itemsOf(result object) []any {
	list, _ := result["capabilities"].([]any)
	return list
}
