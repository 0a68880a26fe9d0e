package chphost

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/caphost"
)

// The outcomes of CHP v0.1, section 8.
const (
	Success = "success"
	Failure = "failure"
	Denied  = "denied"
	Skipped = "skipped"
)

// The core event types of CHP v0.1, section 6.
const (
	Started    = "execution_started"
	Completed  = "execution_completed"
	Failed     = "execution_failed"
	WasDenied  = "execution_denied"
	WasSkipped = "execution_skipped"
)

// The codes of the denials of this host.
const (
	NotFound          = "capability_not_found"
	UnsupportedMode   = "unsupported_mode"
	CapabilityOff     = "capability_disabled"
	NotEntitled       = "entitlement_required"
	InvariantFailed   = "invariant_failed"
	InputSchemaFailed = "input_schema_validation_failed"
)

// Outcome is the outcome of an invocation. Data belongs to a success, Error to a
// failure, Denial to a denial.
type Outcome struct {
	Kind   string
	Data   any
	Error  map[string]any
	Denial map[string]any
}

// Gate stops an invocation with an outcome, or returns nil to let it pass.
type Gate struct {
	Name  string
	Check func(inv *Invocation) *Outcome
}

// Deny returns the outcome of a denial. Invariant is empty if no invariant failed.
func Deny(code, message, invariant string, details map[string]any) *Outcome {
	denial := map[string]any{"code": code, "message": message, "retryable": false, "details": details}
	if invariant != "" {
		denial["invariant_id"] = invariant
	}
	return &Outcome{Kind: Denied, Denial: denial}
}

// gates returns the checks at the boundary. Their messages contain no part of a payload, only names that the
// capability declares itself.
func gates() []Gate {
	return []Gate{
		{Name: NotFound, Check: func(inv *Invocation) *Outcome {
			if inv.Capability == nil {
				return Deny(NotFound, "no such capability is registered", "", map[string]any{"capability_id": inv.CapabilityID})
			}
			return nil
		}},
		{Name: CapabilityOff, Check: func(inv *Invocation) *Outcome {
			if inv.Capability.Disabled {
				return &Outcome{Kind: Skipped}
			}
			return nil
		}},
		{Name: UnsupportedMode, Check: func(inv *Invocation) *Outcome {
			if !inv.Capability.Supports(inv.Mode) {
				return Deny(UnsupportedMode, "the capability does not support this mode", "",
					map[string]any{"supported": strings.Join(inv.Capability.Modes, " ")})
			}
			return nil
		}},
		{Name: NotEntitled, Check: func(inv *Invocation) *Outcome {
			if inv.Capability.Entitlement == "" {
				return nil
			}
			return Deny(NotEntitled, "the caller lacks an entitlement", "",
				map[string]any{"entitlement": inv.Capability.Entitlement})
		}},
		{Name: InvariantFailed, Check: func(inv *Invocation) *Outcome {
			missing := slices.DeleteFunc(slices.Clone(inv.Capability.Requires),
				func(name string) bool { return inv.Payload[name] != nil })
			if len(missing) > 0 {
				return Deny(InvariantFailed, "the payload lacks a required field", inv.Capability.Invariant,
					map[string]any{"fields": strings.Join(missing, " ")})
			}
			return nil
		}},
		{Name: InputSchemaFailed, Check: func(inv *Invocation) *Outcome {
			if inv.Capability.Input == nil {
				return nil
			}
			var breach *caphost.Breach
			err := inv.Capability.Input.Check(inv.Payload)
			switch {
			case err == nil:
				return nil
			case errors.As(err, &breach):
				return Deny(InputSchemaFailed, "the payload breaks the input schema", "",
					map[string]any{"keywords": strings.Join(breach.Keywords, " ")})
			}
			return Deny(InputSchemaFailed, "the payload can't be checked", "", map[string]any{})
		}},
	}
}

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
	if err := h.Emit(inv, map[string]any{"event_type": Started}); err != nil {
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
		"evidence_ids": ids, "started_at": nil, "completed_at": Stamp(h.Now()),
	}
	if !inv.StartedAt.IsZero() {
		result["started_at"] = Stamp(inv.StartedAt)
	}
	return result
}

func version(inv *Invocation) any {
	switch {
	case inv.Capability != nil:
		return inv.Capability.Version
	case inv.Version != "":
		return inv.Version
	}
	return nil
}

// nullable returns null for a nil map.
func nullable(members map[string]any) any {
	if members == nil {
		return nil
	}
	return members
}
