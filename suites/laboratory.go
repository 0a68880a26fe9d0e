package suites

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/recording"
	"github.com/capconform/capconform/suites/transcript"
	"github.com/capconform/capconform/suites/verdict"
)

// Laboratory lets a stimulus call the target. Every call becomes an entry of the record and of the
// history that the suite reads (DESIGN section 5). A Laboratory is safe for concurrent use.
type Laboratory struct {
	Subject  *Subject
	scenario *Scenario
	stimulus string
}

// Laboratory returns a laboratory for a stimulus that settles a doubt. Unlike a stimulus under
// Perform, such a stimulus may be performed more than once.
func (s *Scenario) Laboratory(stimulus string) *Laboratory {
	return &Laboratory{Subject: s.Subject, scenario: s, stimulus: stimulus}
}

// Call is one call of a stimulus.
type Call struct {
	// About contains the parameters of the stimulus, such as the role, the form of a correlation or
	// the keyword that an input violates. The values are the same in every run: no prose and no
	// generated values.
	About     map[string]string
	Links     []record.Link // to earlier entries
	Operation driver.Operation
	Limit     time.Duration // if 0, the deadline of one call
	Opens     bool          // the call opens a further connection, for which the target may have to start
}

// Do makes a call and returns its entry with the answer and the error of the session. It records an
// entry in every case, even if the policy excluded the call or the run had ended. If the target
// closes the connection, Do repeats the call once, with an entry linked by retry-of. It repeats a
// call that opens a connection also if no answer arrives in time, and then waits as long as for a
// handshake. If the connection is closed again, or if no answer to a whole message arrives in time,
// Do makes the control call, with an entry linked by control-of.
func (l *Laboratory) Do(ctx context.Context, c Call) (record.Entry, driver.Answer, error) {
	e, answer, err := l.once(ctx, c)
	if c.Operation.Message && errors.Is(err, driver.ErrTimeout) {
		l.control(ctx, e)
	}
	late := c.Opens && errors.Is(err, driver.ErrTimeout)
	if !errors.Is(err, driver.ErrClosed) && !late {
		return e, answer, err
	}
	again := c
	if late {
		again.Limit = max(l.Subject.Deadlines.Handshake, l.Subject.Deadlines.Call)
	}
	again.Links = append(slices.Clone(c.Links), record.Link{Relation: record.RetryOf, To: e.Begun})
	e, answer, err = l.once(ctx, again)
	if errors.Is(err, driver.ErrClosed) {
		l.control(ctx, e)
	}
	return e, answer, err
}

// once makes one call.
func (l *Laboratory) once(ctx context.Context, c Call) (record.Entry, driver.Answer, error) {
	run := l.scenario.shared
	var taken record.Entry
	what := recording.Label{
		Suite: run.suiteName, Stimulus: l.stimulus, About: maps.Clone(c.About), Links: c.Links, Taken: &taken,
	}
	limit := c.Limit
	if limit == 0 {
		limit = l.Subject.Deadlines.Call
	}
	answer, err := l.scenario.askOnce(recording.Labelled(ctx, what), c.Operation, limit)
	if taken.Begun == 0 { // nothing was sent
		taken = what.Entry(run.journal, c.Operation)
		taken.Done, taken.Outcome = run.journal.Tick(), record.NotSent
		if err != nil {
			taken.Error = transcript.FaultOf(err)
		}
		run.journal.Add(taken, transcript.ExchangeOf(answer, err))
	}
	return taken, answer, err
}

// control makes the control call after a call whose connection was closed twice, or a message that was not answered.
func (l *Laboratory) control(ctx context.Context, of record.Entry) {
	run := l.scenario.shared
	what := recording.Label{
		Suite: run.suiteName, Stimulus: recording.Control,
		Links: []record.Link{{Relation: record.ControlOf, To: of.Begun}},
	}
	_ = run.examination.Control(recording.Labelled(ctx, what), l.scenario.session) // the entry contains the outcome
}

