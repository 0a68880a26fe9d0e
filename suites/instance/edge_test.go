package instance

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func TestEdges(t *testing.T) {
	tests := map[string]struct {
		schema, input string
		want          []string
	}{
		"lengths": {`{"required":["a"],"additionalProperties":false,"properties":{"a":{"type":"string","minLength":1,"maxLength":3}}}`, `{"a":"xy"}`, []string{`{"a":"aaa"}`, `{"a":"ééé"}`, `{"a":"a"}`}},
		"an empty string": {`{"required":["a"],"additionalProperties":false,"properties":{"a":{"type":"string"}}}`,
			`{"a":"xy"}`, []string{`{"a":""}`, textOf(map[string]any{"a": freeText + strings.Repeat("a", longText)}),
				textOf(map[string]any{"a": specialText})}},
		"bounds":               {`{"additionalProperties":false,"properties":{"a":{"type":"integer","minimum":-3,"exclusiveMaximum":9}}}`, `{"a":1}`, []string{`{"a":-3}`, `{"a":0}`}},
		"no whole number":      {`{"additionalProperties":false,"properties":{"a":{"type":"integer","minimum":0.5,"maximum":4.5}}}`, `{"a":1}`, nil},
		"beyond exact numbers": {`{"additionalProperties":false,"properties":{"a":{"type":"integer","minimum":1,"maximum":9223372036854775807}}}`, `{"a":2}`, []string{`{"a":1}`, `{"a":1009}`, `{"a":1000003}`, `{"a":4294967297}`}},
		"not exact in doubles": {`{"additionalProperties":false,"properties":{"a":{"type":"number","minimum":0.25,"maximum":0.29,"multipleOf":0.01}}}`, `{"a":0.25}`, nil},
		"any number": {`{"additionalProperties":false,"properties":{"a":{"type":"number"}}}`, `{"a":1}`,
			[]string{`{"a":-7}`, `{"a":0}`, `{"a":0.0005}`, `{"a":1009}`, `{"a":1000003}`, `{"a":4294967297}`}},
		"a large bound": {`{"additionalProperties":false,"properties":{"a":{"type":"integer","minimum":1,"maximum":2000000,"multipleOf":5}}}`, `{"a":5}`,
			[]string{`{"a":1005}`, `{"a":1000000}`, `{"a":2000000}`}},
		"any type": {`{"additionalProperties":false,"properties":{"a":{"description":"anything"}}}`, `{"a":null}`,
			[]string{`{"a":1}`, `{"a":0}`, `{"a":true}`, `{"a":false}`, `{"a":{}}`, `{"a":[]}`, `{"a":"example"}`, `{"a":""}`}},
		"items without a limit": {`{"additionalProperties":false,"properties":{"a":{"type":"array","items":{"const":1}}}}`, `{"a":[1]}`,
			[]string{`{"a":[]}`, `{"a":[1,1,1,1,1,1,1,1,1,1,1,1]}`}},
		"enumeration": {`{"additionalProperties":false,"properties":{"a":{"enum":["x","y",2]}}}`, `{"a":"x"}`,
			[]string{`{"a":"y"}`, `{"a":2}`}},
		"branches":            {`{"additionalProperties":false,"properties":{"a":{"oneOf":[{"const":1},{"const":"b"},{"type":"null"}]}}}`, `{"a":1}`, []string{`{"a":"b"}`, `{"a":null}`}},
		"items":               {`{"additionalProperties":false,"properties":{"a":{"items":{"type":"boolean"},"minItems":1,"maxItems":3}}}`, `{"a":[true,true]}`, []string{`{"a":[true]}`, `{"a":[true,true,true]}`, `{"a":[false,true]}`, `{"a":[true,false]}`}},
		"pattern and format":  {`{"additionalProperties":false,"properties":{"a":{"type":"string","pattern":"^b$","maxLength":9},"c":{"type":"string","format":"date","maxLength":12}}}`, `{"a":"b","c":"2026-01-15"}`, nil},
		"pattern, no anchors": {`{"additionalProperties":false,"properties":{"a":{"type":"string","pattern":"b$","maxLength":3}}}`, `{"a":"b"}`, []string{`{"a":"0b"}`, `{"a":"-b"}`}},
		"branch of a format":  {`{"additionalProperties":false,"properties":{"a":{"anyOf":[{"type":"null"},{"type":"string","format":"iban","minLength":2}]}}}`, `{"a":null}`, nil},
		"open": {`{"properties":{"a":{"type":"null"}}}`, `{"a":null}`,
			[]string{`{"a":null,"capconform_unlikely_member":true}`}},
		"open in a branch": {`{"allOf":[{"properties":{"a":{"type":"null"}}}],"unevaluatedProperties":false}`,
			`{"a":null}`, nil},
		"union of types":        {`{"additionalProperties":false,"properties":{"a":{"type":["boolean","string","integer","null"],"minLength":1,"maxLength":2,"minimum":4}}}`, `{"a":"x"}`, []string{`{"a":"a"}`, `{"a":"aa"}`, `{"a":"éé"}`, `{"a":4}`, `{"a":true}`, `{"a":false}`, `{"a":null}`}},
		"invalid to begin with": {`{"required":["a"]}`, `{}`, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := compile(t, test.schema)
			var got []string
			for _, input := range Edges(s, value(t, test.input), 0) {
				got = append(got, textOf(input.Value))
				if err := s.Validate(input.Value); err != nil {
					t.Errorf("%s is not valid: %v", textOf(input.Value), err)
				}
			}
			slices.Sort(got)
			slices.Sort(test.want)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("edges (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEdgesAreBounded(t *testing.T) {
	s := compile(t, `{"additionalProperties":false,"properties":{"a":{"type":"string","maxLength":5},"b":{"type":"integer","minimum":0,"maximum":5},"c":{"enum":[1,2,3,4,5]}}}`)
	const limit = 4
	edges := Edges(s, value(t, `{"a":"x","b":1,"c":1}`), limit)
	require.Len(t, edges, limit)
	notes := map[string]bool{}
	for _, edge := range edges {
		notes[edge.Note] = true
		if !strings.Contains(edge.Note, `"/`) {
			t.Errorf("the note %q does not name the place", edge.Note)
		}
	}
	if len(notes) != limit {
		t.Errorf("the first edges have equal notes: %v", notes)
	}
}
