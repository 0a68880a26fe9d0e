package schemas

import (
	"errors"
	"strings"
	"testing"
)

// The permitted number of values in a text is a limit of the harness, not a fault of the sender.
func TestNumberOfValuesIsBounded(t *testing.T) {
	limits := Limits{Values: 5, Elements: 3}
	for text, refused := range map[string]bool{
		`[1,2,3,4]`:                      false,
		`[1,2,3,4,5]`:                    true,
		`{"a":{"b":[]},"c":[null]}`:      false,
		`{"a":{"b":[]},"c":[null,true]}`: true,
	} {
		_, err := Decode([]byte(text), limits)
		e, is := errors.AsType[*DecodeError](err)
		if refused != is || is && (e.Kind != Values || !e.OurLimit()) {
			t.Errorf("%s: %v, want refused by the number of values: %t", text, err, refused)
		}
	}
	for text, want := range map[string]string{`[1,2,3]`: "1 2 3", `[1,2,3,4]`: "1 2 3 values",
		`{"a":[1,2,3,4]}`: "1 2 3 values"} {
		var got []string
		path := []string{"a"}
		if text[0] == '[' {
			path = nil
		}
		for element, err := range Elements([]byte(text), limits, path...) {
			if e, is := errors.AsType[*DecodeError](err); is {
				got = append(got, string(e.Kind))
				continue
			}
			got = append(got, string(element))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", text, got, want)
		}
	}
}
