package acpmutant

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// stores returns runtimes that store, change or delete objects wrongly.
func stores() []mutant.Mutant {
	stored := func(turn func(value object)) defect {
		return onVerb(acphost.Create, func(original acphost.Verb, ctx context.Context, p *acphost.Package,
			arguments object) (any, error) {
			changed := clone(arguments)
			if value, isObject := changed["object"].(object); isObject {
				turn(value)
			}
			return original(ctx, p, changed)
		})
	}
	return []mutant.Mutant{
		newMutant("object-without-note", "ACP-STATE-01", "Stores an object without its optional members.",
			onVerb(acphost.Create,
				func(original acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any, error) {
					changed := clone(arguments)
					value, _ := changed["object"].(object)
					required, _ := p.Schema["required"].([]any)
					for name := range value {
						if !slices.Contains(required, any(name)) {
							delete(value, name)
						}
					}
					return original(ctx, p, changed)
				})).AlsoBreaks("ACP-EXEC-04", "an invalid member is removed before validation"),
		newMutant("object-trimmed", "ACP-STATE-01", "Stores texts trimmed and in lower case.",
			stored(func(value object) {
				for name, member := range value {
					if text, isText := member.(string); isText && name != "id" {
						value[name] = strings.ToLower(strings.TrimSpace(text))
					}
				}
			})),
		newMutant("object-lists-cut", "ACP-STATE-01", "Stores only the first element of a list.", stored(func(value object) {
			for name, member := range value {
				if elements, isList := member.([]any); isList && len(elements) > 1 {
					value[name] = elements[:1]
				}
			}
		})).AlsoBreaks("ACP-EXEC-04", "an invalid element is removed before validation"),
	}
}

// patchDefects returns runtimes that patch or delete objects wrongly.
func patchDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("patch-first", "ACP-STATE-02", "Ignores every remove in a patch.",
			patches(func(_ object, patch []any) []any {
				return slices.DeleteFunc(patch, func(one any) bool { return operation(one) == "remove" })
			})),
		newMutant("patch-untested", "ACP-STATE-02", "Treats every test in a patch as passed.",
			patches(func(_ object, patch []any) []any {
				return slices.DeleteFunc(patch, func(one any) bool { return operation(one) == "test" })
			})),
		newMutant("patch-until-test", "ACP-STATE-02", "Applies the operations of a patch before a failed test.",
			patchesUntil),
		newMutant("patch-ignored", "ACP-STATE-02", "Reports that an object is changed, and does not change it.",
			func(h *acphost.Host) {
				h.Patch = func(_ *acphost.Package, document, _ []byte) ([]byte, error) { return document, nil }
			}),
		newMutant("delete-ignored", "ACP-STATE-06", "Reports that an object is deleted, and keeps it.", onVerb(acphost.Delete,
			func(_ acphost.Verb, _ context.Context, _ *acphost.Package, arguments object) (any, error) {
				return object{"deleted": arguments["id"]}, nil
			})),
		newMutant("delete-all", "ACP-STATE-06", "Deletes all objects of the package.", deletesAll),
	}
}

func operation(one any) string {
	members, _ := one.(object)
	name, _ := members["op"].(string)
	return name
}

// patches changes a patch before it is applied.
func patches(turn func(document object, patch []any) []any) defect {
	return func(h *acphost.Host) {
		original := h.Patch
		h.Patch = func(p *acphost.Package, document, patch []byte) ([]byte, error) {
			var before object
			var operations []any
			if err := errors.Join(json.Unmarshal(document, &before), json.Unmarshal(patch, &operations)); err != nil {
				return nil, err
			}
			return original(p, document, rpc.Append(nil, turn(before, operations)))
		}
	}
}

func patchesUntil(h *acphost.Host) {
	original := h.Patch
	h.Patch = func(p *acphost.Package, document, patch []byte) ([]byte, error) {
		var operations []any
		if err := json.Unmarshal(patch, &operations); err != nil {
			return nil, err
		}
		for _, one := range operations {
			after, err := original(p, document, rpc.Append(nil, []any{one}))
			if err != nil {
				return document, nil // this is the defect
			}
			document = after
		}
		return document, nil
	}
}

