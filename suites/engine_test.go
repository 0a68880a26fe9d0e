package suites

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/features"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/verdict"
)

func TestStatusFollowsError(t *testing.T) {
	toy := newToy()
	words := []string{"nothing", "violation", "open", "not", "fault", "panic", "call"}
	report, err := Run(
		t.Context(),
		[]*Suite{toy.suite(t, scenarios(words...))},
		alive(),
		Options{Explicit: true, Concurrency: 3},
	)
	require.NoError(t, err)
	want := map[string]reports.Status{
		"TOY-A-01": reports.Passed, "TOY-A-02": reports.Failed, "TOY-A-03": reports.Inconclusive, "TOY-A-04": reports.NotApplicable,
		"TOY-A-05": reports.Error, "TOY-A-06": reports.Error, "TOY-A-07": reports.Passed,
	}
	if diff := cmp.Diff(want, statusesOf(report)); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
	if got := report.Suites[0].Plan; got != (reports.Plan{Planned: 7, Executed: 7}) {
		t.Errorf("plan = %+v, want 7 of 7", got)
	}
	if got := reports.ExitStatus(report, reports.Policy{}); got != reports.ExitHarness {
		t.Errorf("exit = %v, want %v, because a panic is a defect of the harness", got, reports.ExitHarness)
	}
}

func TestUndefinedStepIsAnError(t *testing.T) {
	toy := newToy()
	text := scenarios("nothing") + "\n  @TOY-A-02\n  Scenario: Unknown words\n    When nobody knows this sentence\n"
	report, err := Run(t.Context(), []*Suite{toy.suite(t, text)}, alive(), Options{Explicit: true})
	require.NoError(t, err)
	if got := statusesOf(report)["TOY-A-02"]; got != reports.Error {
		t.Errorf("status of a scenario with an undefined step = %s, want error", got)
	}
}

func TestWorstScenarioDecides(t *testing.T) {
	toy := newToy()
	text := scenarios("nothing") + "\n  @TOY-A-01\n  Scenario: Again\n    When it ends with violation\n" +
		"\n  @TOY-A-01\n  Scenario: And again\n    When it ends with not\n"
	report, err := Run(t.Context(), []*Suite{toy.suite(t, text)}, alive(), Options{Explicit: true})
	require.NoError(t, err)
	if got := statusesOf(report)["TOY-A-01"]; got != reports.Failed {
		t.Errorf("status = %s, want failed", got)
	}
	if got := len(report.Suites[0].Requirements[0].Scenarios); got != 3 {
		t.Errorf("%d scenarios in the report, want 3", got)
	}
}

func TestConditions(t *testing.T) {
	toy := newToy()
	toy.lacks = map[string]error{"role:slow": &verdict.Inconclusive{Reason: "no role", Supply: "name one"}, "with:counter": verdict.Inapplicable("no counter")}
	text := "Feature: Toy\n" +
		"  @TOY-A-01 @role:slow\n  Scenario: One\n    When it ends with violation\n" +
		"  @TOY-A-02 @with:counter\n  Scenario: Two\n    When it ends with violation\n" +
		"  @TOY-A-03 @role:echo\n  Scenario: Three\n    When it ends with nothing\n"
	report, err := Run(t.Context(), []*Suite{toy.suite(t, text)}, alive(), Options{Explicit: true})
	require.NoError(t, err)
	want := map[string]reports.Status{"TOY-A-01": reports.Inconclusive, "TOY-A-02": reports.NotApplicable, "TOY-A-03": reports.Passed}
	if diff := cmp.Diff(want, statusesOf(report)); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
	if got, want := report.Suites[0].Requirements[0].Reason, "no role; name one"; got != want {
		t.Errorf("reason = %q, want %q", got, want)
	}
}

func TestProvidedAndBeyond(t *testing.T) {
	toy := newToy()
	toy.profile.Provided = map[string]string{"TOY-A-01": "by the adapter", "TOY-A-02": "by the adapter"}
	toy.profile.Beyond = map[string]string{"TOY-A-03": "no words for it"}
	report, err := Run(
		t.Context(),
		[]*Suite{toy.suite(t, scenarios("nothing", "violation", "violation"))},
		alive(),
		Options{Explicit: true},
	)
	require.NoError(t, err)
	want := map[string]reports.Status{"TOY-A-01": reports.Provided, "TOY-A-02": reports.Failed, "TOY-A-03": reports.NotApplicable}
	if diff := cmp.Diff(want, statusesOf(report)); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
}