// Discover makes a read-only call of a discovery. As in Laboratory.Do, if the target closes the
// connection, Discover repeats the call once and then makes the control call.
func Discover(
	ctx context.Context, session driver.Session, op driver.Operation, limit time.Duration,
	control func(context.Context, driver.Session) error,
) (driver.Answer, error) {
	what := recording.LabelOf(ctx)
	once := func(links ...record.Link) (record.Tick, driver.Answer, error) {
		var taken record.Entry
		with := what
		with.Links, with.Taken = links, &taken
		ctx, cancel := context.WithTimeout(recording.Labelled(ctx, with), limit)
		defer cancel()
		answer, err := session.Call(ctx, op)
		return taken.Begun, answer, err
	}
	begun, answer, err := once()
	if !errors.Is(err, driver.ErrClosed) {
		return answer, err
	}
	begun, answer, err = once(record.Link{Relation: record.RetryOf, To: begun})
	if errors.Is(err, driver.ErrClosed) {
		what.Stimulus, what.Links = recording.Control, []record.Link{{Relation: record.ControlOf, To: begun}}
		_ = control(recording.Labelled(ctx, what), session) // the entry contains the outcome
	}
	return answer, err
}

// Stimulus makes calls that provoke answers of the target. It returns nil if it was completely
// performed.
type Stimulus func(context.Context, *Laboratory) *Unperformed

// Perform performs a stimulus once in each run: all scenarios that use the same name share it. The
// name is a fixed word that appears in the record. The error is the reason why the stimulus was not
// performed.
func (s *Scenario) Perform(ctx context.Context, name string, stimulus Stimulus) error {
	done := s.shared.performance(name).Get(func() (*Unperformed, bool) {
		if s.shared.recorded != nil {
			return s.shared.recorded.performed(name), true
		}
		l := &Laboratory{Subject: s.Subject, scenario: s, stimulus: name}
		what := recording.Label{Suite: s.shared.suiteName, Stimulus: name}
		begun := s.shared.journal.Tick()
		undone := stimulus(recording.Labelled(ctx, what), l)
		if ctx.Err() != nil { // the run ended before the stimulus did: it is performed again, or never
			return undone, false
		}
		e := record.Entry{Begun: begun, Suite: what.Suite, Party: record.Target, Stimulus: name, Outcome: record.Performed}
		if undone != nil {
			e.Outcome, e.Error = record.NotPerformed, transcript.FaultOf(undone.Cause)
		}
		e.Done = s.shared.journal.Tick()
		s.shared.journal.Add(e, driver.Exchange{})
		return undone, true
	})
	if done == nil {
		return nil
	}
	return done.Cause
}

// Restart restarts the target and waits until it serves again.
func (l *Laboratory) Restart(ctx context.Context) error { return l.scenario.Restart(ctx) }

// Act is one stimulus of a suite. C is the type that performs it.
type Act[C any] struct {
	Name    string // its name in the record
	Perform func(C, context.Context, *Laboratory) error
}

// PerformEach performs stimuli in order, each once in a run. If a stimulus is not performed, the
// record contains the reason.
func PerformEach[C any](ctx context.Context, sc *Scenario, by C, all []Act[C]) {
	for _, act := range all {
		_ = sc.Perform(ctx, act.Name, func(ctx context.Context, l *Laboratory) *Unperformed {
			return NewUnperformed(act.Perform(by, ctx, l))
		})
	}
}

// Provoker is an Examination that performs every stimulus of its suite once; the stimuli that must
// run alone come last. A scenario that judges everything begins with PerformAll. If a stimulus
// cannot be performed, the record contains the reason.
type Provoker interface {
	PerformAll(ctx context.Context, sc *Scenario)
}

// Unperformed is the reason why a stimulus was not completely performed. The record contains the
// calls that it made before. A stimulus returns nothing else, so it cannot report a breach.
type Unperformed struct {
	Cause error // an *Inconclusive, a *NotApplicable or the error of a call
}

// NewUnperformed returns an Unperformed with the cause, or nil if the cause is nil. A *verdict.Violation
// is not a valid cause: NewUnperformed replaces it with an error of the harness.
func NewUnperformed(cause error) *Unperformed {
	var breach *verdict.Violation
	switch {
	case cause == nil:
		return nil
	case errors.As(cause, &breach):
		return &Unperformed{Cause: errors.New("suites: a stimulus reports a breach: " + breach.Message)}
	}
	return &Unperformed{Cause: cause}
}
