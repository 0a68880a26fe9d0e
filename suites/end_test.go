package suites

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/verdict"
)

// A run ends with its context, even if a step continues and ignores it: the report contains the scenarios that had
// ended, and the rest are errors that are not attributed to the target.
func TestRunEndsDespiteEndlessStep(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	release := make(chan struct{})
	defer close(release)
	toy := newToy()
	toy.ends["endless"] = func(context.Context, *Scenario) error {
		interrupt()
		<-release
		return &verdict.Violation{Message: "broken"}
	}
	report, err := Run(
		ctx,
		[]*Suite{toy.suite(t, scenarios("violation", "endless", "nothing"))},
		alive(),
		Options{Explicit: true},
	)
	require.NoError(t, err)
	want := map[string]reports.Status{"TOY-A-01": reports.Failed, "TOY-A-02": reports.Error, "TOY-A-03": reports.Error}
	if diff := cmp.Diff(want, statusesOf(report)); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
	if got := reports.ExitStatus(report, reports.Policy{}); !report.Run.Interrupted ||
		got != reports.ExitNonconformant {
		t.Errorf("interrupted: %t, exit = %v, want that of the violation", report.Run.Interrupted, got)
	}
}

// The same applies during the first examination of the target.
func TestRunEndsDespiteEndlessExamination(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	release := make(chan struct{})
	defer close(release)
	suite := newToy().suite(t, scenarios("nothing"))
	suite.Examine = func(context.Context, *Subject, *live.Gate) (Examination, error) {
		interrupt()
		<-release
		return newToy(), nil
	}
	report, err := Run(ctx, []*Suite{suite}, alive(), Options{Explicit: true})
	require.ErrorIs(t, err, driver.ErrCancelled)
	if report == nil || !report.Run.Interrupted {
		t.Errorf("report = %+v, want one that says that the run was interrupted", report)
	}
}
