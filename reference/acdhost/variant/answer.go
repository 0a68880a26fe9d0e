package acdvariant

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// answers returns agents that answer in other shapes.
func answers() []variant.Variant {
	ids := func(_ object, result any) any {
		all := []any{}
		members, _ := result.(object)
		list, _ := members["capabilities"].([]any)
		for _, item := range list {
			all = append(all, acdhost.Text(item, "capability_id"))
		}
		return object{"capabilities": all}
	}
	bare := func(_ object, result any) any {
		members, _ := result.(object)
		return object{"capabilities": members["capabilities"], "total": 7, "next": nil}
	}
	return []variant.Variant{
		newVariant("list-more", "Lists the registry in an object with additional members.",
			changedResult(acdhost.OpList, bare),
			"ACD-SDK1-01"),
		newVariant("list-reversed", "Lists the last entry first.",
			changedResult(acdhost.OpList, func(_ object, result any) any {
				members, _ := result.(object)
				list, _ := members["capabilities"].([]any)
				slices.Reverse(list)
				return members
			}), "ACD-SDK1-01"),
		newVariant("legacy-ids", "Returns ids in the old lists.", changedResult(acdhost.OpLegacy, ids), "ACD-LEG-01",
			"ACD-LEG-02", "ACD-LEG-03", "ACD-LEG-04"),
		newVariant("query-ids", "Returns ids in queries.", changedResult(acdhost.OpQuery, ids), "ACD-SDK1-03"),
	}
}

// replies returns agents whose single answers have other shapes.
func replies() []variant.Variant {
	return []variant.Variant{
		newVariant("get-wrapped", "Returns a descriptor inside an object.",
			changedResult(acdhost.OpGet, func(_ object, result any) any { return object{"descriptor": result} }), "ACD-SDK1-09"),
		newVariant("get-in-capability", "Returns a descriptor in the member capability of an object.",
			changedResult(acdhost.OpGet, func(_ object, result any) any { return object{"capability": result, "revision": 3} }),
			"ACD-SDK1-09"),
		newVariant("output-as-text", "Returns outputs as JSON text in a list of contents.",
			changedResult(acdhost.OpInvoke, func(_ object, result any) any {
				members, _ := result.(object)
				return object{"output": []any{object{"type": "text", "text": asciiJSON(members["output"])}}}
			}), "ACD-SDK2-01", "ACD-EX2-03"),
		newVariant("get-null", "Returns null for an unknown id.",
			changedOperation(acdhost.OpGet, func(original rpc.Operation) rpc.Operation {
				return func(ctx context.Context, params map[string]any) (any, error) {
					result, err := original(ctx, params)
					if err != nil {
						return nil, nil
					}
					return result, nil
				}
			}), "ACD-SDK1-09"),
		newVariant("create-silent", "Returns an empty object from a creation.",
			changedResult(acdhost.OpCreate, func(object, any) any { return object{} }), "ACD-SDK1-08"),
		newVariant("create-fills", "Fills in defaults, and adds a time.",
			changedOperation(acdhost.OpCreate, func(original rpc.Operation) rpc.Operation {
				return func(ctx context.Context, params map[string]any) (any, error) {
					if descriptor, is := params["descriptor"].(object); is {
						descriptor["created_at"] = "2026-01-01T00:00:00Z"
						for path, value := range map[string]bool{"status.enabled": true, "status.mutable": true,
							"audit.log_invocation": true, "audit.log_inputs": false, "permissions.granted_by_default": false} {
							acdhost.Set(descriptor, path, acdhost.Flag(descriptor, path, value))
						}
					}
					return original(ctx, params)
				}
			}), "ACD-SDK1-08"),
	}
}

// asciiJSON returns the JSON text of a value with each character outside ASCII escaped.
func asciiJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, r := range string(raw) {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
