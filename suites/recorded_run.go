package suites

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/recording"
	"github.com/capconform/capconform/suites/transcript"
	"github.com/capconform/capconform/suites/verdict"
)

// recordedRun is the content of a record for one suite, in place of a target.
type recordedRun struct {
	stimuli   map[string]*Unperformed // by name; nil for a stimulus that was performed
	exchanges map[record.Tick]driver.Exchange
}

func newRecordedRun() *recordedRun {
	return &recordedRun{stimuli: map[string]*Unperformed{}, exchanges: map[record.Tick]driver.Exchange{}}
}

// add adds one entry of the suite.
func (p *recordedRun) add(e record.Entry) {
	switch e.Outcome {
	case record.Performed:
		p.stimuli[e.Stimulus] = nil
	case record.NotPerformed:
		p.stimuli[e.Stimulus] = &Unperformed{Cause: transcript.ErrorOf(e.Error)}
	default:
		p.exchanges[e.Begun] = transcript.ExchangeFrom(e)
	}
}

// performed returns the recorded outcome of a stimulus: nil if it was performed.
func (p *recordedRun) performed(name string) *Unperformed {
	undone, known := p.stimuli[name]
	if !known {
		return &Unperformed{Cause: verdict.Undecided("the record does not contain the stimulus %s", name)}
	}
	return undone
}

// recordedSession answers the calls of the engine and of a suite's discovery from a record. The same
// calls in the same order get the same answers.
type recordedSession struct {
	info driver.Info

	mu      sync.Mutex
	answers map[string][]record.Entry // by operation and params
}

// add keeps an entry that answers a call of the engine or of a discovery.
func (s *recordedSession) add(e record.Entry) {
	switch e.Stimulus {
	case recording.Probe, recording.Discovery, recording.Control:
		if text, err := e.Sent.Text(); err == nil {
			key := e.Operation + " " + string(text)
			s.answers[key] = append(s.answers[key], e)
		}
	}
}

// Call implements driver.Session. The last recorded answer to a call is repeated. The error is a
// *verdict.Inconclusive if the record contains no answer.
func (s *recordedSession) Call(_ context.Context, op driver.Operation) (driver.Answer, error) {
	sent, err := transcript.SentBody(op).Text()
	if err != nil {
		return driver.Answer{}, fmt.Errorf("suites: %w", err)
	}
	key := op.Name + " " + string(sent)
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.answers[key]
	if len(known) == 0 {
		return driver.Answer{}, verdict.Undecided("the record contains no answer to %s", op.Name)
	}
	if len(known) > 1 {
		s.answers[key] = known[1:]
	}
	return transcript.AnswerOf(known[0])
}

// Info implements driver.Session.
func (s *recordedSession) Info() driver.Info { return s.info }

// Close implements driver.Session.
func (s *recordedSession) Close() error { return nil }

// describe returns the parts of a record's header that the engine knows.
func describe(subject *Subject, info driver.Info, opts Options) record.Header {
	h := record.Header{
		Seed: subject.Seed,
		Peer: record.Peer{
			Name: info.Name, Version: info.Version, Binding: info.Binding, Protocol: info.Protocol,
			Negotiated: info.Negotiated, Operations: info.Operations, Mapped: info.Mapped, Bodies: info.Bodies,
		},
		Given: record.Given{
			Actors: subject.Actors, Supports: subject.Supports, Invoke: string(subject.Invoke), Admitted: subject.Admitted,
			Adapter: subject.Adapter.Mode, Version: subject.Adapter.Version, Restart: subject.Restartable(),
			Explicit: opts.Explicit, Message: subject.Limits.Message,
		},
	}
	for _, one := range subject.Known {
		h.Given.Known = append(h.Given.Known, record.Package(one))
	}
	sel := opts.Selection
	h.Selection = record.Selected{
		Requirements: sel.Requirements, Tags: sel.Tags, Level: sel.Level, Without: sel.Without, Strict: opts.Strict,
	}
	if sel.Shard.Count > 1 {
		h.Selection.Shard = [2]int{sel.Shard.Index, sel.Shard.Count}
	}
	for suite, roles := range subject.Roles {
		players := map[string]record.Player{}
		for role, p := range roles {
			players[role] = record.Player{Capability: p.Capability, Version: p.Version, Input: p.Input}
		}
		if h.Given.Roles == nil {
			h.Given.Roles = map[string]map[string]record.Player{}
		}
		h.Given.Roles[suite] = players
	}
	return h
}

// RecordedSelection returns the selection of the run that made a record.
func RecordedSelection(h record.Header) Selection {
	s := h.Selection
	return Selection{
		Requirements: s.Requirements, Tags: s.Tags, Level: s.Level, Without: s.Without,
		Shard: Shard{Index: s.Shard[0], Count: s.Shard[1]},
	}
}

// recordedSubject returns the subject of a record, with the settings of the recorded run.
func recordedSubject(h record.Header) *Subject {
	g := h.Given
	s := &Subject{
		Name: h.Subject.Name, Version: h.Subject.Version, Driver: recordedTarget{h.Subject}, Seed: h.Seed,
		Actors: g.Actors, Supports: g.Supports, Invoke: live.InvokePolicy(g.Invoke), Admitted: g.Admitted,
		Adapter: Adapter{Mode: g.Adapter, Version: g.Version}, Limits: driver.Limits{Message: g.Message}.WithDefaults(),
		Deadlines: driver.Deadlines{}.WithDefaults(), Roles: map[string]map[string]live.Player{},
	}
	if g.Restart {
		s.Restarter = func(context.Context) error { return errors.New("suites: a record restarts nothing") }
	}
	for _, one := range g.Known {
		s.Known = append(s.Known, Package(one))
	}
	for suite, roles := range g.Roles {
		s.Roles[suite] = map[string]live.Player{}
		for role, p := range roles {
			s.Roles[suite][role] = live.Player{Capability: p.Capability, Version: p.Version, Input: p.Input}
		}
	}
	return s
}

func infoOf(p record.Peer) driver.Info {
	return driver.Info{
		Name: p.Name, Version: p.Version, Binding: p.Binding, Protocol: p.Protocol,
		Negotiated: p.Negotiated, Operations: p.Operations, Mapped: p.Mapped, Bodies: p.Bodies,
	}
}

// recordedTarget identifies the target of a record. Open always returns an error.
type recordedTarget struct{ subject record.Subject }

// Open implements driver.Driver.
func (recordedTarget) Open(context.Context) (driver.Session, error) {
	return nil, &driver.CallError{Kind: driver.ErrConfiguration, Detail: "a record is no target"}
}

// Target implements driver.Driver.
func (t recordedTarget) Target() driver.Target {
	return driver.Target{Driver: t.subject.Driver, Address: t.subject.Target}
}
