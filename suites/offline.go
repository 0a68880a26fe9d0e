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

// past is what a record tells of one suite, in place of a target.
type past struct {
	stimuli   map[string]*Unperformed // by name: nil for one that was performed
	exchanges map[record.Tick]driver.Exchange
}

func newPast() *past {
	return &past{stimuli: map[string]*Unperformed{}, exchanges: map[record.Tick]driver.Exchange{}}
}

// take reads one entry of the suite.
func (p *past) take(e record.Entry) {
	switch e.Outcome {
	case record.Performed:
		p.stimuli[e.Stimulus] = nil
	case record.NotPerformed:
		p.stimuli[e.Stimulus] = &Unperformed{Cause: transcript.ErrorOf(e.Error)}
	default:
		p.exchanges[e.Begun] = transcript.ExchangeFrom(e)
	}
}

// performed gives what the record says of a stimulus.
func (p *past) performed(name string) *Unperformed {
	undone, known := p.stimuli[name]
	if !known {
		return &Unperformed{Cause: verdict.Undecided("the record does not hold the stimulus %s", name)}
	}
	return undone
}

// exchangeOf gives what went over the wire for an entry, or what the record kept of it.
func (r *run) exchangeOf(begun record.Tick) (driver.Exchange, bool) {
	if r.past != nil {
		exchange, ok := r.past.exchanges[begun]
		return exchange, ok
	}
	return r.journal.ExchangeOf(r.suite.Name, begun)
}

// pastSession answers what the engine and the discovery of a suite ask, from a record:
// the same questions in the same order get the same answers.
type pastSession struct {
	info driver.Info

	mu      sync.Mutex
	answers map[string][]record.Entry // by operation and params
}

// take keeps an entry that answers what the engine or a discovery asks.
func (s *pastSession) take(e record.Entry) {
	switch e.Stimulus {
	case recording.Probe, recording.Discovery, recording.Control:
		if text, err := e.Sent.Text(); err == nil {
			key := e.Operation + " " + string(text)
			s.answers[key] = append(s.answers[key], e)
		}
	}
}

// Call implements driver.Session. The last answer to a question is given again.
func (s *pastSession) Call(_ context.Context, op driver.Operation) (driver.Answer, error) {
	sent, err := transcript.SentBody(op).Text()
	if err != nil {
		return driver.Answer{}, fmt.Errorf("suites: %w", err)
	}
	key := op.Name + " " + string(sent)
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.answers[key]
	if len(known) == 0 {
		return driver.Answer{}, verdict.Undecided("the record holds no answer to %s", op.Name)
	}
	if len(known) > 1 {
		s.answers[key] = known[1:]
	}
	return transcript.AnswerOf(known[0])
}

// Info implements driver.Session.
func (s *pastSession) Info() driver.Info { return s.info }

// Close implements driver.Session.
func (s *pastSession) Close() error { return nil }
