package reports_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/reporttest"
)

func baselineOf(t *testing.T, text string) *reports.Baseline {
	t.Helper()
	b, err := reports.ReadBaseline([]byte("baseline: \"1\"\n" + text))
	require.NoError(t, err)
	return b
}

// beside adds a passed requirement, so that a report shows something.
func beside(r *reports.Report) *reports.Report {
	r.Suites[0].Requirements = append(r.Suites[0].Requirements, reporttest.Numbered("2", "MUST", reports.Passed, 1)...)
	r.Suites[0].Plan = reports.Plan{Planned: 2, Executed: 2}
	return reporttest.Settled(r)
}

// baselineCase is a report that is judged with a baseline.
type baselineCase struct {
	name   string
	list   string
	report *reports.Report
	kinds  []reports.BaselineKind
	exit   reports.Exit
}

const (
	listedFailure  = "failures: [{requirement: CAP-1-01, message: a, expires: 2026-08-01}]\n"
	expiredFailure = "failures: [{requirement: CAP-1-01, message: a, expires: 2026-07-31}]\n"
	flakyFailure   = "flaky: [{requirement: CAP-1-01, message: a}]\n"
)

// faulty returns a report of a requirement whose scenario ended without an answer.
func faulty(status reports.Status, message string) *reports.Report {
	r := reporttest.Single("MUST", status, message)
	r.Suites[0].Requirements[0].Scenarios = []reports.Scenario{
		{Name: "x", Status: reports.Error, Reason: message, Fault: reports.DeadlineFault,
			Failure: &reports.Failure{Message: message}},
	}
	return r
}

// listedCases are reports with statuses that differ from the baseline, or do not.
func listedCases() []baselineCase {
	return []baselineCase{
		{"nothing listed, nothing fails", "", reporttest.Single("MUST", reports.Passed, ""), nil, reports.ExitConformant},
		{"listed and fails", listedFailure, reporttest.Single("MUST", reports.Failed, "a"), nil, reports.ExitConformant},
		{
			"unlisted",
			"",
			reporttest.Single("MUST", reports.Failed, "a"),
			[]reports.BaselineKind{reports.Unlisted},
			reports.ExitNonconformant,
		},
		{
			"different",
			listedFailure,
			reporttest.Single("MUST", reports.Failed, "b"),
			[]reports.BaselineKind{reports.Different},
			reports.ExitNonconformant,
		},
		{
			"kept",
			listedFailure,
			reporttest.Single("MUST", reports.Passed, ""),
			[]reports.BaselineKind{reports.Stale},
			reports.ExitStale,
		},
		{
			"provided",
			listedFailure,
			reporttest.Single("MUST", reports.Provided, "by a mapping"),
			[]reports.BaselineKind{reports.Stale},
			reports.ExitStale,
		},
		{
			"not applicable",
			listedFailure,
			reporttest.Single("MUST", reports.NotApplicable, "it declares nothing"),
			[]reports.BaselineKind{reports.Stale},
			reports.ExitStale,
		},
		{
			"inconclusive",
			listedFailure,
			reporttest.Single("MUST", reports.Inconclusive, "no role"),
			[]reports.BaselineKind{reports.Stale},
			reports.ExitStale,
		},
	}
}

// changedCases are baselines that have expired, are flaky, or do not apply to the run.
func changedCases() []baselineCase {
	partial := reporttest.Single("MUST", reports.NotApplicable, reports.NotSelected)
	partial.Run.Partial = true
	cut := reporttest.Single("MUST", reports.Error, "interrupted")
	cut.Run.Interrupted = true
	strict := reporttest.Single("SHOULD", reports.Failed, "a")
	strict.Run.Strict = true
	return []baselineCase{
		{"gone", listedFailure, reporttest.None(), []reports.BaselineKind{reports.Stale}, reports.ExitStale},
		{
			"expired",
			expiredFailure,
			reporttest.Single("MUST", reports.Failed, "a"),
			[]reports.BaselineKind{reports.Expired},
			reports.ExitStale,
		},
		{
			"expired and different",
			expiredFailure,
			reporttest.Single("MUST", reports.Failed, "b"),
			[]reports.BaselineKind{reports.Different},
			reports.ExitNonconformant,
		},
		{"not selected", listedFailure, partial, nil, reports.ExitConformant},
		{"interrupted", listedFailure, cut, nil, reports.ExitIncomplete},
		{"flaky and fails", flakyFailure, reporttest.Single("MUST", reports.Failed, "a"), nil, reports.ExitConformant},
		{"flaky and passed", flakyFailure, reporttest.Single("MUST", reports.Passed, ""), nil, reports.ExitConformant},
		{
			"flaky and fails differently",
			flakyFailure,
			reporttest.Single("MUST", reports.Failed, "b"),
			[]reports.BaselineKind{reports.Different},
			reports.ExitNonconformant,
		},
		{"flaky and without an answer", flakyFailure, faulty(reports.Error, "a"), nil, reports.ExitConformant},
		{"without an answer, not flaky", "", faulty(reports.Error, "a"), nil, reports.ExitIncomplete},
		{"a SHOULD", "", reporttest.Single("SHOULD", reports.Failed, "a"), nil, reports.ExitConformant},
		{"a SHOULD under --strict", "", strict, []reports.BaselineKind{reports.Unlisted}, reports.ExitNonconformant},
		{
			"a SHOULD that fails differently",
			listedFailure,
			reporttest.Single("SHOULD", reports.Failed, "b"),
			[]reports.BaselineKind{reports.Stale},
			reports.ExitStale,
		},
	}
}

