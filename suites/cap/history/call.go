package history

import (
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
)

// Call is what every call has, whatever it asked for.
type Call struct {
	reading.Observed
	Refused   bool // a protocol error arrived
	Malformed bool // a complete reply arrived that is no response of the binding
	Code      string
	// Owed tells that the connection was closed twice where an answer was owed, while the
	// source went on serving something else.
	Owed bool
}

func callOf(e record.Entry) Call {
	c := Call{Observed: reading.Observe(e), Refused: e.Outcome == record.Refused, Malformed: e.Outcome == record.Malformed}
	if e.Error != nil {
		c.Code = e.Error.Code
	}
	return c
}

// Unanswered tells a call that brought no answer and shows nothing.
func (c *Call) Unanswered() bool { return c.Lost != nil && !c.Owed }

// MayBeLimit tells an answer by which a source may say that it was called too often.
func (c *Call) MayBeLimit() bool { return c.Lost == nil && (c.Refused || c.Busy) }

// Settles tells whether the call was made to settle a doubt. Such calls come at any time, so
// that they decide about that doubt alone.
func (c *Call) Settles() bool {
	_, confirms := c.Link(record.Confirms)
	_, controls := c.Link(record.ControlOf)
	return confirms || controls || c.Stimulus == Flickering || c.Stimulus == WithCustom
}
