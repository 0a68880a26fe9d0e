package defect

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// Driver returns a driver of the same target whose calls and answers have the defect. Each session is another host.
func (d *Defect) Driver(of driver.Driver) driver.Driver { return defective{of, d} }

type defective struct {
	driver.Driver
	defect *Defect
}

// Open implements driver.Driver.
func (d defective) Open(ctx context.Context) (driver.Session, error) {
	s, err := d.Driver.Open(ctx)
	if err != nil {
		return nil, err
	}
	return &session{s, d.defect.Run()}, nil
}

type session struct {
	driver.Session
	run *Run
}

// Unwrap returns the session below.
func (s *session) Unwrap() driver.Session { return s.Session }

// Call implements driver.Session.
func (s *session) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	if !s.run.defect.Concerns(op.Name) {
		return s.Session.Call(ctx, op)
	}
	sent := schemas.ReadValue(op.Params)
	if op.Params == nil {
		sent = object{}
	}
	if other, is := s.run.Send(op.Name, sent); is {
		op.Params = jsonvalue.Encode(other)
	}
	answer, err := s.Session.Call(ctx, op)
	if err != nil || op.Body != nil || answer.Outcome == driver.Malformed || answer.Outcome == driver.NotProvided {
		return answer, err
	}
	edited, changed := s.run.Answer(op.Name, sent, Read(answer))
	if !changed {
		return answer, nil
	}
	return edited.Write(answer)
}

// Read returns an answer as rows see it.
func Read(answer driver.Answer) Answer {
	if p := answer.Error; p != nil {
		return Answer{Error: object{"code": p.Code, "number": json.Number(fmt.Sprint(p.Number)), "message": p.Message,
			"data": schemas.ReadValue(p.Data)}}
	}
	return Answer{Result: schemas.ReadValue(answer.Result)}
}

// Write returns the answer in place of an original one, with its exchange. The error is that of an answer that is lost.
func (a Answer) Write(original driver.Answer) (driver.Answer, error) {
	switch {
	case a.Lost:
		return driver.Answer{}, &driver.CallError{
			Kind:     driver.ErrTimeout,
			Detail:   "the defect loses the answer",
			Exchange: original.Exchange,
		}
	case a.Error == nil:
		original.Outcome, original.Error, original.Result = driver.Returned, nil, jsonvalue.Encode(a.Result)
		return original, nil
	}
	original.Outcome, original.Result = driver.Refused, nil
	original.Error = a.Refusal()
	return original, nil
}

// Refusal returns the error of an answer.
func (a Answer) Refusal() *driver.ProtocolError {
	p := &driver.ProtocolError{Number: number(a.Error["number"])}
	p.Code, _ = a.Error["code"].(string)
	p.Message, _ = a.Error["message"].(string)
	if data := a.Error["data"]; data != nil {
		p.Data = jsonvalue.Encode(data)
	}
	return p
}

// number returns a whole number of an error, 0 for another value.
func number(v any) int64 {
	switch n := v.(type) {
	case int:
		return int64(n)
	case int64:
		return n
	case json.Number:
		i, _ := n.Int64()
		return i
	}
	return 0
}
