package acpmutant

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// objectChanges returns runtimes that break one property of state objects.
func objectChanges() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("object-without-empty", "ACP-STATE-01",
			"Stores an object without the members that are false, zero or empty.", onVerb(acphost.Create,
				func(original acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any, error) {
					changed := clone(arguments)
					if value, isObject := changed["object"].(object); isObject {
						changed["object"] = withoutEmpty(value)
					}
					return original(ctx, p, changed)
				})).AlsoBreaks("ACP-EXEC-04", "an invalid empty member is removed before validation"),
		newMutant("patch-kept-in-part", "ACP-STATE-02",
			"Refuses a patch, but keeps the changes before the failed operation.", onVerb(acphost.Update,
				func(original acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any, error) {
					result, err := original(ctx, p, arguments)
					patch, _ := arguments["patch"].([]any)
					for i := 0; err != nil && i < len(patch); i++ {
						one := clone(arguments)
						one["patch"] = patch[i : i+1]
						if _, fault := original(ctx, p, one); fault != nil {
							break
						}
					}
					return result, err
				})),
		newMutant("patch-pointers-plain", "ACP-STATE-02", "Does not decode the escapes of a JSON Pointer.",
			patches(func(_ object, patch []any) []any {
				for _, one := range patch {
					members, _ := one.(object)
					path, _ := members["path"].(string)
					members["path"] = strings.ReplaceAll(path, "~1", "~01")
				}
				return patch
			})),
		newMutant("patch-spreads", "ACP-STATE-02", "Applies a patch to every object to which it can be applied.",
			patchesAllObjects),
	}
}

// queryChanges returns runtimes that break one property of queries and deletions.
func queryChanges() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("filter-one-operator", "ACP-STATE-04", "Evaluates only one operator of a member.", func(h *acphost.Host) {
			original := h.Matches
			h.Matches = func(filter, value any) (bool, error) { return original(keepFirstOperator(rpc.Clone(filter)), value) }
		}),
		newMutant("filter-numbers-as-texts", "ACP-STATE-04", "Compares numbers as texts.", func(h *acphost.Host) {
			original := h.Matches
			h.Matches = func(filter, value any) (bool, error) { return original(numbersAsTexts(filter), numbersAsTexts(value)) }
		}),
		newMutant("page-unfiltered", "ACP-STATE-05", "Drops the filter after the first page.", onVerb(acphost.Query,
			func(original acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any, error) {
				if _, further := arguments["cursor"]; further {
					arguments = clone(arguments)
					delete(arguments, "query")
				}
				return original(ctx, p, arguments)
			})),
		newMutant("page-unfiltered-by-age", "ACP-STATE-05",
			"Returns objects in the order of their creation, and drops the filter after the first page.", unfilteredByAge),
		newMutant("hard-deletion-ignored", "ACP-STATE-06", "Reports a hard deletion, and keeps the object.",
			onVerb(acphost.Delete,
				func(original acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any, error) {
					if arguments["mode"] == "hard" {
						return object{"deleted": arguments["id"]}, nil
					}
					return original(ctx, p, arguments)
				})),
		newMutant("deleted-come-back", "ACP-EXEC-08", "Restores deleted objects at a restart.", deletedComeBack),
	}
}

func patchesAllObjects(h *acphost.Host) {
	onVerb(acphost.Update, func(original acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any,
		error) {
		result, err := original(ctx, p, arguments)
		if err != nil {
			return nil, err
		}
		kept, err := keptIDs(ctx, h, p)
		for _, id := range kept {
			if id == arguments["id"] {
				continue
			}
			other := clone(arguments)
			other["id"] = id
			_, _ = original(ctx, p, other) // an object to which it cannot be applied stays unchanged
		}
		return result, err
	})(h)
}

// keepFirstOperator keeps only the first operator of each member, in alphabetical order.
func keepFirstOperator(filter any) any {
	members, isObject := filter.(object)
	if !isObject {
		return filter
	}
	for name, condition := range members {
		operators, isObject := condition.(object)
		if !isObject || len(operators) < 2 {
			continue
		}
		var names []string
		for operator := range operators {
			names = append(names, operator)
		}
		first := slices.Min(names)
		members[name] = object{first: operators[first]}
	}
	return members
}

func numbersAsTexts(value any) any {
	return rpc.Transform(value, func(v any) any {
		if number, isNumber := v.(json.Number); isNumber {
			return number.String()
		}
		return v
	})
}

// unfilteredByAge answers queries that have a limit. The cursor is a position in the order of creation.
func unfilteredByAge(h *acphost.Host) {
	var mutex sync.Mutex
	var ids []any // in the order of creation
	create, find := h.Verbs[acphost.Create], h.Verbs[acphost.Query]
	h.Verbs[acphost.Create] = func(ctx context.Context, p *acphost.Package, arguments object) (any, error) {
		made, _ := arguments["object"].(object)
		mutex.Lock()
		ids = append(ids, made["id"])
		mutex.Unlock()
		return create(ctx, p, arguments)
	}
	h.Verbs[acphost.Query] = func(ctx context.Context, p *acphost.Package, arguments object) (any, error) {
		limit, err := strconv.Atoi(fmt.Sprint(arguments["limit"]))
		if err != nil {
			return find(ctx, p, arguments)
		}
		at, _ := strconv.Atoi(fmt.Sprint(arguments["cursor"])) // 0 for the first page
		first := at == 0
		mutex.Lock()
		all := slices.Clone(ids)
		mutex.Unlock()
		var page []any
		for ; at < len(all) && len(page) < limit; at++ {
			found, err := find(ctx, p, object{"query": object{"id": all[at]}})
			if err != nil {
				return nil, err
			}
			of, _ := found.(object)
			one, _ := of["objects"].([]any)
			if matches := len(one) > 0; matches && first {
				if matches, err = h.Matches(arguments["query"], one[0]); err != nil || !matches {
					continue
				}
			}
			page = append(page, one...)
		}
		if at == len(all) {
			return h.FormatPage(page, ""), nil
		}
		return h.FormatPage(page, strconv.Itoa(at)), nil
	}
}

func deletedComeBack(h *acphost.Host) {
	type gone struct {
		p     *acphost.Package
		value any
	}
	var mutex sync.Mutex
	var all []gone
	find, remove := h.Verbs[acphost.Query], h.Verbs[acphost.Delete]
	h.Verbs[acphost.Delete] = func(ctx context.Context, p *acphost.Package, arguments object) (any, error) {
		found, _ := find(ctx, p, object{"query": object{"id": arguments["id"]}})
		page, _ := found.(object)
		objects, _ := page["objects"].([]any)
		mutex.Lock()
		for _, one := range objects {
			all = append(all, gone{p, one})
		}
		mutex.Unlock()
		return remove(ctx, p, arguments)
	}
	reopen := h.Reopen
	h.Reopen = func() error {
		err := reopen()
		mutex.Lock()
		defer mutex.Unlock()
		for _, one := range all {
			_,
				_ = h.Verbs[acphost.Create](context.Background(), one.p,
				object{"object": one.value}) // existing objects stay unchanged
		}
		return err
	}
}
