package suites

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/cucumber/godog"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/recording"
	"github.com/capconform/capconform/suites/verdict"
)

// errFailFast ends a run at its first failure.
var errFailFast = errors.New(reports.EndedByFailFast)

// run is one suite at work on one subject.
type run struct {
	began       time.Time // when the run did, with all its suites
	suite       *Suite
	subject     *Subject
	session     driver.Session
	origin      *origin
	examination Examination
	others      []otherSuite // the other suites of this run
	health      *health
	grace       grace
	failFast    func()
	progress    func(Event)
	journal     *recording.Journal
	past        *past          // nil: the target is asked
	silent      map[*Case]bool // that are not reported

	performing   sync.Mutex
	performances map[string]*Memo[*Unperformed]
}

// otherSuite is an examination with the session that it talks over.
type otherSuite struct {
	Examination
	session driver.Session
}

// caseResult is the result of one scenario.
type caseResult struct {
	kase      *Case
	status    reports.Status
	err       error     // what decided, nil where it passed
	step      string    // the sentence that decided
	harness   bool      // our own fault
	provided  string    // what made an answer in the target's place
	began     time.Time // when the run did
	started   time.Time
	took      time.Duration
	exchanges []driver.Exchange
	remarks   []reports.Remark
	scenario  *Scenario             // nil where it was settled beforehand
	kinds     []reports.FailureKind // of breaches
	left      []verdict.Breach      // that belong to its requirement
	ended     bool                  // nothing changes any more; guarded by the unit
}

// unit is what one godog run executes: scenarios of one feature, in its order.
type unit struct {
	feature *feature
	cases   []*Case
	begun   int // how many of them

	mu      sync.Mutex
	records []*caseResult
	left    bool // the run went on without it: see grace
}

// execute runs the cases: first those that act or read documents, beside each other, and
// then those that judge everything, one by one.
func (r *run) execute(ctx context.Context, cases []*Case, workers int) []*caseResult {
	var records []*caseResult
	for _, phase := range r.units(cases) {
		records = append(records, r.pool(ctx, phase.units, min(workers, phase.workers))...)
	}
	return records
}

