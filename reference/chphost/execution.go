package chphost

import "context"

func (h *Host) invoke(ctx context.Context, params map[string]any) (any, error) {
	inv, err := h.Admit(params)
	if err != nil {
		return nil, err
	}
	inv.ArrivedAt = h.Now()
	inv.Correlation = h.Correlate(inv.Given)
	inv.Capability = h.Resolve(inv)
	outcome, err := h.Perform(ctx, inv)
	if err != nil {
		return nil, err
	}
	return h.Result(inv, outcome), nil
}

func (h *Host) perform(ctx context.Context, inv *Invocation) (Outcome, error) {
	for _, gate := range h.Gates {
		if stopped := gate.Check(inv); stopped != nil {
			return *stopped, h.Conclude(inv, *stopped)
		}
	}
	inv.StartedAt = h.Now()
	if err := h.Emit(inv, map[string]any{"event_type": EventStarted}); err != nil {
		return Outcome{}, err
	}
	outcome := Outcome{Kind: Success}
	data, err := h.Execute(ctx, inv)
	if err != nil {
		outcome = Outcome{Kind: Failure, Error: map[string]any{"type": "handler_error", "message": err.Error()}}
	} else {
		outcome.Data = data
	}
	return outcome, h.Conclude(inv, outcome)
}

func (h *Host) execute(ctx context.Context, inv *Invocation) (any, error) {
	return inv.Capability.Run(ctx, h, inv)
}

// result writes every member, as null if it has no value.
func (h *Host) result(inv *Invocation, outcome Outcome) any {
	ids := make([]any, 0, len(inv.Events))
	for _, event := range inv.Events {
		if id, isString := event["event_id"].(string); isString && id != "" {
			ids = append(ids, id)
		}
	}
	result := map[string]any{
		"invocation_id": inv.ID, "capability_id": inv.CapabilityID, "capability_version": version(inv),
		"correlation": inv.Correlation, "outcome": outcome.Kind, "success": outcome.Kind == Success,
		"data": outcome.Data, "error": nullable(outcome.Error), "denial": nullable(outcome.Denial),
		"evidence_ids": ids, "started_at": nil, "completed_at": FormatTime(h.Now()),
	}
	if !inv.StartedAt.IsZero() {
		result["started_at"] = FormatTime(inv.StartedAt)
	}
	return result
}

// nullable returns null for a nil map.
func nullable(members map[string]any) any {
	if members == nil {
		return nil
	}
	return members
}
