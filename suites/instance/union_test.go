package instance

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A union of types is broken in each of its types, not in that of the input alone.
func TestUnsoundBreaksEachTypeOfAUnion(t *testing.T) {
	s := compile(t, `{"required":["a"],"properties":{"a":{"type":["boolean","string","integer"],"minLength":2,"minimum":4}}}`)
	var got []string
	for _, fault := range Unsound(s, value(t, `{"a":"xy"}`), Options{}) {
		if fault.Pointer == "/a" {
			got = append(got, fault.Keyword+" "+textOf(fault.Input.(map[string]any)["a"]))
		}
	}
	slices.Sort(got)
	want := []string{
		`minLength ""`, `minLength "x"`, `minimum 3`, `type 1.5`, `type 4.5`, `type ["xy"]`, `type [4]`, `type [true]`, `type null`, `type {}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}
