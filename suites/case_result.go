package suites

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cucumber/godog"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/verdict"
)

// errFailFast ends a run at its first failure.
var errFailFast = errors.New(reports.EndedByFailFast)

// caseResult is the result of one scenario.
type caseResult struct {
	kase      *Case
	status    reports.Status
	err       error     // the error that decided the status; nil if the scenario passed
	step      string    // the sentence that decided the status
	harness   bool      // the harness is at fault
	provided  string    // the mapping that made an answer in place of the target
	began     time.Time // when the run began
	started   time.Time
	took      time.Duration
	exchanges []driver.Exchange
	remarks   []reports.Remark
	scenario  *Scenario             // nil if the scenario was not run
	kinds     []reports.FailureKind // the kinds of breaches
	left      []verdict.Breach      // the breaches that belong to its requirement
	ended     bool                  // the result is final; guarded by the unit
}

// note records the status of one step. The first step that does not pass decides.
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

// end sets the error of the result and the status that follows from it.
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

// judge sets the status of the result from the breaches and the verdicts of the scenario.
func (rec *caseResult) judge(s *Scenario, breaches []verdict.Breach) {
	rec.exchanges, rec.kinds, rec.left = nil, nil, breaches
	if len(breaches) == 0 {
		rec.status, rec.err = reports.Passed, nil
		if err := s.open(); err != nil {
			rec.end(err)
		}
		return
	}
	b := worst(breaches)
	rec.kinds = kinds(breaches)
	rec.end(&verdict.Violation{Message: b.Message, Want: b.Want, Got: b.Got, Hint: b.Hint})
	for _, begun := range b.Entries {
		if exchange, ok := s.shared.exchangeOf(begun); ok {
			rec.exchanges = append(rec.exchanges, exchange)
		}
	}
}
