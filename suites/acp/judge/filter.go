package judge

import (
	"encoding/json"
	"slices"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// fits reports whether an object matches a filter. It supports equality, $gt, $lt, $in, $and and $or.
func fits(filter, o history.Object) bool {
	for name, condition := range filter {
		if !fitsOne(name, condition, o) {
			return false
		}
	}
	return true
}

func fitsOne(name string, condition any, o history.Object) bool {
	parts, _ := condition.([]any)
	holds := func(part any) bool { inner, _ := part.(history.Object); return fits(inner, o) }
	switch name {
	case "$or":
		return slices.ContainsFunc(parts, holds)
	case "$and":
		return !slices.ContainsFunc(parts, func(part any) bool { return !holds(part) })
	}
	operators, isObject := condition.(history.Object)
	if !isObject {
		return jsonvalue.Equal(history.Made(condition), history.Made(o[name]))
	}
	for operator, operand := range operators {
		if !compares(operator, o[name], operand) {
			return false
		}
	}
	return true
}

func compares(operator string, value, operand any) bool {
	if operator == "$in" {
		list, _ := operand.([]any)
		return slices.ContainsFunc(list,
			func(one any) bool { return jsonvalue.Equal(history.Made(one), history.Made(value)) })
	}
	a, aIs := number(value)
	b, bIs := number(operand)
	return aIs && bIs && (operator == "$gt" && a > b || operator == "$lt" && a < b)
}

func number(value any) (float64, bool) {
	n, is := history.Made(value).(json.Number)
	if !is {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}
