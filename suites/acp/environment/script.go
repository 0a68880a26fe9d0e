package environment

import (
	"encoding/json"
	"slices"
)

// Script states how the model answers a message that contains a mark.
type Script struct {
	Mark  string
	Calls []ToolCall // one after the other, each after the result of the one before
	// all calls are in one message, unless the router wants one at a time
	Together bool
	Meeting  *Meeting                         // the first answer waits for it; nil: it does not wait
	Then     func(results []string) *ToolCall // a further call, from the results so far; nil ends the turn. May be nil
	// if not empty: calls are made only where a message or the name of a tool holds it
	Prompt string
	Text   string // said when nothing is called any more; the mark is added
	Hangs  bool   // no answer until the run ends or the client leaves
}

// ToolCall is what the model calls.
type ToolCall struct {
	Name      string // as the package has it; the model calls the name that it was shown for it
	Arguments any    // encoded as JSON; json.RawMessage and string go as they are
	Unshown   bool   // called also where no such tool was shown
}

// encode writes the arguments of a call.
func (c *ToolCall) encode() string {
	switch a := c.Arguments.(type) {
	case nil:
		return "{}"
	case string:
		return a
	case json.RawMessage:
		return string(a)
	}
	raw, err := json.Marshal(c.Arguments)
	if err != nil {
		return "{}"
	}
	return string(raw)
}

// neutral is the answer if no script fits.
const neutral = "There is nothing that I could add."

func (s Script) words(q Request) string {
	switch {
	case s.Mark == "":
		return neutral
	case s.Text == "":
		return "Understood: " + s.Mark
	default:
		return s.Text + " " + s.Mark
	}
}

// next returns the calls that are due after the results that the request shows.
func (s Script) next(q Request) []ToolCall {
	if !q.holds(s.Prompt) {
		return nil
	}
	results := q.Results()
	var due []ToolCall
	switch {
	case len(results) < len(s.Calls) && s.Together && !q.Single && !q.unanswered():
		due = s.Calls[len(results):]
	case len(results) < len(s.Calls) && (!s.Together || q.Single):
		due = s.Calls[len(results) : len(results)+1]
	case s.Then != nil:
		if call := s.Then(results); call != nil {
			due = []ToolCall{*call}
		}
	}
	return slices.DeleteFunc(slices.Clone(due), func(c ToolCall) bool { return !c.Unshown && q.shown(c.Name) == "" })
}
