package suites

import (
	"encoding/json"
	"maps"
	"math/big"
)

// EqualJSON compares values whatever the order of members; an absent member and
// null are the same, and so are 1 and 1.0.
func EqualJSON(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok {
			return false
		}
		for name := range members(x, y) {
			if !EqualJSON(x[name], y[name]) {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !EqualJSON(x[i], y[i]) {
				return false
			}
		}
		return true
	case json.Number:
		y, ok := b.(json.Number)
		return ok && equalNumbers(x, y)
	default:
		return a == b
	}
}

func equalNumbers(a, b json.Number) bool {
	x, okX := new(big.Rat).SetString(string(a))
	y, okY := new(big.Rat).SetString(string(b))
	return a == b || (okX && okY && x.Cmp(y) == 0)
}

// members is the union of the names of two objects.
func members(a, b map[string]any) map[string]any {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, b)
	return all
}

// Texts gives the strings of a decoded list; what else stands in it is left out.
func Texts(value any) []string {
	list, _ := value.([]any)
	var all []string
	for _, item := range list {
		if text, is := item.(string); is {
			all = append(all, text)
		}
	}
	return all
}
