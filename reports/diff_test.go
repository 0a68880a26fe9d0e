package reports_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/reporttest"
)

// compareCases are pairs of reports with one change at most.
var compareCases = []struct {
	name     string
	old, new *reports.Report
	kind     reports.ChangeKind
	exit     reports.Exit
}{
	{
		"no change",
		reporttest.Single("MUST", reports.Failed, "a"),
		reporttest.Single("MUST", reports.Failed, "a"),
		"",
		reports.ExitConformant,
	},
	{
		"regression",
		reporttest.Single("MUST", reports.Passed, ""),
		reporttest.Single("MUST", reports.Failed, "a"),
		reports.Regressed,
		reports.ExitNonconformant,
	},
	{
		"regression from undecided",
		reporttest.Single("DECLARED", reports.Inconclusive, "x"),
		reporttest.Single("DECLARED", reports.Failed, "a"),
		reports.Regressed,
		reports.ExitNonconformant,
	},
	{
		"regression of a SHOULD",
		reporttest.Single("SHOULD", reports.Passed, ""),
		reporttest.Single("SHOULD", reports.Failed, "a"),
		reports.Regressed,
		reports.ExitConformant,
	},
	{
		"new and failed",
		reporttest.None(),
		reporttest.Single("MUST", reports.Failed, "a"),
		reports.Regressed,
		reports.ExitNonconformant,
	},
	{"new", reporttest.None(), reporttest.Single("MUST", reports.Passed, ""), reports.Added, reports.ExitConformant},
	{"gone", reporttest.Single("MUST", reports.Passed, ""), reporttest.None(), reports.Gone, reports.ExitIncomplete},
	{
		"removed advice",
		reporttest.Single("ADVICE", reports.Passed, ""),
		reporttest.None(),
		reports.Gone,
		reports.ExitConformant,
	},
	{
		"fixed",
		reporttest.Single("MUST", reports.Failed, "a"),
		reporttest.Single("MUST", reports.Provided, ""),
		reports.Fixed,
		reports.ExitConformant,
	},
	{
		"another failure",
		reporttest.Single("MUST", reports.Failed, "a"),
		reporttest.Single("MUST", reports.Failed, "b"),
		reports.Altered,
		reports.ExitConformant,
	},
	{
		"lost",
		reporttest.Single("MUST", reports.Passed, ""),
		reporttest.Single("MUST", reports.Error, "x"),
		reports.Lost,
		reports.ExitIncomplete,
	},
	{
		"a hidden failure",
		reporttest.Single("MUST", reports.Failed, "a"),
		reporttest.Single("MUST", reports.NotApplicable, "x"),
		reports.Lost,
		reports.ExitIncomplete,
	},
	{
		"gained",
		reporttest.Single("MUST", reports.Inconclusive, "x"),
		reporttest.Single("MUST", reports.Passed, ""),
		reports.Gained,
		reports.ExitConformant,
	},
	{
		"undecided for another reason",
		reporttest.Single("MUST", reports.Inconclusive, "x"),
		reporttest.Single("MUST", reports.NotApplicable, "y"),
		"",
		reports.ExitConformant,
	},
}

func TestCompare(t *testing.T) {
	for _, c := range compareCases {
		t.Run(c.name, func(t *testing.T) {
			d := reports.Compare(c.old, c.new)
			kind := reports.ChangeKind("")
			if len(d.Changes) > 0 {
				kind = d.Changes[0].Kind
			}
			if kind != c.kind || d.Exit() != c.exit || len(d.Changes) > 1 {
				t.Errorf("%q with exit %d, want %q with %d", kind, d.Exit(), c.kind, c.exit)
			}
		})
	}
	strict := reporttest.Single("SHOULD", reports.Failed, "a")
	strict.Run.Strict = true
	if got := reports.Compare(reporttest.Single("SHOULD", reports.Passed, ""), reporttest.Settled(strict)).Exit(); got != reports.ExitNonconformant {
		t.Errorf("a SHOULD under --strict: exit %d", got)
	}
	if diff := cmp.Diff([]string{"the new report is of a partial run"}, reports.Compare(reporttest.Conformant(), func() *reports.Report {
		r := reporttest.Conformant()
		r.Run.Partial = true
		return reporttest.Settled(r)
	}()).Notes); diff != "" {
		t.Errorf("notes (-want +got)\n%s", diff)
	}
}

// TestConclusion checks the words for each exit status.
func TestConclusion(t *testing.T) {
	for _, tt := range []struct {
		level    string
		old, new reports.Status
		want     string
	}{
		{"MUST", reports.Passed, reports.Passed,
			"no binding requirement is worse: no requirement changed; incomplete as before"},
		{"MUST", reports.Passed, reports.Failed,
			"a binding requirement fails that did not before: 1 regression; incomplete before, nonconformant now"},
		{"MUST", reports.Passed, reports.Inconclusive,
			"a binding requirement is no longer judged: 1 no longer judged; incomplete as before"},
		{"MUST", reports.Failed, reports.Passed,
			"no binding requirement is worse: 1 fixed; nonconformant before, incomplete now"},
	} {
		d := reports.Compare(reporttest.Single(tt.level, tt.old, "a"), reporttest.Single(tt.level, tt.new, "a"))
		if got := d.Conclusion(); got != tt.want {
			t.Errorf("%s, then %s:\ngot  %s\nwant %s", tt.old, tt.new, got, tt.want)
		}
	}
}
