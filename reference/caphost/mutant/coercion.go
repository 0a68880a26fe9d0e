package capmutant

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// coercions returns hosts that correct an invalid input instead of refusing it (CAP-INV-02).
func coercions() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		turn          func(sample, value any) any
	}{
		{"string-to-number", `Accepts "2" as a number.`, numberFromText},
		{"text-to-number", "Accepts any string as a number.", sampleIfType[string, json.Number]},
		{"number-to-string", "Accepts a number as a string.", sampleIfType[json.Number, string]},
		{"boolean-to-number", "Accepts true as a number.", sampleIfType[bool, json.Number]},
		{"boolean-to-string", "Accepts true as a string.", sampleIfType[bool, string]},
		{"null-to-string", "Accepts null as a string.", func(sample, value any) any {
			if _, wanted := sample.(string); wanted && value == nil {
				return sample
			}
			return value
		}},
		{"array-to-string", "Accepts an array as a string.", sampleIfType[[]any, string]},
		{"rounds", "Rounds a fraction to an integer.", rounded},
		{"scalar-to-array", "Accepts a single value as an array of one element.", func(sample, value any) any {
			_, wanted := sample.([]any)
			if _, given := value.([]any); wanted && !given {
				return []any{value}
			}
			return value
		}},
		{"ignores-case", "Ignores the case of a string.", func(_, value any) any {
			if text, isString := value.(string); isString {
				return strings.ToLower(text)
			}
			return value
		}},
		{"trims", "Ignores spaces around a string.", func(_, value any) any {
			if text, isString := value.(string); isString {
				return strings.TrimSpace(text)
			}
			return value
		}},
		{"replaces-bad", "Replaces an invalid value with a default.", func(sample, value any) any {
			if sample != nil {
				return sample
			}
			return value
		}},
	} {
		broken = append(broken, newMutant("coerces-"+m.name, "CAP-INV-02", m.summary,
			admitsInvalid(func(c *caphost.Capability, input any) bool {
				return c.Input.Check(changeFromLeaves(c.Sample, input, m.turn)) == nil
			})))
	}
	return append(broken, repairs()...)
}

// repairs returns hosts that correct the input as a whole.
func repairs() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("coerces-drops-null", "CAP-INV-02", "Treats a member that is null as absent.",
			admitsInvalid(func(c *caphost.Capability, input any) bool {
				return c.Input.Check(withoutNulls(input)) == nil
			})),
		newMutant("coerces-fills-in", "CAP-INV-02", "Adds a required member that is missing.",
			admitsInvalid(func(c *caphost.Capability, input any) bool {
				return c.Input.Check(filledIn(c, input)) == nil
			})),
		newMutant("coerces-clamps", "CAP-INV-02", "Changes a number beyond a bound to the bound.",
			ignores(func(schema map[string]any, _ int) {
				for _, bound := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} {
					delete(schema, bound)
				}
			})),
		newMutant("coerces-truncates", "CAP-INV-02", "Truncates a string or an array that is too long.",
			ignores(func(schema map[string]any, _ int) {
				delete(schema, "maxLength")
				delete(schema, "maxItems")
			})),
	}
}

// changeFromLeaves changes a value from the leaves up. The function turn gets the value of the sample
// at the same place, nil if there is none.
func changeFromLeaves(sample, value any, change func(sample, value any) any) any {
	switch v := value.(type) {
	case map[string]any:
		model, _ := sample.(map[string]any)
		changed := make(map[string]any, len(v))
		for name, member := range v {
			changed[name] = changeFromLeaves(model[name], member, change)
		}
		return changed
	case []any:
		model, _ := sample.([]any)
		changed := make([]any, len(v))
		for i, element := range v {
			changed[i] = changeFromLeaves(first(model), element, change)
		}
		return change(sample, changed)
	}
	return change(sample, value)
}

func first(elements []any) any {
	if len(elements) == 0 {
		return nil
	}
	return elements[0]
}

// sampleIfType returns the sample if the value has the type Given and the sample the type Wanted.
func sampleIfType[Given, Wanted any](sample, value any) any {
	_, given := value.(Given)
	if _, wanted := sample.(Wanted); given && wanted {
		return sample
	}
	return value
}

func numberFromText(sample, value any) any {
	text, isString := value.(string)
	_, wanted := sample.(json.Number)
	if _, err := strconv.ParseFloat(text, 64); !isString || !wanted || err != nil {
		return value
	}
	return json.Number(text)
}

func rounded(_, value any) any {
	number, isNumber := value.(json.Number)
	n, err := number.Float64()
	if !isNumber || err != nil {
		return value
	}
	return json.Number(strconv.FormatFloat(math.Round(n), 'f', -1, 64))
}

func withoutNulls(value any) any {
	members, isObject := value.(map[string]any)
	if !isObject {
		return value
	}
	kept := map[string]any{}
	for name, member := range members {
		if member != nil {
			kept[name] = withoutNulls(member)
		}
	}
	return kept
}

// filledIn adds the members that the input lacks from the sample.
func filledIn(c *caphost.Capability, input any) any {
	members, isObject := input.(map[string]any)
	if !isObject {
		return input
	}
	filled := map[string]any{}
	for name, member := range c.Sample {
		filled[name] = member
	}
	for name, member := range members {
		filled[name] = member
	}
	return filled
}
