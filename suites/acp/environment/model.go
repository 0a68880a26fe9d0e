package environment

import (
	"context"
	"net/http"
	"sync"
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
