package environment

import (
	"encoding/json"
	"slices"
)

// Script states how the model answers a message that contains a mark.
type Script struct {
	Mark  string
	Calls []ToolCall // each after the result of the previous one
	// Together puts all calls into one message, unless the router requires one call at a time.
	Together bool
	Barrier  *Barrier                         // the first answer waits for it; may be nil
	Next     func(results []string) *ToolCall // returns a further call, or nil to end the turn; may be nil
	// Prompt, if not empty, must be contained in a message or in the name of a tool for calls to be
	// made, or for the model to hang.
	Prompt string
	Text   string // the answer after the last call; the mark is added
	Hangs  bool   // no answer until the run ends or the client disconnects
}

// ToolCall is one tool call of the model.
type ToolCall struct {
	Name      string // as the package names it; the model uses the name that it received
	Arguments any    // encoded as JSON, except json.RawMessage and string, which are used as they are
	Forced    bool   // call the tool even if the model did not receive it
}

// encode returns the arguments of a call as JSON.
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

// defaultAnswer is the answer if no script fits.
const defaultAnswer = "There is nothing that I could add."

func (s Script) text(q Request) string {
	switch {
	case s.Mark == "":
		return defaultAnswer
	case s.Text == "":
		return "Understood: " + s.Mark
	default:
		return s.Text + " " + s.Mark
	}
}

// nextCalls returns the calls to make after the results that the request contains.
func (s Script) nextCalls(q Request) []ToolCall {
	if !q.contains(s.Prompt) {
		return nil
	}
	results := q.Results()
	var calls []ToolCall
	switch {
	case len(results) < len(s.Calls) && s.Together && !q.OneCallAtATime && !q.hasUnansweredCalls():
		calls = s.Calls[len(results):]
	case len(results) < len(s.Calls) && (!s.Together || q.OneCallAtATime):
		calls = s.Calls[len(results) : len(results)+1]
	case s.Next != nil:
		if call := s.Next(results); call != nil {
			calls = []ToolCall{*call}
		}
	}
	return slices.DeleteFunc(slices.Clone(calls), func(c ToolCall) bool {
		return !c.Forced &&
			q.receivedName(c.Name) == ""
	})
}
