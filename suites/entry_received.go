package suites

import (
	"fmt"

	"github.com/capconform/capconform/suites/record"
)

// entryAtMost bounds what is cut to a line, in bytes.
const entryAtMost = 4 << 10

// EntryReceived tells in a line what came back.
func EntryReceived(e record.Entry) string {
	switch {
	case e.Outcome == record.Returned && e.Received != nil:
		text, err := e.Received.Text()
		if err != nil {
			return err.Error()
		}
		return Clip(string(text[:min(len(text), entryAtMost)]))
	case e.Error == nil:
		return string(e.Outcome) + ": no error object"
	case e.Outcome == record.Malformed:
		return "no response of the binding: " + e.Error.Message
	case e.Error.Kind != "":
		return e.Error.Message
	case e.Error.Code != "":
		return Clip(fmt.Sprintf("%s: error %s, %s", e.Outcome, e.Error.Code, e.Error.Message))
	}
	return Clip(fmt.Sprintf("%s: error %d, %s", e.Outcome, e.Error.Number, e.Error.Message))
}
