package chphost

import (
	"context"
	"math"
	"slices"

	"github.com/capconform/capconform/reference/ordinary"
)

// ordinaryHandlers returns the handlers of the ordinary capabilities. Each handler returns data
// for every payload that its schema permits, and for every payload if it declares no schema.
func ordinaryHandlers() map[string]Handler {
	return map[string]Handler{
		"text.measure 1.0.0":         pure(measure),
		"text.measure 2.0.0":         pure(measureSeveral),
		"calendar.find_season 1.3.0": pure(season),
		"word.reverse 0.4.0":         pure(reverse),
		"geo.measure_distance 1.0.0": pure(distance),
		"moon.compute_phase 1.0.0":   pure(phase),
		"colour.compute_mix 1.0.0":   pure(mix),
	}
}

func pure(compute func(payload map[string]any) map[string]any) Handler {
	return func(_ context.Context, _ *Host, inv *Invocation) (any, error) { return compute(inv.Payload), nil }
}

func word(value any) string {
	text, _ := value.(string)
	return text
}

func measure(payload map[string]any) map[string]any {
	return map[string]any{"count": ordinary.Count(word(payload["text"]), word(payload["unit"]))}
}

func measureSeveral(payload map[string]any) map[string]any {
	elements, _ := payload["texts"].([]any)
	counts := make([]any, 0, len(elements))
	for _, element := range elements {
		counts = append(counts, ordinary.Count(word(element), word(payload["unit"])))
	}
	return map[string]any{"counts": counts}
}

func season(payload map[string]any) map[string]any {
	return map[string]any{"season": ordinary.Season(int(ordinary.Number(payload["month"])))}
}

func reverse(payload map[string]any) map[string]any {
	letters := []rune(word(payload["word"]))
	slices.Reverse(letters)
	return map[string]any{"word": string(letters)}
}

func distance(payload map[string]any) map[string]any {
	return map[string]any{"distance": ordinary.Distance(6371, payload["from"], payload["to"])}
}

// phase returns the phase of the moon. It counts in synodic months from the new moon of 7
// January 1970.
func phase(payload map[string]any) map[string]any {
	const month = 29.530588
	age := math.Mod(ordinary.Number(payload["day"])-6.86, month)
	if math.IsNaN(age) {
		age = 0
	}
	return map[string]any{"age": math.Mod(age+month, month)}
}

func mix(payload map[string]any) map[string]any {
	return map[string]any{"shade": (int(ordinary.Number(payload["first"])) + int(ordinary.Number(payload["second"]))) / 2}
}
