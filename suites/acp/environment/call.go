package environment

import (
	"encoding/json"
	"net/url"
	"strings"
)

// Behaviour states how a tool answers. It is the last word but one of an HTTP
// address, and the name of an MCP action.
type Behaviour string

// The behaviours. Unless something else is said, HTTP answers 200 with a JSON object
// and MCP with structuredContent and the same as text; "reply" in it is a word
// that only whoever really called can know (Call.Reply).
const (
	Echo       Behaviour = "echo"        // {"reply", "received"}
	EchoText   Behaviour = "echoText"    // "reply: ..." as plain text
	Done       Behaviour = "done"        // {"done": true, "reply"}
	DoneInText Behaviour = "done_text"   // the same, over MCP in the first text block alone
	NotDone    Behaviour = "done_false"  // {"done": false, "reply"}
	DoneString Behaviour = "done_string" // {"done": "true", "reply"}
	DoneNumber Behaviour = "done_number" // {"done": 1, "reply"}
	Fails      Behaviour = "fails"       // HTTP: status 500; MCP: isError
	Hangs      Behaviour = "hangs"       // no answer until Release, then as Echo
)

// Behaviours lists them all.
func Behaviours() []Behaviour {
	return []Behaviour{Echo, EchoText, Done, DoneInText, NotDone, DoneString, DoneNumber, Fails, Hangs}
}

// Call is one call of a tool.
type Call struct {
	Kind      string    // http, mcp or agent
	Service   string    // the service URI or DID called; "" for http
	Behaviour Behaviour // what was asked for; of an agent Echo or Done
	Method    string    // of HTTP
	Path      string    // below the address's behaviour
	Query     url.Values
	Body      []byte          // of http and agent, as it came
	Arguments json.RawMessage // of mcp, as they came
	Reply     string          // the word that the answer holds
}

// text is everything of a call in which a mark may stand.
func (c Call) text() string {
	query := ""
	for name, values := range c.Query {
		query += " " + name + "=" + strings.Join(values, " ")
	}
	return c.Path + query + " " + string(c.Body) + " " + string(c.Arguments)
}

// Mark returns the last mark in what came with a call, "" if there is none.
func (c Call) Mark() string { return lastMark(c.text()) }

// answers are the bodies that behaviours give.
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

// received is what came, as JSON where it is some.
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