// phase is a part of a run: units that are executed beside each other.
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
	completed := r.grace.wait(func() {
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
	var records []*caseResult
	for _, u := range units {
		if !completed {
			u.leave(context.Cause(ctx))
		}
		records = append(records, u.complete()...)
	}
	return records
}

// runUnit is one TestSuite.Run: godog's time and memory grow badly with one
// large run, and its exit code is no verdict.
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

// text is the feature with the scenarios of the unit alone, and nothing beside
// their steps: godog reads it anew in each run, and tags and prose take longest.
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

// initialize is called once a scenario, one after the other in the order of the
// unit: scenario and record belong to it alone.
func (r *run) initialize(ctx context.Context, u *unit, sc *godog.ScenarioContext) {
	scenario := &Scenario{Subject: r.subject, run: r, session: r.session}
	c := u.cases[min(u.begun, len(u.cases)-1)]
	u.begun++
	var rec *caseResult
	sc.Before(func(stepCtx context.Context, p *godog.Scenario) (context.Context, error) {
		if p.Name != c.Name {
			return stepCtx, godog.ErrSkip // one of the plan is missing then, which complete tells
		}
		scenario.Case = c
		rec = &caseResult{kase: c, status: reports.Passed, began: r.began, started: time.Now()}
		if !u.add(rec) {
			return stepCtx, godog.ErrSkip
		}
		if cause := context.Cause(ctx); cause != nil {
			rec.end(cause)
			return stepCtx, godog.ErrSkip
		}
		about := map[string]string{"requirement": c.Requirement}
		what := recording.Label{Suite: r.suite.Name, Stimulus: recording.Scenario, About: about}
		stepCtx = recording.Labelled(scenario.within(stepCtx), what)
		if provoker, provokes := r.examination.(Provoker); c.Universal && provokes {
			provoker.PerformAll(stepCtx, scenario)
		}
		return stepCtx, nil
	})
	sc.StepContext().After(func(stepCtx context.Context, st *godog.Step, status godog.StepResultStatus,
		err error) (context.Context, error) {
		if rec != nil {
			rec.note(st.Text, status, err)
		}
		return stepCtx, nil
	})
	sc.After(func(stepCtx context.Context, _ *godog.Scenario, _ error) (context.Context, error) {
		if rec != nil && u.finish(func() { r.close(rec, scenario) }, rec) {
			r.tell(rec)
		}
		return stepCtx, nil
	})
	r.examination.Steps(u.feature.vocabulary(c, sc), scenario)
}

func (r *run) close(rec *caseResult, scenario *Scenario) {
	rec.took = time.Since(rec.started)
	if len(scenario.verdicts) > 0 {
		rec.scenario = scenario
	}
	if rec.status == reports.Passed {
		rec.judge(scenario, scenario.breaches())
	}
	rec.provided = scenario.providedBy()
	rec.remarks = scenario.remarked()
}

// tell passes on that a scenario has ended.
func (r *run) tell(rec *caseResult) {
	if r.progress != nil && !r.silent[rec.kase] {
		r.progress(Event{Suite: r.suite.Name, Case: rec.kase, Status: rec.status})
	}
	if rec.status == reports.Failed && r.failFast != nil && !r.silent[rec.kase] && r.binding(rec.kase.Requirement) {
		r.failFast()
	}
}

func (r *run) binding(id string) bool {
	req, ok := r.suite.Catalogue.Lookup(id)
	return ok && req.Level.Binding()
}

// note takes what godog says of one step; the first step that did not pass decides.
func (rec *caseResult) note(step string, status godog.StepResultStatus, err error) {
	if rec.status != reports.Passed || status == godog.StepPassed {
		return
	}
	rec.step = step
	switch status {
	case godog.StepFailed:
		rec.end(err)
	case godog.StepSkipped:
		rec.end(fmt.Errorf("skipped without a reason: %w", err))
	default:
		rec.end(fmt.Errorf("step %q is %v", step, status))
	}
}

// end gives the record the status that its error means.
func (rec *caseResult) end(err error) {
	var (
		violation *verdict.Violation
		open      *verdict.Inconclusive
		not       *verdict.NotApplicable
		lost      *driver.CallError
		limit     *verdict.LimitError
	)
	rec.err = err
	switch {
	case errors.As(err, &violation):
		rec.status = reports.Failed
	case errors.As(err, &open):
		rec.status = reports.Inconclusive
	case errors.As(err, &not):
		rec.status = reports.NotApplicable
	case errors.Is(err, driver.ErrThrottled):
		rec.status = reports.Inconclusive
	case errors.Is(err, errFailFast):
		rec.status = reports.NotApplicable
	case errors.As(err, &lost), errors.As(err, &limit), errors.Is(err, verdict.ErrTargetDied),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		rec.status = reports.Error
	default:
		rec.status = reports.Error
		rec.harness = true
	}
}

// add keeps a record, unless the unit was left.
func (u *unit) add(rec *caseResult) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.left {
		u.records = append(u.records, rec)
	}
	return !u.left
}

// finish closes a record, unless the unit was left.
func (u *unit) finish(closing func(), rec *caseResult) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.left {
		closing()
		rec.ended = true
	}
	return !u.left
}

// leave gives every scenario that has not ended the cause for which the run did.
func (u *unit) leave(cause error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.left = true
	u.records = slices.DeleteFunc(u.records, func(rec *caseResult) bool { return !rec.ended })
	for _, c := range u.cases {
		if !slices.ContainsFunc(u.records, func(rec *caseResult) bool { return rec.kase == c }) {
			rec := &caseResult{kase: c}
			rec.end(cause)
			u.records = append(u.records, rec)
		}
	}
}

// complete checks that every planned scenario left exactly one record.
func (u *unit) complete() []*caseResult {
	u.mu.Lock()
	defer u.mu.Unlock()
	count := map[*Case]int{}
	for _, rec := range u.records {
		count[rec.kase]++
	}
	for _, c := range u.cases {
		if count[c] != 1 {
			u.records = append(u.records, &caseResult{
				kase: c, status: reports.Error, harness: true,
				err: fmt.Errorf("suites: scenario recorded %d times, want once", count[c]),
			})
		}
	}
	return u.records
}

// Event tells that a scenario ended.
type Event struct {
	Suite  string
	Case   *Case
	Status reports.Status
	Total  int // scenarios planned in all suites; set in the first event alone, which has no Case
}
