package compatibility_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/acp/compatibility"
	"github.com/capconform/capconform/suites/document"
)

func TestChanges(t *testing.T) {
	for _, c := range []struct {
		before, now string
		want        []string
	}{
		{`{}`, `{}`, nil},
		{`{"type": "object"}`, `{"type": ["object", "null"]}`, nil},
		{`{"type": ["string", "null"]}`, `{"type": "string"}`, []string{"the object no longer allows the type null"}},
		{`{"type": "integer"}`, `{"type": "number"}`, nil},
		{`{"type": "number"}`, `{"type": "integer"}`, []string{"the object no longer allows the type number"}},
		{`{}`, `{"type": "object"}`, []string{`the object allowed any type and now allows only ["object"]`}},
		{`{"type": "object"}`, `{}`, nil},
		{`{"enum": ["a", null]}`, `{"type": ["string", "null"], "enum": ["a", null]}`, nil},
		{`{"enum": [1, 2.5]}`, `{"type": "number"}`, nil},
		{`{"const": {"a": 1}}`, `{"type": "object"}`, nil},
		{`{"enum": ["a", true]}`, `{"type": "string"}`, []string{"the object no longer allows the type boolean"}},
		{`{"enum": [[], 1.5]}`, `{"type": ["array", "integer"]}`, []string{"the object no longer allows the type number"}},
		{`{"enum": ["a", 1.0]}`, `{"enum": ["b", "a", 1]}`, nil},
		{`{"enum": ["a", "b"]}`, `{"enum": ["a"]}`, []string{`the object no longer allows the value "b"`}},
		{`{"enum": ["a", "b"]}`, `{"const": "a"}`, []string{`the object no longer allows the value "b"`}},
		{`{}`, `{"enum": ["a"]}`, []string{"the object now has a list of values"}},
		{`{"enum": ["a"]}`, `{}`, nil},
		{`{"properties": {"a": {}}}`, `{"properties": {"a": {}, "b": {}}}`, nil},
		{`{"properties": {"a": {}}}`, `{"properties": {"b": {}}}`, []string{"the member /a was removed"}},
		{`{"properties": {"a": {}}}`, `{}`, []string{"the member /a was removed"}},
		{`{"properties": {"a": {"type": "string"}}}`, `{"properties": {"a": {"type": "null"}}}`, []string{"/a no longer allows the type string"}},
		{`{"required": ["a"]}`, `{"required": ["a", "b"]}`, []string{"the member /b is now required"}},
		{`{"required": ["a", "b"]}`, `{"required": ["b"]}`, nil},
		{`{"properties": {"a": {"x-crdt": "flag"}}}`, `{"properties": {"a": {}}}`, []string{`/a has another x-crdt: null in place of "flag"`}},
		{`{"properties": {"a": {}}}`, `{"properties": {"a": {"x-crdt": "flag"}}}`, nil},
		{`{"maxLength": 10, "minimum": 1}`, `{"maxLength": 9, "minimum": 2}`, []string{"the object now has a narrower minimum", "the object now has a narrower maxLength"}},
		{`{"maxLength": 10, "minimum": 1}`, `{"maxLength": 11, "minimum": 0}`, nil},
		{`{}`, `{"minItems": 0, "minLength": 1}`, []string{"the object now has a narrower minLength"}},
		{`{}`, `{"minLength": 0, "minProperties": 0}`, nil},
		{`{"pattern": "^a$"}`, `{"pattern": "^[ab]$"}`, nil},
		{`{}`, `{"pattern": "b"}`, []string{"the object now has a pattern"}},
		{`{"properties": {"a": {}}}`, `{"properties": {"a": false}}`, []string{"/a no longer allows any value"}},
		{`{"multipleOf": 4}`, `{"multipleOf": 2}`, nil},
		{`{"multipleOf": 2}`, `{"multipleOf": 4}`, []string{"the object now has another multipleOf"}},
		{`{"exclusiveMaximum": 10}`, `{"maximum": 10}`, nil},
		{`{"maximum": 10}`, `{"exclusiveMaximum": 10}`, []string{"the object now has a narrower exclusiveMaximum"}},
		{`{"type": "integer", "exclusiveMaximum": 10}`, `{"type": "integer", "maximum": 9}`, nil},
		{`{"type": "number", "exclusiveMaximum": 10}`, `{"type": "number", "maximum": 9}`, []string{"the object now has a narrower maximum"}},
		{`{"type": "integer", "minimum": 3}`, `{"type": "integer", "exclusiveMinimum": 2}`, nil},
		{`{"exclusiveMinimum": 3}`, `{"minimum": 4}`, []string{"the object now has a narrower minimum"}},
		{`{"pattern": "a"}`, `{}`, nil},
		{`{}`, `{"uniqueItems": true}`, []string{"the object no longer allows equal items"}},
		{`{}`, `{"additionalProperties": false}`, []string{"the object no longer allows additionalProperties"}},
		{`{"additionalProperties": false}`, `{"additionalProperties": {}}`, nil},
		{`{"items": {"type": "string"}}`, `{"items": {"type": "number"}}`, []string{"/* no longer allows the type string"}},
		{`{"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"type": "string"}}}`, `{"properties": {"a": {"type": "number"}}}`, []string{"/a no longer allows the type string"}},
		{`{"type": "array"}`, `{"type": "array", "items": {"type": "string"}}`, []string{`/* allowed any type and now allows only ["string"]`}},
		{`{"type": "array"}`, `{"type": "array", "items": {"title": "any"}}`, nil},
		{`{"prefixItems": [{}, {"type": "integer"}]}`, `{"prefixItems": [{}, {"type": "string"}]}`, []string{"/1 no longer allows the type integer"}},
		{`{}`, `{"additionalProperties": {"type": "string"}}`, []string{`/* allowed any type and now allows only ["string"]`}},
		{`{}`, `{"propertyNames": {"maxLength": 3}, "not": {}}`, []string{"the object now has the keyword propertyNames"}},
		{`{}`, `{"propertyNames": {"type": "string"}}`, nil},
		{`{"not": {"const": 1}}`, `{"not": {"const": 2}}`, nil},
		{`{}`, `{"unevaluatedProperties": false}`, []string{"the object no longer allows unevaluatedProperties"}},
		{`{"anyOf": [{"type": "string"}, {"type": "integer"}]}`, `{"anyOf": [{"type": "string"}]}`, []string{"the object has fewer alternatives in anyOf"}},
		{`{"anyOf": [{"type": "string"}, {"type": "integer"}]}`, `{"anyOf": [{"type": ["string", "integer"]}]}`, nil},
		{`{"oneOf": [{"const": 1}, {"const": 2}]}`, `{"oneOf": [{"const": 2}, {"const": 1}, {"const": 3}]}`, nil},
		{`{"additionalProperties": false}`, `{"unevaluatedProperties": false}`, nil},
		{`{"type": "boolean"}`, `{"enum": [false, true]}`, nil},
		{`{"type": ["null", "boolean"]}`, `{"enum": [false, true]}`, []string{"the object no longer allows the value null"}},
		{`{"properties": {"a": {}}}`, `{"allOf": [{"properties": {"a": {}}}]}`, nil},
		{`{"required": ["a"]}`, `{"dependentRequired": {"b": ["a", "c"]}}`, []string{"the member /c is now required with /b"}},
		{`{"properties": {"a": {"$ref": "#"}}}`, `{"properties": {"a": {"$ref": "#"}}}`, nil},
		{`{"properties": {"a": {"$ref": "#/properties/a"}}}`, `{"properties": {"a": {"$ref": "#/properties/a"}}}`, nil},
	} {
		got := []string(nil)
		for _, change := range compatibility.Changes(root(t, c.before), root(t, c.now)) {
			require.Positive(t, change.Place.Line)
			got = append(got, change.Message)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s to %s (-want +got):\n%s", c.before, c.now, diff)
		}
	}
}

func root(t *testing.T, text string) *document.Node {
	t.Helper()
	file, err := document.Parse("a.json", []byte(text), document.Limits{})
	require.NoError(t, err)
	return file.Roots[0]
}