func TestJudgeWithBaseline(t *testing.T) {
	for _, c := range slices.Concat(listedCases(), changedCases()) {
		t.Run(c.name, func(t *testing.T) {
			r := beside(c.report)
			b := baselineOf(t, c.list)
			verdict := r.Verdict
			j := b.Judge(r)
			b.Apply(r, j)
			var kinds []reports.BaselineKind
			for _, f := range j.Findings {
				kinds = append(kinds, f.Kind)
			}
			if diff := cmp.Diff(c.kinds, kinds); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if got := j.Exit(r, reports.Policy{}); got != c.exit {
				t.Errorf("exit %d, want %d", got, c.exit)
			}
			if r.Verdict != verdict {
				t.Errorf("the verdict changed from %s to %s", verdict, r.Verdict)
			}
		})
	}
}

// TestBaselineOfSums: a requirement that fails because of its parts needs no entry.
func TestBaselineOfSums(t *testing.T) {
	r := reporttest.Single("MUST", reports.Failed, "a")
	r.Suites[0].Requirements = append(
		r.Suites[0].Requirements,
		reports.Requirement{
			ID:      "CAP-9-01",
			Level:   "MUST",
			Section: "9",
			Summary: "All",
			Status:  reports.Failed,
			Reason:  reports.ReasonOfSum,
		},
	)
	r = beside(r)
	j := baselineOf(t, "failures: [{requirement: CAP-1-01, message: a}]\n").Judge(r)
	if len(j.Findings) > 0 || j.Exit(r, reports.Policy{}) != reports.ExitConformant {
		t.Errorf("%+v, exit %d", j.Findings, j.Exit(r, reports.Policy{}))
	}
	if got := (reports.Judgement{}).Exit(r, reports.Policy{}); got != reports.ExitNonconformant {
		t.Errorf("without the entry: exit %d", got)
	}
}

// TestBaselineOfFailuresOnly: a subject whose requirements all fail as listed has shown nothing, so that its exit
// status is incomplete.
func TestBaselineOfFailuresOnly(t *testing.T) {
	r := reporttest.NullHost()
	text, err := reports.NewBaseline(r)
	require.NoError(t, err)
	b, err := reports.ReadBaseline(text)
	require.NoError(t, err)
	j := b.Judge(r)
	if len(j.Tolerated) != 40 || len(j.Findings) > 0 {
		t.Fatalf("%d tolerated, %+v", len(j.Tolerated), j.Findings)
	}
	for _, p := range []reports.Policy{{}, {AllowIncomplete: true}, {Strict: true, AllowIncomplete: true}} {
		if got := j.Exit(r, p); got != reports.ExitIncomplete {
			t.Errorf("%+v: exit %d", p, got)
		}
	}
}

func TestNewBaselineRoundTrips(t *testing.T) {
	for name, r := range reporttest.All() {
		text, err := reports.NewBaseline(r)
		if r.Run.Partial || r.UnfinishedBy() != "" {
			require.ErrorIs(t, err, reports.ErrPartial, name)
			continue
		}
		require.NoError(t, err, name)
		b, err := reports.ReadBaseline(text)
		require.NoError(t, err, "%s\n%s", name, text)
		if found := b.Judge(r).Findings; len(found) > 0 {
			t.Errorf("%s: %+v", name, found)
		}
		for _, k := range b.Failures {
			if until, err := time.Parse(time.DateOnly, k.Expires); err != nil || !until.After(r.Run.StartedAt) {
				t.Errorf("%s: %+v", name, k)
			}
		}
	}
}

// TestBaselinePreservesMessages: a file preserves every message.
func TestBaselinePreservesMessages(t *testing.T) {
	for _, message := range []string{reporttest.Hostile, "- a: [b", "\"quoted\" 'twice'", "yes", "2026-01-01", "a\nb # c",
		" blanks "} {
		r := beside(reporttest.Single("MUST", reports.Failed, message))
		text, err := reports.NewBaseline(r)
		require.NoError(t, err)
		b, err := reports.ReadBaseline(text)
		require.NoError(t, err, "%s", text)
		if j := b.Judge(r); len(j.Tolerated) != 1 {
			t.Errorf("%q: %+v\n%s", message, j.Findings, text)
		}
	}
}

