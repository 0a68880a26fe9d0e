package acdmutant

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// answerDefects returns agents that return an entry for an id that is not registered.
func answerDefects() []mutant.Mutant {
	like := func(match func(id, asked string) bool) defect {
		return func(h *acdhost.Host) {
			changesOperation(acdhost.OpGet, func(original rpc.Operation) rpc.Operation {
				return func(ctx context.Context, params map[string]any) (any, error) {
					result, err := original(ctx, params)
					at := slices.IndexFunc(h.Entries(), func(e map[string]any) bool {
						return match(acdhost.Text(e, "capability_id"), acdhost.Text(params, "capability_id"))
					})
					if err != nil && at >= 0 {
						return h.Entries()[at], nil
					}
					return result, err
				}
			})(h)
		}
	}
	return []mutant.Mutant{
		newMutant("get-by-parent", "ACD-SDK1-09", "Returns an entry for an unknown id that begins with its id.",
			like(func(id, asked string) bool { return strings.HasPrefix(asked, id+".") })),
	}
}

// hasOnlyFilter reports whether a query has only one filter, the given one.
func hasOnlyFilter(name string) func(params object) bool {
	return func(params object) bool { return len(params) == 1 && params[name] != nil }
}

// indexDefects returns agents that answer from an index that misses changes.
func indexDefects() []mutant.Mutant {
	var all []mutant.Mutant
	for _, of := range []struct{ name, id string }{{"kind", "ACD-LEG-05"}, {"execution", "ACD-SDK1-03"},
		{"invocation", "ACD-SDK1-04"}} {
		all = append(all,
			newMutant("query-remembers-"+of.name, of.id, "Goes on finding by "+of.name+" what was deleted.",
				keepsShowing(acdhost.OpQuery, hasOnlyFilter(of.name), true)))
	}
	commands := func(params object) bool { return params["endpoint"] == "/listCommands" }
	return append(all,
		newMutant("commands-remember-deleted", "ACD-LEG-02", "Still lists deleted commands by /listCommands.",
			keepsShowing(acdhost.OpLegacy, commands, true)),
		newMutant("commands-remember-updated", "ACD-LEG-02",
			"Still lists by /listCommands what an update took the mode command from.",
			keepsShowing(acdhost.OpLegacy, commands, false)),
	)
}

// keepsShowing still shows entries of an earlier answer that were deleted, or updated, since.
func keepsShowing(operation string, which func(params object) bool, deleted bool) defect {
	return func(h *acdhost.Host) {
		had := newValueMap()
		changesResult(operation, func(params, result object) {
			if !which(params) {
				return
			}
			key := acdhost.Text(params, "endpoint")
			for _, value := range params {
				if said, is := value.(string); is {
					key = said + " "
				}
			}
			now := newSet()
			for _, item := range itemsOf(result) {
				id := acdhost.Text(item, "capability_id")
				now.add(id)
				had.put(key+id, item)
			}
			for at, item := range had.all() {
				id := acdhost.Text(item, "capability_id")
				if at == key+id && !now.has(id) && (h.Find(id) == nil) == deleted {
					result["capabilities"] = append(itemsOf(result), item)
				}
			}
		})(h)
	}
}
