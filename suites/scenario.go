package suites

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/recording"
	"github.com/capconform/capconform/suites/verdict"
)

// Scenario is the context of one running scenario: its case, the subject, and the stimuli that it
// performs. It keeps the verdicts of its judgements.
type Scenario struct {
	Case    *Case
	Subject *Subject
	shared  *shared
	session driver.Session

	mu       sync.Mutex
	mappings []string // the mappings that made what the judgements read; "" stands for the target
	verdicts []verdict.Verdict
	remarks  []reports.Remark
}

// Remark adds remarks on places in documents that violate nothing but deserve attention.
func (s *Scenario) Remark(remarks ...reports.Remark) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remarks = append(s.remarks, remarks...)
}

func (s *Scenario) remarked() []reports.Remark {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.remarks
}

// Ask calls an operation of the target within a time limit. If the connection is closed, it repeats
// the call once. The call does not belong to a stimulus: see Laboratory.
func (s *Scenario) Ask(ctx context.Context, op driver.Operation, limit time.Duration) (driver.Answer, error) {
	answer, err := s.askOnce(ctx, op, limit)
	if errors.Is(err, driver.ErrClosed) {
		return s.askOnce(ctx, op, limit)
	}
	return answer, err
}

// askOnce is Ask without the repetition.
func (s *Scenario) askOnce(ctx context.Context, op driver.Operation, limit time.Duration) (driver.Answer, error) {
	if err := context.Cause(ctx); err != nil {
		return driver.Answer{}, &driver.CallError{Kind: driver.ErrCancelled, Detail: err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	answer, err := s.session.Call(ctx, op)
	if s.shared.health.note(err) {
		s.confirmDeath(err)
	}
	return answer, err
}

// confirmDeath makes the control call before the target counts as dead: a target that does not answer
// one operation may still be alive.
func (s *Scenario) confirmDeath(err error) {
	ctx, cancel := context.WithTimeout(recording.Labelled(context.Background(),
		recording.Label{Suite: s.shared.suiteName, Stimulus: recording.Control}), s.Subject.Deadlines.Call)
	defer cancel()
	if s.shared.examination.Control(ctx, s.session) == nil {
		s.shared.health.reset()
		return
	}
	s.shared.health.dead(fmt.Errorf("%w: %w", verdict.ErrTargetDied, err))
}

// providedBy returns the mapping that made an answer that the scenario judges, in place of the
// target. It returns "" if the target made all of them. For a scenario that read no answer, it
// returns the first mapping that was used before the scenarios.
func (s *Scenario) providedBy() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.mappings) == 0 {
		return s.shared.origin.first()
	}
	return cmp.Or(s.mappings...)
}

// health observes whether the target is still alive, so that its death is reported once and not by
// every scenario that follows.
type health struct {
	mu      sync.Mutex
	misses  int
	refused int
	closed  int
	dead    func(cause error)
}

// The numbers of consecutive failed calls after which the target may be dead. A single lost call
// may be the defect that a scenario looks for.
const (
	missesAllowed  = 4
	refusalsBefore = 2
	closedAllowed  = 8
)

// note counts the result of a call and reports whether the target may be dead.
func (h *health) note(err error) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case errors.Is(err, driver.ErrTimeout):
		h.misses++
	case errors.Is(err, driver.ErrUnreachable):
		h.refused++
	case errors.Is(err, driver.ErrClosed):
		h.closed++
	case errors.Is(err, driver.ErrCancelled):
		return false
	default:
		h.misses, h.refused, h.closed = 0, 0, 0
		return false
	}
	return h.misses >= missesAllowed || h.refused >= refusalsBefore || h.closed >= closedAllowed
}

func (h *health) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.misses, h.refused, h.closed = 0, 0, 0
}
