package suites

import (
	"context"
	"fmt"
	"sync"

	"github.com/capconform/capconform/suites/driver"
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
