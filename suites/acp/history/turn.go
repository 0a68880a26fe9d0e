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
	ModelRequests      []*ModelRequest

	toolResults []ToolResult // the results of tools, as the model received them
	replyResult ToolResult   // the reply to the user, if the model received no result
	actions     []*Action
}

// ModelRequest is one request to the model within a turn.
type ModelRequest struct {
	*SubjectRequest
	*environment.Request
	Acting    []*sample.Package // the packages that act in it
	Shown     ShownPackages
	ToolCalls []*ToolCall // the tools that the model called in its answer, none if it answered with text

	results []string
}

// Results returns the results of tools that the request contains.
func (q *ModelRequest) Results() []string { return q.results }

// toolResults returns the results, each read as a ToolResult.
func (q *ModelRequest) toolResults() []ToolResult {
	return record.Keep(q.Readings(), func() []ToolResult {
		var all []ToolResult
		for i := range q.results {
			all = append(all, Read(q.results[i:i+1]))
		}
		return all
	})
}

// ToolCall is one call of a tool by the model.
type ToolCall struct {
	Name      string // as the model received it
	Arguments Object
}

// ShownPackages contains the packages of the harness whose prompt or tools a request contains.
type ShownPackages struct{ Prompts, Tools []*sample.Package }

// Acting returns the packages that act in a request. A request with several prompts and no tools only
// asks which package a message is for.
func (x ShownPackages) Acting() []*sample.Package {
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
	return reading.NoteObjects(&h.Reading, slices.Clone(h.turns))
}

// Turn returns the turn of an entry, nil if there is none.
func (h *History) Turn(entry record.Tick) *Turn {
	h.Lock()
	defer h.Unlock()
	h.readTurns()
	for _, t := range slices.Backward(h.turns) {
		if t.Entry == entry {
			h.NoteObject(t)
			return t
		}
	}
	return nil
}

// readTurns reads the messages that were added since the last call.
func (h *History) readTurns() {
	added := h.calls[OpMessage][len(h.turns):]
	if len(added) == 0 {
		return
	}
	for _, c := range added {
		t := h.newTurn(c)
		h.turns = append(h.turns, t)
		for _, p := range t.Reached() {
			h.turnsByPackage[p.Mark] = append(h.turnsByPackage[p.Mark], t)
		}
	}
	slices.SortStableFunc(h.turns, func(a, b *Turn) int { return int(a.Entry - b.Entry) })
}

// TurnsReaching returns the turns that reached the package with a mark.
func (h *History) TurnsReaching(mark string) []*Turn {
	h.Lock()
	defer h.Unlock()
	h.readTurns()
	return reading.NoteObjects(&h.Reading, h.turnsByPackage[mark])
}

func (h *History) newTurn(c *Call) *Turn {
	t := &Turn{Call: c}
	t.Conversation, _ = c.Params["conversation"].(string)
	t.Text, _ = c.Params["text"].(string)
	if marks := sample.Marks(t.Text); len(marks) > 0 {
		t.Mark = marks[len(marks)-1]
	}
	t.Reply, _ = c.Result()["text"].(string)
	for _, a := range h.modelRequests[t.Mark] {
		if a.Entry > c.Entry && (t.Mark != "" || a.chat.LastUserMessageContains(t.Text)) {
			t.ModelRequests = append(t.ModelRequests, h.newModelRequest(a))
		}
	}
	t.readResults()
	return t
}

// readResults reads the results of the tools of a turn once, because every judgement uses them.
func (t *Turn) readResults() {
	var fullest *ModelRequest
	for _, q := range t.ModelRequests {
		if fullest == nil || len(q.results) >= len(fullest.results) {
			fullest = q
		}
	}
	if fullest != nil {
		t.toolResults = fullest.toolResults()
	}
	if len(t.toolResults) == 0 && t.Reply != "" {
		t.replyResult = Read([]string{t.Reply})
	}
	t.actions = actionsOf(t)
}

func (h *History) newModelRequest(a *SubjectRequest) *ModelRequest {
	q := &ModelRequest{SubjectRequest: a, Request: a.chat, results: a.chat.Results()}
	q.ToolCalls = record.Keep(q.Readings(), func() []*ToolCall { return toolCallsIn(a.Received) })
	q.Shown = ShownIn(q.Request, h.packagesIn)
	q.Acting = q.Shown.Acting()
	return q
}

// RequestsWithoutMessage returns the requests to the model during a turn that do not contain its
// message. It returns nil if the requests could belong to another turn.
func (h *History) RequestsWithoutMessage(t *Turn) []*ModelRequest {
	if t.Mark == "" || slices.ContainsFunc(h.Turns(),
		func(o *Turn) bool { return o != t && o.Entry < t.Done && t.Entry < o.Done }) {
		return nil
	}
	var all []*ModelRequest
	for _, a := range h.RequestsTo(record.Model) {
		if a.chat != nil && a.chat.Mark != t.Mark && t.Entry < a.Entry && a.Entry < t.Done {
			all = append(all, h.newModelRequest(a))
		}
	}
	return all
}

// ShownIn returns the packages that a request contains. The function packagesIn returns the packages whose
// marks a text contains.
func ShownIn(q *environment.Request, packagesIn func(text string) []*sample.Package) ShownPackages {
	shown := ShownPackages{Prompts: packagesIn(q.System())}
	for _, tool := range q.Tools {
		for _, p := range packagesIn(strings.ToLower(tool.Name)) {
			if !slices.Contains(shown.Tools, p) {
				shown.Tools = append(shown.Tools, p)
			}
		}
	}
	return shown
}

// packagesIn returns the packages whose marks a text contains.
func (h *History) packagesIn(text string) []*sample.Package {
	var all []*sample.Package
	for _, mark := range sample.Marks(text) {
		if p := h.packagesByMark[mark]; p != nil && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

// Reached returns the packages that a message reached.
func (t *Turn) Reached() []*sample.Package {
	var all []*sample.Package
	for _, q := range t.ModelRequests {
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
	return slices.ContainsFunc(t.ModelRequests, func(q *ModelRequest) bool {
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
		return t.replyResult
	default:
		return ToolResult{}
	}
}

// AnsweredModel reports whether the model received the result of a tool.
func (t *Turn) AnsweredModel() bool { return len(t.toolResults) > 0 }

// Entries returns the entries of the message and of the requests to the model.
func (t *Turn) Entries() []record.Tick {
	all := []record.Tick{t.Entry}
	for _, q := range t.ModelRequests {
		all = append(all, q.Entry)
	}
	return all
}

// toolCallsIn returns the tool calls in an answer of the model, which may be complete or a stream.
func toolCallsIn(answer []byte) []*ToolCall {
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
	var joined []*function
	for _, line := range bytes.Split(answer, []byte("\n")) {
		var part completion
		if json.Unmarshal(bytes.TrimPrefix(line, []byte("data: ")), &part) != nil {
			continue
		}
		for _, choice := range part.Choices {
			for i, call := range slices.Concat(choice.Message.Calls, choice.Delta.Calls) {
				if call.Index != nil {
					i = *call.Index
				}
				for len(joined) <= i {
					joined = append(joined, &function{})
				}
				joined[i].Name += call.Function.Name
				joined[i].Arguments += call.Function.Arguments
			}
		}
	}
	var all []*ToolCall
	for _, sum := range joined {
		arguments, _ := Normalized(json.RawMessage(sum.Arguments)).(Object)
		all = append(all, &ToolCall{sum.Name, arguments})
	}
	return all
}
