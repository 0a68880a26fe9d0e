package reports

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func baselineOf(t *testing.T, text string) *Baseline {
	t.Helper()
	b, err := ReadBaseline([]byte("baseline: \"1\"\n" + text))
	require.NoError(t, err)
	return b
}

// beside adds a requirement that is kept, so that a report shows something.
func beside(r *Report) *Report {
	r.Suites[0].Requirements = append(r.Suites[0].Requirements, numbered("2", "MUST", Passed, 1)...)
	r.Suites[0].Plan = Plan{Planned: 2, Executed: 2}
	return settled(r)
}

func TestBaselineJudges(t *testing.T) {
	listed := "failures: [{requirement: CAP-1-01, message: a, expires: 2026-08-01}]\n"
	expired := "failures: [{requirement: CAP-1-01, message: a, expires: 2026-07-31}]\n"
	flaky := "flaky: [{requirement: CAP-1-01, message: a}]\n"
	faulty := func(status Status, message string) *Report {
		r := single("MUST", status, message)
		r.Suites[0].Requirements[0].Scenarios = []Scenario{{Name: "x", Status: Error, Reason: message, Fault: DeadlineFault,
			Failure: &Failure{Message: message}}}
		return r
	}
	partial := single("MUST", NotApplicable, notSelected)
	partial.Run.Partial = true
	cut := single("MUST", Error, "interrupted")
	cut.Run.Interrupted = true
	strict := single("SHOULD", Failed, "a")
	strict.Run.Strict = true
	cases := []struct {
		name   string
		list   string
		report *Report
		kinds  []BaselineKind
		exit   Exit
	}{
		{"nothing listed, nothing fails", "", single("MUST", Passed, ""), nil, ExitConformant},
		{"listed and fails", listed, single("MUST", Failed, "a"), nil, ExitConformant},
		{"unlisted", "", single("MUST", Failed, "a"), []BaselineKind{Unlisted}, ExitNonconformant},
		{"different", listed, single("MUST", Failed, "b"), []BaselineKind{Different}, ExitNonconformant},
		{"kept", listed, single("MUST", Passed, ""), []BaselineKind{Stale}, ExitStale},
		{"provided", listed, single("MUST", Provided, "by a mapping"), []BaselineKind{Stale}, ExitStale},
		{"not applicable", listed, single("MUST", NotApplicable, "it declares nothing"), []BaselineKind{Stale}, ExitStale},
		{"inconclusive", listed, single("MUST", Inconclusive, "no role"), []BaselineKind{Stale}, ExitStale},
		{"gone", listed, none(), []BaselineKind{Stale}, ExitStale},
		{"expired", expired, single("MUST", Failed, "a"), []BaselineKind{Expired}, ExitStale},
		{"expired and different", expired, single("MUST", Failed, "b"), []BaselineKind{Different}, ExitNonconformant},
		{"not selected", listed, partial, nil, ExitConformant},
		{"interrupted", listed, cut, nil, ExitIncomplete},
		{"flaky and fails", flaky, single("MUST", Failed, "a"), nil, ExitConformant},
		{"flaky and kept", flaky, single("MUST", Passed, ""), nil, ExitConformant},
		{"flaky and fails otherwise", flaky, single("MUST", Failed, "b"), []BaselineKind{Different}, ExitNonconformant},
		{"flaky and without an answer", flaky, faulty(Error, "a"), nil, ExitConformant},
		{"without an answer, and not flaky", "", faulty(Error, "a"), nil, ExitIncomplete},
		{"a SHOULD", "", single("SHOULD", Failed, "a"), nil, ExitConformant},
		{"a SHOULD under --strict", "", strict, []BaselineKind{Unlisted}, ExitNonconformant},
		{"a SHOULD that fails otherwise", listed, single("SHOULD", Failed, "b"), []BaselineKind{Stale}, ExitStale},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := beside(c.report)
			b := baselineOf(t, c.list)
			verdict := r.Verdict
			j := b.Judge(r)
			b.Apply(r, j)
			var kinds []BaselineKind
			for _, f := range j.Findings {
				kinds = append(kinds, f.Kind)
			}
			if diff := cmp.Diff(c.kinds, kinds); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if got := j.Exit(r, Policy{}); got != c.exit {
				t.Errorf("exit %d, want %d", got, c.exit)
			}
			if r.Verdict != verdict {
				t.Errorf("the verdict changed from %s to %s", verdict, r.Verdict)
			}
		})
	}
}

