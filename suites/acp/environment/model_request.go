package environment

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Request is one question to the model.
type Request struct {
	Model    string
	Messages []Message
	Tools    []Tool
	Stream   bool
	Usage    bool   // stream_options.include_usage
	Mark     string // the last one in the last message of the user, "" if there is none
	Body     []byte // as it came
	At       time.Time
	all      string // the text of all messages
}

// Message is one message of a request.
type Message struct {
	Role  string
	Text  string      // the content, its text parts joined
	Calls []ModelCall // what the model called
	Of    string      // of role tool: the id of the call that it answers
}

// ModelCall is a call that stands in a message of the model.
type ModelCall struct{ ID, Name, Arguments string }

// Tool is one tool that the model is shown.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // nil: none
}

// System is the text of all messages that instruct: those of role system and
// developer, and those of role assistant, which the text names as well.
func (q Request) System() string {
	return strings.Join(q.texts("system", "developer", "assistant"), "\n")
}

// Text is that of all messages.
func (q Request) Text() string { return q.all }

// Users are the texts of the messages of role user, in order.
func (q Request) Users() []string { return q.texts("user") }

// Asks tells whether a text stands in the last message of the user.
func (q Request) Asks(text string) bool {
	users := q.Users()
	return len(users) > 0 && strings.Contains(users[len(users)-1], text)
}

// Results are the contents of the messages of role tool behind the last message of
// the user.
func (q Request) Results() []string {
	since := 0
	for i, m := range q.Messages {
		if m.Role == "user" {
			since = i
		}
	}
	late := Request{Messages: q.Messages[min(since, len(q.Messages)):]}
	return late.texts("tool", "function")
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
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
		Calls   []struct {
			ID       string `json:"id"`
			Function struct {
				Name      string `json:"name"`
				Arguments string `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
		Of string `json:"tool_call_id"`
	} `json:"messages"`
	Tools []struct {
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	Stream  bool `json:"stream"`
	Options struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`
}

// ReadRequest reads a request. Where it is none, what came is kept all the same.
func ReadRequest(body []byte) (Request, error) {
	var wire wireRequest
	if err := json.Unmarshal(body, &wire); err != nil {
		return Request{Body: body, all: string(body)}, fmt.Errorf("environment: no chat completions request: %w", err)
	}
	q := Request{Model: wire.Model, Stream: wire.Stream, Usage: wire.Options.Usage, Body: body}
	for _, m := range wire.Messages {
		one := Message{Role: m.Role, Text: contentText(m.Content), Of: m.Of}
		for _, c := range m.Calls {
			one.Calls = append(one.Calls, ModelCall{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
		}
		q.Messages = append(q.Messages, one)
		q.all += one.Text + "\n"
	}
	for _, t := range wire.Tools {
		q.Tools = append(q.Tools, Tool{Name: t.Function.Name, Description: t.Function.Description, Parameters: t.Function.Parameters})
	}
	if users := q.Users(); len(users) > 0 {
		q.Mark = lastMark(users[len(users)-1])
	}
	return q, nil
}

// contentText reads a content: a string, or a list of parts.
func contentText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return string(raw)
	}
	var all []string
	for _, p := range parts {
		all = append(all, p.Text)
	}
	return strings.Join(all, "\n")
}
