package suites

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/cucumber/godog"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/grace"
	"github.com/capconform/capconform/suites/recording"
)

// run is one run of one suite on one subject.
type run struct {
	shared
	began    time.Time // when the run of all suites began
	suite    *Suite
	subject  *Subject
	grace    grace.Period
	failFast func()
	progress func(Event)
	silent   map[*Case]bool // the cases that are not reported
}

// unit is what one godog run executes: scenarios of one feature, in the order of the feature.
type unit struct {
	feature *feature
	cases   []*Case
	begun   int // how many cases have begun

	mu        sync.Mutex
	results   []*caseResult
	abandoned bool // the run abandoned the unit: see grace
}

// execute runs the cases: first those that act or read documents, concurrently, and then those that
// judge everything, one at a time.
func (r *run) execute(ctx context.Context, cases []*Case, workers int) []*caseResult {
	var results []*caseResult
	for _, phase := range r.units(cases) {
		results = append(results, r.pool(ctx, phase.units, min(workers, phase.workers))...)
	}
	return results
}

// phase is a part of a run: units that are executed concurrently.
type phase struct {
	units   []*unit
	workers int
}

func (r *run) units(cases []*Case) []phase {
	wanted := map[*Case]bool{}
	for _, c := range cases {
		wanted[c] = true
	}
	phases := []phase{{workers: len(cases)}, {workers: 1}}
	for _, f := range r.suite.features {
		var parts [2]*unit
		for _, c := range f.cases {
			if !wanted[c] {
				continue
			}
			n := 0
			if c.Universal {
				n = 1
			}
			if parts[n] == nil {
				parts[n] = &unit{feature: f}
				phases[n].units = append(phases[n].units, parts[n])
			}
			parts[n].cases = append(parts[n].cases, c)
		}
	}
	return phases
}

func (r *run) pool(ctx context.Context, units []*unit, workers int) []*caseResult {
	queue := make(chan *unit, len(units))
	for _, u := range units {
		queue <- u
	}
	close(queue)
	completed := r.grace.Wait(func() {
		var wg sync.WaitGroup
		for range max(1, min(workers, len(units))) {
			wg.Go(func() {
				for u := range queue {
					r.runUnit(ctx, u)
				}
			})
		}
		wg.Wait()
	})
	var results []*caseResult
	for _, u := range units {
		if !completed {
			u.abandon(context.Cause(ctx))
		}
		results = append(results, u.complete()...)
	}
	return results
}

// runUnit runs one godog.TestSuite. The time and memory of godog grow too fast with one large run,
// and its exit code is not a verdict.
func (r *run) runUnit(ctx context.Context, u *unit) {
	godog.TestSuite{
		Name:                r.suite.Name,
		ScenarioInitializer: func(sc *godog.ScenarioContext) { r.initialize(ctx, u, sc) },
		Options: &godog.Options{
			Format: "progress", Output: io.Discard, NoColors: true, Strict: true, Concurrency: 1,
			FeatureContents: []godog.Feature{{Name: u.feature.file.Name, Contents: u.text()}},
			DefaultContext:  ctx,
		},
	}.Run()
}

// text returns a feature that contains only the scenarios of the unit, with their steps. godog
// parses it again in each run, and tags and descriptions take most of that time.
func (u *unit) text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Feature: %s\n", u.feature.file.Name)
	for _, c := range u.cases {
		fmt.Fprintf(&b, "Scenario: %s\n", c.Name)
		for _, step := range c.Steps {
			fmt.Fprintf(&b, "* %s\n", step)
		}
	}
	return b.Bytes()
}