// TestBaselineOfSums: what fails because of its parts needs no entry.
func TestBaselineOfSums(t *testing.T) {
	r := single("MUST", Failed, "a")
	r.Suites[0].Requirements = append(r.Suites[0].Requirements,
		Requirement{ID: "CAP-9-01", Level: "MUST", Section: "9", Summary: "All", Status: Failed, Reason: summed})
	r = beside(r)
	j := baselineOf(t, "failures: [{requirement: CAP-1-01, message: a}]\n").Judge(r)
	if len(j.Findings) > 0 || j.Exit(r, Policy{}) != ExitConformant {
		t.Errorf("%+v, exit %d", j.Findings, j.Exit(r, Policy{}))
	}
	if got := (Judgement{}).Exit(r, Policy{}); got != ExitNonconformant {
		t.Errorf("without the entry: exit %d", got)
	}
}

// TestBaselineShowsNothing: a subject all of whose failures are known has shown nothing.
func TestBaselineShowsNothing(t *testing.T) {
	r := nullHostReport()
	text, err := NewBaseline(r)
	require.NoError(t, err)
	b, err := ReadBaseline(text)
	require.NoError(t, err)
	j := b.Judge(r)
	if len(j.Tolerated) != 40 || len(j.Findings) > 0 {
		t.Fatalf("%d tolerated, %+v", len(j.Tolerated), j.Findings)
	}
	for _, p := range []Policy{{}, {AllowIncomplete: true}, {Strict: true, AllowIncomplete: true}} {
		if got := j.Exit(r, p); got != ExitIncomplete {
			t.Errorf("%+v: exit %d", p, got)
		}
	}
}

func TestNewBaselineIsReadBack(t *testing.T) {
	for name, r := range goldenReports() {
		text, err := NewBaseline(r)
		if r.Run.Partial || r.unfinishedBy() != "" {
			require.ErrorIs(t, err, ErrPartial, name)
			continue
		}
		require.NoError(t, err, name)
		b, err := ReadBaseline(text)
		require.NoError(t, err, "%s\n%s", name, text)
		if found := b.Judge(r).Findings; len(found) > 0 {
			t.Errorf("%s: %+v", name, found)
		}
		for _, k := range b.Failures {
			if until, err := time.Parse(dateForm, k.Expires); err != nil || !until.After(r.Run.StartedAt) {
				t.Errorf("%s: %+v", name, k)
			}
		}
	}
}

// TestBaselineHoldsAnyMessage: whatever a message holds, the file gives it back.
func TestBaselineHoldsAnyMessage(t *testing.T) {
	for _, message := range []string{hostile, "- a: [b", "\"quoted\" 'twice'", "yes", "2026-01-01", "a\nb # c",
		" blanks "} {
		r := beside(single("MUST", Failed, message))
		text, err := NewBaseline(r)
		require.NoError(t, err)
		b, err := ReadBaseline(text)
		require.NoError(t, err, "%s", text)
		if j := b.Judge(r); len(j.Tolerated) != 1 {
			t.Errorf("%q: %+v\n%s", message, j.Findings, text)
		}
	}
}

// TestFixLeavesOthersAlone: an edit that would change another entry too, or would not
// take effect, is not written.
func TestFixLeavesOthersAlone(t *testing.T) {
	r := single("MUST", Failed, "b")
	other := single("MUST", Failed, "a").Suites[0].Requirements[0]
	other.ID = "CAP-1-02"
	r.Suites[0].Requirements = append(r.Suites[0].Requirements, other)
	for name, list := range map[string]string{
		"an alias of the message": "failures: [{requirement: CAP-1-01, message: &m a}, {requirement: CAP-1-02, message: *m}]\n",
		"an alias of the id":      "failures: [{requirement: CAP-1-02, message: a}, {requirement: &i CAP-1-03, message: a}]\nflaky: [{requirement: CAP-1-01, message: b}, {requirement: CAP-1-04, message: *i}]\n",
	} {
		text, err := baselineOf(t, list).Fix(settled(r))
		if !errors.Is(err, ErrBaselineText) {
			t.Errorf("%s: want ErrBaselineText, got %v\n%s", name, err, text)
		}
	}
}

func TestReadBaselineRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"nothing":     {"", "the file is empty"},
		"a list":      {"- a\n", "line 1: keys and their values are wanted here"},
		"version":     {"baseline: \"2\"\n", "at its head"},
		"unknown key": {"baseline: \"1\"\nfailure: []\n", "line 2: unknown key failure; a baseline has"},
		"known key":   {"baseline: \"1\"\nfailures: [{requirment: X-1}]\n", "line 2: unknown key requirment; a failure has"},
		"no message":  {"baseline: \"1\"\nfailures: [{requirement: X-1}]\n", "lacks requirement or message"},
		"no date":     {"baseline: \"1\"\nfailures: [{requirement: X-1, message: a, expires: 1.1.2030}]\n", "wants a date"},
		"twice": {"baseline: \"1\"\nfailures: [{requirement: X-1, message: a}, {requirement: X-1, message: b}]\n",
			"listed twice"},
	} {
		_, err := ReadBaseline([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
