package environment

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Model is the language model: GET /models, POST /chat/completions. What it answers
// depends on what it is shown: the mark in the last message of the user finds the
// script.
type Model struct {
	over     context.Context
	requests records[Request]
	Reader   Reader

	mu      sync.Mutex
	scripts map[string]Script
	failing bool
}

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

// Fail makes the model answer every request with status 500 from now on.
func (m *Model) Fail() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failing = true
}

// Turn returns the requests of one turn: those whose last message of the user holds a
// mark as its last one.
func (m *Model) Turn(mark string) []Request {
	return m.requests.those(func(q Request) bool { return q.Mark == mark })
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
	var models []map[string]any
	for _, id := range Families() {
		models = append(models, map[string]any{"id": id, "object": "model", "created": 1700000000, "owned_by": "capconform"})
	}
	reply(w, http.StatusOK, map[string]any{"object": "list", "data": models})
}

func apiError(message string) map[string]any {
	return map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error",
		"param": nil, "code": nil}}
}

func (m *Model) complete(w http.ResponseWriter, r *http.Request) {
	body, read := readBody(w, r)
	if !read {
		return
	}
	q, err := m.Reader.Read(body)
	q.Body = nil // nobody asks for it again
	m.requests.add(q)
	if err != nil {
		reply(w, http.StatusBadRequest, apiError(err.Error()))
		return
	}
	m.mu.Lock()
	script, failing := m.scripts[q.Mark], m.failing
	m.mu.Unlock()
	if failing {
		reply(w, http.StatusInternalServerError, apiError("the model fails"))
		return
	}
	if script.Hangs {
		select {
		case <-r.Context().Done():
		case <-m.over.Done():
		}
		return
	}
	if len(q.Results()) == 0 {
		script.Meeting.arrive(r.Context())
	}
	said := completion{model: q.Model, text: script.words(q)}
	if calls := script.next(q); len(calls) > 0 && len(m.Turn(q.Mark)) <= callsAtMost {
		said.text, said.calls = "", calls
		for i := range calls {
			said.names = append(said.names, q.nameOf(&calls[i]))
		}
	}
	if q.Stream {
		said.stream(w, q.Usage)
		return
	}
	said.whole(w)
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

// holds reports whether a word stands in a message or in the name of a tool.
func (q Request) holds(word string) bool {
	return q.says(word) || slices.ContainsFunc(q.Tools, func(t Tool) bool {
		return strings.Contains(strings.ToLower(t.Name), word)
	})
}

// says reports whether a word stands in a message.
func (q Request) says(word string) bool {
	return slices.ContainsFunc(q.Messages, func(m Message) bool { return strings.Contains(m.Text, word) })
}

// SameTool reports whether a tool that a model receives is one of a package. Names may be
// rewritten on the way: a dot may become _, __ or -, or a capital letter, and a router
// may put further words before or behind the name, to tell packages apart.
func SameTool(shown, own string) bool {
	a, b := toolWords(shown), toolWords(own)
	if b == "" || len(a) < len(b) {
		return false
	}
	return a == b || strings.HasPrefix(a, b+" ") || strings.HasSuffix(a, " "+b)
}

// toolWords writes the words of a name with one space between them: a capital letter behind a
// small one begins a word.
func toolWords(name string) string {
	var words strings.Builder
	inWord, ended := false, false // behind a small letter or a digit; behind a word
	for _, r := range name {
		if strings.ContainsRune("./_-", r) || unicode.IsSpace(r) {
			inWord, ended = false, words.Len() > 0
			continue
		}
		if ended || inWord && r >= 'A' && r <= 'Z' {
			words.WriteByte(' ')
		}
		inWord, ended = r >= 'a' && r <= 'z' || r >= '0' && r <= '9', false
		words.WriteRune(unicode.ToLower(r))
	}
	return words.String()
}

// shown returns the name under which a tool is shown, "" if it is not. One that is
// the name itself comes before one with words around it.
func (q Request) shown(name string) string {
	found, words := "", toolWords(name)
	for _, t := range q.Tools {
		if toolWords(t.Name) == words {
			return t.Name
		}
		if found == "" && SameTool(t.Name, name) {
			found = t.Name
		}
	}
	return found
}

// verbs are those of the built-in tools, as they stand in names.
var verbs = regexp.MustCompile(`(?i)create|update|query|delete`)

// nameOf returns the name that is called: the one shown, else the tool's own, written
// as another built-in tool is shown.
func (q Request) nameOf(call *ToolCall) string {
	if name := q.shown(call.Name); name != "" {
		return name
	}
	family, verb, dotted := strings.Cut(call.Name, ".")
	for _, t := range q.Tools {
		kin := verbs.FindString(t.Name)
		if !dotted || kin == "" || !SameTool(t.Name, family+"."+strings.ToLower(kin)) {
			continue
		}
		if kin != strings.ToLower(kin) {
			verb = strings.ToUpper(verb[:1]) + verb[1:]
		}
		return strings.Replace(t.Name, kin, verb, 1)
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
