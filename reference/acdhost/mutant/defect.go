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
	all := slices.DeleteFunc(h.Query(object{"execution": "external_service"}), probe)
	return all[len(all)-1]
}

// describes changes the descriptor of one capability.
func describes(which func(h *acdhost.Host) object, change func(descriptor object)) defect {
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

// answers changes the result of an operation.
func answers(operation string, change func(params, result object)) defect {
	return operates(operation, func(original rpc.Operation) rpc.Operation {
		return func(ctx context.Context, params map[string]any) (any, error) {
			result, err := original(ctx, params)
			if members, is := result.(object); is && err == nil {
				change(params, members)
			}
			return result, err
		}
	})
}

// operates changes an operation.
func operates(operation string, turn func(original rpc.Operation) rpc.Operation) defect {
	return func(h *acdhost.Host) { h.Turn[operation] = turn }
}

// asksOtherwise changes the params of an operation.
func asksOtherwise(operation string, change func(params object)) defect {
	return operates(operation, func(original rpc.Operation) rpc.Operation {
		return func(ctx context.Context, params map[string]any) (any, error) {
			change(params)
			return original(ctx, params)
		}
	})
}

// opens removes a gate for some calls.
func opens(name string, which func(call *acdhost.Call) bool) defect {
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

// shuts adds a gate that refuses some calls.
func shuts(which func(call *acdhost.Call) bool) defect {
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
