package proof

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/reports/format"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
	acdsuite "github.com/capconform/capconform/suites/acd"
	acpsuite "github.com/capconform/capconform/suites/acp"
	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
	mcpsuite "github.com/capconform/capconform/suites/mcp"
)

var update = flag.Bool("update", false, "rewrite the illustrations of package reports")

// illustrationsOf returns the file of package reports with the illustrations of a suite.
func illustrationsOf(suite string) string {
	return filepath.Join("..", "..", "..", "..", "reports", "format", "illustrations", suite+".jsonl")
}

// renewedEach returns n if the runs of one of n requirements are repeated.
func renewedEach() int {
	switch {
	case *update || os.Getenv("CAPCONFORM_ILLUSTRATIONS") == "all":
		return 1
	case quick():
		return 8 * quickEach
	}
	return 8
}

// illustrates is what finds a run that shows how a requirement is broken; nil without an error if none does.
type illustrates interface {
	Illustrate(ctx context.Context, id string) (*format.Illustration, error)
}

// TestIllustrationsAreOfRealRuns repeats the runs that the page of a report shows. Unless CAPCONFORM_ILLUSTRATIONS is
// "all", it repeats only some of them, and checks the names in the others.
func TestIllustrationsAreOfRealRuns(t *testing.T) {
	population, err := plan.Everything()
	require.NoError(t, err)
	for _, definition := range []suites.Definition{acpsuite.Definition(), acdsuite.Definition(), chpsuite.Definition(), capsuite.Definition()} {
		t.Run(definition.Name, func(t *testing.T) {
			t.Parallel()
			s := suiteOf(t, definition)
			renewAll(t, s.Name, s.Catalogue.Requirements, &Illustrator{Suite: s, Population: population},
				func(old *format.Illustration) bool {
					return breaks(population, old.Breaker, old.Summary, old.Requirement)
				})
		})
	}
}

// TestIllustrationsOfMCPAreOfRealRuns does the same for the suite whose mutants are rows of data.
func TestIllustrationsOfMCPAreOfRealRuns(t *testing.T) {
	t.Parallel()
	var of editions
	var all []spec.Requirement
	for _, edition := range mcpsuite.Editions() {
		one := examinedRows(t, edition)
		for _, q := range one.suite.Catalogue.Requirements {
			if !of.have(q.ID) {
				all = append(all, q)
			}
		}
		of = append(of, one)
	}
	renewAll(t, "mcp", all, of, of.known)
}

// renewAll repeats the runs of some requirements. The others have an illustration whose mutant is known.
func renewAll(t *testing.T, suite string, all []spec.Requirement, by illustrates, known func(*format.Illustration) bool) {
	t.Helper()
	var lines bytes.Buffer
	shown := 0
	for i, q := range all {
		if !q.Testable() {
			continue
		}
		old := kept(t, suite, q.ID)
		if old != nil && i%renewedEach() != 0 {
			shown++
			if !known(old) {
				t.Errorf("%s: nothing in the population is named %s with the summary %q: make illustrations", q.ID, old.Breaker, old.Summary)
			}
			continue
		}
		shown += renew(t, suite, by, q.ID, &lines)
	}
	if testable := slices.DeleteFunc(slices.Clone(all), func(q spec.Requirement) bool { return !q.Testable() }); shown < len(testable)/2 {
		t.Errorf("only %d of %d requirements have an illustration", shown, len(testable))
	}
	if *update {
		require.NoError(t, os.WriteFile(illustrationsOf(suite), lines.Bytes(), 0o666))
	}
}

// renew repeats the runs of one requirement and adds its line; it returns the number of its illustrations. An
// illustration that differs only in generated values is retained.
func renew(t *testing.T, suite string, by illustrates, id string, lines *bytes.Buffer) int {
	t.Helper()
	old := kept(t, suite, id)
	found, err := by.Illustrate(t.Context(), id)
	require.NoError(t, err)
	if found == nil {
		if old != nil && !*update {
			t.Errorf("%s: no run shows %s any more: make illustrations", id, old.Breaker)
		}
		return 0
	}
	fresh := excerpted(*found)
	if old != nil && alike(old, &fresh) && (!*update || words(old.Got) == words(fresh.Got)) {
		fresh = *old
	} else if !*update {
		t.Errorf("%s: a run shows something else (make illustrations), -old +new:\n%s", id, cmp.Diff(texts(old), texts(&fresh)))
	}
	e := json.NewEncoder(lines)
	e.SetEscapeHTML(false)
	require.NoError(t, e.Encode(fresh))
	return 1
}

