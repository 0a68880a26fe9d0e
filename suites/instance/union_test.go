package instance

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A union of types is broken in each of its types, not only in that of the input.
func TestInvalidBreaksEachTypeOfUnion(t *testing.T) {
	s := compile(t, `{"required":["a"],"properties":{"a":{"type":["boolean","string","integer"],"minLength":2,"minimum":4}}}`)
	var got []string
	for _, fault := range Invalid(s, value(t, `{"a":"xy"}`), Options{}) {
		if fault.Pointer == "/a" {
			got = append(got, fault.Keyword+" "+textOf(fault.Input.(map[string]any)["a"]))
		}
	}
	slices.Sort(got)
	want := []string{
		`minLength ""`, `minLength "x"`, `minimum 3`, `type 1.5`, `type 4.5`, `type ["xy"]`, `type [4]`, `type [true]`,
		`type null`, `type {}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

// If the schema has alternatives, each of them occurs in one of the inputs.
func TestAlternativesCoverEachTypeOfUnion(t *testing.T) {
	for _, union := range []string{
		`{"type":["boolean","string","null"]}`,
		`{"anyOf":[{"type":"boolean"},{"type":"string"},{"type":"null"}]}`,
		`{"oneOf":[{"type":"string"},{"type":"null"},{"type":"boolean"}]}`,
	} {
		for _, schema := range []string{`{"required":["a"],"properties":{"a":` + union + `}}`,
			`{"properties":{"a":` + union + `}}`} {
			s := compile(t, schema)
			plain, err := ValidObject(s, 1)
			if err != nil {
				t.Fatal(err)
			}
			met := map[string]bool{}
			for _, input := range append(plain, Alternatives(s, 1)...) {
				if value, ok := input.Value.(map[string]any)["a"]; ok {
					met[TypeName(value)] = true
				}
				if err := s.Validate(input.Value); err != nil {
					t.Errorf("%s: %v", textOf(input.Value), err)
				}
			}
			if diff := cmp.Diff(map[string]bool{"boolean": true, "string": true, "null": true}, met); diff != "" {
				t.Errorf("%s: types (-want +got):\n%s", schema, diff)
			}
		}
	}
}

// Alternatives returns nothing for a schema without a union.
func TestNoAlternativesWithoutUnion(t *testing.T) {
	s := compile(t, `{"required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"integer"}}}`)
	if others := Alternatives(s, 1); len(others) > 0 {
		t.Errorf("%d alternatives", len(others))
	}
}
