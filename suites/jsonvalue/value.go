package jsonvalue

import (
	"encoding/json"
	"math/big"
)

// Equal compares values whatever the order of members; an absent member and
// null are the same, and so are 1 and 1.0.
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
