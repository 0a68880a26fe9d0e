package document_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/document"
)

// However a string is written, each value in it has its place in the file: the place must contain the name or the
// value.
func TestNestedPlaces(t *testing.T) {
	literal := "# é\na: 记\nschema: |\n  {\n    \"x\": \"é\",\n\n    \"y\": [1,\n      {\"z\": true}]\n  }\nb: 1\n"
	for name, text := range map[string]string{
		"literal":        literal,
		"indicator":      strings.Replace(literal, "schema: |", "schema: |2-", 1),
		"comment":        strings.Replace(literal, "schema: |", "schema: | # json", 1),
		"folded":         strings.Replace(literal, "schema: |", "schema: >", 1),
		"windows":        strings.ReplaceAll(literal, "\n", "\r\n"),
		"mark":           "\ufeff" + literal,
		"single":         "schema: '{\"x\": \"é\", \"it''s\": 0, \"y\": [1, {\"z\": true}]}'\n",
		"single, folded": "schema: '{\"x\": \"é\",\n\n    \"y\": [1,\n   {\"z\": true}]}'\n",
		"double":         `schema: "{\"x\": \"é\", \"y\": [1,\t{\"z\": true}]}"` + "\n",
		"escapes":        `schema: "{\"x\":\n \"\u00e9\",\n \"w\": \"\x41\",\n \"y\": [1, {\"z\": true}]}"` + "\n",
		"broken lines":   "schema: \"{\\\"x\\\": \\\"é\\\", \\\n   \\\"y\\\": [1,\n {\\\"z\\\": true}]}\"\n",
		"json":           `{"a": "😀", "schema": "{\"x\":\"\u00e9\",\n\"face\":\"\ud83d\ude00\",\"y\":[1,{\"z\":true}]}"}`,
	} {
		file, err := document.Parse("a.yaml", []byte(text), document.Limits{})
		require.NoError(t, err, name)
		root, err := file.Nested(file.Roots[0].Get("schema"), document.Limits{})
		require.NoError(t, err, name)
		lines := strings.Split(strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff"), "\n")
		stands := func(line, column int, want ...string) {
			got := string([]rune(lines[line-1])[column-1:])
			for _, w := range want {
				if strings.HasPrefix(got, w) {
					return
				}
			}
			t.Errorf("%s: %d:%d contains %q, want one of %q", name, line, column, got, want)
		}
		stands(root.Line, root.Column, "{")
		for _, member := range []string{"x", "y"} {
			m := root.Member(member)
			stands(m.Line, m.Column, `"`+member, `\"`+member)
		}
		stands(root.Get("y").Line, root.Get("y").Column, "[")
		stands(root.At("/y/0").Line, root.At("/y/0").Column, "1")
		stands(root.At("/y/1").Line, root.At("/y/1").Column, "{")
		z := root.At("/y/1").Member("z")
		stands(z.Line, z.Column, `"z`, `\"z`)
		stands(z.Value.Line, z.Value.Column, "true")
	}
}

func TestNestedErrors(t *testing.T) {
	for _, c := range []struct {
		text, want string
		kind       document.ErrorKind
	}{
		{"schema: |\n  {\n    \"a\": 1,\n  }\n", "3:11", document.Syntax},
		{"schema: |\n  {\"a\": 1,\n   \"a\": 2}\n", "3:4", document.Duplicate},
		{"schema: ''\n", "1:10", document.Syntax},
		{"schema: 'type: object'\n", "1:11", document.Syntax},
		{"schema: \"{\\\"a\\\": [1 2]}\"\n", "1:21", document.Syntax},
		{"schema: '" + strings.Repeat("[", 300) + "'\n", "1:266", document.Limit},
	} {
		file, err := document.Parse("a.yaml", []byte(c.text), document.Limits{})
		require.NoError(t, err)
		_, err = file.Nested(file.Roots[0].Get("schema"), document.Limits{})
		var refused *document.Error
		require.ErrorAs(t, err, &refused, c.text)
		got := fmt.Sprintf("%s %d:%d", refused.Kind, refused.Line, refused.Column)
		if diff := cmp.Diff(string(c.kind)+" "+c.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

// FuzzNested: no place is outside the file.
func FuzzNested(f *testing.F) {
	for _, seed := range []string{"schema: |\n  {\"a\": [1]}\n", "schema: '{\"it''s\": 1}'", "schema: \"{\\\"a\\\": \\\"\\u00e9\\\"}\"", "{\"schema\": \"[1,\\n2]\"}", "schema: >\n  [1,\n\n  2]\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, err := document.Parse("a.yaml", []byte(text), document.Limits{})
		if err != nil || !file.Roots[0].Get("schema").Is(document.String) {
			return
		}
		lines := 1 + strings.Count(text, "\n") + strings.Count(text, "\r") + strings.Count(text, "\u2028") + strings.Count(text, "\u2029") + strings.Count(text, "\u0085")
		root, err := file.Nested(file.Roots[0].Get("schema"), document.Limits{})
		var refused *document.Error
		switch {
		case errors.As(err, &refused):
			require.Positive(t, refused.Column)
			require.LessOrEqual(t, refused.Line, lines)
		default:
			require.Positive(t, root.Line)
			require.LessOrEqual(t, root.Line, lines)
		}
	})
}

// Both places of a duplicate name are places of the file.
func TestNestedDuplicatesHaveBothPlaces(t *testing.T) {
	file, err := document.Parse("a.yaml", []byte("schema: |\n  {\"a\": 1,\n   \"a\": 2}\n"), document.Limits{})
	require.NoError(t, err)
	_, err = file.Nested(file.Roots[0].Get("schema"), document.Limits{})
	require.Error(t, err)
	if diff := cmp.Diff(`a.yaml:3:4: the object has two members named "a"; the first is at 2:4`, err.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
