package capmutant

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// leniencies are mistakes of validators that people write themselves (CAP-INV-02).
func leniencies() []mutant.Mutant {
	repaired := func(repair func(input any) any) defect {
		return admitsInvalid(func(c *caphost.Capability, input any) bool { return c.Input.Check(repair(input)) == nil })
	}
	texts := func(change func(text string) string) defect {
		return repaired(func(input any) any {
			return changeFromLeaves(nil, input, func(_, value any) any {
				if text, isText := value.(string); isText {
					return change(text)
				}
				return value
			})
		})
	}
	return []mutant.Mutant{
		newMutant("first-item-only", "CAP-INV-02", "Validates the type of the first item of an array, and of no other.",
			repaired(func(input any) any { return changeFromLeaves(nil, input, itemsLikeFirst) })),
		newMutant("accepts-inherited-member", "CAP-INV-02",
			"Accepts an undeclared member with a name that every object of its language inherits.",
			repaired(withoutInherited)),
		newMutant("accepts-null-in-enum", "CAP-INV-02", "Accepts null for a value of an enumeration without a type.",
			ignores(func(schema map[string]any, _ int) {
				if values, isEnum := schema["enum"].([]any); isEnum && schema["type"] == nil {
					schema["enum"] = append(slices.Clone(values), nil)
				}
			})),
		newMutant("pattern-of-first-line", "CAP-INV-02", "Compares only the first line of a string with its pattern.",
			texts(func(text string) string {
				line, _, _ := strings.Cut(text, "\n")
				return line
			})),
		newMutant("pattern-of-any-case", "CAP-INV-02", "Ignores the letter case of a string that must match a pattern.",
			texts(func(text string) string {
				return strings.Map(func(r rune) rune {
					if unicode.IsUpper(r) {
						return unicode.ToLower(r)
					}
					return unicode.ToUpper(r)
				}, text)
			})),
	}
}

// itemsLikeFirst keeps the items of an array that have the type of the first one.
func itemsLikeFirst(_, value any) any {
	items, isList := value.([]any)
	if !isList {
		return value
	}
	return slices.DeleteFunc(slices.Clone(items), func(item any) bool {
		return fmt.Sprintf("%T", item) != fmt.Sprintf("%T", items[0])
	})
}

func withoutInherited(input any) any {
	members, isObject := input.(map[string]any)
	if !isObject {
		return input
	}
	own := maps.Clone(members)
	delete(own, "constructor")
	return own
}
