package proof

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
)

// unwired returns a request to the model in which the results of tools are JSON values, so that their members can be
// edited.
func unwired(body any) any {
	return withResults(body, func(content any) any {
		text, _ := content.(string)
		if value := schemas.ReadValue([]byte(text)); value != nil {
			return value
		}
		return content
	})
}

// wired returns a request as a router sends it.
func wired(text []byte) []byte {
	return jsonvalue.Encode(withResults(schemas.ReadValue(text), func(content any) any {
		switch content.(type) {
		case map[string]any, []any:
			return string(jsonvalue.Encode(content))
		}
		return content
	}))
}

// withResults returns a copy of a request with changed contents of tool results.
func withResults(body any, change func(content any) any) any {
	messages, _ := objectAt(body, nil)["messages"].([]any)
	for i, m := range messages {
		if of := objectAt(m, nil); of["role"] == "tool" && of["content"] != nil {
			messages[i] = otherwise(of, "content", change(of["content"]))
		}
	}
	return body
}

func otherwise(of map[string]any, name string, value any) map[string]any {
	changed := map[string]any{name: value}
	for member, v := range of {
		if member != name {
			changed[member] = v
		}
	}
	return changed
}

// ofQuestions are the requirements that a request with changed contents may break. The request alone does not show
// the effects on the answer of the model.
var ofQuestions = []string{
	"ACP-FIELD-06", "ACP-ROUTE-01", "ACP-ROUTE-02", "ACP-ROUTE-03", "ACP-ROUTE-04", "ACP-MOT-01", "ACP-MOT-02", "ACP-ABS-02", "ACP-ABS-04", "ACP-INST-03",
	"ACP-COMP-01", "ACP-DONE-01", "ACP-DONE-02", "ACP-DONE-03", "ACP-EXEC-01", "ACP-EXEC-10", "ACP-EXEC-11", "ACP-BIND-05", "ACP-ABS-03", "ACP-STATE-01",
	"ACP-STATE-02", "ACP-STATE-04", "ACP-STATE-05", "ACP-STATE-06", "ACP-EXEC-04", "ACP-EXEC-08", "ACP-FIELD-15", "ACP-MOT-04", "ACP-SEC-03",
}

// ofState are the requirements that an incorrectly reported object breaks.
var ofState = []string{
	"ACP-ABS-03", "ACP-ABS-04", "ACP-STATE-01", "ACP-STATE-02", "ACP-STATE-04", "ACP-STATE-06", "ACP-EXEC-04", "ACP-EXEC-08", "ACP-FIELD-15", "ACP-MOT-04",
	"ACP-SEC-03",
}

// asked returns the demand for a request to the model.
func (p answerOfACP) asked(path []string, how string) demand {
	to, member := p.acting(), path[len(path)-1]
	inMessage := path[0] == "messages" && len(path) > 2
	role := ""
	if inMessage {
		role = p.role(path[1])
	}
	switch {
	case p.unreadable(path, how):
		return demand{may: ofQuestions}
	case path[0] == "model", member == "type", inMessage && strings.HasPrefix(role, "earlier ") && path[2] != "role", inMessage && path[2] == "tool_calls",
		member == "tool_call_id":
		return demand{} // permitted: a router may omit earlier messages
	case to == nil:
		return demand{may: ofQuestions}
	case inMessage && role == "user" && member == "content" && p.alone():
		return demand{must: []string{"ACP-EXEC-01"}, may: ofQuestions}
	case inMessage && role == "system" && (member == "content" || member == "role") && p.knownByTools(to):
		return demand{must: []string{"ACP-EXEC-10"}, may: ofQuestions}
	case inMessage && role == "tool" && path[2] == "content":
		return p.result(path, to)
	case path[0] == "tools" && p.results() == 0:
		return p.tooled(path, how, to)
	}
	return demand{may: ofQuestions}
}

// unreadable reports whether an edit leaves something that is not a request in the form of the service.
func (p answerOfACP) unreadable(path []string, how string) bool {
	texts := []string{"role", "name", "model", "tools", "function", "tool_calls", "arguments", "id", "tool_call_id", "messages", "description"}
	formal := slices.Contains(texts, path[len(path)-1]) && !slices.Contains(path, "content")
	return formal && (how == retyped || how == neighbour && slices.Contains([]string{"tool_calls", "function", "arguments", "tool_call_id", "model"}, path[len(path)-1]))
}

// alone reports whether the request is the only one of its turn.
func (p answerOfACP) alone() bool {
	n := 0
	for _, at := range p.run.questions {
		if at > p.under.Begun && at < p.under.Done {
			n++
		}
	}
	return n == 1
}

