package capvariant

import (
	"encoding/json"

	"github.com/capconform/capconform/reference/variant"
)

// schemas returns sources that write contracts in other dialects and with other keywords.
func schemas() []variant.Variant {
	type object = map[string]any
	var styles []variant.Variant
	for _, dialect := range []struct{ name, uri string }{
		{"draft-04", "http://json-schema.org/draft-04/schema#"},
		{"draft-06", "http://json-schema.org/draft-06/schema#"},
		{"draft-07", "http://json-schema.org/draft-07/schema#"},
		{"2019-09", "https://json-schema.org/draft/2019-09/schema"},
		{"2020-12", "https://json-schema.org/draft/2020-12/schema"},
	} {
		styles = append(styles, newVariant("schema-"+dialect.name, "Writes every schema in the dialect "+dialect.name+".",
			remakes(all, func(manifest object) {
				for _, member := range []string{"input_schema", "output_schema"} {
					if schema, isObject := manifest[member].(object); isObject {
						schema["$schema"] = dialect.uri
						if dialect.name == "draft-04" {
							downgrade(schema)
						}
					}
				}
			}), "CAP-MAN-02"))
	}
	for _, c := range contracts() {
		styles = append(styles, newVariant("schema-"+c.name, c.summary, remakes(isPlainTool, c.change), c.requirement))
	}
	return styles
}

// contract is another contract for one tool.
type contract struct {
	name, summary, requirement string
	change                     func(manifest map[string]any)
}

func contracts() []contract {
	type object = map[string]any
	return append(openContracts(), []contract{
		{"input-annotated", "Writes annotations and unknown keywords into a schema.", "CAP-MAN-02", input(object{
			"label": object{"type": "string", "title": "Label", "description": "What to call it.", "default": "violet",
				"examples":   []any{"violet"},
				"deprecated": true, "readOnly": false, "x-order": json.Number("1"), "$comment": "annotation",
				"widget": object{"type": "line"}},
		})},
		{"input-format", "Writes formats into a schema.", "CAP-INV-02", input(object{
			"label": object{"type": "string", "format": "date"}, "source": object{"type": "string", "format": "uri"},
			"id": object{"type": "string", "format": "no-such-format"},
		})},
		{"input-format-asserted", "Validates the formats that a schema of draft-07 names.", "CAP-INV-02",
			func(manifest object) {
				input(object{"since": object{"type": "string", "format": "date"}})(manifest)
				schema, _ := manifest["input_schema"].(object)
				schema["$schema"] = "http://json-schema.org/draft-07/schema#"
			}},
		{"input-lookahead", "Writes a pattern that only ECMAScript supports.", "CAP-MAN-02", input(object{
			"label": object{"type": "string", "pattern": `^(?=.*[a-z])(?!.*\d)[a-zA-Z]{3,20}$`},
		})},
		{"input-recursive", "Writes a schema that refers to itself.", "CAP-MAN-02", input(object{
			"tree": object{"$ref": "#/$defs/node"},
		}, object{"node": object{"type": "object", "required": []any{"name"}, "additionalProperties": false,
			"properties": object{
				"name": object{"type": "string"}, "children": object{"type": "array", "items": object{"$ref": "#/$defs/node"},
					"maxItems": json.Number("4")}}}})},
		{"input-composed", "Writes a schema with allOf, anyOf, not and conditions.", "CAP-MAN-02", input(object{
			"label": object{"allOf": []any{object{"type": "string"}, object{"minLength": json.Number("2")}},
				"not": object{"const": "none"}},
			"share": object{"anyOf": []any{object{"type": "integer", "minimum": json.Number("0"),
				"maximum": json.Number("100")},
				object{"type": "null"}}},
			"mode": object{"if": object{"const": "exact"}, "then": true,
				"else": object{"type": "string", "maxLength": json.Number("3")}},
		})},
		{"input-nullable", "Permits null members by type and by enum.", "CAP-INV-02", input(object{
			"label": object{"type": []any{"string", "null"}}, "tone": object{"enum": []any{"light", "dark", nil}},
		})},
		{"input-large-numbers", "Writes numbers beyond 53 bits into a schema.", "CAP-INV-02", input(object{
			"seed": object{"type": "integer", "minimum": json.Number("9007199254740993"),
				"maximum": json.Number("18446744073709551616")},
		})},
		{"input-tuple", "Writes a tuple that permits no further items.", "CAP-MAN-02", input(object{
			"pair": object{"type": "array", "prefixItems": []any{object{"type": "string"}, object{"type": "integer"}},
				"items": false, "minItems": json.Number("2")},
		})},
		{"input-names", "Names input members like keywords and like members of CAP.", "CAP-INV-02", input(object{
			"type": object{"type": "string"}, "required": object{"type": "boolean"}, "properties": object{"type": "object"},
			"$ref": object{"type": "string"},
			"ref":  object{"type": "object"}, "input": object{"type": "array"}, "error": object{"type": "string"},
			"": object{"type": "string"}, "a/b~c": object{"type": "integer"},
		})},
		{"output-nullable", "Declares an output that may be null.", "CAP-INV-04", func(manifest object) {
			schema, _ := manifest["output_schema"].(object)
			schema["type"] = []any{"object", "null"}
		}},
	}...)
}

// openContracts returns contracts that restrict little or nothing.
func openContracts() []contract {
	type object = map[string]any
	return []contract{
		{"output-true", "Declares an unrestricted output with the schema true.", "CAP-MAN-03", sets("output_schema", true)},
		{"output-open", "Declares an unrestricted output with an empty object.", "CAP-MAN-03",
			sets("output_schema", object{})},
		{"input-true", "Accepts any input, with the schema true.", "CAP-MAN-02", sets("input_schema", true)},
		{"input-open", "Accepts any input, with an empty schema.", "CAP-MAN-02", sets("input_schema", object{})},
		{"input-object", "Accepts any object.", "CAP-MAN-02", sets("input_schema", object{"type": "object"})},
	}
}

// input adds properties, and definitions if given, to an input schema.
func input(properties map[string]any, definitions ...map[string]any) func(map[string]any) {
	return func(manifest map[string]any) {
		schema, _ := manifest["input_schema"].(map[string]any)
		known, _ := schema["properties"].(map[string]any)
		for name, property := range properties {
			known[name] = property
		}
		for _, definition := range definitions {
			schema["$defs"] = definition
		}
	}
}

// downgrade replaces the keywords that draft-04 lacks with those of draft-04.
func downgrade(value any) {
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			downgrade(element)
		}
	case map[string]any:
		for exclusive, inclusive := range map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"} {
			if bound, isNumber := v[exclusive].(json.Number); isNumber {
				v[inclusive], v[exclusive] = bound, true
			}
		}
		if constant, given := v["const"]; given {
			v["enum"] = []any{constant}
			delete(v, "const")
		}
		delete(v, "propertyNames")
		for _, member := range v {
			downgrade(member)
		}
	}
}
