package acpdocument

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint"
	"github.com/capconform/capconform/suites/verdict"
)

// example returns one of the two packages that the text prints.
func example(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".acp.yaml")
	require.NoError(t, err)
	return string(text)
}

// file reads a text as the command does.
func file(t testing.TB, path, text string) suites.Document {
	t.Helper()
	parsed, err := document.Parse(path, []byte(text), document.Limits{})
	if refused, ok := err.(*document.Error); ok { // it is never wrapped
		return suites.Document{Path: path, Err: refused}
	}
	require.NoError(t, err)
	return *parsed
}

// found returns the findings in files, one per line: place, severity, rule and message.
func found(t testing.TB, options map[string]string, older []suites.Document, files ...suites.Document) []string {
	t.Helper()
	s, err := newSettings(options)
	require.NoError(t, err)
	f, err := judgeAll(t.Context(), s, files, older)
	require.NoError(t, err)
	return told(f)
}

func told(f *lint.Findings) []string {
	lines := []string{}
	say := func(at reports.Finding, mark, id string) {
		lines = append(lines, fmt.Sprintf("%d:%d %s%s: %s", at.Line, at.Column, mark, id, at.Message))
	}
	for _, rule := range Vocabulary().Rules() {
		switch err := f.Judge(rule).(type) { // Judge wraps nothing
		case *verdict.Violation:
			for _, at := range err.Findings {
				say(at, "", rule.ID)
			}
		case *verdict.LimitError:
			lines = append(lines, "limit "+rule.ID+": "+err.Reason)
		case *verdict.Inconclusive:
			lines = append(lines, "open "+rule.ID+": "+err.Reason)
		}
		for _, remark := range f.Remarks(rule.ID) {
			say(remark.Finding, string(remark.Weight)+" ", rule.ID)
		}
	}
	slices.SortStableFunc(lines, func(a, b string) int {
		var x, y [2]int
		_, _ = fmt.Sscanf(a, "%d:%d", &x[0], &x[1])
		_, _ = fmt.Sscanf(b, "%d:%d", &y[0], &y[1])
		return slices.Compare(x[:], y[:])
	})
	return lines
}

// rules returns the ids of findings, without remarks and undecided rules.
func rules(lines []string) []string {
	ids := []string{}
	for _, line := range lines {
		place, rest, _ := strings.Cut(line, " ")
		id, _, _ := strings.Cut(rest, ":")
		if place != "open" && !strings.Contains(id, " ") && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// The examples of the text are valid drafts that lack a signature.
func TestExamplesOfText(t *testing.T) {
	for _, c := range []struct {
		name, mode string
		want       []string
	}{
		{"note", "draft", []string{
			"10:14 notice ACP-STATE-13: the package declares state.update, but has no tool of this name",
			"10:14 notice ACP-STATE-14: the package declares state.query, but has no tool of this name",
			`15:14 ACP-FIELD-20: the signature "zDIDSig1xyz…" cannot be decoded: want base58btc multibase, z and about 87 characters`,
		}},
		{"note", "publishable", []string{
			"10:14 notice ACP-STATE-13: the package declares state.update, but has no tool of this name",
			"10:14 notice ACP-STATE-14: the package declares state.query, but has no tool of this name",
			`15:14 ACP-FIELD-13: the signature "zDIDSig1xyz…" cannot be decoded: want base58btc multibase, z and about 87 characters`,
		}},
		{"weatherreporter", "draft", []string{"3:3 ACP-FIELD-20: the package is not signed"}},
		{"weatherreporter", "publishable", []string{"3:3 ACP-FIELD-13: the package is not signed"}},
	} {
		name := c.name + ".acp.yaml"
		got := found(
			t,
			map[string]string{OptionMode: c.mode},
			nil,
			file(t, filepath.Join("packages", name), example(t, c.name)),
		)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.name, c.mode, diff)
		}
	}
}
