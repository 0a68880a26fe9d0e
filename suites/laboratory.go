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

// Laboratory lets a stimulus call the target. Every call becomes an entry of the record
// and of the history that the suite reads (DESIGN section 5). It is safe for concurrent
// use.
type Laboratory struct {
	Subject  *Subject
	scenario *Scenario
	stimulus string
}

// Laboratory gives what settles a doubt its laboratory: unlike Perform, it may be asked for
// more than once.
func (s *Scenario) Laboratory(stimulus string) *Laboratory {
	return &Laboratory{Subject: s.Subject, scenario: s, stimulus: stimulus}
}

// Call is one call of a stimulus.
type Call struct {
	// About gives the parameters of the stimulus, such as the role, the form of a
	// correlation or the keyword that an input breaks. The values are the same in every
	// run: no prose, no generated value.
	About     map[string]string
	Links     []record.Link // to earlier entries
	Operation driver.Operation
	Limit     time.Duration // 0: the deadline of one call
}

// Do makes a call. The entry holds whatever came of it, also where the policy did not
// admit the call or the run had ended; answer and error are those of the session. A
// connection that is closed is tried once more, and then the subject is asked for the
// simplest thing: the entries are linked by retry-of and control-of.
func (l *Laboratory) Do(ctx context.Context, c Call) (record.Entry, driver.Answer, error) {
	e, answer, err := l.once(ctx, c)
	if !errors.Is(err, driver.ErrClosed) {
		return e, answer, err
	}
	again := c
	again.Links = append(slices.Clone(c.Links), record.Link{Relation: record.RetryOf, To: e.Begun})
	e, answer, err = l.once(ctx, again)
	if errors.Is(err, driver.ErrClosed) {
		l.control(ctx, e)
	}
	return e, answer, err
}

// once makes one call.
func (l *Laboratory) once(ctx context.Context, c Call) (record.Entry, driver.Answer, error) {
	run := l.scenario.run
	var taken record.Entry
	what := recording.Label{
		Suite: run.suite.Name, Stimulus: l.stimulus, About: maps.Clone(c.About), Links: c.Links, Taken: &taken,
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

// control asks for the simplest thing after a call that was closed twice.
func (l *Laboratory) control(ctx context.Context, of record.Entry) {
	run := l.scenario.run
	what := recording.Label{
		Suite: run.suite.Name, Stimulus: recording.Control,
		Links: []record.Link{{Relation: record.ControlOf, To: of.Begun}},
	}
	_ = run.examination.Control(recording.Labelled(ctx, what), l.scenario.session) // its entry says what came of it
}

// Discover makes a read-only call of a discovery. As in Laboratory.Do, a connection that is closed
// is tried once more, and then the subject is asked for the simplest thing.
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
		_ = control(recording.Labelled(ctx, what), session) // its entry says what came of it
	}
	return answer, err
}

// Unperformed says why a stimulus was not performed as a whole. What it did before that
// stands in the record. It is all that a stimulus can return: it cannot report a breach.
type Unperformed struct {
	Cause error // an *Inconclusive, a *NotApplicable or the error of a call
}

// Because makes an Unperformed, nil where there is no cause. A breach is no cause: it is
// the harness's own error then.
func Because(cause error) *Unperformed {
	var breach *verdict.Violation
	switch {
	case cause == nil:
		return nil
	case errors.As(cause, &breach):
		return &Unperformed{Cause: errors.New("suites: a stimulus reports a breach: " + breach.Message)}
	}
	return &Unperformed{Cause: cause}
}

// Stimulus provokes answers.
type Stimulus func(context.Context, *Laboratory) *Unperformed

// Perform performs a stimulus once a run: every scenario with the same name shares it.
// The name is an enumeration that stands in the record. The error says why the stimulus
// was not performed.
func (s *Scenario) Perform(ctx context.Context, name string, stimulus Stimulus) error {
	done := s.run.performance(name).Get(func() (*Unperformed, bool) {
		if s.run.past != nil {
			return s.run.past.performed(name), true
		}
		l := &Laboratory{Subject: s.Subject, scenario: s, stimulus: name}
		what := recording.Label{Suite: s.run.suite.Name, Stimulus: name}
		begun := s.run.journal.Tick()
		undone := stimulus(recording.Labelled(ctx, what), l)
		if ctx.Err() != nil { // the end of the run cut it short: it is performed anew, or never
			return undone, false
		}
		e := record.Entry{Begun: begun, Suite: what.Suite, Party: record.Target, Stimulus: name, Outcome: record.Performed}
		if undone != nil {
			e.Outcome, e.Error = record.NotPerformed, transcript.FaultOf(undone.Cause)
		}
		e.Done = s.run.journal.Tick()
		s.run.journal.Add(e, driver.Exchange{})
		return undone, true
	})
	if done == nil {
		return nil
	}
	return done.Cause
}

// Restart restarts the target, and waits until it serves again.
func (l *Laboratory) Restart(ctx context.Context) error { return l.scenario.Restart(ctx) }

// Act is one stimulus of a suite, which C performs.
type Act[C any] struct {
	Name    string // as it stands in the record
	Perform func(C, context.Context, *Laboratory) error
}

// PerformEach performs stimuli in this order, each once a run. The record holds why one was
// not performed.
func PerformEach[C any](ctx context.Context, sc *Scenario, by C, all []Act[C]) {
	for _, act := range all {
		_ = sc.Perform(ctx, act.Name, func(ctx context.Context, l *Laboratory) *Unperformed {
			return Because(act.Perform(by, ctx, l))
		})
	}
}

// Provoker is an Examination that performs every stimulus of its suite once, those that
// must be alone last. A scenario that judges everything begins with it. Stimuli that
// cannot be performed leave their reason in the record.
type Provoker interface {
	PerformAll(ctx context.Context, sc *Scenario)
}

// performance gives what is kept of a stimulus.
func (r *run) performance(name string) *Memo[*Unperformed] {
	r.performing.Lock()
	defer r.performing.Unlock()
	if r.performances == nil {
		r.performances = map[string]*Memo[*Unperformed]{}
	}
	if r.performances[name] == nil {
		r.performances[name] = &Memo[*Unperformed]{}
	}
	return r.performances[name]
}
