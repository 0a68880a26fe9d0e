package suites

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/record"
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
		p.stimuli[e.Stimulus] = &Unperformed{Cause: errorOf(e.Error)}
	default:
		p.exchanges[e.Begun] = exchangeFrom(e)
	}
}

// performed gives what the record says of a stimulus.
func (p *past) performed(name string) *Unperformed {
	undone, known := p.stimuli[name]
	if !known {
		return &Unperformed{Cause: Undecided("the record does not hold the stimulus %s", name)}
	}
	return undone
}

// exchangeOf gives what went over the wire for an entry, or what the record kept of it.
func (r *run) exchangeOf(begun record.Tick) (driver.Exchange, bool) {
	if r.past != nil {
		exchange, ok := r.past.exchanges[begun]
		return exchange, ok
	}
	return r.journal.exchangeOf(r.suite.Name, begun)
}

// shownAtMost bounds what is kept of a body for a report, in bytes.
const shownAtMost = 32 << 10

func exchangeFrom(e record.Entry) driver.Exchange {
	exchange := driver.Exchange{Operation: e.Operation, Status: e.Status}
	if e.From == record.Target { // what the target sent is what the harness received
		exchange.Operation += " (by the subject)"
		e.Sent, e.Received = e.Received, e.Sent
	}
	if sent, err := e.Sent.Text(); err == nil {
		exchange.Sent = sent
		if e.Sent.IsJSON() {
			exchange.Params = json.RawMessage(sent)
		}
	}
	if got, err := e.Received.Text(); err == nil {
		exchange.Received = got
		if len(got) > shownAtMost {
			exchange.Received, exchange.Length = bytes.Clone(got[:shownAtMost]), len(got)
		}
	}
	return exchange
}

// AnswerOf gives answer and error of an entry, as the call returned them in its run. The
// exchange holds what the record kept.
func AnswerOf(e record.Entry) (driver.Answer, error) {
	if err := LostCall(e); err != nil {
		return driver.Answer{}, err
	}
	answer := driver.Answer{Provided: e.Provided, Exchange: exchangeFrom(e)}
	for outcome, name := range recordedOutcomes {
		if name == e.Outcome {
			answer.Outcome = outcome
		}
	}
	if e.Outcome == record.Returned {
		text, err := e.Received.Text()
		if err != nil {
			return answer, fmt.Errorf("suites: %w", err)
		}
		answer.Result = text
	}
	if f := e.Error; f != nil {
		if e.Outcome == record.Malformed {
			answer.Defect = f.Message
		} else {
			answer.Error = &driver.ProtocolError{Code: f.Code, Number: f.Number, Message: f.Message, Data: f.Data}
		}
	}
	return answer, nil
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
	case stimulusProbe, stimulusDiscovery, stimulusControl:
		if text, err := e.Sent.Text(); err == nil {
			key := e.Operation + " " + string(text)
			s.answers[key] = append(s.answers[key], e)
		}
	}
}

// Call implements driver.Session. The last answer to a question is given again.
func (s *pastSession) Call(_ context.Context, op driver.Operation) (driver.Answer, error) {
	sent, err := sentBody(op).Text()
	if err != nil {
		return driver.Answer{}, fmt.Errorf("suites: %w", err)
	}
	key := op.Name + " " + string(sent)
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.answers[key]
	if len(known) == 0 {
		return driver.Answer{}, Undecided("the record holds no answer to %s", op.Name)
	}
	if len(known) > 1 {
		s.answers[key] = known[1:]
	}
	return AnswerOf(known[0])
}

// Info implements driver.Session.
func (s *pastSession) Info() driver.Info { return s.info }

// Close implements driver.Session.
func (s *pastSession) Close() error { return nil }
