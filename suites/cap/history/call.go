package history

import (
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
)

// Call is what the calls of all operations have in common.
type Call struct {
	reading.Observed
	Refused   bool // a protocol error arrived
	Malformed bool // a complete reply arrived that is not a response of the binding
	Code      string
	// ClosedTwice reports that the connection was closed twice in place of an answer, while the source
	// continued to serve something else.
	ClosedTwice bool
}

func callOf(e record.Entry) Call {
	c := Call{Observed: reading.Observe(e), Refused: e.Outcome == record.Refused,
		Malformed: e.Outcome == record.Malformed}
	if e.Error != nil {
		c.Code = e.Error.Code
	}
	return c
}

// Unanswered reports whether a call has no answer and proves nothing.
func (c *Call) Unanswered() bool { return c.Lost != nil && !c.ClosedTwice }

// MayBeLimit reports whether the answer may mean that the source was called too often.
func (c *Call) MayBeLimit() bool { return c.Lost == nil && (c.Refused || c.Busy) }

// Settles reports whether the call was made to settle a doubt. Such calls are made at any time,
// so they decide only about that doubt.
func (c *Call) Settles() bool {
	_, confirms := c.Link(record.Confirms)
	_, controls := c.Link(record.ControlOf)
	return confirms || controls || c.Stimulus == Flickering || c.Stimulus == WithCustom
}
