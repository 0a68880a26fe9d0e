package recording

import (
	"context"
	"errors"
	"maps"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/transcript"
)

// The stimuli of the engine. A stimulus of a scenario has a name that the suite chooses.
const (
	Probe     = "probe"     // finds out whether the target speaks a suite
	Discovery = "discovery" // finds out what the subject offers
	Control   = "control"   // finds out whether the subject is still alive
	Scenario  = "scenario"
)

// AboutBody is the parameter of an entry whose call sent a raw body instead of params.
const AboutBody = "body"

// Label states the purpose of a call.
type Label struct {
	Suite    string
	Stimulus string
	About    map[string]string
	Links    []record.Link
	Taken    *record.Entry // receives the entry of the call; may be nil
}

type labelKey struct{}

// LabelOf returns the label of a context, or the zero value if it has none.
func LabelOf(ctx context.Context) Label {
	l, _ := ctx.Value(labelKey{}).(Label)
	return l
}

// Labelled returns a context that has the label. Calls with the context are recorded with the
// label.
func Labelled(ctx context.Context, l Label) context.Context {
	return context.WithValue(ctx, labelKey{}, l)
}

// NewDriver returns a driver that stores every call of the sessions of d. It directly wraps the
// driver of the subject, so that no call bypasses it.
func NewDriver(d driver.Driver, to *Journal) driver.Driver { return recorder{d, to} }

type recorder struct {
	driver.Driver
	to *Journal
}

// Open implements driver.Driver.
func (r recorder) Open(ctx context.Context) (driver.Session, error) {
	opened, err := r.Driver.Open(ctx)
	if err != nil {
		return nil, err
	}
	recorded := session{Session: opened, to: r.to}
	if able, ok := opened.(aliveReporter); ok {
		return aliveSession{recorded, able}, nil
	}
	return recorded, nil
}

// aliveReporter is a session that reports whether it is still alive.
type aliveReporter interface{ Alive() bool }

type aliveSession struct {
	session
	aliveReporter
}

// session is a session that stores every call.
type session struct {
	driver.Session
	to      *Journal
	adapted bool // an adapter implements each call by other calls: see Adapted
}

// Adapted returns a session that stores the calls of s, an adapter that implements each call by
// other calls. The record contains both, linked by caused-by.
func Adapted(s driver.Session, to *Journal) driver.Session {
	return session{Session: s, to: to, adapted: true}
}

// Unwrap returns the session whose calls are stored.
func (s session) Unwrap() driver.Session { return s.Session }

// Call implements driver.Session.
func (s session) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	l := LabelOf(ctx)
	if !s.to.Takes(l.Suite) {
		return s.Session.Call(ctx, op)
	}
	e := l.Entry(s.to, op)
	if s.adapted {
		e.About = with(e.About, transcript.AboutAdapter, "yes")
		causedBy := []record.Link{{Relation: record.CausedBy, To: e.Begun}}
		ctx = Labelled(ctx, Label{Suite: l.Suite, Stimulus: l.Stimulus, Links: causedBy})
	}
	answer, err := s.Session.Call(ctx, op)
	e.Done = s.to.Tick()
	var lost *driver.CallError
	switch {
	case err == nil:
		transcript.DescribeAnswer(&e, answer)
	default:
		transcript.DescribeLoss(&e, err)
		if s.adapted && !errors.As(err, &lost) { // the gate did not send it
			e.Outcome = record.NotSent
		}
	}
	s.to.Add(e, transcript.ExchangeOf(answer, err))
	if l.Taken != nil {
		*l.Taken = e
	}
	return answer, err
}

// with returns a copy of the parameters of an entry, with one parameter added.
func with(about map[string]string, name, value string) map[string]string {
	all := map[string]string{}
	maps.Copy(all, about)
	all[name] = value
	return all
}

// Entry returns a new entry for a call, without its outcome.
func (l Label) Entry(to *Journal, op driver.Operation) record.Entry {
	e := record.Entry{
		Begun: to.Tick(), Suite: l.Suite, Party: record.Target, Stimulus: l.Stimulus, About: l.About, Links: l.Links,
		Operation: op.Name, Sent: transcript.SentBody(op),
	}
	if e.Stimulus == "" {
		e.Stimulus = Discovery
	}
	if op.Body != nil {
		e.About = with(e.About, AboutBody, "raw")
	}
	return e
}
