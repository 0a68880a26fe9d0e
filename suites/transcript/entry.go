// Package transcript translates the calls and answers of a driver into entries of a record,
// and back.
package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
)

// SentBody returns what an operation sends: its bytes, its params, or an empty object.
func SentBody(op driver.Operation) *record.Body {
	switch {
	case op.Body != nil:
		return record.NewBody(op.Body)
	case op.Params == nil:
		return record.NewBody([]byte("{}"))
	default:
		return record.NewBody(op.Params)
	}
}

// Recorded gives the outcome of an entry whose call got an answer.
func Recorded(o driver.Outcome) record.Outcome { return recordedOutcomes[o] }

var recordedOutcomes = map[driver.Outcome]record.Outcome{
	driver.Returned: record.Returned, driver.Refused: record.Refused,
	driver.NotProvided: record.NotProvided, driver.Malformed: record.Malformed,
}

// DescribeAnswer adds what arrived. The result of an operation stands by itself; of
// anything else, the bytes on the wire are what can be judged.
func DescribeAnswer(e *record.Entry, a driver.Answer) {
	e.Outcome, e.Status, e.Provided = Recorded(a.Outcome), a.Exchange.Status, a.Provided
	switch {
	case a.Outcome == driver.Returned:
		e.Received = record.JSONBody(a.Result)
	case len(a.Exchange.Received) > 0:
		e.Received = arrived(a.Exchange)
	}
	if a.Error != nil {
		e.Error = &record.Fault{Code: a.Error.Code, Number: a.Error.Number, Message: a.Error.Message, Data: a.Error.Data}
	} else if a.Defect != "" {
		e.Error = &record.Fault{Message: a.Defect}
	}
}

// DescribeLoss adds why no answer arrived, and what had arrived until then.
func DescribeLoss(e *record.Entry, err error) {
	e.Outcome, e.Error = record.Lost, FaultOf(err)
	if e.Error.Kind == record.Throttling {
		e.Outcome = record.Throttled
	}
	var lost *driver.CallError
	if errors.As(err, &lost) {
		e.Status = lost.Exchange.Status
		if got := lost.Exchange.Received; len(got) > 0 {
			e.Received = record.NewHead(got, int64(max(len(got), lost.Exchange.Length)))
		}
	}
}

// arrived gives what an exchange holds of what arrived.
func arrived(e driver.Exchange) *record.Body {
	if e.Length > 0 {
		return record.NewHead(e.Received, int64(e.Length))
	}
	return record.NewBody(e.Received)
}

// ExchangeOf gives what went over the wire for a call, answered or not.
func ExchangeOf(answer driver.Answer, err error) driver.Exchange {
	var lost *driver.CallError
	if errors.As(err, &lost) {
		return lost.Exchange
	}
	return answer.Exchange
}

// AnswerOf gives answer and error of an entry, as the call returned them in its run. The
// exchange holds what the record kept.
func AnswerOf(e record.Entry) (driver.Answer, error) {
	if err := LostCall(e); err != nil {
		return driver.Answer{}, err
	}
	answer := driver.Answer{Provided: e.Provided, Exchange: ExchangeFrom(e)}
	for outcome, name := range recordedOutcomes {
		if name == e.Outcome {
			answer.Outcome = outcome
		}
	}
	if e.Outcome == record.Returned {
		text, err := e.Received.Text()
		if err != nil {
			return answer, fmt.Errorf("transcript: %w", err)
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

// Nowhere is an operation whose path no text knows: it shows how a server answers the paths that
// it does not serve.
const Nowhere = "conformance.nowhere"

// AboutAdapter is the parameter of an entry whose answer an adapter of ours made from other
// calls. These are linked to it by caused-by.
const AboutAdapter = "adapter"

// shownAtMost bounds what is kept of a body for a report, in bytes.
const shownAtMost = 32 << 10

func ExchangeFrom(e record.Entry) driver.Exchange {
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

// entryAtMost bounds what is cut to a line, in bytes.
const entryAtMost = 4 << 10

// Line tells in a line what came back.
func Line(e record.Entry) string {
	switch {
	case e.Outcome == record.Returned && e.Received != nil:
		text, err := e.Received.Text()
		if err != nil {
			return err.Error()
		}
		return jsonvalue.Clip(string(text[:min(len(text), entryAtMost)]))
	case e.Error == nil:
		return string(e.Outcome) + ": no error object"
	case e.Outcome == record.Malformed:
		return "no response of the binding: " + e.Error.Message
	case e.Error.Kind != "":
		return e.Error.Message
	case e.Error.Code != "":
		return jsonvalue.Clip(fmt.Sprintf("%s: error %s, %s", e.Outcome, e.Error.Code, e.Error.Message))
	}
	return jsonvalue.Clip(fmt.Sprintf("%s: error %d, %s", e.Outcome, e.Error.Number, e.Error.Message))
}

// Received tells in a line what came back for a call.
func Received(answer driver.Answer, err error) string {
	if err != nil {
		return err.Error()
	}
	switch answer.Outcome {
	case driver.Returned:
		return jsonvalue.Clip(string(answer.Result))
	case driver.Malformed:
		return "no response of the binding: " + answer.Defect
	default:
		return jsonvalue.Clip(answer.Outcome.String() + ": " + errorText(answer.Error))
	}
}

func errorText(e *driver.ProtocolError) string {
	if e == nil {
		return "no error object"
	}
	if e.Code != "" {
		return "error " + e.Code + ", " + e.Message
	}
	return fmt.Sprintf("error %d, %s", e.Number, e.Message)
}
