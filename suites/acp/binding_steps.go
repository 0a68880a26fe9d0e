package acpsuite

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/sample"
)

// method is a service method of an agent in our packages.
const method = "receiveSimpleMessage"

// given makes arguments that nobody gave before. Some say nothing by their value, and are
// given all the same.
func given() object {
	return object{
		"topic": "topic " + environment.Mark(), "amount": 3, "agent": environment.OtherAgent,
		"parts":  []any{object{"label": "größer"}, object{"label": "a/b?c&d"}},
		"urgent": false, "depth": 0, "remark": "", "labels": []any{}, "options": object{}, "ratio": -2.5,
		"comment": sample.AtLength(600),
	}
}

// topicOf is the mark in the topic of given arguments.
func topicOf(arguments object) string {
	topic, _ := arguments["topic"].(string)
	return strings.TrimPrefix(topic, "topic ")
}

// use lets the model call a bound tool and takes what arrived for it: what holds
// the topic of this call, came to the place, or bears no mark of anybody and came
// meanwhile.
func (w *world) use(ctx context.Context, s *specimen, tool string, place string) (turn, []environment.Call) {
	arguments := given()
	topic := topicOf(arguments)
	w.objects = append(w.objects, arguments)
	before := len(w.Environment.Tools.Calls(""))
	t := w.order(ctx, w.conversation, s, environment.ToolCall{Name: s.Tool(tool), Arguments: arguments})
	return t, slices.DeleteFunc(w.Environment.Tools.Calls("")[before:], func(c environment.Call) bool {
		return !c.Holds(topic) && (place == "" || c.Path != place) && c.Mark() != ""
	})
}

// callsWith gives the calls that arrived with the topic of some arguments.
func (w *world) callsWith(arguments object) []environment.Call {
	return w.Environment.Tools.Calls(topicOf(arguments))
}
