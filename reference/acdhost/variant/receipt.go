package acdvariant

import (
	"context"
	"maps"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// receipts returns agents whose answers to changes are not the stored descriptor, one that stores no empty lists,
// and one with a short log.
func receipts() []variant.Variant {
	receipt := func(_ object, result any) any {
		id := acdhost.Text(result, "capability_id")
		return object{"capability_id": id, "status": "done", "kind": "receipt", "version": 3}
	}
	return []variant.Variant{
		newVariant("answers-receipt", "Answers creations and updates with a receipt.", func(h *acdhost.Host) {
			changedResult(acdhost.OpCreate, receipt)(h)
			changedResult(acdhost.OpUpdate, receipt)(h)
		}, "ACD-DESC-07", "ACD-DESC-26"),
		newVariant("answers-former", "Answers an update with the former descriptor.", func(h *acdhost.Host) {
			changedOperation(acdhost.OpUpdate, func(original rpc.Operation) rpc.Operation {
				return func(ctx context.Context, params map[string]any) (any, error) {
					former := h.Find(acdhost.Text(params["descriptor"], "capability_id"))
					if _, err := original(ctx, params); err != nil {
						return nil, err
					}
					return former, nil
				}
			})(h)
		}, "ACD-SDK1-10"),
		newVariant("empty-lists-left-out", "Omits empty lists from the descriptors that it stores.",
			changedOperation(acdhost.OpCreate, func(original rpc.Operation) rpc.Operation {
				return func(ctx context.Context, params map[string]any) (any, error) {
					descriptor, _ := params["descriptor"].(object)
					for _, value := range descriptor {
						members, _ := value.(object)
						maps.DeleteFunc(members, func(name string, value any) bool {
							list, is := value.([]any)
							return is && len(list) == 0 && name != "modes"
						})
					}
					return original(ctx, params)
				}
			}), "ACD-SDK1-08"),
		newVariant("records-few", "Has a log that keeps only the last 20 records.",
			changedResult(acdhost.OpAudit, func(_ object, result any) any {
				members, _ := result.(object)
				list, _ := members["records"].([]any)
				return object{"records": list[max(0, len(list)-20):]}
			}), "ACD-SDK6-01"),
	}
}
