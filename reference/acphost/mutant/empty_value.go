package acpmutant

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
)

// emptyValues are runtimes that fail for null, for patches of the whole object and for keys that run together.
func emptyValues() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("object-nulls-dropped", "ACP-STATE-01", "Drops null members that the schema does not name.",
			changesObjects(func(p *acphost.Package, value object) {
				columns, _ := p.Schema["properties"].(object)
				maps.DeleteFunc(value, func(name string, member any) bool { return member == nil && columns[name] == nil })
			})),
		newMutant("object-inner-nulls-dropped", "ACP-STATE-01", "Drops null members of members.",
			changesObjects(func(_ *acphost.Package, value object) {
				for _, member := range value {
					inner, _ := member.(object)
					maps.DeleteFunc(inner, func(_ string, innermost any) bool { return innermost == nil })
				}
			})),
		newMutant("patch-null-removes", "ACP-STATE-02", "Removes a member that a patch sets to null.",
			patches(func(_ object, patch []any) []any {
				for _, one := range patch {
					operation, _ := one.(object)
					if value, isGiven := operation["value"]; operation["op"] == "replace" && isGiven && value == nil {
						operation["op"] = "remove"
					}
				}
				return patch
			})),
		newMutant("patch-whole-merged", "ACP-STATE-02", "Adds the members of a new object to the old ones.",
			patches(wholeMerged)),
		newMutant("patch-whole-ignored", "ACP-STATE-02", "Ignores patch operations with an empty path.",
			filtersPatches(func(operation object) bool { return operation["path"] != "" })),
		newMutant("keys-run-together", "ACP-FIELD-15",
			"Stores objects by schema URI and id in one text, and finds all whose text begins with the URI of a query.",
			keysRunTogether),
		newMutant("page-of-thirty", "ACP-STATE-05", "Returns thirty objects, and no cursor, for a query without a limit.",
			firstPageAlone(30)),
		newMutant("pages-of-forty", "ACP-STATE-05", "Returns no more than the first forty objects of a query.",
			pagesEnd(40)),
	}
}

// partialFilters are runtimes that evaluate only a part of a filter, or take an absent member for a value.
func partialFilters() []mutant.Mutant {
	selecting := func(change func(conditions, members object)) defect {
		return func(h *acphost.Host) {
			original := h.Matches
			h.Matches = func(filter, value any) (bool, error) {
				conditions, isFilter := filter.(object)
				members, isObject := value.(object)
				if !isFilter || !isObject {
					return original(filter, value)
				}
				conditions, members = clone(conditions), clone(members)
				change(conditions, members)
				return original(conditions, members)
			}
		}
	}
	return []mutant.Mutant{
		newMutant("filter-absent-as-false", "ACP-STATE-04", "Treats an absent member as false.",
			selecting(func(conditions, members object) {
				for name, condition := range conditions {
					if _, exists := members[name]; condition == false && !exists {
						members[name] = false
					}
				}
			})),
		newMutant("filter-or-alone", "ACP-STATE-04", "Ignores the other members of a filter that has $or.",
			selecting(func(conditions, _ object) {
				if conditions["$or"] != nil {
					maps.DeleteFunc(conditions, func(name string, _ any) bool { return name != "$or" })
				}
			})),
		newMutant("filter-of-two", "ACP-STATE-04", "Evaluates only two members of a filter.",
			selecting(func(conditions, _ object) {
				names := slices.Sorted(maps.Keys(conditions))
				for _, name := range names[min(2, len(names)):] {
					delete(conditions, name)
				}
			})),
	}
}

// wholeMerged replaces the replacement of a whole object by an addition of each member.
func wholeMerged(_ object, patch []any) []any {
	var merged []any
	for _, one := range patch {
		operation, _ := one.(object)
		value, isObject := operation["value"].(object)
		if operation["path"] != "" || operation["op"] == "test" || !isObject {
			merged = append(merged, one)
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			path := "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
			merged = append(merged, object{"op": "add", "path": path, "value": value[name]})
		}
	}
	return merged
}

func keysRunTogether(h *acphost.Host) {
	partition, addresses := h.Partition, h.CheckSchemaURI
	h.Partition = func(p *acphost.Package, uri string) string { return partition(p, "") + uri }
	h.CheckSchemaURI = func(p *acphost.Package, verb, uri string) error {
		if verb == acphost.Query {
			return nil
		}
		return addresses(p, verb, uri)
	}
}

// pagesEnd returns no more than so many objects of a query on all its pages.
func pagesEnd(most int) defect {
	return func(h *acphost.Host) {
		var shown sync.Map // how many objects the pages before a cursor have
		pages := h.FormatPage
		onVerb(acphost.Query,
			func(original acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any, error) {
				count := 0
				if before, further := shown.Load(arguments["cursor"]); further {
					count, _ = before.(int)
				}
				result, err := original(ctx, p, arguments)
				page, isObject := result.(object)
				objects, _ := page["objects"].([]any)
				if err != nil || !isObject {
					return result, err
				}
				if count+len(objects) >= most {
					return pages(objects[:most-count], ""), nil
				}
				if cursor := page["next_cursor"]; cursor != nil {
					shown.Store(cursor, count+len(objects))
				}
				return result, nil
			})(h)
	}
}
