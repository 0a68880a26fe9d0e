package capmutant

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// coercions put an unsound input right instead of refusing it (CAP-INV-02).
func coercions() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		turn          func(sample, value any) any
	}{
		{"string-to-number", `Takes "2" for a number.`, numeral},
		{"text-to-number", "Takes any string for a number.", takes[string, json.Number]},
		{"number-to-string", "Takes a number for a string.", takes[json.Number, string]},
		{"boolean-to-number", "Takes true for a number.", takes[bool, json.Number]},
		{"boolean-to-string", "Takes true for a string.", takes[bool, string]},
		{"null-to-string", "Takes null for a string.", func(sample, value any) any {
			if _, wanted := sample.(string); wanted && value == nil {
				return sample
			}
			return value
		}},
		{"array-to-string", "Takes an array for a string.", takes[[]any, string]},
		{"rounds", "Rounds a fraction to an integer.", rounded},
		{"scalar-to-array", "Takes a single value for an array of one.", func(sample, value any) any {
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
		{"trims", "Ignores blanks around a string.", func(_, value any) any {
			if text, isString := value.(string); isString {
				return strings.TrimSpace(text)
			}
			return value
		}},
		{"replaces-bad", "Puts a default in the place of a value that is unsound.", func(sample, value any) any {
			if sample != nil {
				return sample
			}
			return value
		}},
	} {
		broken = append(broken, newMutant("coerces-"+m.name, "CAP-INV-02", m.summary,
			admitsUnsound(func(c *caphost.Capability, input any) bool {
				return c.Input.Check(alongside(c.Sample, input, m.turn)) == nil
			})))
	}
	return append(broken, repairs()...)
}

// repairs put the whole input right.
func repairs() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("coerces-drops-null", "CAP-INV-02", "Takes a member that is null for one that is absent.",
			admitsUnsound(func(c *caphost.Capability, input any) bool {
				return c.Input.Check(withoutNulls(input)) == nil
			})),
		newMutant("coerces-fills-in", "CAP-INV-02", "Fills in a required member that is missing.",
			admitsUnsound(func(c *caphost.Capability, input any) bool {
				return c.Input.Check(filledIn(c, input)) == nil
			})),
		newMutant("coerces-clamps", "CAP-INV-02", "Moves a number beyond a bound to the bound.",
			ignores(func(schema map[string]any, _ int) {
				for _, bound := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} {
					delete(schema, bound)
				}
			})),
		newMutant("coerces-truncates", "CAP-INV-02", "Cuts a string or an array that is too long.",
			ignores(func(schema map[string]any, _ int) {
				delete(schema, "maxLength")
				delete(schema, "maxItems")
			})),
	}
}

// alongside changes a value from the leaves up; turn gets what the sample has
// in the same place, nil if it has nothing there.
func alongside(sample, value any, turn func(sample, value any) any) any {
	switch v := value.(type) {
	case map[string]any:
		model, _ := sample.(map[string]any)
		turned := make(map[string]any, len(v))
		for name, member := range v {
			turned[name] = alongside(model[name], member, turn)
		}
		return turned
	case []any:
		model, _ := sample.([]any)
		turned := make([]any, len(v))
		for i, element := range v {
			turned[i] = alongside(first(model), element, turn)
		}
		return turn(sample, turned)
	}
	return turn(sample, value)
}

func first(elements []any) any {
	if len(elements) == 0 {
		return nil
	}
	return elements[0]
}

// takes gives the sample for a value of one type where the sample is of another.
func takes[Given, Wanted any](sample, value any) any {
	_, given := value.(Given)
	if _, wanted := sample.(Wanted); given && wanted {
		return sample
	}
	return value
}

func numeral(sample, value any) any {
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

// filledIn takes what the sample has and the input lacks from the sample.
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
