package document_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/document"
)

// The notation of a value is preserved as far as the suites need it.
func TestNotation(t *testing.T) {
	text := `plain: a
single: 'a'
double: "a"
literal: |
  a
folded: >
  a
anchored: &x {a: 1}
aliased: *x
tagged: !!str 1
merged: {<<: *x}
time: 2026-01-02
quoted: "2026-01-02"
`
	f, err := document.Parse("a.yaml", []byte(text), document.Limits{})
	require.NoError(t, err)
	got := map[string]string{}
	for _, m := range f.Roots[0].Members {
		got[m.Name] = fmt.Sprint(m.Value.Style, " ", m.Value.Marks)
	}
	show := func(s document.Style, m document.Marks) string { return fmt.Sprint(s, " ", m) }
	want := map[string]string{
		"plain": show(document.Plain, 0), "single": show(document.SingleQuoted, 0), "double": show(document.DoubleQuoted, 0),
		"literal": show(document.Literal, 0), "folded": show(document.Folded, 0), "anchored": show(document.Plain, document.Anchored),
		"aliased": show(document.Plain, document.Anchored|document.Aliased), "tagged": show(document.Plain, document.Tagged),
		"merged": show(document.Plain, document.Merged), "time": show(document.Plain, document.Timestamp),
		"quoted": show(document.DoubleQuoted, 0),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	require.Equal(t, text, string(f.Text))
}

// JSON in a file with a YAML extension is read as JSON, including what YAML libraries do not support.
func TestJSONInYAMLFile(t *testing.T) {
	f, err := document.Parse(
		"a.yaml",
		[]byte("\n{\n\t\"face\": \"\\ud83d\\ude00\", \"path\": \"a\\/b\"}"),
		document.Limits{},
	)
	require.NoError(t, err)
	if diff := cmp.Diff(map[string]any{"face": "😀", "path": "a/b"}, f.Roots[0].Value()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	face := f.Roots[0].Get("face")
	require.Equal(t, []int{3, 10}, []int{face.Line, face.Column})
	require.Equal(t, document.DoubleQuoted, face.Style)
}

// A directive for YAML 1.2 has no effect.
func TestDirective(t *testing.T) {
	for _, text := range []string{"%YAML 1.2\n---\na: 1.2\n", "# x\n\n%YAML  1.2\n--- {a: 1.2}\n"} {
		f, err := document.Parse("a.yaml", []byte(text), document.Limits{})
		require.NoError(t, err)
		require.Equal(t, "1.2", f.Roots[0].Get("a").Text)
		require.Equal(t, text, string(f.Text))
	}
	_, err := document.Parse("a.yaml", []byte("%YAML 3.0\n---\na: 1\n"), document.Limits{})
	require.Error(t, err)
}

// In YAML 1.2 these characters do not end a line: not in a block, in quotes, in a name or in a comment.
func TestSeparatorsDoNotEndLines(t *testing.T) {
	for _, c := range []string{"\u0085", "\u2028", "\u2029", "\u2028\u0085\ue000\u0100\u2029"} {
		text := "# a" + c + "b\nblock: |\n  a" + c + "b\n\nquoted: \"a" + c + "b\"\nplain: &x a" + c + "b\nna" + c + "me: [*x]\n"
		f, err := document.Parse("a.yaml", []byte(text), document.Limits{})
		require.NoError(t, err)
		want := map[string]any{"block": "a" + c + "b\n", "quoted": "a" + c + "b", "plain": "a" + c + "b", "na" + c + "me": []any{"a" + c + "b"}}
		if diff := cmp.Diff(want, f.Roots[0].Value()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c, diff)
		}
		require.Equal(t, 6, f.Roots[0].Get("plain").Line)
		require.Equal(t, text, string(f.Text))
	}
}
