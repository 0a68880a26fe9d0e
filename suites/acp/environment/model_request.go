package environment

import (
	stdjson "encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	json "github.com/go-json-experiment/json/v1" // decodes what encoding/json decodes, in less time
)

// Request is one request to the model.
type Request struct {
	Model          string
	Messages       []Message
	Tools          []Tool
	Stream         bool
	Usage          bool   // stream_options.include_usage
	OneCallAtATime bool   // the model must call only one tool at a time
	Mark           string // the last mark in the last message of the user, "" if there is none
	Body           []byte // as received
	NewToolBytes   int    // the length of its tools in bytes, 0 if an earlier request contained the same tools
}

// Message is one message of a request.
type Message struct {
	Role   string
	Text   string      // the text of the content; several parts are joined
	Calls  []ModelCall // the tool calls of the model
	CallID string      // for role tool: the id of the call that it answers
}

// ModelCall is a tool call in a message of the model.
type ModelCall struct{ ID, Name, Arguments string }

// Tool is one tool that the model receives.
type Tool struct {
	Name        string
	Description string
	Parameters  stdjson.RawMessage // nil: none
}

// System returns the text of all messages that may contain instructions: those of role system and
// developer, and those of role assistant, which the text of ACP allows too.
func (q Request) System() string {
	return strings.Join(q.texts("system", "developer", "assistant"), "\n")
}

// Text returns the texts of all messages.
func (q Request) Text() string {
	var all strings.Builder
	for _, m := range q.Messages {
		all.WriteString(m.Text)
		all.WriteByte('\n')
	}
	return all.String()
}

// Users returns the texts of the messages of role user, in order.
func (q Request) Users() []string { return q.texts("user") }

// LastUserMessageContains reports whether the last message of the user contains a text.
func (q Request) LastUserMessageContains(text string) bool {
	users := q.Users()
	return len(users) > 0 && strings.Contains(users[len(users)-1], text)
}

// Results returns the contents of the messages of role tool after the last message of the user.
func (q Request) Results() []string {
	since := 0
	for i, m := range q.Messages {
		if m.Role == "user" {
			since = i
		}
	}
	after := Request{Messages: q.Messages[min(since, len(q.Messages)):]}
	return after.texts("tool", "function")
}

// hasUnansweredCalls reports whether the messages contain more tool calls than results.
func (q Request) hasUnansweredCalls() bool {
	calls, results := 0, 0
	for _, m := range q.Messages {
		calls += len(m.Calls)
		if m.Role == "tool" {
			results++
		}
	}
	return calls > results
}

func (q Request) texts(roles ...string) []string {
	var all []string
	for _, m := range q.Messages {
		for _, role := range roles {
			if m.Role == role {
				all = append(all, m.Text)
			}
		}
	}
	return all
}

// wireRequest is the request in OpenAI's form.
type wireRequest struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string      `json:"role"`
		Content wireContent `json:"content"`
		Calls   []struct {
			ID       string `json:"id"`
			Function struct {
				Name      string `json:"name"`
				Arguments string `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
		Of string `json:"tool_call_id"`
	} `json:"messages"`
	Tools   stdjson.RawMessage `json:"tools"`
	Stream  bool               `json:"stream"`
	Several *bool              `json:"parallel_tool_calls"`
	Options struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`
}

type wireTool struct {
	Function struct {
		Name        string             `json:"name"`
		Description string             `json:"description"`
		Parameters  stdjson.RawMessage `json:"parameters"`
	} `json:"function"`
}

// Reader parses requests. Most requests of a run contain the same tools as an earlier one, so a reader
// stores each list only once. If several components share a reader, each request is parsed once. The
// zero value is ready to use and safe for concurrent use.
type Reader struct {
	mu     sync.Mutex
	tools  map[string][]Tool // by their JSON text
	recent [8]Request
	parsed int // the number of requests
}

// maxToolLists limits how many lists of tools a reader stores.
const maxToolLists = 2_000

// Read parses a request. If the request is malformed, the parts that could be read are returned with the
// error. The body must not be changed afterwards.
func (r *Reader) Read(body []byte) (Request, error) {
	if q, known := r.cached(body); known {
		return q, nil
	}
	q, err := r.read(body)
	if err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.recent[r.parsed%len(r.recent)] = q
		r.parsed++
	}
	return q, err
}

// cached returns a request that was parsed before from the same memory.
func (r *Reader) cached(body []byte) (Request, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, q := range r.recent {
		if len(body) > 0 && len(q.Body) == len(body) && &q.Body[0] == &body[0] {
			return q, true
		}
	}
	return Request{}, false
}

func (r *Reader) read(body []byte) (Request, error) {
	var wire wireRequest
	err := json.Unmarshal(body, &wire)
	q := Request{Model: wire.Model, Stream: wire.Stream, Usage: wire.Options.Usage, Body: body,
		OneCallAtATime: wire.Several != nil && !*wire.Several}
	if err == nil {
		err = r.readTools(&q, wire.Tools)
	}
	if err != nil {
		return Request{Body: body, Messages: []Message{{Text: string(body)}}},
			fmt.Errorf("environment: no chat completions request: %w", err)
	}
	for _, m := range wire.Messages {
		message := Message{Role: m.Role, Text: string(m.Content), CallID: m.Of}
		for _, c := range m.Calls {
			message.Calls = append(message.Calls, ModelCall{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
		}
		q.Messages = append(q.Messages, message)
	}
	if users := q.Users(); len(users) > 0 {
		q.Mark = lastMark(users[len(users)-1])
	}
	return q, nil
}

func (r *Reader) readTools(q *Request, text stdjson.RawMessage) error {
	if len(text) == 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known := false
	if q.Tools, known = r.tools[string(text)]; known {
		return nil
	}
	var wire []wireTool
	if err := json.Unmarshal(text, &wire); err != nil {
		return err
	}
	for _, t := range wire {
		q.Tools = append(q.Tools,
			Tool{Name: t.Function.Name, Description: t.Function.Description, Parameters: t.Function.Parameters})
	}
	q.NewToolBytes = len(text)
	if r.tools == nil {
		r.tools = map[string][]Tool{}
	}
	if len(r.tools) < maxToolLists {
		r.tools[string(text)] = q.Tools
	}
	return nil
}

// wireContent is the text of a content: a string, or a list of parts.
type wireContent string

// UnmarshalJSON implements json.Unmarshaler. It accepts any JSON value.
func (c *wireContent) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		*c = wireContent(text)
		return nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		*c = wireContent(raw)
		return nil
	}
	var all []string
	for _, p := range parts {
		all = append(all, p.Text)
	}
	*c = wireContent(strings.Join(all, "\n"))
	return nil
}

// contains reports whether a message or the name of a tool contains a word.
func (q Request) contains(word string) bool {
	return q.messagesContain(word) || slices.ContainsFunc(q.Tools, func(t Tool) bool {
		return strings.Contains(strings.ToLower(t.Name), word)
	})
}

// messagesContain reports whether a message contains a word.
func (q Request) messagesContain(word string) bool {
	return slices.ContainsFunc(q.Messages, func(m Message) bool { return strings.Contains(m.Text, word) })
}