func TestNotSpoken(t *testing.T) {
	toy := newToy()
	subject := answering(func(int64) []byte {
		return []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`)
	})
	report, err := Run(t.Context(), []*Suite{toy.suite(t, scenarios("nothing"))}, subject, Options{})
	require.NoError(t, err)
	if diff := cmp.Diff([]string{"toy"}, report.NotSpoken); diff != "" {
		t.Errorf("not spoken (-want +got):\n%s", diff)
	}
	if got := reports.ExitStatus(report, reports.Policy{AllowIncomplete: true}); got != reports.ExitIncomplete {
		t.Errorf("exit = %v, want %v", got, reports.ExitIncomplete)
	}
}

// A target that closes the connection for one operation and answers other calls is alive. It speaks the suite of that
// operation only if it speaks no other.
func TestOneProbeIsClosed(t *testing.T) {
	subject := &Subject{Driver: inproc.New("closing", func(_ context.Context, request []byte) []byte {
		id := idPattern.FindSubmatch(request)[1]
		switch {
		case strings.Contains(string(request), `"ping"`):
			return nil
		case strings.Contains(string(request), `"pong"`):
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{}}`, id)
		}
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, id)
	})}
	closing, other := newToy().suite(t, scenarios("nothing")), newToy().suite(t, scenarios("nothing"))
	other.Name, other.Probes = "other", []driver.Operation{{Name: "pong"}}
	for _, c := range []struct {
		suites    []*Suite
		explicit  bool
		notSpoken []string
	}{
		{[]*Suite{closing}, false, []string{}},
		{[]*Suite{closing}, true, []string{}},
		{[]*Suite{closing, other}, false, []string{"toy"}},
		{[]*Suite{other, closing}, false, []string{"toy"}},
	} {
		report, err := Run(t.Context(), c.suites, subject, Options{Explicit: c.explicit})
		require.NoError(t, err)
		require.Equal(t, c.notSpoken, report.NotSpoken)
	}
}

func TestSilentTargetIsUnreachable(t *testing.T) {
	toy := newToy()
	subject := &Subject{
		Driver: inproc.New("silent", func(ctx context.Context, _ []byte) []byte {
			<-ctx.Done()
			return nil
		}),
		Deadlines: driver.Deadlines{Call: 20 * time.Millisecond, Handshake: 20 * time.Millisecond},
	}
	_, err := Run(t.Context(), []*Suite{toy.suite(t, scenarios("nothing"))}, subject, Options{Explicit: true})
	if !errors.Is(err, driver.ErrUnreachable) {
		t.Errorf("error = %v, want one that wraps ErrUnreachable", err)
	}
}

