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

// SentBody returns the body that an operation sends: its raw body, its params, or an empty object.
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

// Recorded returns the outcome of an entry whose call was answered.
func Recorded(o driver.Outcome) record.Outcome { return recordedOutcomes[o] }

var recordedOutcomes = map[driver.Outcome]record.Outcome{
	driver.Returned: record.Returned, driver.Refused: record.Refused,
	driver.NotProvided: record.NotProvided, driver.Malformed: record.Malformed,
}

// DescribeAnswer adds an answer to an entry. For a result, the entry contains the result alone; for
// any other answer, it contains the bytes that were received.
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

// DescribeLoss adds to an entry why no answer arrived, and the bytes that were received before.
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

// arrived returns the body that an exchange received, cut if the exchange has only its beginning.
func arrived(e driver.Exchange) *record.Body {
	if e.Length > 0 {
		return record.NewHead(e.Received, int64(e.Length))
	}
	return record.NewBody(e.Received)
}

// ExchangeOf returns the exchange of a call, answered or not.
func ExchangeOf(answer driver.Answer, err error) driver.Exchange {
	var lost *driver.CallError
	if errors.As(err, &lost) {
		return lost.Exchange
	}
	return answer.Exchange
}

// AnswerOf returns the answer and the error that the call of an entry returned in its run. The
// exchange contains what the record kept. The error is also not nil if the record cannot return the
// result.
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

// UndefinedPath is an operation with a path that no protocol defines. It shows how a server answers paths
// that it does not serve.
const UndefinedPath = "conformance.nowhere"

// AboutAdapter is the parameter of an entry whose answer an adapter of the harness made from other
// calls. The entries of those calls are linked to it by caused-by.
const AboutAdapter = "adapter"

// maxShown is the maximum length of a body that is kept for a report, in bytes.
const maxShown = 32 << 10

// ExchangeFrom returns the exchange of an entry, with at most 32 KiB of the received body.
func ExchangeFrom(e record.Entry) driver.Exchange {
	exchange := driver.Exchange{Operation: e.Operation, Status: e.Status}
	if e.From == record.Target { // the harness received what the target sent
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
		if len(got) > maxShown {
			exchange.Received, exchange.Length = bytes.Clone(got[:maxShown]), len(got)
		}
	}
	return exchange
}

// maxEntry is the maximum length of a result that is cut to a line, in bytes.
const maxEntry = 4 << 10

// Line returns a one-line description of what an entry received.
func Line(e record.Entry) string {
	switch {
	case e.Outcome == record.Returned && e.Received != nil:
		text, err := e.Received.Text()
		if err != nil {
			return err.Error()
		}
		if len(text) > maxEntry {
			return jsonvalue.ClipStart(string(text[:maxEntry]))
		}
		return jsonvalue.Clip(string(text))
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

// LaterLine returns a function that returns Line: to shorten an answer takes time, and few are shown. The function
// keeps no answer that is longer than maxEntry.
func LaterLine(e record.Entry) func() string {
	if e.Outcome == record.Returned {
		if text, err := e.Received.Text(); err == nil && text != nil && len(text) <= maxEntry {
			return func() string { return jsonvalue.Clip(string(text)) }
		}
	}
	line := Line(e)
	return func() string { return line }
}

// Received returns a one-line description of what a call received.
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
