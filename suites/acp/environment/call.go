package environment

import (
	"encoding/json"
	"net/url"
	"strings"
)

// Behaviour states how a tool answers. It is a segment of the path of an HTTP URL, and the name of an
// MCP action.
type Behaviour string

// The behaviours. Unless stated otherwise, HTTP answers 200 with a JSON object, and MCP answers with
// structuredContent and the same JSON as text. The member reply is a random word, which only a caller of
// the tool can know (Call.Reply).
const (
	Echo       Behaviour = "echo"        // {"reply", "received"}
	EchoText   Behaviour = "echoText"    // "reply: ..." as plain text
	Done       Behaviour = "done"        // {"done": true, "reply"}
	DoneInText Behaviour = "done_text"   // the same, over MCP only in the first text block
	NotDone    Behaviour = "done_false"  // {"done": false, "reply"}
	DoneString Behaviour = "done_string" // {"done": "true", "reply"}
	DoneNumber Behaviour = "done_number" // {"done": 1, "reply"}
	Fails      Behaviour = "fails"       // HTTP: status 500; MCP: isError
	Hangs      Behaviour = "hangs"       // no answer until Release, then as Echo
)

// Behaviours returns all behaviours.
func Behaviours() []Behaviour {
	return []Behaviour{Echo, EchoText, Done, DoneInText, NotDone, DoneString, DoneNumber, Fails, Hangs}
}

// Call is one call of a tool.
type Call struct {
	Kind      string    // http, mcp or agent
	Service   string    // the service URI or DID called; "" for http
	Behaviour Behaviour // the requested behaviour; for an agent Echo or Done
	Method    string    // for http
	Path      string    // for http: the path after the behaviour
	Query     url.Values
	Body      []byte          // for http and agent, as received
	Arguments json.RawMessage // for mcp, as received
	Reply     string          // the word in the answer
}

// text returns all parts of a call that may contain a mark.
func (c Call) text() string {
	query := ""
	for name, values := range c.Query {
		query += " " + name + "=" + strings.Join(values, " ")
	}
	return c.Path + query + " " + string(c.Body) + " " + string(c.Arguments)
}

// Mark returns the last mark in a call, "" if there is none.
func (c Call) Mark() string { return lastMark(c.text()) }

// answer returns the body that the behaviour requires.
func (c Call) answer() map[string]any {
	body := map[string]any{"reply": c.Reply}
	switch c.Behaviour {
	case Done, DoneInText:
		body["done"] = true
	case NotDone:
		body["done"] = false
	case DoneString:
		body["done"] = "true"
	case DoneNumber:
		body["done"] = 1
	case Fails:
		body["error"] = "the tool fails, as it was told to"
	default:
		body["received"] = c.received()
	}
	return body
}

// received returns what arrived, as JSON if it is valid JSON.
func (c Call) received() any {
	switch {
	case c.Arguments != nil:
		return c.Arguments
	case json.Valid(c.Body):
		return json.RawMessage(c.Body)
	case len(c.Body) > 0:
		return string(c.Body)
	}
	query := map[string]string{}
	for name := range c.Query {
		query[name] = c.Query.Get(name)
	}
	return query
}
