package chphost

import (
	"context"
	"errors"

	"github.com/capconform/capconform/reference/ordinary"
)

// Observed is the event that conformance.observe emits.
const Observed = "value_observed"

// profileHandlers returns the handlers of the fixture profile (DESIGN section 10).
func profileHandlers() map[string]Handler {
	return map[string]Handler{
		"conformance.echo 1.0.0":     echo,
		"conformance.fail 1.0.0":     fail,
		"conformance.guarded 1.0.0":  echo,
		"conformance.disabled 1.0.0": echo,
		"conformance.observe 1.0.0":  observe,
		"conformance.typed 1.0.0":    repeat,

		"conformance.restricted 1.0.0": echo,
	}
}

func echo(_ context.Context, _ *Host, inv *Invocation) (any, error) {
	return map[string]any{"echo": inv.Payload["value"]}, nil
}

// fail always fails. Its message contains no part of the payload.
func fail(context.Context, *Host, *Invocation) (any, error) {
	return nil, errors.New("this capability always fails")
}

func observe(_ context.Context, host *Host, inv *Invocation) (any, error) {
	members := len(inv.Payload)
	err := host.Emit(inv, map[string]any{
		"event_type": Observed, "payload": map[string]any{"members": members, "values": "[redacted]"},
	})
	return map[string]any{"observed": members}, err
}

func repeat(_ context.Context, _ *Host, inv *Invocation) (any, error) {
	texts := []any{}
	for range max(1, min(5, int(ordinary.Number(inv.Payload["times"])))) {
		texts = append(texts, inv.Payload["text"])
	}
	return map[string]any{"texts": texts}, nil
}
