package environment

import (
	"context"
	"net/http"
	"sync"
)

// Model is the language model: GET /models, POST /chat/completions. Its answer depends on the request:
// the last mark in the last message of the user selects the script.
type Model struct {
	runContext context.Context
	requests   records[Request]
	Reader     Reader

	mu      sync.Mutex
	scripts map[string]Script
	failing bool
}

// maxCallsPerMark limits how often the model answers requests with one mark by a tool call, so that a
// router that never sends a result does not loop forever.
const maxCallsPerMark = 100

// Families returns the models that the service offers. Some families have two or more models, so that
// the choice of a family is visible.
func Families() []string {
	return []string{"gpt-4", "gpt-4o-mini", "claude-3-opus", "claude-3-haiku", "llama-3-70b", "mistral-large"}
}

// SetScript makes the model answer requests with the mark of a script by this script from now on.
func (m *Model) SetScript(s Script) {
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

// RequestsWith returns the requests of one turn: those with this mark as the last one in the last
// message of the user.
func (m *Model) RequestsWith(mark string) []Request {
	return m.requests.filter(func(q Request) bool { return q.Mark == mark })
}

func (m *Model) serve(w http.ResponseWriter, r *http.Request, rest string) {
	switch {
	case rest == "v1/models" && r.Method == http.MethodGet:
		m.list(w)
	case rest == "v1/chat/completions" && r.Method == http.MethodPost:
		m.complete(w, r)
	default:
		writeJSON(w, http.StatusNotFound, apiError("no such endpoint: "+r.Method+" /"+rest))
	}
}

func (m *Model) list(w http.ResponseWriter) {
	var models []map[string]any
	for _, id := range Families() {
		models = append(models, map[string]any{"id": id, "object": "model", "created": 1700000000, "owned_by": "capconform"})
	}
	writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": models})
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
	q.Body = nil // it is not needed any more
	m.requests.add(q)
	if err != nil {
		writeJSON(w, http.StatusBadRequest, apiError(err.Error()))
		return
	}
	m.mu.Lock()
	script, failing := m.scripts[q.Mark], m.failing
	m.mu.Unlock()
	if failing {
		writeJSON(w, http.StatusInternalServerError, apiError("the model fails"))
		return
	}
	if script.Hangs && q.contains(script.Prompt) {
		select {
		case <-r.Context().Done():
		case <-m.runContext.Done():
		}
		return
	}
	if len(q.Results()) == 0 {
		script.Barrier.wait(r.Context())
	}
	answer := completion{model: q.Model, text: script.text(q)}
	if calls := script.nextCalls(q); len(calls) > 0 && len(m.RequestsWith(q.Mark)) <= maxCallsPerMark {
		answer.text, answer.calls = "", calls
		for i := range calls {
			answer.names = append(answer.names, q.nameToCall(&calls[i]))
		}
	}
	if q.Stream {
		answer.writeStream(w, q.Usage)
		return
	}
	answer.writeWhole(w)
}
