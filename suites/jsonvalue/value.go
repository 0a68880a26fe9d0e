package jsonvalue

import (
	"encoding/json"
	"math/big"
)

// Equal reports whether two decoded values are equal. The order of members does not matter, an
// absent member equals null, and 1 equals 1.0.
func Equal(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok {
			return false
		}
		for name, value := range x {
			if !Equal(value, y[name]) {
				return false
			}
		}
		for name, value := range y {
			if _, both := x[name]; !both && value != nil {
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
			if !Equal(x[i], y[i]) {
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
	if a == b {
		return true
	}
	x, okX := new(big.Rat).SetString(string(a))
	y, okY := new(big.Rat).SetString(string(b))
	return okX && okY && x.Cmp(y) == 0
}

// Texts returns the strings in a decoded list. It omits all other values.
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
