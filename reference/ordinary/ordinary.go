// Package ordinary computes what the ordinary capabilities of several hosts give. Nothing in it panics: a host
// that does not validate passes anything.
package ordinary

import (
	"encoding/json"
	"math"
	"strings"
	"unicode/utf8"
)

// Number reads a JSON number, 0 for anything else.
func Number(value any) float64 {
	text, _ := value.(json.Number)
	n, err := text.Float64()
	if err != nil {
		return 0
	}
	return n
}

// Count counts the words or the lines of a text, or else its characters.
func Count(text, unit string) int {
	switch unit {
	case "words":
		return len(strings.Fields(text))
	case "lines":
		return strings.Count(text, "\n") + 1
	}
	return utf8.RuneCountInString(text)
}

// Season returns the season of a month, which counts from 1.
func Season(month int) string {
	return [...]string{"winter", "spring", "summer", "autumn"}[max(0, month)%12/3]
}

// Distance returns the distance of two points on a sphere of some radius. A point has latitude and longitude in
// degrees.
func Distance(radius float64, from, to any) float64 {
	radians := func(point any, member string) float64 {
		members, _ := point.(map[string]any)
		return Number(members[member]) * math.Pi / 180
	}
	north, east := radians(to, "latitude")-radians(from, "latitude"), radians(to, "longitude")-radians(from, "longitude")
	half := math.Pow(math.Sin(north/2), 2) +
		math.Cos(radians(from, "latitude"))*math.Cos(radians(to, "latitude"))*math.Pow(math.Sin(east/2), 2)
	return 2 * radius * math.Asin(math.Sqrt(max(0, min(1, half))))
}
