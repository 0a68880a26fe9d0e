package chpmutant

import (
	"context"
	"maps"

	"github.com/capconform/capconform/reference/chphost"
)

// denies changes the event of a denial with this code.
func denies(code string, change func(inv *chphost.Invocation, event object) []object) defect {
	return func(h *chphost.Host) {
		original := h.Evidence
		h.Evidence = func(inv *chphost.Invocation, event object) []object {
			denial, _ := event["denial"].(object)
			if event["event_type"] == chphost.EventDenied && denial["code"] == code {
				return change(inv, event)
			}
			return original(inv, event)
		}
	}
}

// quotes copies the request into an event.
func quotes(inv *chphost.Invocation, event object) []object {
	quoted := maps.Clone(event)
	quoted["payload"] = object{"request": inv.Payload}
	return []object{quoted}
}

func runsEmpty(context.Context, *chphost.Host, *chphost.Invocation) (any, error) {
	return object{}, nil
}
