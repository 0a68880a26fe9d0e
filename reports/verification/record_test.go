package verification

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/reporttest"
)

// TestDifferences: each edit of a report is detected when its record is judged again.
func TestDifferences(t *testing.T) {
	judged := func() *reports.Report {
		r := canonical(t, "cap", "chp")
		r.Suites[0].Invoked = []reports.Invoked{{Capability: "delete_all", Calls: 3}}
		return r
	}
	require.Empty(t, Differences(judged(), judged()))
	id := firstPlayed(judged()).ID
	for name, test := range map[string]struct {
		edit func(r *reports.Report)
		want []string
	}{
		"another subject": {func(r *reports.Report) { r.Subject.Name = "other" }, []string{
			`the subject is "other" in the report; the record shows "` + judged().Subject.Name + `"`}},
		"another version": {func(r *reports.Report) { r.Subject.Version = "9" }, []string{
			`the subject's version is "9" in the report; the record shows "` + judged().Subject.Version + `"`}},
		"another target": {func(r *reports.Report) { r.Subject.Target = "https://host.example" }, []string{
			`the target is "https://host.example" in the report; the record shows "` + judged().Subject.Target + `"`}},
		"a suite less": {func(r *reports.Report) { r.Suites = r.Suites[:1] }, []string{
			"chp is in the record, but the report omits it"}},
		"a suite declared as not spoken": {func(r *reports.Report) {
			r.Suites, r.NotSpoken = r.Suites[:1], []string{"chp"}
		}, []string{
			`the suites that were not spoken is "chp" in the report; the record shows ""`,
			"chp is in the record, but the report omits it"}},
		"a suite more": {func(r *reports.Report) { r.Suites = append(r.Suites, reports.Suite{Suite: "acd"}) }, []string{
			"acd is in the report, but not in the record"}},
		"an actor less": {func(r *reports.Report) { r.Suites[1].Actors = nil }, []string{
			`chp: the actors is "" in the report; the record shows "host"`}},
		"a call less": {func(r *reports.Report) { r.Suites[0].Invoked = nil }, []string{
			`cap: the record shows calls of "delete_all", which the report omits`}},
		"a status": {func(r *reports.Report) { firstPlayed(r).Status = reports.Failed }, []string{
			id + " is failed in the report; the record shows passed"}},
		"a requirement less": {func(r *reports.Report) { r.Suites[1].Requirements = r.Suites[1].Requirements[1:] }, []string{
			judged().Suites[1].Requirements[0].ID + " is passed in the record, but the report omits it"}},
		"no longer strict": {func(r *reports.Report) { r.Run.Strict = true }, []string{
			`strict is "true" in the report; the record shows "false"`}},
	} {
		t.Run(name, func(t *testing.T) {
			stated := judged()
			test.edit(stated)
			if diff := cmp.Diff(test.want, Differences(stated, judged())); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestSelectedSuiteWithoutResult: a run with --suite must have a result of that suite, spoken or not.
func TestSelectedSuiteWithoutResult(t *testing.T) {
	r := canonical(t, "cap")
	r.Run.Options = append(r.Run.Options, "--suite cap", "--suite chp")
	r.Run.Command += " --suite cap --suite chp"
	require.Contains(t, contradictions(reporttest.Settled(r)), "the run was given --suite chp, but has no result of it")
	r.Run.Stopped = &reports.Stop{Fault: reports.TargetFault, Reason: "gone"}
	require.NotContains(
		t,
		contradictions(reporttest.Settled(r)),
		"the run was given --suite chp, but has no result of it",
	)
}
