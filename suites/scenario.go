package suites

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/driver"
)

// Scenario is what one scenario may use: its case, the subject, and a session
// whose every exchange is kept for the transcript.
type Scenario struct {
	Case    *Case
	Subject *Subject
	run     *run
	session driver.Session
	started time.Time

	mu        sync.Mutex
	exchanges []driver.Exchange
	provided  string   // what made an answer that was cited
	mappings  []string // by which each answer was made that is judged: see rest
	verdicts  []Verdict
	remarks   []reports.Remark
}

// Remark notes places in documents that break nothing and are worth a look.
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

// Call carries an operation to the target, with the deadline of one call, and
// puts it into the transcript.
func (s *Scenario) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	answer, err := s.Ask(ctx, op, s.Subject.Deadlines.Call)
	s.Cite(answer, err)
	return answer, err
}

// Ask carries an operation to the target within a deadline and leaves it to the
// caller what of it stands in the transcript: see Cite.
//
// It asks once more where the connection was closed: only a host that closes it
// twice, and still serves something else, owes the answer (DESIGN section 6).
func (s *Scenario) Ask(ctx context.Context, op driver.Operation, limit time.Duration) (driver.Answer, error) {
	answer, err := s.AskOnce(ctx, op, limit)
	if !errors.Is(err, driver.ErrClosed) {
		return answer, err
	}
	answer, err = s.AskOnce(ctx, op, limit)
	if !errors.Is(err, driver.ErrClosed) {
		return answer, err
	}
	if control := s.run.examination.Control(ctx, s.session); control != nil {
		return answer, err
	}
	s.Cite(answer, err)
	return answer, &Violation{
		Message: fmt.Sprintf("the connection is closed where an answer to %s is owed", op.Name),
		Want:    "an answer, as the target gives to other calls",
		Got:     "the connection closed, twice: " + err.Error(),
	}
}

// AskOnce is Ask without the second attempt.
func (s *Scenario) AskOnce(ctx context.Context, op driver.Operation, limit time.Duration) (driver.Answer, error) {
	if err := context.Cause(ctx); err != nil {
		return driver.Answer{}, &driver.CallError{Kind: driver.ErrCancelled, Detail: err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	answer, err := s.session.Call(ctx, op)
	if s.run.health.note(err) {
		s.suspect(err)
	}
	return answer, err
}

// suspect asks for the simplest thing before a target counts as dead: one that
// is silent in a single matter still lives.
func (s *Scenario) suspect(err error) {
	ctx, cancel := context.WithTimeout(labelled(context.Background(), label{suite: s.run.suite.Name, stimulus: stimulusControl}), s.Subject.Deadlines.Call)
	defer cancel()
	if s.run.examination.Control(ctx, s.session) == nil {
		s.run.health.revive()
		return
	}
	s.run.health.dead(fmt.Errorf("%w: %w", ErrTargetDied, err))
}

// Cite puts an exchange into the transcript, also one that was made for another
// scenario of the run. An answer that a mapping made marks the scenario as kept
// by the mapping.
func (s *Scenario) Cite(answer driver.Answer, err error) {
	exchange := answer.Exchange
	var lost *driver.CallError
	if errors.As(err, &lost) {
		exchange = lost.Exchange
	}
	s.Consult(answer)
	s.mu.Lock()
	defer s.mu.Unlock()
	if exchange.Operation != "" {
		s.exchanges = append(s.exchanges, exchange)
	}
	if s.provided == "" {
		s.provided = answer.Provided
	}
}

// Session gives the session itself, for what is done beside the transcript.
func (s *Scenario) Session() driver.Session { return s.session }

func (s *Scenario) transcript() []driver.Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exchanges
}

// health watches whether the target still lives, so that a dead one is told
// once and not by every scenario that follows.
type health struct {
	mu      sync.Mutex
	misses  int
	refused int
	dead    func(cause error)
}

// How many calls in a row may stay without answer before the target counts as
// dead. A single lost call may be the defect that a scenario looks for.
const (
	missesAllowed  = 4
	refusalsBefore = 2
)

// note counts, and reports whether the target is to be suspected.
func (h *health) note(err error) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case errors.Is(err, driver.ErrTimeout):
		h.misses++
	case errors.Is(err, driver.ErrUnreachable):
		h.refused++
	case errors.Is(err, driver.ErrClosed), errors.Is(err, driver.ErrCancelled):
		return false // a new connection tells the rest
	default:
		h.misses, h.refused = 0, 0
		return false
	}
	return h.misses >= missesAllowed || h.refused >= refusalsBefore
}

func (h *health) revive() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.misses, h.refused = 0, 0
}
