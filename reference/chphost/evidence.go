package chphost

import (
	"maps"

	"github.com/capconform/capconform/reference/rpc"
)

// eventOfOutcome maps an outcome to the type of the event that ends the invocation.
func eventOfOutcome(outcome string) string {
	return map[string]string{Success: EventCompleted, Failure: EventFailed, Denied: EventDenied,
		Skipped: EventSkipped}[outcome]
}

// Conclude records the event that ends an invocation.
func (h *Host) Conclude(inv *Invocation, outcome Outcome) error {
	event := map[string]any{"event_type": eventOfOutcome(outcome.Kind), "outcome": outcome.Kind}
	if outcome.Error != nil {
		event["error"] = outcome.Error
	}
	if outcome.Denial != nil {
		event["denial"], event["payload"] = outcome.Denial, map[string]any{"reason": outcome.Denial["code"]}
	}
	if outcome.Kind == Skipped {
		event["payload"] = map[string]any{"reason": CapabilityDisabled}
	}
	return h.Emit(inv, event)
}

// Emit records an event of an invocation. It keeps the given members and adds the
// others; it never copies a payload. It fails if the evidence cannot be stored.
func (h *Host) Emit(inv *Invocation, members map[string]any) error {
	event := map[string]any{
		"event_id": h.NewID(EventID), "invocation_id": inv.ID,
		"capability_id": inv.CapabilityID, "capability_version": version(inv), "host_id": HostID,
		"correlation": inv.Correlation, "timestamp": FormatTime(h.Now()), "outcome": nil,
		"payload": map[string]any{}, "redacted": true, "subject": inv.Subject,
		"assurance": map[string]any{"level": "S1", "evidence_policy": "local-append-only", "notes": []any{}},
	}
	maps.Copy(event, members)
	for _, recorded := range h.Evidence(inv, event) {
		if err := h.Store.Append(inv.CorrelationID(), recorded); err != nil {
			return err
		}
		inv.Events = append(inv.Events, recorded)
	}
	return nil
}

// Unpack returns a recorded event as a new object.
func (r Record) Unpack() map[string]any {
	value, err := rpc.Decode(r.Text)
	if err != nil {
		return map[string]any{}
	}
	event, _ := value.(map[string]any)
	return event
}
