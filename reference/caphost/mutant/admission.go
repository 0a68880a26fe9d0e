package capmutant

import (
	"context"
	"slices"
	"sync"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// laxValidator reports whether a host with a lax validator accepts an input that the schema does not
// permit.
type laxValidator func(c *caphost.Capability, input any) bool

// admitsInvalid makes a host accept invalid inputs. The host answers an accepted input as it
// answers the sample of the capability, so that the acceptance is the only fault: no handler
// fails, no output breaks its schema. The replaceable capability stays correct, since
// another requirement concerns it.
func admitsInvalid(takes laxValidator) defect {
	return replacesInvalid(func(c *caphost.Capability, input any) bool {
		return c.ID != caphost.Replaceable &&
			takes(c, input)
	})
}

func replacesInvalid(takes laxValidator) defect {
	return func(h *caphost.Host) {
		original := h.Perform
		h.Perform = func(ctx context.Context, c *caphost.Capability, input any) caphost.Outcome {
			if c.Sample != nil && h.Validate(c, input) != nil && takes(c, input) {
				input = c.Sample
			}
			return original(ctx, c, input)
		}
	}
}

// admissions returns hosts that validate less than the schema requires (CAP-INV-02).
func admissions() []mutant.Mutant {
	broken := []mutant.Mutant{
		newMutant("accepts-anything", "CAP-INV-02", "Does not validate.",
			replacesInvalid(func(*caphost.Capability, any) bool { return true })),
		newMutant("accepts-any-object", "CAP-INV-02", "Validates only that the input is an object with members.",
			admitsInvalid(func(_ *caphost.Capability, input any) bool {
				members, _ := input.(map[string]any)
				return len(members) > 0
			})),
		newMutant("accepts-no-object", "CAP-INV-02", "Accepts null, arrays and scalars as input.",
			admitsInvalid(func(_ *caphost.Capability, input any) bool {
				_, isObject := input.(map[string]any)
				return !isObject
			})),
		newMutant("accepts-empty", "CAP-INV-02", "Does not validate an empty input.",
			admitsInvalid(func(_ *caphost.Capability, input any) bool {
				members, isObject := input.(map[string]any)
				return isObject && len(members) == 0
			})),
		newMutant("validates-one-capability", "CAP-INV-02", "Does not validate one of its capabilities.",
			func(h *caphost.Host) {
				target := victim(h).Ref
				admitsInvalid(func(c *caphost.Capability, _ any) bool { return c.Ref == target })(h)
			}),
		newMutant("validates-first-call-only", "CAP-INV-02",
			"Validates the first invalid input of each capability and none after it.", func(h *caphost.Host) {
				var refused sync.Map
				admitsInvalid(func(c *caphost.Capability, _ any) bool {
					if isFixture(c) {
						return false // a fixture is invoked again only to count executions
					}
					_, again := refused.LoadOrStore(c.Ref, true)
					return again
				})(h)
			}),
	}
	broken = append(broken, ignoredKeywords()...)
	return slices.Concat(broken, coercions(), leniencies())
}

// ignores accepts an input that breaks only the parts of the schema that a change removes.
func ignores(change func(schema map[string]any, depth int)) defect {
	var contracts sync.Map // from caphost.Ref to *caphost.Contract
	return admitsInvalid(func(c *caphost.Capability, input any) bool {
		if _, isObject := input.(map[string]any); !isObject {
			return false
		}
		contract, known := contracts.Load(c.Ref)
		if !known {
			contract, _ = contracts.LoadOrStore(c.Ref, laxer(c.Input, change))
		}
		lax, _ := contract.(*caphost.Contract)
		return lax.Check(input) == nil
	})
}

// ignoredKeywords returns hosts that ignore a keyword, or all keywords below some depth.
func ignoredKeywords() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, keyword := range []string{
		"type", "required", "enum", "const", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum",
		"exclusiveMaximum",
		"multipleOf", "items", "minItems", "maxItems", "uniqueItems", "additionalProperties", "minProperties",
		"maxProperties", "propertyNames", "oneOf", "$ref",
	} {
		broken = append(broken, newMutant("ignores-"+keyword, "CAP-INV-02", "Validates without the keyword "+keyword+".",
			ignores(func(schema map[string]any, _ int) { delete(schema, keyword) })))
	}
	return append(broken,
		newMutant("ignores-nested", "CAP-INV-02", "Validates the members of the input and nothing inside them.",
			ignores(func(schema map[string]any, depth int) {
				for keyword := range schema {
					if depth == 1 && keyword != "type" {
						delete(schema, keyword)
					}
				}
			})),
		newMutant("ignores-members", "CAP-INV-02", "Validates which members are present, but not their values.",
			ignores(func(schema map[string]any, depth int) {
				if depth > 0 {
					clear(schema)
				}
			})),
		newMutant("ignores-nested-required", "CAP-INV-02", "Validates required only on the outermost level.",
			ignores(func(schema map[string]any, depth int) {
				if depth > 0 {
					delete(schema, "required")
				}
			})),
		newMutant("ignores-nested-closure", "CAP-INV-02", "Refuses additional members only on the outermost level.",
			ignores(func(schema map[string]any, depth int) {
				if depth > 0 {
					delete(schema, "additionalProperties")
				}
			})),
		newMutant("ignores-optional", "CAP-INV-02", "Validates only required members.",
			ignores(func(schema map[string]any, depth int) {
				names, _ := schema["required"].([]any)
				properties, _ := schema["properties"].(map[string]any)
				for name := range properties {
					if depth == 0 && !contains(names, name) {
						properties[name] = true
					}
				}
			})),
		newMutant("integer-as-number", "CAP-INV-02", "Accepts a fraction as an integer.",
			ignores(func(schema map[string]any, _ int) {
				if schema["type"] == "integer" {
					schema["type"] = "number"
				}
			})),
	)
}

func contains(names []any, name string) bool {
	for _, known := range names {
		if known == name {
			return true
		}
	}
	return false
}