// result returns the demand for a tool result: an object that the model requested by id must be returned unchanged.
func (p answerOfACP) result(path []string, to map[string]any) demand {
	d := demand{may: ofQuestions}
	id := p.queried(path[1])
	schema, _ := to["schema"].(string)
	members, _ := schemas.ReadObject([]byte(schema))["properties"].(map[string]any)
	gone := len(path) == 3 || path[len(path)-1] == "id"
	if id == "" || !p.last() || p.under.Stimulus == "built-in-tools-bound" ||
		gone && p.under.Stimulus == "unsound-objects" {
		return d // an object whose schema has many constraints need not be stored
	}
	for n := 3; n <= len(path); n++ {
		whole := n == 3 && len(path) == 3 &&
			strings.Contains(string(jsonvalue.Encode(valueAt(p.body, path))), fmt.Sprintf("%q", id))
		if of := objectAt(p.body, path[:n]); whole || n < len(path) && of["id"] == id && members[path[n]] != nil {
			d.must = ofState
		}
	}
	return d
}

func valueAt(v any, path []string) any {
	last := len(path) - 1
	return objectAt(v, path[:last])[path[last]]
}

// queried returns the id that the call requested whose result is a message, or "" if the call requested something
// else.
func (p answerOfACP) queried(index string) string {
	messages, _ := objectAt(p.body, nil)["messages"].([]any)
	of := objectAt(p.body, []string{"messages", index})["tool_call_id"]
	for _, m := range messages {
		calls, _ := objectAt(m, nil)["tool_calls"].([]any)
		for _, c := range calls {
			function := objectAt(c, []string{"function"})
			name, _ := function["name"].(string)
			arguments, _ := function["arguments"].(string)
			query, _ := schemas.ReadObject([]byte(arguments))["query"].(map[string]any)
			if id, _ := query["id"].(string); objectAt(c, nil)["id"] == of && strings.Contains(name, "query") &&
				len(query) == 1 {
				return id
			}
		}
	}
	return ""
}

// last reports whether no later request of the turn shows the results of this one.
func (p answerOfACP) last() bool {
	return !slices.ContainsFunc(
		p.run.questions,
		func(at record.Tick) bool { return at > p.entry.Begun && at < p.under.Done },
	)
}

// knownByTools reports whether the name of a tool shows its package.
func (p answerOfACP) knownByTools(to map[string]any) bool {
	tools, _ := objectAt(p.body, nil)["tools"].([]any)
	return slices.ContainsFunc(tools, func(tool any) bool {
		name, _ := objectAt(tool, []string{"function"})["name"].(string)
		return strings.Contains(name, to["mark"].(string))
	})
}

// acting returns the package that a request activates and whose trigger matches the message, or nil if there is none.
func (p answerOfACP) acting() map[string]any {
	text, _ := sentBy(p.under)["text"].(string)
	messages, _ := objectAt(p.body, nil)["messages"].([]any)
	for _, one := range p.run.packages {
		if p.run.flawed[one["mark"]] || !triggers(one, text) {
			continue
		}
		for _, m := range messages {
			content, _ := objectAt(m, nil)["content"].(string)
			if objectAt(m, nil)["role"] == "system" && strings.Contains(content, one["mark"].(string)) {
				return one
			}
		}
	}
	return nil
}

// triggers reports whether a text contains the word of a package, or one of its keywords.
func triggers(p map[string]any, text string) bool {
	all, _ := p["triggers"].([]any)
	return strings.Contains(text, p["word"].(string)) || slices.ContainsFunc(all, func(one any) bool {
		value, _ := objectAt(one, nil)["value"].(string)
		return objectAt(one, nil)["type"] == "keyword" && strings.Contains(text, value)
	})
}

// results returns the number of tool results since the last message of the user.
func (p answerOfACP) results() int {
	n := 0
	messages, _ := objectAt(p.body, nil)["messages"].([]any)
	for i := len(messages) - 1; i >= 0 && objectAt(messages[i], nil)["role"] != "user"; i-- {
		if objectAt(messages[i], nil)["role"] == "tool" {
			n++
		}
	}
	return n
}

// tooled returns the demand for a tool that the package declares.
func (p answerOfACP) tooled(path []string, how string, to map[string]any) demand {
	if how == neighbour && len(path) < 4 {
		return demand{may: ofQuestions}
	}
	if len(path) > 1 {
		name := objectAt(p.body, append(slices.Clone(path[:2]), "function"))["name"]
		declared, _ := to["tools"].([]any)
		ours := slices.ContainsFunc(declared, func(tool any) bool { return objectAt(tool, nil)["name"] == name })
		if !ours || how == neighbour && path[len(path)-1] == "name" {
			return demand{may: ofQuestions}
		}
	}
	return demand{must: []string{"ACP-EXEC-11"}, may: ofQuestions}
}
