package judge

import (
	"testing"

	"github.com/capconform/capconform/schemas"
)

func TestParametersMayBeRewritten(t *testing.T) {
	schema := `{"$id":"did:nuwa:state:a#v1","type":"object","properties":{"id":{"type":"string"},"n":{"type":"integer","x-crdt":"counter"}},"required":["id"]}`
	want := `{"type":"object","properties":{"schema_uri":{"type":"string","enum":["u"]},"object":{"$ref":"#/schema"}},"required":["schema_uri","object"]}`
	inlined := `{"type":"object","properties":{"id":{"type":"string"},"n":{"type":"integer"}},"required":["id"]}`
	for name, test := range map[string]struct {
		got  string
		lost bool
	}{
		"unchanged":            {want, false},
		"the schema inlined":   {`{"type":"object","properties":{"schema_uri":{"type":"string","enum":["u"]},"object":` + inlined + `},"required":["schema_uri","object"]}`, false},
		"the schema moved":     {`{"$defs":{"o":` + inlined + `},"type":"object","properties":{"schema_uri":{"type":"string","enum":["u"]},"object":{"$ref":"#/$defs/o"}},"required":["schema_uri","object"]}`, false},
		"closed and reordered": {`{"type":"object","additionalProperties":false,"properties":{"object":{"$ref":"#/schema"},"schema_uri":{"type":"string","enum":["u"]}},"required":["object","schema_uri"]}`, false},
		"nullable":             {`{"type":"object","properties":{"schema_uri":{"type":["string","null"],"enum":["u",null]},"object":{"$ref":"#/schema"}},"required":["schema_uri","object"]}`, false},
		"no parameters":        {`{"type":"object","properties":{}}`, true},
		"nothing":              {`null`, true},
		"one parameter less":   {`{"type":"object","properties":{"object":{"$ref":"#/schema"}},"required":["object"]}`, true},
		"another type":         {`{"type":"object","properties":{"schema_uri":{"type":"integer","enum":["u"]},"object":{"$ref":"#/schema"}},"required":["schema_uri","object"]}`, true},
		"another enum":         {`{"type":"object","properties":{"schema_uri":{"type":"string","enum":["v"]},"object":{"$ref":"#/schema"}},"required":["schema_uri","object"]}`, true},
		"nothing required":     {`{"type":"object","properties":{"schema_uri":{"type":"string","enum":["u"]},"object":{"$ref":"#/schema"}}}`, true},
		"any object":           {`{"type":"object","properties":{"schema_uri":{"type":"string","enum":["u"]},"object":{"type":"object"}},"required":["schema_uri","object"]}`, true},
		"a dangling reference": {`{"type":"object","properties":{"schema_uri":{"type":"string","enum":["u"]},"object":{"$ref":"#/$defs/o"}},"required":["schema_uri","object"]}`, true},
		"a cyclic reference":   {`{"$defs":{"o":{"$ref":"#/$defs/o"}},"type":"object","properties":{"schema_uri":{"type":"string","enum":["u"]},"object":{"$ref":"#/$defs/o"}},"required":["schema_uri","object"]}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			root := schemas.ReadValue([]byte(test.got))
			lost := schemaComparison{
				schema: schemas.ReadValue([]byte(schema)),
				root:   root,
			}.missingPart(
				schemas.ReadValue([]byte(want)),
				root,
			)
			if (lost != "") != test.lost {
				t.Errorf("lost: %q, want something lost: %v", lost, test.lost)
			}
		})
	}
}
