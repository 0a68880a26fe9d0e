package acdsuite

import (
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/transcript"
)

// readAnswer reads the answer to a call of discovery, as the history reads an entry.
func readAnswer(operation string, answer driver.Answer, err error) *history.Call {
	c := &history.Call{Observed: reading.Observed{Lost: err}, Operation: operation}
	if err != nil {
		return c
	}
	c.Outcome, c.Status = transcript.Recorded(answer.Outcome), answer.Exchange.Status
	if c.Returned() {
		c.Value = schemas.ReadValue(answer.Result)
	}
	return c
}

// isList reports whether the answer is a list.
func isList(c *history.Call) bool {
	switch v := c.Value.(type) {
	case []any:
		return true
	case object:
		_, is := v["capabilities"].([]any)
		return is
	}
	return false
}
