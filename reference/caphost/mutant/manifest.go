package capmutant

import "github.com/capconform/capconform/reference/mutant"

// manifests returns hosts that break the members of a manifest (CAP-MAN-01 to 03).
func manifests() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, requirement, summary string
		breaks                     defect
	}{
		{"name-number", "CAP-MAN-01", "Returns a number as name.", sets("name", 1)},
		{"name-missing", "CAP-MAN-01", "Omits the name.", drops("name")},
		{"description-null", "CAP-MAN-01", "Returns null as description.", sets("description", nil)},
		{"description-missing", "CAP-MAN-01", "Omits the description.", drops("description")},
		{"description-object", "CAP-MAN-01", "Returns descriptions by language instead of a string.",
			sets("description", object{"en": "Mixes."})},
		{"permissions-string", "CAP-MAN-01", "Returns required_permissions as one string.",
			sets("required_permissions", "fs")},
		{"permissions-numbers", "CAP-MAN-01", "Returns numbers as required_permissions.",
			sets("required_permissions", []any{7})},
		{"permissions-object", "CAP-MAN-01", "Returns required_permissions as an object.",
			sets("required_permissions", object{"fs": true})},
		{"resources-object", "CAP-MAN-01", "Returns resources as an object.", sets("resources", object{"chart": "x"})},
		{"resources-numbers", "CAP-MAN-01", "Returns numbers as resources of a skill.",
			editsSkill(func(manifest map[string]any) {
				manifest["resources"] = []any{7}
				reduction, _ := manifest["conformance.reduction"].(map[string]any)
				reduction["resources"] = []any{7}
			})},
		{"prompt-number", "CAP-MAN-01", "Returns a number as prompt template.", sets("prompt_template", 3)},
		{"output-schema-string", "CAP-MAN-01", "Returns a string as output schema.", sets("output_schema", "object")},
		{"output-schema-broken", "CAP-MAN-01", "Returns an output schema that does not compile.",
			sets("output_schema", object{"type": "objekt"})},

		{"input-schema-missing", "CAP-MAN-02", "Omits the input schema.", drops("input_schema")},
		{"input-schema-null", "CAP-MAN-02", "Returns null as input schema.", sets("input_schema", nil)},
		{"input-schema-string", "CAP-MAN-02", "Returns the input schema as JSON in a string.",
			sets("input_schema", `{"type":"object"}`)},
		{"input-schema-array", "CAP-MAN-02", "Returns a list of schemas as input schema.",
			sets("input_schema", []any{object{"type": "object"}})},
		{"input-schema-bad-type", "CAP-MAN-02", "Returns an input schema with an unknown type.",
			sets("input_schema", object{"type": "objekt"})},
		{"input-schema-bad-required", "CAP-MAN-02", "Returns an input schema whose required is not a list.",
			sets("input_schema", object{"type": "object", "required": "first"})},
		{"input-schema-dangling-ref", "CAP-MAN-02",
			"Returns an input schema that refers to a definition it does not contain.",
			sets("input_schema", object{"type": "object", "properties": object{"first": object{"$ref": "#/$defs/colour"}}})},

		{"output-schema-null", "CAP-MAN-03", "Returns null as output schema.", sets("output_schema", nil)},
		{"output-schema-missing", "CAP-MAN-03", "Omits the output schema.", drops("output_schema")},
	} {
		made := newMutant(m.name, m.requirement, m.summary, m.breaks)
		if m.name == "resources-numbers" {
			made = made.WithRole("skill")
		}
		if m.requirement == "CAP-MAN-03" {
			made = made.WithFixtures() // without them, one manifest does not declare its output anyway
		}
		broken = append(broken, made)
	}
	return broken
}
