package capmutant

import (
	"context"
	"sync"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// admits says whether a host with a lax validator takes an input that its schema refuses.
type admits func(c *caphost.Capability, input any) bool

// admitsUnsound takes unsound inputs for sound ones. What it takes is answered
// like the capability's sample, so that the one fault is that it was taken:
// no handler stumbles, no output breaks its schema. What is exchanged stays
// sound, since another requirement concerns it.
func admitsUnsound(takes admits) defect {
	return replacesUnsound(func(c *caphost.Capability, input any) bool {
		return c.ID != caphost.Replaceable &&
			takes(c, input)
	})
}

func replacesUnsound(takes admits) defect {
	return func(h *caphost.Host) {
		sound := h.Perform
		h.Perform = func(ctx context.Context, c *caphost.Capability, input any) caphost.Outcome {
			if c.Sample != nil && h.Validate(c, input) != nil && takes(c, input) {
				input = c.Sample
			}
			return sound(ctx, c, input)
		}
	}
}

// admissions validate less than the schema says (CAP-INV-02).
func admissions() []mutant.Mutant {
	broken := []mutant.Mutant{
		newMutant("accepts-anything", "CAP-INV-02", "Does not validate.",
			replacesUnsound(func(*caphost.Capability, any) bool { return true })),
		newMutant("accepts-any-object", "CAP-INV-02", "Validates that the input is an object with members and no more.",
			admitsUnsound(func(_ *caphost.Capability, input any) bool {
				members, _ := input.(map[string]any)
				return len(members) > 0
			})),
		newMutant("accepts-no-object", "CAP-INV-02", "Takes null, arrays and scalars as input.",
			admitsUnsound(func(_ *caphost.Capability, input any) bool {
				_, isObject := input.(map[string]any)
				return !isObject
			})),
		newMutant("accepts-empty", "CAP-INV-02", "Does not validate an empty input.",
			admitsUnsound(func(_ *caphost.Capability, input any) bool {
				members, isObject := input.(map[string]any)
				return isObject && len(members) == 0
			})),
		newMutant("validates-one-capability", "CAP-INV-02", "Does not validate one of its capabilities.",
			func(h *caphost.Host) {
				target := victim(h).Ref
				admitsUnsound(func(c *caphost.Capability, _ any) bool { return c.Ref == target })(h)
			}),
		newMutant("ignores-member-beside-denied", "CAP-INV-02",
			"Has a capability that denies every label, an optional member, and does not validate another one.",
			func(h *caphost.Host) {
				stumbles(h, "share", &caphost.Failure{Code: caphost.PermissionDenied, Message: "labels need a plan"})
			}),
		newMutant("validates-first-call-only", "CAP-INV-02",
			"Validates the first unsound input of each capability and then no more.", func(h *caphost.Host) {
				var refused sync.Map
				admitsUnsound(func(c *caphost.Capability, _ any) bool {
					if isFixture(c) {
						return false // a fixture is asked again only to count executions
					}
					_, again := refused.LoadOrStore(c.Ref, true)
					return again
				})(h)
			}),
	}
	broken = append(broken, ignoredKeywords()...)
	return append(broken, coercions()...)
}

// ignores admits what breaks only the parts of the schema that a change takes out.
func ignores(change func(schema map[string]any, depth int)) defect {
	var contracts sync.Map // from caphost.Ref to *caphost.Contract
	return admitsUnsound(func(c *caphost.Capability, input any) bool {
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

// ignoredKeywords forget a keyword, or all of them below some depth.
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
		newMutant("ignores-nested", "CAP-INV-02", "Validates the members of the input and nothing within them.",
			ignores(func(schema map[string]any, depth int) {
				for keyword := range schema {
					if depth == 1 && keyword != "type" {
						delete(schema, keyword)
					}
				}
			})),
		newMutant("ignores-members", "CAP-INV-02", "Validates which members there are, and not their values.",
			ignores(func(schema map[string]any, depth int) {
				if depth > 0 {
					clear(schema)
				}
			})),
		newMutant("ignores-nested-required", "CAP-INV-02", "Validates required on the outermost level only.",
			ignores(func(schema map[string]any, depth int) {
				if depth > 0 {
					delete(schema, "required")
				}
			})),
		newMutant("ignores-nested-closure", "CAP-INV-02", "Refuses further members on the outermost level only.",
			ignores(func(schema map[string]any, depth int) {
				if depth > 0 {
					delete(schema, "additionalProperties")
				}
			})),
		newMutant("ignores-optional", "CAP-INV-02", "Validates required members only.",
			ignores(func(schema map[string]any, depth int) {
				names, _ := schema["required"].([]any)
				properties, _ := schema["properties"].(map[string]any)
				for name := range properties {
					if depth == 0 && !contains(names, name) {
						properties[name] = true
					}
				}
			})),
		newMutant("integer-as-number", "CAP-INV-02", "Takes a fraction for an integer.",
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
