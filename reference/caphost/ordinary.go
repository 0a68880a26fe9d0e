package caphost

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// ordinaryHandlers are the handlers of the ordinary capabilities. Each gives an
// output for every input that its schema allows.
func ordinaryHandlers() map[Ref]Handler {
	return map[Ref]Handler{
		{"text.measure", "1.0.0"}:          pure(measure),
		{"text.measure", "2.0.0"}:          pure(measureSeveral),
		{"geo.measure_distance", "1.0.0"}:  pure(distance),
		{"calendar.find_weekday", "1.0.0"}: pure(weekday),
		{"calendar.find_season", "1.0.0"}:  pure(season),
		{"list.sort", "1.0.0"}:             pure(sortNumbers),
		{"units.convert", "1.0.0"}:         pure(convert),
		{"table.lookup", "1.0.0"}:          pure(lookup),
		{"shape.compute_area", "1.0.0"}:    pure(area),
		{"colour.compute_mix", "1.0.0"}:    pure(mix),
	}
}

func pure(compute func(input map[string]any) map[string]any) Handler {
	return func(_ context.Context, _ *Host, input map[string]any) (any, error) {
		return compute(input), nil
	}
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

func text(value any, otherwise string) string {
	if s, isString := value.(string); isString {
		return s
	}
	return otherwise
}

func count(s, unit string) int {
	switch unit {
	case "words":
		return len(strings.Fields(s))
	case "lines":
		return strings.Count(s, "\n") + 1
	}
	return utf8.RuneCountInString(s)
}

func measure(input map[string]any) map[string]any {
	unit := text(input["unit"], "characters")
	return map[string]any{"unit": unit, "count": count(text(input["text"], ""), unit)}
}

func measureSeveral(input map[string]any) map[string]any {
	unit := text(input["unit"], "characters")
	texts, _ := input["texts"].([]any)
	counts := make([]any, 0, len(texts))
	for _, element := range texts {
		counts = append(counts, count(text(element, ""), unit))
	}
	return map[string]any{"unit": unit, "counts": counts}
}

func distance(input map[string]any) map[string]any {
	radius := 6371.0
	unit := text(input["unit"], "kilometres")
	if unit == "miles" {
		radius = 3958.8
	}
	from, _ := input["from"].(map[string]any)
	to, _ := input["to"].(map[string]any)
	radians := func(point map[string]any, member string) float64 { return number(point[member]) * math.Pi / 180 }
	north, east := radians(to, "latitude")-radians(from, "latitude"), radians(to, "longitude")-radians(from, "longitude")
	half := math.Pow(math.Sin(north/2), 2) +
		math.Cos(radians(from, "latitude"))*math.Cos(radians(to, "latitude"))*math.Pow(math.Sin(east/2), 2)
	return map[string]any{"unit": unit, "distance": 2 * radius * math.Asin(math.Sqrt(min(1, half)))}
}

func weekday(input map[string]any) map[string]any {
	var year, month, day int
	// What can't be read stays 0; the schema's pattern keeps such dates out.
	_, _ = fmt.Sscanf(text(input["date"], ""), "%d-%d-%d", &year, &month, &day)
	name := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Weekday()
	return map[string]any{"weekday": name.String(), "number": (int(name)+6)%7 + 1}
}

func season(input map[string]any) map[string]any {
	names := []string{"winter", "spring", "summer", "autumn"}
	month := int(number(input["month"]))
	return map[string]any{"season": names[max(0, month)%12/3]}
}

func sortNumbers(input map[string]any) map[string]any {
	elements, _ := input["numbers"].([]any)
	sorted := slices.Clone(elements)
	slices.SortStableFunc(sorted, func(a, b any) int {
		switch {
		case number(a) < number(b):
			return -1
		case number(a) > number(b):
			return 1
		}
		return 0
	})
	if input["order"] == "falling" {
		slices.Reverse(sorted)
	}
	return map[string]any{"numbers": sorted}
}

func convert(input map[string]any) map[string]any {
	metres := map[string]float64{"metre": 1, "kilometre": 1000, "mile": 1609.344, "inch": 0.0254}
	from, to := text(input["from"], "metre"), text(input["to"], "metre")
	value := number(input["value"])
	if metres[to] > 0 {
		value *= metres[from] / metres[to]
	}
	if step := number(input["step"]); step > 0 {
		value = math.Round(value/step) * step
	}
	return map[string]any{"value": value, "unit": to}
}

func lookup(input map[string]any) map[string]any {
	rows, _ := input["rows"].([]any)
	for _, element := range rows {
		row, _ := element.(map[string]any)
		if row["key"] == input["key"] {
			return map[string]any{"found": true, "value": row["value"]}
		}
	}
	return map[string]any{"found": false, "value": nil}
}

func area(input map[string]any) map[string]any {
	shape, _ := input["shape"].(map[string]any)
	if shape["form"] == "circle" {
		return map[string]any{"area": math.Pi * math.Pow(number(shape["radius"]), 2)}
	}
	return map[string]any{"area": number(shape["width"]) * number(shape["height"])}
}

func mix(input map[string]any) map[string]any {
	share := 50
	if given, isNumber := input["share"].(json.Number); isNumber {
		share = int(number(given))
	}
	first, _ := strconv.ParseUint(text(input["first"], ""), 16, 32)
	second, _ := strconv.ParseUint(text(input["second"], ""), 16, 32)
	var mixed uint64
	for _, shift := range []int{16, 8, 0} {
		a, b := int(first>>shift&0xff), int(second>>shift&0xff)
		mixed |= uint64((a*(100-share)+b*share)/100&0xff) << shift
	}
	return map[string]any{"colour": fmt.Sprintf("%06x", mixed), "share": share}
}
