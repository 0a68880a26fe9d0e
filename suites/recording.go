package suites

import (
	"context"
	"errors"
	"maps"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/record"
)

// The stimuli of the engine. What a scenario provokes is named by the requirement
// that it was written for.
const (
	stimulusProbe     = "probe"     // is a suite spoken at all?
	stimulusDiscovery = "discovery" // what does the subject offer?
	stimulusControl   = "control"   // is the subject still there?
	stimulusScenario  = "scenario"
)

// aboutBody is the parameter of an entry whose call sent bytes in place of params.
const aboutBody = "body"

// label says why a call is made.
type label struct {
	suite    string
	stimulus string
	about    map[string]string
	links    []record.Link
	taken    *record.Entry // where the entry of the call is left; nil: nobody asks for it
}

type labelKey struct{}

// labelled gives a context whose calls are recorded with this label.
func labelled(ctx context.Context, l label) context.Context {
	return context.WithValue(ctx, labelKey{}, l)
}

// recording is a driver that stores every call of its sessions in a record. It stands
// directly on the driver of the subject, so that nothing is called beside it.
type recording struct {
	driver.Driver
	to *journal
}

// Open implements driver.Driver.
func (r recording) Open(ctx context.Context) (driver.Session, error) {
	session, err := r.Driver.Open(ctx)
	if err != nil {
		return nil, err
	}
	recorded := recordedSession{Session: session, to: r.to}
	if able, ok := session.(living); ok {
		return livingRecording{recorded, able}, nil
	}
	return recorded, nil
}

// living is a session that knows whether it has ended.
type living interface{ Alive() bool }

type livingRecording struct {
	recordedSession
	living
}

// recordedSession stores every call.
type recordedSession struct {
	driver.Session
	to      *journal
	adapted bool // the session carries a call by others: see Adapted
}

// Unwrap gives the session whose calls are stored.
func (s recordedSession) Unwrap() driver.Session { return s.Session }

// Call implements driver.Session.
func (s recordedSession) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	l, _ := ctx.Value(labelKey{}).(label)
	if !s.to.takes(l.suite) {
		return s.Session.Call(ctx, op)
	}
	e := l.entry(s.to, op)
	if s.adapted {
		e.About = with(e.About, aboutAdapter, "yes")
		causedBy := []record.Link{{Relation: record.CausedBy, To: e.Begun}}
		ctx = labelled(ctx, label{suite: l.suite, stimulus: l.stimulus, links: causedBy})
	}
	answer, err := s.Session.Call(ctx, op)
	e.Done = s.to.tick()
	var lost *driver.CallError
	switch {
	case err == nil:
		describeAnswer(&e, answer)
	default:
		describeLoss(&e, err)
		if s.adapted && !errors.As(err, &lost) { // the gate did not admit it
			e.Outcome = record.NotSent
		}
	}
	s.to.add(e, exchangeOf(answer, err))
	if l.taken != nil {
		*l.taken = e
	}
	return answer, err
}

// with gives the parameters of an entry and one more.
func with(about map[string]string, name, value string) map[string]string {
	all := map[string]string{}
	maps.Copy(all, about)
	all[name] = value
	return all
}

// aboutAdapter is the parameter of an entry whose answer an adapter of ours made from other
// calls. These are linked to it by caused-by.
const aboutAdapter = "adapter"

// Adapted gives a session that carries the operations of the protocol by other ones, which
// it sends through the gate. Both stand in the record: an entry of what the suite asked for,
// and those of what was sent.
func (g *Gate) Adapted(session driver.Session) driver.Session {
	if g.journal == nil { // a record is judged, or nobody reads one
		return session
	}
	return recordedSession{Session: session, to: g.journal, adapted: true}
}

// entry begins the entry of a call.
func (l label) entry(to *journal, op driver.Operation) record.Entry {
	e := record.Entry{
		Begun: to.tick(), Suite: l.suite, Party: record.Target, Stimulus: l.stimulus, About: l.about, Links: l.links,
		Operation: op.Name, Sent: sentBody(op),
	}
	if e.Stimulus == "" {
		e.Stimulus = stimulusDiscovery
	}
	if op.Body != nil {
		e.About = with(e.About, aboutBody, "raw")
	}
	return e
}
