package history

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
)

// Turn is one message of a user and its result.
type Turn struct {
	*Call
	Conversation, Text string
	Mark               string // the last mark in the text, "" for a command
	Reply              string // what the user reads
	Questions          []*Question

	toolResults []ToolResult // the results of tools, as the model received them
	replied     ToolResult   // the reply to the user, if the model received no result
	actions     []*Action
}

// Question is one request to the model within a turn.
type Question struct {
	*Asked
	*environment.Request
	Acting []*sample.Package // the packages that act in it
	Shown  Shown
	Called []*Called // the tools that the model called in its answer, none if it answered with text

	results []string
}

// Results returns the results of tools that the request contains.
func (q *Question) Results() []string { return q.results }

// toolResultsOf returns the results, each read as a ToolResult.
func (q *Question) toolResultsOf() []ToolResult {
	return record.Keep(q.Readings(), func() []ToolResult {
		var all []ToolResult
		for i := range q.results {
			all = append(all, Read(q.results[i:i+1]))
		}
		return all
	})
}

// Called is one call of a tool by the model.
type Called struct {
	Name      string // as the model received it
	Arguments Object
}

// Shown contains the packages of the harness whose prompt or tools a request contains.
type Shown struct{ Prompts, Tools []*sample.Package }

// Acting returns the packages that act in a request. A request with several prompts and no tools only
// asks which package a message is for.
func (x Shown) Acting() []*sample.Package {
	switch {
	case len(x.Prompts) == 1:
		return x.Prompts
	case len(x.Tools) == 1 || len(x.Prompts) > 1:
		return x.Tools
	default:
		return nil
	}
}

// Turns returns all turns in the order in which the messages were sent.
func (h *History) Turns() []*Turn {
	h.Lock()
	defer h.Unlock()
	h.readTurns()
	return reading.GivesAll(&h.Reading, slices.Clone(h.ordered))
}

// Turn returns the turn of an entry, nil if there is none.
func (h *History) Turn(entry record.Tick) *Turn {
	h.Lock()
	defer h.Unlock()
	h.readTurns()
	for _, t := range slices.Backward(h.ordered) {
		if t.Entry == entry {
			h.Gives(t)
			return t
		}
	}
	return nil
}

// readTurns reads the messages that were added since the last call.
func (h *History) readTurns() {
	further := h.calls[OpMessage][len(h.ordered):]
	if len(further) == 0 {
		return
	}
	for _, c := range further {
		t := h.turn(c)
		h.ordered = append(h.ordered, t)
		for _, p := range t.Reached() {
			h.reaching[p.Mark] = append(h.reaching[p.Mark], t)
		}
	}
	slices.SortStableFunc(h.ordered, func(a, b *Turn) int { return int(a.Entry - b.Entry) })
}

// Reaching returns the turns that reached the package with a mark.
func (h *History) Reaching(mark string) []*Turn {
	h.Lock()
	defer h.Unlock()
	h.readTurns()
	return reading.GivesAll(&h.Reading, h.reaching[mark])
}

func (h *History) turn(c *Call) *Turn {
	t := &Turn{Call: c}
	t.Conversation, _ = c.Params["conversation"].(string)
	t.Text, _ = c.Params["text"].(string)
	if marks := sample.Marks(t.Text); len(marks) > 0 {
		t.Mark = marks[len(marks)-1]
	}
	t.Reply, _ = c.Result()["text"].(string)
	for _, a := range h.questions[t.Mark] {
		if a.Entry > c.Entry && (t.Mark != "" || a.question.Asks(t.Text)) {
			t.Questions = append(t.Questions, h.question(a))
		}
	}
	t.read()
	return t
}

// read reads the results of the tools of a turn once, because every judgement uses them.
func (t *Turn) read() {
	var most *Question
	for _, q := range t.Questions {
		if most == nil || len(q.results) >= len(most.results) {
			most = q
		}
	}
	if most != nil {
		t.toolResults = most.toolResultsOf()
	}
	if len(t.toolResults) == 0 && t.Reply != "" {
		t.replied = Read([]string{t.Reply})
	}
	t.actions = actionsOf(t)
}

