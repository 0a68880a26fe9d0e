package text

import (
	"context"
	"fmt"
	"sync"

	"github.com/capconform/capconform/suites/defect"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/recording"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/transcript"
)

// Defects returns the rows of defects.yaml.
func (t *Text) Defects() []*defect.Defect { return t.defects }

// newView returns a view of a history for expressions outside the rules.
func (t *Text) newView(h *history) *rule.View {
	return rule.NewView(t.vocabulary, h, &h.Reading, func(rule.Need) error { return nil })
}

// EditRecord applies a defect to the calls of a record and returns the entries that it changes.
func (t *Text) EditRecord(d *defect.Defect, entries []record.Entry) ([]record.Entry, error) {
	h := newHistory()
	byTick := map[record.Tick]record.Entry{}
	for _, e := range entries {
		h.Add(e)
		byTick[e.Begun] = e
	}
	view := t.newView(h)
	calls, objects := h.everyCall(), view.Objects("call")
	var edited []record.Entry
	for i, c := range calls {
		if c.Outcome == "" || c.Outcome == "malformed" {
			continue
		}
		answer, changed, err := d.Edit(view, objects[i], defect.Answer{Result: c.Result, Error: c.Error})
		if err != nil {
			return nil, fmt.Errorf("the defect %s: %w", d.Name, err)
		}
		if changed {
			edited = append(edited, Answered(byTick[c.Entry], answer))
		}
	}
	return edited, nil
}

// Answered returns an entry with another answer. A whole message without an answer is one to which the target answers
// nothing.
func Answered(e record.Entry, a defect.Answer) record.Entry {
	e.Received, e.Error = nil, nil
	switch {
	case a.Lost && IsMessage(e):
		e.Outcome, e.Received = record.Returned, record.JSONBody(nil)
	case a.Lost:
		e.Outcome, e.Status = record.Lost, 0
		e.Error = &record.Fault{Kind: record.TimedOut, Message: "an edit removes the answer"}
	case a.Error != nil:
		p := a.Refusal()
		e.Outcome = record.Refused
		e.Error = &record.Fault{Code: p.Code, Number: p.Number, Message: p.Message, Data: p.Data}
	default:
		e.Outcome, e.Received = record.Returned, record.JSONBody(jsonvalue.Encode(a.Result))
	}
	return e
}

// Defective returns a driver of the same target whose answers have a defect.
func (t *Text) Defective(of driver.Driver, d *defect.Defect) driver.Driver {
	return defectiveDriver{of, t, d}
}

type defectiveDriver struct {
	driver.Driver
	text   *Text
	defect *defect.Defect
}

// Open implements driver.Driver.
func (d defectiveDriver) Open(ctx context.Context) (driver.Session, error) {
	session, err := d.Driver.Open(ctx)
	if err != nil {
		return nil, err
	}
	return &defectiveSession{Session: session, of: d, history: newHistory()}, nil
}

type defectiveSession struct {
	driver.Session
	of defectiveDriver

	mu      sync.Mutex
	history *history
	tick    record.Tick
}

// Unwrap returns the session below.
func (s *defectiveSession) Unwrap() driver.Session { return s.Session }

// Call implements driver.Session.
func (s *defectiveSession) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	answer, err := s.Session.Call(ctx, op)
	if err != nil || answer.Outcome == driver.Malformed || answer.Outcome == driver.NotProvided && answer.Error == nil {
		return answer, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	what := recording.LabelOf(ctx)
	e := record.Entry{
		Begun:     s.tick + 1,
		Done:      s.tick + 2,
		Party:     record.Target,
		Stimulus:  what.Stimulus,
		About:     what.About,
		Operation: op.Name,
		Sent:      transcript.SentBody(op),
	}
	s.tick += 2
	read := defect.Read(answer)
	read.Lost = op.Message && len(answer.Result) == 0
	if op.Message {
		e.About = messageAbout(e.About)
	}
	s.history.Add(Answered(e, read))
	view := s.of.text.newView(s.history)
	objects := view.Objects("call")
	edited, changed, err := s.of.defect.Edit(view, objects[len(objects)-1], read)
	switch {
	case err != nil || !changed:
		return answer, nil // the defect does not fit this call
	case edited.Lost && read.Lost:
		return answer, nil
	}
	return edited.Write(answer)
}
