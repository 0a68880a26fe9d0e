package chphost

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// ordinaryHandlers are the handlers of the ordinary capabilities. Each gives
// data for every payload that its schema allows, and for every payload at all
// where it declares none.
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

// number reads a JSON number, 0 for anything else: a handler behind a host that
// doesn't validate must not panic.
func number(value any) float64 {
	text, _ := value.(json.Number)
	n, err := text.Float64()
	if err != nil {
		return 0
	}
	return n
}

func word(value any) string {
	text, _ := value.(string)
	return text
}

func count(text, unit string) int {
	switch unit {
	case "words":
		return len(strings.Fields(text))
	case "lines":
		return strings.Count(text, "\n") + 1
	}
	return utf8.RuneCountInString(text)
}

func measure(payload map[string]any) map[string]any {
	return map[string]any{"count": count(word(payload["text"]), word(payload["unit"]))}
}

func measureSeveral(payload map[string]any) map[string]any {
	elements, _ := payload["texts"].([]any)
	counts := make([]any, 0, len(elements))
	for _, element := range elements {
		counts = append(counts, count(word(element), word(payload["unit"])))
	}
	return map[string]any{"counts": counts}
}

func season(payload map[string]any) map[string]any {
	names := []string{"winter", "spring", "summer", "autumn"}
	return map[string]any{"season": names[max(0, int(number(payload["month"])))%12/3]}
}

func reverse(payload map[string]any) map[string]any {
	letters := []rune(word(payload["word"]))
	slices.Reverse(letters)
	return map[string]any{"word": string(letters)}
}

func distance(payload map[string]any) map[string]any {
	from, _ := payload["from"].(map[string]any)
	to, _ := payload["to"].(map[string]any)
	radians := func(point map[string]any, member string) float64 { return number(point[member]) * math.Pi / 180 }
	north, east := radians(to, "latitude")-radians(from, "latitude"), radians(to, "longitude")-radians(from, "longitude")
	half := math.Pow(math.Sin(north/2), 2) +
		math.Cos(radians(from, "latitude"))*math.Cos(radians(to, "latitude"))*math.Pow(math.Sin(east/2), 2)
	return map[string]any{"distance": 2 * 6371 * math.Asin(math.Sqrt(max(0, min(1, half))))}
}

// phase counts in synodic months from the new moon of 7 January 1970.
func phase(payload map[string]any) map[string]any {
	const month = 29.530588
	age := math.Mod(number(payload["day"])-6.86, month)
	if math.IsNaN(age) {
		age = 0
	}
	return map[string]any{"age": math.Mod(age+month, month)}
}

func mix(payload map[string]any) map[string]any {
	return map[string]any{"shade": (int(number(payload["first"])) + int(number(payload["second"]))) / 2}
}