// kept returns the illustration in package reports.
func kept(t *testing.T, suite, id string) *format.Illustration {
	t.Helper()
	shown, err := format.Illustrated(suite, id)
	if *update && err != nil {
		return nil // there is no file yet
	}
	require.NoError(t, err)
	return shown
}

// breaks reports whether a population has a mutant or document with a name, summary and requirement.
func breaks(p plan.Population, name, summary, id string) bool {
	for _, m := range p.Mutants {
		if m.Name == name && m.Summary == summary && m.Requirement == id {
			return true
		}
	}
	for _, d := range p.Documents {
		if d.Name == name && d.Summary == summary && d.Requirement == id {
			return true
		}
	}
	return false
}

// alike compares two illustrations without their values, which are often generated. It ignores truncated texts,
// because the place depends on the values, and calls that a run may not reach in time.
func alike(a, b *format.Illustration) bool {
	cut := func(text string) bool { return strings.Contains(text, "...") || strings.Contains(text, "…") }
	as, bs := texts(a), texts(b)
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] && !(cut(as[i]) && cut(bs[i])) {
			return false
		}
	}
	return a.Line == b.Line
}

// words returns a text without what differs from run to run.
func words(text string) string { return valueOfRun.ReplaceAllString(text, "") }

var valueOfRun = regexp.MustCompile(`[^\s"]*[0-9][^\s"]*|[^\s"]*[.][.][.][^\s"]*`)

// literal matches a JSON string, or a name with its colon.
var literal = regexp.MustCompile(`"(?:[^"\\]|\\.)*"\s*:?`)

// texts returns the texts of an illustration that contain no values, and the calls without values.
func texts(shown *format.Illustration) []string {
	if shown == nil {
		return nil
	}
	all := []string{shown.Breaker, shown.Summary, shown.Found, shown.Text}
	for _, call := range []*format.IllustratedCall{shown.Broken, shown.Kept} {
		if call != nil {
			all = append(all, call.Operation, call.Sent, call.Received)
		}
	}
	for i := range all {
		all[i] = literal.ReplaceAllStringFunc(all[i], func(text string) string {
			if strings.HasSuffix(text, ":") {
				return text
			}
			return `""`
		})
		all[i] = generated.ReplaceAllString(all[i], "#")
	}
	return all
}

func TestExcerptShowsTheDifference(t *testing.T) {
	long := strings.Repeat("alike ", 1000)
	call := func(middle string) *format.IllustratedCall {
		return &format.IllustratedCall{Received: `{"at":"` + middle[:4] + `"}` + long + middle[4:] + long}
	}
	got := excerpted(
		format.Illustration{Kept: call("2024valid"), Broken: call("1999wrong"), Got: strings.Repeat("é", 3000)},
	)
	for _, tt := range []struct{ text, want string }{{got.Kept.Received, "valid"}, {got.Broken.Received, "wrong"}} {
		if !strings.Contains(tt.text, tt.want) || !strings.HasPrefix(tt.text, "… ") ||
			!strings.HasSuffix(tt.text, " …") ||
			len(tt.text) > excerptLimit+10 {
			t.Errorf("want the part with %s: %s", tt.want, tt.text)
		}
	}
	if diff := cmp.Diff(strings.Repeat("é", excerptLimit/2)+" …", got.Got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestFirstDifference(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"same", "same", 0}, {"abc", "abd", 2}, {"abc", "abcd", 3}, {"n=12,x", "n=7,y", 5},
		{"9 or", "x or", 0}, {"id 0123abcd-0123-0123-0123-0123456789ab z", "id 99999999-0123-0123-0123-0123456789ab y", 40},
	} {
		if got := firstDifference(tt.a, tt.b); got != tt.want {
			t.Errorf("%q, %q: want %d, got %d", tt.a, tt.b, tt.want, got)
		}
	}
}