// initialize sets up one scenario. godog calls it once for each scenario, sequentially and in the
// order of the unit, so scenario and result are not shared.
func (r *run) initialize(ctx context.Context, u *unit, sc *godog.ScenarioContext) {
	scenario := &Scenario{Subject: r.subject, shared: &r.shared, session: r.session}
	c := u.cases[min(u.begun, len(u.cases)-1)]
	u.begun++
	var result *caseResult
	sc.Before(func(stepCtx context.Context, p *godog.Scenario) (context.Context, error) {
		if p.Name != c.Name {
			return stepCtx, godog.ErrSkip // complete then reports that a planned scenario is missing
		}
		scenario.Case = c
		result = &caseResult{testCase: c, status: reports.Passed, began: r.began, started: time.Now()}
		if !u.add(result) {
			return stepCtx, godog.ErrSkip
		}
		if cause := context.Cause(ctx); cause != nil {
			result.end(cause)
			return stepCtx, godog.ErrSkip
		}
		about := map[string]string{"requirement": c.Requirement}
		what := recording.Label{Suite: r.suite.Name, Stimulus: recording.Scenario, About: about}
		stepCtx = recording.Labelled(withinScenario(stepCtx), what)
		if provoker, provokes := r.examination.(Provoker); c.Universal && provokes {
			provoker.PerformAll(stepCtx, scenario)
		}
		return stepCtx, nil
	})
	sc.StepContext().After(func(stepCtx context.Context, st *godog.Step, status godog.StepResultStatus,
		err error) (context.Context, error) {
		if result != nil {
			result.note(st.Text, status, err)
		}
		return stepCtx, nil
	})
	sc.After(func(stepCtx context.Context, _ *godog.Scenario, _ error) (context.Context, error) {
		if result != nil && u.finish(func() { r.finishScenario(result, scenario) }, result) {
			r.report(result)
		}
		return stepCtx, nil
	})
	r.examination.Steps(u.feature.vocabulary(c, sc), scenario)
}

func (r *run) finishScenario(result *caseResult, scenario *Scenario) {
	result.took = time.Since(result.started)
	if len(scenario.verdicts) > 0 {
		result.scenario = scenario
	}
	if result.status == reports.Passed {
		result.judge(scenario, scenario.breaches())
	}
	result.provided = scenario.providedBy()
	result.remarks = scenario.remarked()
}

// report reports that a scenario has ended.
func (r *run) report(result *caseResult) {
	if r.progress != nil && !r.silent[result.testCase] {
		r.progress(Event{Suite: r.suite.Name, Case: result.testCase, Status: result.status})
	}
	if result.status == reports.Failed && r.failFast != nil && !r.silent[result.testCase] &&
		r.binding(result.testCase.Requirement) {
		r.failFast()
	}
}

func (r *run) binding(id string) bool {
	req, ok := r.suite.Catalogue.Lookup(id)
	return ok && req.Level.Binding()
}

// add adds a result and reports whether it did. It does nothing if the unit was abandoned.
func (u *unit) add(result *caseResult) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.abandoned {
		u.results = append(u.results, result)
	}
	return !u.abandoned
}

// finish closes a result and reports whether it did. It does nothing if the unit was abandoned.
func (u *unit) finish(closing func(), result *caseResult) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.abandoned {
		closing()
		result.ended = true
	}
	return !u.abandoned
}

// abandon abandons the unit: every scenario that has not ended ends with the cause for which the run
// ended.
func (u *unit) abandon(cause error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.abandoned = true
	u.results = slices.DeleteFunc(u.results, func(result *caseResult) bool { return !result.ended })
	for _, c := range u.cases {
		if !slices.ContainsFunc(u.results, func(result *caseResult) bool { return result.testCase == c }) {
			result := &caseResult{testCase: c}
			result.end(cause)
			u.results = append(u.results, result)
		}
	}
}

// complete returns the results of the unit. A planned scenario without exactly one result gets an
// error result.
func (u *unit) complete() []*caseResult {
	u.mu.Lock()
	defer u.mu.Unlock()
	count := map[*Case]int{}
	for _, result := range u.results {
		count[result.testCase]++
	}
	for _, c := range u.cases {
		if count[c] != 1 {
			u.results = append(u.results, &caseResult{
				testCase: c, status: reports.Error, harness: true,
				err: fmt.Errorf("suites: scenario recorded %d times, want once", count[c]),
			})
		}
	}
	return u.results
}

// Event reports that a scenario ended.
type Event struct {
	Suite  string
	Case   *Case
	Status reports.Status
	Total  int // number of planned scenarios of all suites; set only in the first event, which has no Case
}
