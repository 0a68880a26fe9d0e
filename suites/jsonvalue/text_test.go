package jsonvalue

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPrintIsOneLine(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{"(?P<word>a&b)", `"(?P<word>a&b)"`},
		{"two\nlines\u2028\x1b[31m", `"two\nlines\u2028\u001b[31m"`},
		{map[string]any{"b": 1, "a": nil}, `{"a":null,"b":1}`},
		{func() {}, "func()"},
	} {
		if diff := cmp.Diff(c.want, Print(c.value)); diff != "" {
			t.Errorf("%#v (-want +got)\n%s", c.value, diff)
		}
	}
	if long := Print(strings.Repeat("a", 1<<20)); len(long) > 2*maxTextLength {
		t.Errorf("%d bytes", len(long))
	}
}
