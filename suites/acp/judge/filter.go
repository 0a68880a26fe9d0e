package judge

import (
	"encoding/json"
	"slices"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// matchesFilter reports whether an object matches a filter. It supports equality, $gt, $lt, $in, $and
// and $or.
func matchesFilter(filter, o history.Object) bool {
	for name, condition := range filter {
		if !matchesCondition(name, condition, o) {
			return false
		}
	}
	return true
}

func matchesCondition(name string, condition any, o history.Object) bool {
	parts, _ := condition.([]any)
	holds := func(part any) bool { inner, _ := part.(history.Object); return matchesFilter(inner, o) }
	switch name {
	case "$or":
		return slices.ContainsFunc(parts, holds)
	case "$and":
		return !slices.ContainsFunc(parts, func(part any) bool { return !holds(part) })
	}
	operators, isObject := condition.(history.Object)
	if !isObject {
		return jsonvalue.Equal(history.Normalized(condition), history.Normalized(o[name]))
	}
	for operator, operand := range operators {
		if !satisfiesOperator(operator, o[name], operand) {
			return false
		}
	}
	return true
}

func satisfiesOperator(operator string, value, operand any) bool {
	if operator == "$in" {
		list, _ := operand.([]any)
		return slices.ContainsFunc(list,
			func(one any) bool { return jsonvalue.Equal(history.Normalized(one), history.Normalized(value)) })
	}
	a, aIsNumber := asNumber(value)
	b, bIsNumber := asNumber(operand)
	return aIsNumber && bIsNumber && (operator == "$gt" && a > b || operator == "$lt" && a < b)
}

func asNumber(value any) (float64, bool) {
	n, is := history.Normalized(value).(json.Number)
	if !is {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}
