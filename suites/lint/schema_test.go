package lint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/document"
)

// A schema is judged at the place of each error; the message contains the value and what is required.
func TestSchemaErrorsHaveTheirPlaces(t *testing.T) {
	const none = "input is not a JSON Schema: "
	for _, c := range []struct {
		text string
		want []string // place and message
		open string
	}{
		{`{"type": "object"}`, nil, ""},
		{`true`, nil, ""},
		{`{"type": "objekt"}`, []string{`1:10 ` + none + `/type is "objekt"; it must be one of "array", "boolean", "integer", "null", "number", "object", "string", or wants array, is string`}, ""},
		{"{\"minLength\": -1,\n\"properties\": []}", []string{
			`1:15 ` + none + `/minLength is -1; it must be at least 0`, `2:15 ` + none + `/properties wants object, is array`,
		}, ""},
		{`{"properties": {"a": {"$ref": "#/$defs/b"}}}`, []string{`1:31 ` + none + `the reference "#/$defs/b" leads nowhere`}, ""},
		{`"x"`, []string{`1:1 ` + none + `the top is "x"; it wants boolean or object, is string`}, ""},
		{`{"$ref": "https://example.org/s"}`, nil, "the schema at a.json:1:1 can't be decided: "},
	} {
		file, err := document.Parse("a.json", []byte(c.text), document.Limits{})
		require.NoError(t, err)
		f := NewFindings()
		f.Schema("A-1-01", "a.json", "input is", file.Roots[0])
		var got []string
		for _, at := range f.under("A-1-01").kept {
			got = append(got, fmt.Sprintf("%d:%d %s", at.Line, at.Column, at.Message))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
		if open := f.Open("A-1-01"); !strings.HasPrefix(open, c.open) || (open == "") != (c.open == "") {
			t.Errorf("%s is undecided: %q, want %q", c.text, open, c.open)
		}
	}
}
