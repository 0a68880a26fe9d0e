package caphost

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/capconform/capconform/reference/ordinary"
)

// ordinaryHandlers returns the handlers of the ordinary capabilities. Each handler returns an
// output for every input that its schema permits.
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

func text(value any, otherwise string) string {
	if s, isString := value.(string); isString {
		return s
	}
	return otherwise
}

func measure(input map[string]any) map[string]any {
	unit := text(input["unit"], "characters")
	return map[string]any{"unit": unit, "count": ordinary.Count(text(input["text"], ""), unit)}
}

func measureSeveral(input map[string]any) map[string]any {
	unit := text(input["unit"], "characters")
	texts, _ := input["texts"].([]any)
	counts := make([]any, 0, len(texts))
	for _, element := range texts {
		counts = append(counts, ordinary.Count(text(element, ""), unit))
	}
	return map[string]any{"unit": unit, "counts": counts}
}

func distance(input map[string]any) map[string]any {
	radius := 6371.0
	unit := text(input["unit"], "kilometres")
	if unit == "miles" {
		radius = 3958.8
	}
	return map[string]any{"unit": unit, "distance": ordinary.Distance(radius, input["from"], input["to"])}
}

func weekday(input map[string]any) map[string]any {
	var year, month, day int
	// A part that cannot be read stays 0; the pattern of the schema excludes such dates.
	_, _ = fmt.Sscanf(text(input["date"], ""), "%d-%d-%d", &year, &month, &day)
	name := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Weekday()
	return map[string]any{"weekday": name.String(), "number": (int(name)+6)%7 + 1}
}

func season(input map[string]any) map[string]any {
	return map[string]any{"season": ordinary.Season(int(ordinary.Number(input["month"])))}
}

func sortNumbers(input map[string]any) map[string]any {
	elements, _ := input["numbers"].([]any)
	sorted := slices.Clone(elements)
	slices.SortStableFunc(sorted, func(a, b any) int {
		switch {
		case ordinary.Number(a) < ordinary.Number(b):
			return -1
		case ordinary.Number(a) > ordinary.Number(b):
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
	value := ordinary.Number(input["value"])
	if metres[to] > 0 {
		value *= metres[from] / metres[to]
	}
	if step := ordinary.Number(input["step"]); step > 0 {
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
		return map[string]any{"area": math.Pi * math.Pow(ordinary.Number(shape["radius"]), 2)}
	}
	return map[string]any{"area": ordinary.Number(shape["width"]) * ordinary.Number(shape["height"])}
}

func mix(input map[string]any) map[string]any {
	share := 50
	if given, isNumber := input["share"].(json.Number); isNumber {
		share = int(ordinary.Number(given))
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