func (h *History) question(a *Asked) *Question {
	q := &Question{Asked: a, Request: a.question, results: a.question.Results()}
	q.Called = record.Keep(q.Readings(), func() []*Called { return called(a.Received) })
	q.Shown = ShownBy(q.Request, h.known)
	q.Acting = q.Shown.Acting()
	return q
}

// ActingSilently returns the requests to the model during a turn that do not contain its message. It
// returns nil if the requests could belong to another turn.
func (h *History) ActingSilently(t *Turn) []*Question {
	if t.Mark == "" || slices.ContainsFunc(h.Turns(),
		func(o *Turn) bool { return o != t && o.Entry < t.Done && t.Entry < o.Done }) {
		return nil
	}
	var all []*Question
	for _, a := range h.Asked(record.Model) {
		if a.question != nil && a.question.Mark != t.Mark && t.Entry < a.Entry && a.Entry < t.Done {
			all = append(all, h.question(a))
		}
	}
	return all
}

// ShownBy returns the packages that a request contains. The function known returns the packages whose
// marks a text contains.
func ShownBy(q *environment.Request, known func(text string) []*sample.Package) Shown {
	shown := Shown{Prompts: known(q.System())}
	for _, tool := range q.Tools {
		for _, p := range known(strings.ToLower(tool.Name)) {
			if !slices.Contains(shown.Tools, p) {
				shown.Tools = append(shown.Tools, p)
			}
		}
	}
	return shown
}

// known returns the packages whose marks a text contains.
func (h *History) known(text string) []*sample.Package {
	var all []*sample.Package
	for _, mark := range sample.Marks(text) {
		if p := h.byMark[mark]; p != nil && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

// Reached returns the packages that a message reached.
func (t *Turn) Reached() []*sample.Package {
	var all []*sample.Package
	for _, q := range t.Questions {
		for _, p := range q.Acting {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// Reaches reports whether a message reached a package.
func (t *Turn) Reaches(p *sample.Package) bool {
	return slices.ContainsFunc(t.Reached(), func(other *sample.Package) bool { return other.Mark == p.Mark })
}

// Offered reports whether the model received a tool.
func (t *Turn) Offered(tool string) bool {
	return slices.ContainsFunc(t.Questions, func(q *Question) bool {
		return slices.ContainsFunc(q.Request.Tools,
			func(o environment.Tool) bool { return environment.SameTool(o.Name, tool) })
	})
}

// ToolResult returns the n-th tool result of a turn. If the model received none, it returns the reply to
// the user.
func (t *Turn) ToolResult(n int) ToolResult {
	switch {
	case n < len(t.toolResults):
		return t.toolResults[n]
	case len(t.toolResults) == 0:
		return t.replied
	default:
		return ToolResult{}
	}
}

// AnsweredModel reports whether the model received the result of a tool.
func (t *Turn) AnsweredModel() bool { return len(t.toolResults) > 0 }

// Entries returns the entries of the message and of the requests to the model.
func (t *Turn) Entries() []record.Tick {
	all := []record.Tick{t.Entry}
	for _, q := range t.Questions {
		all = append(all, q.Entry)
	}
	return all
}

// called returns the tool calls in an answer of the model, which may be complete or a stream.
func called(answer []byte) []*Called {
	type function struct{ Name, Arguments string }
	type message struct {
		Calls []struct {
			Index    *int
			Function function
		} `json:"tool_calls"`
	}
	type completion struct {
		Choices []struct{ Message, Delta message }
	}
	var sums []*function
	for _, line := range bytes.Split(answer, []byte("\n")) {
		var one completion
		if json.Unmarshal(bytes.TrimPrefix(line, []byte("data: ")), &one) != nil {
			continue
		}
		for _, choice := range one.Choices {
			for i, call := range slices.Concat(choice.Message.Calls, choice.Delta.Calls) {
				if call.Index != nil {
					i = *call.Index
				}
				for len(sums) <= i {
					sums = append(sums, &function{})
				}
				sums[i].Name += call.Function.Name
				sums[i].Arguments += call.Function.Arguments
			}
		}
	}
	var all []*Called
	for _, sum := range sums {
		arguments, _ := Made(json.RawMessage(sum.Arguments)).(Object)
		all = append(all, &Called{sum.Name, arguments})
	}
	return all
}
