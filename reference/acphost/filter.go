package acphost

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// matchesFilter reports whether a value matches a filter in the manner of MongoDB. It returns an error
// if the filter is invalid.
func matchesFilter(filter, value any) (bool, error) {
	if filter == nil {
		return true, nil
	}
	conditions, isObject := filter.(object)
	if !isObject {
		return false, fmt.Errorf("acphost: the filter is not an object")
	}
	for name, condition := range conditions {
		meets, err := matchesCondition(name, condition, value)
		if err != nil || !meets {
			return false, err
		}
	}
	return true, nil
}

func matchesCondition(name string, condition, value any) (bool, error) {
	switch name {
	case "$and", "$or", "$nor":
		return matchesCombination(name, condition, value)
	case "$not":
		meets, err := matchesFilter(condition, value)
		return !meets, err
	}
	if strings.HasPrefix(name, "$") {
		return false, fmt.Errorf("acphost: the filter has an unknown operator %.32q", name)
	}
	member, present := memberAt(value, strings.Split(name, "."))
	operators, isObject := condition.(object)
	if !isObject || !slices.ContainsFunc(keys(operators), func(key string) bool { return strings.HasPrefix(key, "$") }) {
		return present && equals(member, condition), nil
	}
	for operator, operand := range operators {
		meets, err := satisfiesOperator(operator, operand, member, present)
		if err != nil || !meets {
			return false, err
		}
	}
	return true, nil
}

func matchesCombination(name string, condition, value any) (bool, error) {
	filters, isList := condition.([]any)
	if !isList {
		return false, fmt.Errorf("acphost: %s takes a list", name)
	}
	met := 0
	for _, filter := range filters {
		meets, err := matchesFilter(filter, value)
		if err != nil {
			return false, err
		}
		if meets {
			met++
		}
	}
	return map[string]bool{"$and": met == len(filters), "$or": met > 0, "$nor": met == 0}[name], nil
}

// memberAt returns the value at a path of members, and whether it is present.
func memberAt(value any, path []string) (any, bool) {
	for _, name := range path {
		inner, isObject := value.(object)
		if !isObject {
			return nil, false
		}
		var present bool
		if value, present = inner[name]; !present {
			return nil, false
		}
	}
	return value, true
}

// equals reports whether a member equals a value, or is a list that contains it.
func equals(member, operand any) bool {
	if sameJSON(member, operand) {
		return true
	}
	elements, isList := member.([]any)
	return isList && slices.ContainsFunc(elements, func(element any) bool { return sameJSON(element, operand) })
}

func satisfiesOperator(operator string, operand, member any, present bool) (bool, error) {
	switch operator {
	case "$eq":
		return present && equals(member, operand), nil
	case "$ne":
		return !present || !equals(member, operand), nil
	case "$exists":
		return present == (operand == true), nil
	case "$not":
		meets, err := matchesCondition("member", operand, object{"member": member})
		return !present || !meets, err
	case "$in", "$nin":
		operands, isList := operand.([]any)
		if !isList {
			return false, fmt.Errorf("acphost: %s takes a list", operator)
		}
		found := present && slices.ContainsFunc(operands, func(one any) bool { return equals(member, one) })
		return found == (operator == "$in"), nil
	case "$contains":
		return present && containsOperand(member, operand), nil
	case "$gt", "$gte", "$lt", "$lte":
		order, comparable := compare(member, operand)
		return present && comparable && map[string]bool{"$gt": order > 0, "$gte": order >= 0, "$lt": order < 0,
			"$lte": order <= 0}[operator], nil
	}
	return false, fmt.Errorf("acphost: the filter has an unknown operator %.32q", operator)
}

func containsOperand(member, operand any) bool {
	if text, isText := member.(string); isText {
		part, isToo := operand.(string)
		return isToo && strings.Contains(text, part)
	}
	elements, _ := member.([]any)
	return slices.ContainsFunc(elements, func(element any) bool { return sameJSON(element, operand) })
}

// compare compares two numbers or two texts. It returns false if they cannot be compared.
func compare(a, b any) (int, bool) {
	if first, isText := a.(string); isText {
		second, isToo := b.(string)
		return strings.Compare(first, second), isToo
	}
	first, isNumber := a.(json.Number)
	second, isToo := b.(json.Number)
	if !isNumber || !isToo {
		return 0, false
	}
	x, err := first.Float64()
	y, failed := second.Float64()
	switch {
	case err != nil || failed != nil:
		return 0, false
	case x < y:
		return -1, true
	case x > y:
		return 1, true
	}
	return 0, true
}

func keys(members object) []string {
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	return names
}
