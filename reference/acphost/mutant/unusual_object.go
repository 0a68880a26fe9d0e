package acpmutant

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// unusualObjects returns runtimes that fail for rare objects, patches and deletions.
func unusualObjects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("object-dots-nested", "ACP-STATE-01", "Stores a member with a dot in its name as a member of a member.",
			changesObjects(func(_ *acphost.Package, value object) {
				for name, member := range clone(value) {
					if outer, inner, dotted := strings.Cut(name, "."); dotted {
						delete(value, name)
						value[outer] = object{inner: member}
					}
				}
			})),
		newMutant("object-dollars-dropped", "ACP-STATE-01", "Drops members whose names begin with a dollar sign.",
			changesObjects(func(_ *acphost.Package, value object) {
				for name := range clone(value) {
					if strings.HasPrefix(name, "$") {
						delete(value, name)
					}
				}
			})),
		newMutant("object-lists-of-twenty", "ACP-STATE-01", "Stores only the first twenty elements of a list.",
			changesObjects(func(_ *acphost.Package, value object) {
				for name, member := range value {
					if list, isList := member.([]any); isList {
						value[name] = list[:min(20, len(list))]
					}
				}
			})),
		newMutant("patch-members-stay", "ACP-STATE-02", "Removes no member of a member.",
			filtersPatches(func(operation object) bool {
				path, _ := operation["path"].(string)
				return operation["op"] != "remove" || !memberWithin.MatchString(path)
			})),
		newMutant("created-again-ignored", "ACP-STATE-01",
			"Reports the creation of an object that was deleted before, and does not store it.", func(h *acphost.Host) {
				h.CreateAgain(func(id string, value map[string]any) (any, error) {
					return h.FormatChange(acphost.Create, id, value), nil
				})
			}),
		newMutant("deleted-by-mode", "ACP-STATE-06", "Reports a deletion without a mode, and keeps the object.",
			onVerb(acphost.Delete,
				func(original acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any, error) {
					if arguments["mode"] == nil {
						return object{"deleted": arguments["id"]}, nil
					}
					return original(ctx, p, arguments)
				})),
	}
}

// unusualQueries returns runtimes that fail for rare queries, schema URIs and arguments.
func unusualQueries() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("query-under-longer-uri", "ACP-FIELD-15",
			"Finds its own object under a URI that begins as the package's own.",
			queriesUnder(func(uri, own string) bool { return strings.HasPrefix(uri, own) })),
		newMutant("query-under-capitals", "ACP-FIELD-15", "Compares schema URIs without regard to case.",
			queriesUnder(strings.EqualFold)),
		newMutant("filter-magnitudes", "ACP-STATE-04", "Compares numbers without their signs.", func(h *acphost.Host) {
			original := h.Matches
			h.Matches = func(filter, value any) (bool, error) {
				return original(unsignedNumbers(filter), unsignedNumbers(value))
			}
		}),
		newMutant("filter-and-within-or", "ACP-STATE-04", "Ignores $and within $or.", func(h *acphost.Host) {
			original := h.Matches
			h.Matches = func(filter, value any) (bool, error) { return original(withoutInnerAnd(filter), value) }
		}),
		newMutant("page-of-twenty", "ACP-STATE-05", "Returns twenty objects, and no cursor, for a query without a limit.",
			firstPageAlone(20)),
		newMutant("service-digits-as-numbers", "ACP-EXEC-06", "Sends texts of digits alone as numbers to a service.",
			payload("mcp_service", func(arguments object) object {
				for name, value := range arguments {
					if text, _ := value.(string); digitsAlone.MatchString(text) {
						arguments[name] = json.Number(strings.TrimLeft(text, "0"))
					}
				}
				return arguments
			})),
	}
}

// memberWithin matches a path to a member of a member.
var memberWithin = regexp.MustCompile(`^/.*/[^0-9/]+$`)

// digitsAlone matches a text of digits that is not zero.
var digitsAlone = regexp.MustCompile(`^0*[1-9][0-9]*$`)

// queriesUnder makes a query treat some schema URIs as the package's own.
func queriesUnder(same func(uri, own string) bool) defect {
	return onVerb(acphost.Query,
		func(original acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any, error) {
			own := clone(arguments)
			if uri, _ := own["schema_uri"].(string); same(uri, p.SchemaURI) {
				own["schema_uri"] = p.SchemaURI
			}
			return original(ctx, p, own)
		})
}

func unsignedNumbers(value any) any {
	return rpc.Transform(value, func(v any) any {
		if number, isNumber := v.(json.Number); isNumber {
			return json.Number(strings.TrimPrefix(number.String(), "-"))
		}
		return v
	})
}

// withoutInnerAnd removes $and from the parts of $or.
func withoutInnerAnd(filter any) any {
	copied := rpc.Clone(filter)
	members, _ := copied.(object)
	parts, _ := members["$or"].([]any)
	for _, part := range parts {
		if inner, isObject := part.(object); isObject {
			delete(inner, "$and")
		}
	}
	return copied
}

// firstPageAlone limits the result of a query without a limit to most objects, and omits the cursor.
func firstPageAlone(most int) defect {
	return onVerb(acphost.Query,
		func(original acphost.Verb, ctx context.Context, p *acphost.Package, arguments object) (any, error) {
			result, err := original(ctx, p, arguments)
			page, isObject := result.(object)
			objects, _ := page["objects"].([]any)
			if err != nil || !isObject || arguments["limit"] != nil || len(objects) <= most {
				return result, err
			}
			return object{"objects": objects[:most]}, nil
		})
}
