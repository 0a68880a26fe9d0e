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
var errFailFast = errors.New(reports.ReasonFailFast)

// caseResult is the result of one scenario.
type caseResult struct {
	testCase  *Case
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
func (result *caseResult) note(step string, status godog.StepResultStatus, err error) {
	if result.status != reports.Passed || status == godog.StepPassed {
		return
	}
	result.step = step
	switch status {
	case godog.StepFailed:
		result.end(err)
	case godog.StepSkipped:
		result.end(fmt.Errorf("skipped without a reason: %w", err))
	default:
		result.end(fmt.Errorf("step %q is %v", step, status))
	}
}

// end sets the error of the result and the status that follows from it.
func (result *caseResult) end(err error) {
	var (
		violation *verdict.Violation
		open      *verdict.Inconclusive
		not       *verdict.NotApplicable
		lost      *driver.CallError
		limit     *verdict.LimitError
	)
	result.err = err
	switch {
	case errors.As(err, &violation):
		result.status = reports.Failed
	case errors.As(err, &open):
		result.status = reports.Inconclusive
	case errors.As(err, &not):
		result.status = reports.NotApplicable
	case errors.Is(err, driver.ErrThrottled):
		result.status = reports.Inconclusive
	case errors.Is(err, errFailFast):
		result.status = reports.NotApplicable
	case errors.As(err, &lost), errors.As(err, &limit), errors.Is(err, verdict.ErrTargetDied),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		result.status = reports.Error
	default:
		result.status = reports.Error
		result.harness = true
	}
}

// judge sets the status of the result from the breaches and the verdicts of the scenario.
func (result *caseResult) judge(s *Scenario, breaches []verdict.Breach) {
	result.exchanges, result.kinds, result.left = nil, nil, breaches
	if len(breaches) == 0 {
		result.status, result.err = reports.Passed, nil
		if err := s.open(); err != nil {
			result.end(err)
		}
		return
	}
	b := worst(breaches)
	result.kinds = kinds(breaches)
	result.end(&verdict.Violation{Message: b.Message, Want: b.Want, Got: b.Got, Hint: b.Hint,
		Findings: findingsOf(breaches)})
	for _, begun := range b.Entries {
		if exchange, ok := s.shared.exchangeOf(begun); ok {
			result.exchanges = append(result.exchanges, exchange)
		}
	}
}