// If one operation hangs on a target that answered another, the rest is still examined.
func TestOneProbeHangs(t *testing.T) {
	toy := newToy()
	suite := toy.suite(t, scenarios("nothing", "call"))
	suite.Probes = append(suite.Probes, ping)
	var calls atomic.Int64
	subject := &Subject{
		Driver: inproc.New("half silent", func(ctx context.Context, request []byte) []byte {
			n := calls.Add(1)
			if n == 2 {
				<-ctx.Done()
			}
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{}}`, idPattern.FindSubmatch(request)[1])
		}),
		Deadlines: driver.Deadlines{Call: 50 * time.Millisecond, Handshake: 50 * time.Millisecond},
	}
	report, err := Run(t.Context(), []*Suite{suite}, subject, Options{Explicit: true})
	require.NoError(t, err)
	want := map[string]reports.Status{"TOY-A-01": reports.Passed, "TOY-A-02": reports.Passed}
	if diff := cmp.Diff(want, statusesOf(report)); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
}

func TestInterrupted(t *testing.T) {
	toy := newToy()
	ctx, stop := context.WithCancel(t.Context())
	toy.ends["stop"] = func(context.Context, *Scenario) error {
		stop()
		return nil
	}
	report, err := Run(
		ctx,
		[]*Suite{toy.suite(t, scenarios("nothing", "stop", "call"))},
		alive(),
		Options{Explicit: true},
	)
	require.NoError(t, err)
	want := map[string]reports.Status{"TOY-A-01": reports.Passed, "TOY-A-02": reports.Passed, "TOY-A-03": reports.Error}
	if diff := cmp.Diff(want, statusesOf(report)); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
	if !report.Run.Interrupted ||
		reports.ExitStatus(report, reports.Policy{AllowIncomplete: true}) != reports.ExitIncomplete {
		t.Errorf("interrupted = %v, exit = %v", report.Run.Interrupted, reports.ExitStatus(report, reports.Policy{}))
	}
}

func TestFailFast(t *testing.T) {
	toy := newToy()
	report, err := Run(
		t.Context(),
		[]*Suite{toy.suite(t, scenarios("violation", "nothing"))},
		alive(),
		Options{Explicit: true, FailFast: true},
	)
	require.NoError(t, err)
	want := map[string]reports.Status{"TOY-A-01": reports.Failed, "TOY-A-02": reports.NotApplicable}
	if diff := cmp.Diff(want, statusesOf(report)); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
	if !report.Run.Partial || report.Run.Interrupted {
		t.Errorf("partial = %v, interrupted = %v, want true and false", report.Run.Partial, report.Run.Interrupted)
	}
}

func TestSumHasStatusOfWorstPart(t *testing.T) {
	toy := newToy()
	suite := toy.suite(t, scenarios("nothing", "open"))
	suite.Catalogue.Requirements = append(suite.Catalogue.Requirements, spec.Requirement{
		ID: "TOY-B-01", Level: spec.Must, Actor: "host", Check: spec.Live, SumOf: []string{"TOY-A-01", "TOY-A-02"},
	})
	report, err := Run(t.Context(), []*Suite{suite}, alive(), Options{Explicit: true})
	require.NoError(t, err)
	if got := statusesOf(report)["TOY-B-01"]; got != reports.Inconclusive {
		t.Errorf("status of the sum = %s, want inconclusive", got)
	}
}

func TestFeatureDefects(t *testing.T) {
	for name, text := range map[string]string{
		"no tag":           "Feature: T\n  Scenario: One\n    When it ends with nothing\n",
		"no steps":         "Feature: T\n  @TOY-A-01\n  Scenario: One\n",
		"two requirements": "Feature: T\n  @TOY-A-01 @TOY-A-02\n  Scenario: One\n    When it ends with nothing\n",
		"unknown tag":      "Feature: T\n  @TOY-A-01 @whatever\n  Scenario: One\n    When it ends with nothing\n",
		"a table":          "Feature: T\n  @TOY-A-01\n  Scenario: One\n    When it ends with nothing\n      | a |\n",
		"a text":           "Feature: T\n  @TOY-A-01\n  Scenario: One\n    When it ends with nothing\n      \"\"\"\n      a\n      \"\"\"\n",
		"no gherkin":       "Scenario",
	} {
		if _, err := parseFeature(features.File{Name: "t.feature", Text: []byte(text)}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// holding is a toy that holds a resource.
type holding struct {
	*toy
	closed int
	fails  error
}

func (h *holding) Close() error {
	h.closed++
	return h.fails
}

func TestExaminationsAreClosed(t *testing.T) {
	for name, fails := range map[string]error{"without error": nil, "with error": errors.New("toy: it did not let go")} {
		t.Run(name, func(t *testing.T) {
			h := &holding{toy: newToy(), fails: fails}
			seen := -1
			h.ends["nothing"] = func(context.Context, *Scenario) error { seen = h.closed; return nil }
			s := h.suite(t, scenarios("nothing"))
			s.Examine = func(context.Context, *Subject, *live.Gate) (Examination, error) { return h, nil }
			report, err := Run(t.Context(), []*Suite{s}, alive(), Options{Explicit: true})
			require.NoError(t, err)
			if seen != 0 || h.closed != 1 {
				t.Errorf("closed %d times during the run and %d times in all, want 0 and 1", seen, h.closed)
			}
			var want []string
			if fails != nil {
				want = []string{fails.Error()}
			}
			if diff := cmp.Diff(want, report.Notes); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRestartInThisProcess(t *testing.T) {
	for name, c := range map[string]struct {
		restarter func(context.Context) error
		want      reports.Status
	}{
		"none":  {nil, reports.Inconclusive},
		"works": {func(context.Context) error { return nil }, reports.Passed},
		"fails": {func(context.Context) error { return errors.New("stuck") }, reports.Error},
	} {
		t.Run(name, func(t *testing.T) {
			toy := newToy()
			toy.ends["restart"] = func(ctx context.Context, sc *Scenario) error { return sc.Restart(ctx) }
			subject := alive()
			subject.Restarter = c.restarter
			report, err := Run(
				t.Context(),
				[]*Suite{toy.suite(t, scenarios("restart"))},
				subject,
				Options{Explicit: true},
			)
			require.NoError(t, err)
			if got := statusesOf(report)["TOY-A-01"]; got != c.want {
				t.Errorf("status = %s, want %s", got, c.want)
			}
		})
	}
}

// After a restart, the state that the other suites of a run had configured is gone.
func TestOtherSuitesReconfigureRestartedTarget(t *testing.T) {
	toy, other := newToy(), newToy()
	toy.ends["restart"] = func(ctx context.Context, sc *Scenario) error { return sc.Restart(ctx) }
	other.control = errors.New("does not matter to the first")
	subject := alive()
	subject.Restarter = func(context.Context) error { return nil }
	all := []*Suite{toy.suite(t, scenarios("restart")), other.suite(t, scenarios("nothing"))}
	all[1].Name = "other"
	report, err := Run(t.Context(), all, subject, Options{Explicit: true})
	require.NoError(t, err)
	if got := report.Suites[0].Requirements[0].Status; got != reports.Passed || other.controls.Load() != 1 {
		t.Errorf("the restart is %s, and the other suite was called %d times", got, other.controls.Load())
	}
}