// TestFixRefusesSideEffects: an edit that would also change another entry, or would have no effect, is not written.
func TestFixRefusesSideEffects(t *testing.T) {
	r := reporttest.Single("MUST", reports.Failed, "b")
	other := reporttest.Single("MUST", reports.Failed, "a").Suites[0].Requirements[0]
	other.ID = "CAP-1-02"
	r.Suites[0].Requirements = append(r.Suites[0].Requirements, other)
	for name, list := range map[string]string{
		"an alias of the message": "failures: [{requirement: CAP-1-01, message: &m a}, {requirement: CAP-1-02, message: *m}]\n",
		"an alias of the id":      "failures: [{requirement: CAP-1-02, message: a}, {requirement: &i CAP-1-03, message: a}]\nflaky: [{requirement: CAP-1-01, message: b}, {requirement: CAP-1-04, message: *i}]\n",
	} {
		text, err := baselineOf(t, list).Fix(reporttest.Settled(r))
		if !errors.Is(err, reports.ErrBaselineText) {
			t.Errorf("%s: want ErrBaselineText, got %v\n%s", name, err, text)
		}
	}
}

func TestReadBaselineRefusesInvalidFiles(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"nothing":     {"", "the file is empty"},
		"a list":      {"- a\n", "line 1: want keys with values here"},
		"version":     {"baseline: \"2\"\n", "at its head"},
		"unknown key": {"baseline: \"1\"\nfailure: []\n", "line 2: unknown key failure; a baseline has"},
		"known key":   {"baseline: \"1\"\nfailures: [{requirment: X-1}]\n", "line 2: unknown key requirment; a failure has"},
		"no message":  {"baseline: \"1\"\nfailures: [{requirement: X-1}]\n", "lacks requirement or message"},
		"no date":     {"baseline: \"1\"\nfailures: [{requirement: X-1, message: a, expires: 1.1.2030}]\n", "wants a date"},
		"twice": {"baseline: \"1\"\nfailures: [{requirement: X-1, message: a}, {requirement: X-1, message: b}]\n",
			"listed twice"},
	} {
		_, err := reports.ReadBaseline([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// kindsOf returns a report of a failure of several kinds, in one or more scenarios.
func kindsOf(scenarios ...[]string) *reports.Report {
	r := reporttest.Single("MUST", reports.Failed, scenarios[0][0])
	r.Suites[0].Requirements[0].Scenarios = nil
	for _, kinds := range scenarios {
		failure := &reports.Failure{Message: kinds[0]}
		for _, kind := range kinds {
			failure.Kinds = append(failure.Kinds, reports.FailureKind{Message: kind, Count: 1})
		}
		r.Suites[0].Requirements[0].Scenarios = append(r.Suites[0].Requirements[0].Scenarios,
			reports.Scenario{Name: kinds[0], Status: reports.Failed, Reason: kinds[0], Failure: failure})
	}
	return beside(r)
}

// TestBaselineHidesNoOtherKind: a known failure does not hide another failure of the same requirement.
func TestBaselineHidesNoOtherKind(t *testing.T) {
	const one, two = "failures: [{requirement: CAP-1-01, message: a}]\n",
		"failures: [{requirement: CAP-1-01, message: a, also: [b]}]\n"
	for _, test := range []struct {
		name, list string
		report     *reports.Report
		kinds      []reports.BaselineKind
		exit       reports.Exit
	}{
		{"the listed kind", one, kindsOf([]string{"a"}), nil, reports.ExitConformant},
		{"another kind", one, kindsOf([]string{"a", "b"}), []reports.BaselineKind{reports.Different}, reports.ExitNonconformant},
		{"another scenario", one, kindsOf([]string{"a"}, []string{"b"}), []reports.BaselineKind{reports.Different},
			reports.ExitNonconformant},
		{"both kinds listed", two, kindsOf([]string{"a", "b"}), nil, reports.ExitConformant},
		{"both kinds listed in another order", two, kindsOf([]string{"b", "a"}), nil, reports.ExitConformant},
		{"a third kind", two, kindsOf([]string{"a", "b", "c"}), []reports.BaselineKind{reports.Different},
			reports.ExitNonconformant},
		{"one kind missing", two, kindsOf([]string{"b"}), []reports.BaselineKind{reports.Stale}, reports.ExitStale},
		{"one kind of a flaky failure missing", "flaky: [{requirement: CAP-1-01, message: a, also: [b]}]\n", kindsOf([]string{"b"}),
			nil, reports.ExitConformant},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := baselineOf(t, test.list)
			j := b.Judge(test.report)
			var kinds []reports.BaselineKind
			for _, f := range j.Findings {
				kinds = append(kinds, f.Kind)
			}
			if diff := cmp.Diff(test.kinds, kinds); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			require.Equal(t, test.exit, j.Exit(test.report, reports.Policy{}))
			if test.kinds == nil {
				return
			}
			fixed, err := b.Fix(test.report)
			require.NoError(t, err)
			again, err := reports.ReadBaseline(fixed)
			require.NoError(t, err, "%s", fixed)
			require.Empty(t, again.Judge(test.report).Findings, "%s", fixed)
		})
	}
	written, err := reports.NewBaseline(kindsOf([]string{"a", "b"}))
	require.NoError(t, err)
	require.Contains(t, string(written), "message: \"a\"\n    also:\n      - \"b\"\n")
}
