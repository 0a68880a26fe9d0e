// Package linttest is shared by the tests of the suites that examine documents: the run through the
// engine, the loops over tables of broken, valid and undecided documents, and the agreement of
// rules, scenarios and catalogue.
package linttest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint"
	"github.com/capconform/capconform/suites/verdict"
)

// File is a document of a test: its path and its text.
type File [2]string

// Inspection examines documents by one suite, through the engine.
type Inspection struct {
	Suite    func() suites.Definition
	Strict   bool
	Supports map[string][]string // as in the target file
}

// Report is the result of one inspection.
type Report struct {
	reports.Suite
	Notes []string
}

// suitesRead contains the suites by name. They do not change, and the tests share them.
var suitesRead sync.Map

func suiteOf(t testing.TB, def suites.Definition) *suites.Suite {
	t.Helper()
	read, _ := suitesRead.LoadOrStore(def.Name, sync.OnceValues(func() (*suites.Suite, error) { return suites.New(def) }))
	s, err := read.(func() (*suites.Suite, error))()
	require.NoError(t, err)
	return s
}

// Lint examines files, all of which the suite must recognise.
func (i Inspection) Lint(t testing.TB, files ...File) Report {
	t.Helper()
	def := i.Suite()
	suite := suiteOf(t, def)
	subject := &suites.Subject{Supports: i.Supports, Options: map[string]string{"strict": strconv.FormatBool(i.Strict)}}
	for _, f := range files {
		file, err := document.Parse(f[0], []byte(f[1]), document.Limits{})
		require.NoError(t, err)
		require.True(t, def.Recognises(file), "%s is recognised", f[0])
		subject.Documents = append(subject.Documents, *file)
	}
	report, err := suites.Lint(t.Context(), []*suites.Suite{suite}, subject, suites.Options{})
	require.NoError(t, err)
	require.Len(t, report.Suites, 1)
	return Report{report.Suites[0], report.Notes}
}

// Lines returns each finding as its requirement, its place and its message, in the
// order of the catalogue: "CAP-CAP-04 m.json:4:11 kind is ...".
func (r Report) Lines() []string {
	lines := []string{}
	for _, q := range r.Requirements {
		for _, sc := range q.Scenarios {
			if sc.Failure == nil {
				continue
			}
			if len(sc.Failure.Findings) == 0 {
				lines = append(lines, q.ID+" "+string(sc.Status)+" "+sc.Failure.Message)
			}
			for _, f := range sc.Failure.Findings {
				lines = append(lines, fmt.Sprintf("%s %s:%d:%d %s", q.ID, f.File, f.Line, f.Column, f.Message))
			}
		}
	}
	return lines
}

// Places returns the lines without their messages.
func (r Report) Places() []string {
	places := r.Lines()
	for i, line := range places {
		places[i] = strings.Join(strings.Fields(line)[:2], " ")
	}
	return places
}

// Status returns the status of a requirement, "unknown" if the suite has no such id.
func (r Report) Status(id string) reports.Status {
	for _, q := range r.Requirements {
		if q.ID == id {
			return q.Status
		}
	}
	return "unknown"
}

// Broken is a subtest: the findings in a document are exactly the wanted ones, each given by its
// place ("CAP-CAP-04 m.json:4:11") or by its complete line; the first one contains a text.
func (i Inspection) Broken(t *testing.T, name string, file File, want []string, says string) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Helper()
		lines := i.Lint(t, file).Lines()
		got := []string{}
		for n, line := range lines {
			if n < len(want) && strings.HasPrefix(line, want[n]+" ") {
				line = want[n]
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("findings (-want +got):\n%s", diff)
		}
		if len(lines) == 0 || !strings.Contains(lines[0], says) {
			t.Errorf("the first of %q does not say %q", lines, says)
		}
	})
}

// Valid is a subtest: a document is examined, and has no findings.
func (i Inspection) Valid(t *testing.T, name string, file File) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Helper()
		report := i.Lint(t, file)
		if diff := cmp.Diff([]string{}, report.Lines()); diff != "" {
			t.Errorf("findings (-want +got):\n%s", diff)
		}
		if report.Plan.Executed == 0 {
			t.Error("nothing was examined")
		}
	})
}

// Status is a subtest: a requirement has a status after the files are examined.
func (i Inspection) Status(t *testing.T, name string, files []File, id string, want reports.Status) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Helper()
		if got := i.Lint(t, files...).Status(id); got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	})
}

// Altered replaces texts that occur exactly once, given as pairs of old and new.
func Altered(t testing.TB, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		require.Equal(t, 1, strings.Count(text, pairs[i]), "%q in the document", pairs[i])
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

// Judged returns the results of the rules that did not pass: the breaches that are kept, or none if
// the requirement is undecided.
func Judged(f *lint.Findings, rules []lint.Rule) map[string][]reports.Finding {
	all := map[string][]reports.Finding{}
	for _, rule := range rules {
		if err := f.Judge(rule); err != nil {
			all[rule.Key()] = nil
			if broken, ok := errors.AsType[*verdict.Violation](err); ok {
				all[rule.Key()] = broken.Findings
			}
		}
	}
	return all
}
