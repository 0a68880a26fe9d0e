package environment

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Model is the language model: GET /models, POST /chat/completions. What it answers
// depends on what it is shown: the mark in the last message of the user finds the
// script.
type Model struct {
	news     *news
	over     context.Context
	requests records[Request]

	mu       sync.Mutex
	scripts  map[string]Script
	called   map[string]int // by mark
	listings int
}

// Script is how the model answers a message that holds a mark.
type Script struct {
	Mark   string
	Calls  []ToolCall                       // one after the other, each after the result of the one before
	Then   func(results []string) *ToolCall // a further call, from the results so far; nil ends the turn. May be nil
	Prompt string                           // if not empty: calls are made only where the system text holds it
	Text   string                           // said when nothing is called any more; the mark is added
	Hangs  bool                             // no answer until the run ends or the client leaves
}

// ToolCall is what the model calls.
type ToolCall struct {
	Name      string // as the package has it; the model calls the name that it was shown for it
	Arguments any    // encoded as JSON; json.RawMessage and string go as they are
	Unshown   bool   // called also where no such tool was shown
}

// callsAtMost bounds how often one mark is answered by a call: a router that never
// shows a result is not to be kept busy.
const callsAtMost = 100

// Families are the models that the endpoint offers. There are two or more of some
// families, so that a choice among them can be seen.
func Families() []string {
	return []string{"gpt-4", "gpt-4o-mini", "claude-3-opus", "claude-3-haiku", "llama-3-70b", "mistral-large"}
}

// Play makes the model answer by a script where it sees its mark, from now on.
func (m *Model) Play(s Script) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.scripts[s.Mark] = s
}

// Requests gives what the model was asked with a mark in some message, in order.
func (m *Model) Requests(mark string) []Request {
	return m.requests.those(func(q Request) bool { return strings.Contains(q.all, mark) })
}

// Turn gives the requests of one turn: those whose last message of the user holds a
// mark as its last one.
func (m *Model) Turn(mark string) []Request {
	return m.requests.those(func(q Request) bool { return q.Mark == mark })
}

// Called counts the calls of tools that the model made under a mark.
func (m *Model) Called(mark string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.called[mark]
}

// Listings counts how often the models were listed.
func (m *Model) Listings() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.listings
}

func (m *Model) serve(w http.ResponseWriter, r *http.Request, rest string) {
	switch {
	case rest == "v1/models" && r.Method == http.MethodGet:
		m.list(w)
	case rest == "v1/chat/completions" && r.Method == http.MethodPost:
		m.complete(w, r)
	default:
		reply(w, http.StatusNotFound, apiError("no such endpoint: "+r.Method+" /"+rest))
	}
}

func (m *Model) list(w http.ResponseWriter) {
	m.mu.Lock()
	m.listings++
	m.mu.Unlock()
	var models []map[string]any
	for _, id := range Families() {
		models = append(models, map[string]any{"id": id, "object": "model", "created": 1700000000, "owned_by": "capconform"})
	}
	reply(w, http.StatusOK, map[string]any{"object": "list", "data": models})
}

func apiError(message string) map[string]any {
	return map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error", "param": nil, "code": nil}}
}

func (m *Model) complete(w http.ResponseWriter, r *http.Request) {
	body, read := readBody(w, r)
	if !read {
		return
	}
	q, err := readRequest(body)
	q.At = time.Now()
	m.requests.add(m.news, q)
	if err != nil {
		reply(w, http.StatusBadRequest, apiError(err.Error()))
		return
	}
	m.mu.Lock()
	script := m.scripts[q.Mark]
	m.mu.Unlock()
	if script.Hangs {
		select {
		case <-r.Context().Done():
		case <-m.over.Done():
		}
		return
	}
	said := completion{model: q.Model, text: script.words(q)}
	if call := script.next(q); call != nil && len(m.Turn(q.Mark)) <= callsAtMost {
		said.text, said.call, said.name = "", call, q.nameOf(call)
		m.mu.Lock()
		m.called[q.Mark]++
		m.mu.Unlock()
	}
	if q.Stream {
		said.stream(w, q.Usage)
		return
	}
	said.whole(w)
}

// neutral is said where no script fits.
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

// next gives the call that is due after the results that the request shows. Nil: none.
func (s Script) next(q Request) *ToolCall {
	if !strings.Contains(q.System(), s.Prompt) {
		return nil
	}
	results := q.Results()
	var due *ToolCall
	switch {
	case len(results) < len(s.Calls):
		due = &s.Calls[len(results)]
	case s.Then != nil:
		due = s.Then(results)
	}
	if due == nil || (!due.Unshown && q.shown(due.Name) == "") {
		return nil
	}
	return due
}

var separators = regexp.MustCompile(`[._-]+`)

// SameTool compares the names of tools as they may be rewritten on the way to a
// model: a dot may become _, __ or -.
func SameTool(a, b string) bool {
	return separators.ReplaceAllString(a, "_") == separators.ReplaceAllString(b, "_")
}

// shown gives the name under which a tool is shown, "" where it is not.
func (q Request) shown(name string) string {
	for _, t := range q.Tools {
		if SameTool(t.Name, name) {
			return t.Name
		}
	}
	return ""
}

// nameOf gives the name that is called: the one shown, else the tool's own, with
// its dot written as those of other built-in tools are shown.
func (q Request) nameOf(call *ToolCall) string {
	if name := q.shown(call.Name); name != "" {
		return name
	}
	family, verb, dotted := strings.Cut(call.Name, ".")
	for _, t := range q.Tools {
		rest, kin := strings.CutPrefix(t.Name, family)
		if between := separators.FindString(rest); dotted && kin && between != "" && strings.HasPrefix(rest, between) {
			return family + between + verb
		}
	}
	return call.Name
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