func deletesAll(h *acphost.Host) {
	original := h.Verbs[acphost.Delete]
	h.Verbs[acphost.Delete] = func(ctx context.Context, p *acphost.Package, arguments object) (any, error) {
		result, err := original(ctx, p, arguments)
		if err != nil {
			return nil, err
		}
		kept, err := keptIDs(ctx, h, p)
		for _, id := range kept {
			if _, err := original(ctx, p, object{"id": id}); err != nil {
				return nil, err
			}
		}
		return result, err
	}
}

// keptIDs returns the ids of the objects of a package.
func keptIDs(ctx context.Context, h *acphost.Host, p *acphost.Package) ([]any, error) {
	found, err := h.Verbs[acphost.Query](ctx, p, object{"limit": json.Number("1000")})
	page, _ := found.(object)
	objects, _ := page["objects"].([]any)
	var ids []any
	for _, one := range objects {
		members, _ := one.(object)
		ids = append(ids, members["id"])
	}
	return ids, err
}

// queries returns runtimes that query wrongly.
func queries() []mutant.Mutant {
	operators := func(change map[string]string) defect {
		return func(h *acphost.Host) {
			original := h.Matches
			h.Matches = func(filter, value any) (bool, error) { return original(withOperators(filter, change), value) }
		}
	}
	return []mutant.Mutant{
		newMutant("filter-ignored", "ACP-STATE-04", "Returns all objects, whatever the filter is.", func(h *acphost.Host) {
			h.Matches = func(any, any) (bool, error) { return true, nil }
			size := h.PageSize
			h.PageSize = func(limit int) int { // chance must not decide which objects are on the first page
				if limit <= 0 {
					return math.MaxInt
				}
				return size(limit)
			}
		}),
		newMutant("filter-gt-inclusive", "ACP-STATE-04", "Treats $gt as $gte.", operators(map[string]string{"$gt": "$gte"})),
		newMutant("filter-lt-as-gt", "ACP-STATE-04", "Treats $lt as $lte.", operators(map[string]string{"$lt": "$lte"})),
		newMutant("filter-or-as-and", "ACP-STATE-04", "Treats $or as $and.", operators(map[string]string{"$or": "$and"})),
		newMutant("filter-and-as-or", "ACP-STATE-04", "Treats $and as $or.", operators(map[string]string{"$and": "$or"})),
		newMutant("filter-in-as-nin", "ACP-STATE-04", "Treats $in as its opposite.",
			operators(map[string]string{"$in": "$nin"})),
		newMutant("filter-operators-ignored", "ACP-STATE-04", "Supports equality and ignores every operator.",
			func(h *acphost.Host) {
				original := h.Matches
				h.Matches = func(filter, value any) (bool, error) {
					members, _ := filter.(object)
					plain := object{}
					for name, condition := range members {
						if _, isObject := condition.(object); !isObject && !strings.HasPrefix(name, "$") {
							plain[name] = condition
						}
					}
					return original(plain, value)
				}
			}),
		newMutant("page-alone", "ACP-STATE-05", "Returns the first page without a cursor.", func(h *acphost.Host) {
			h.FormatPage = func(objects []any, _ string) any { return object{"objects": objects} }
		}),
		newMutant("page-skips", "ACP-STATE-05", "Omits an object at the end of a page.", func(h *acphost.Host) {
			original := h.FormatPage
			h.FormatPage = func(objects []any, cursor string) any {
				if cursor != "" && len(objects) > 1 {
					objects = objects[:len(objects)-1]
				}
				return original(objects, cursor)
			}
		}),
		newMutant("page-repeats", "ACP-STATE-05", "Begins a page with the last object of the previous page.", pageRepeats),
	}
}

// withOperators returns a filter with other operators.
func withOperators(filter any, change map[string]string) any {
	return rpc.Transform(filter, func(value any) any {
		conditions, isObject := value.(object)
		if !isObject {
			return value
		}
		members := object{}
		for name, condition := range conditions {
			if other, known := change[name]; known {
				name = other
			}
			members[name] = condition
		}
		return members
	})
}

func pageRepeats(h *acphost.Host) {
	original := h.FormatPage
	h.FormatPage = func(objects []any, cursor string) any {
		if cursor != "" && len(objects) > 1 {
			before, _ := objects[len(objects)-2].(object)
			if id, isText := before["id"].(string); isText {
				return original(objects, id)
			}
		}
		return original(objects, cursor)
	}
}
