package acpsuite

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
)

// bindingSentences are all about tools that are bound, or not.
var bindingSentences = slices.Concat(reachSentences, namesakeSentences)

var reachSentences = []sentence{
	say(`a package with bound tools is installed`, func(w *world) any { return w.installBound }),
	say(`a package binds a tool by a type that nobody knows`, func(w *world) any { return w.offerUnknownType }),
	say(`the model calls the tool that is bound by (http_get|http_post|nuwa_a2a|mcp_service)`, func(w *world) any { return w.callBound }),
	say(`the model calls two tools that are bound in one way to two places`, func(w *world) any { return w.callTwo }),
	say(`the model calls the tool whose agent is a placeholder`, func(w *world) any { return w.callPlaceholder }),
	say(`the model calls the tool of that type`, func(w *world) any { return w.callUnknownType }),
	say(`the model calls the tool that is not bound`, func(w *world) any { return w.callUnbound }),
	say(`a (GET|POST) arrived at its place`, func(w *world) any { return w.arrivedByMethod }),
	say(`each place was called for its own tool`, func(w *world) any { return w.eachOwnPlace }),
	say(`the agent was called with the method`, func(w *world) any { return w.agentCalled }),
	say(`the agent that the argument names was called`, func(w *world) any { return w.argumentAgentCalled }),
	say(`the agent was given the arguments`, func(w *world) any { return w.agentGiven }),
	say(`the action of the service was called`, func(w *world) any { return w.actionCalled }),
	say(`the service was given the very arguments`, func(w *world) any { return w.serviceGiven }),
	say(`the arguments stood in the query`, func(w *world) any { return w.inQuery }),
	say(`the arguments were the body`, func(w *world) any { return w.inBody }),
	say(`the turn ends without a success`, func(w *world) any { return w.noSuccess }),
	say(`a tool that is bound is executed`, func(w *world) any { return w.boundExecuted }),
}

// The service methods of the agents in our packages.
const (
	method      = "receiveSimpleMessage"
	otherMethod = "receiveUrgentAlert"
)

// fixedQuery is the part of an address that no argument makes.
const fixedQuery = "?unit=metric"

// The tools of a package with bindings, by the part of their names that is ours.
const (
	toolLookup    = "lookup"   // http_get
	toolOther     = "browse"   // http_get, to another place
	toolSubmit    = "submit"   // http_post
	toolNotify    = "notify"   // nuwa_a2a
	toolForward   = "forward"  // nuwa_a2a, its agent a placeholder
	toolExtract   = "extract"  // mcp_service
	toolAlert     = "alert"    // nuwa_a2a, to another agent
	toolDescribe  = "describe" // mcp_service, another action of another service
	toolUnbound   = "dream"
	toolUnknown   = "teleport"
	toolFails     = "stumble" // http_get, to a place that fails
	placeOfOther  = "other-"
	placeOfSubmit = "submit-"
)

// installBound makes a package of the scenario's own, so that whatever arrives was
// sent for it.
func (w *world) installBound(ctx context.Context) error {
	if err := w.needPackages(); err != nil {
		return err
	}
	w.it = w.boundSpecimen()
	return w.mounted(ctx, w.it)
}

func (w *world) boundSpecimen() *specimen {
	s := w.Sample() // with toolLookup
	s.Binds(toolOther, "http_get", map[string]string{"url": w.Environment.Tools.URL(environment.Echo, placeOfOther+s.Mark)})
	s.Bindings[0].Parameters["url"] += fixedQuery
	s.Binds(toolSubmit, "http_post", map[string]string{"url": w.Environment.Tools.URL(environment.Echo, placeOfSubmit+s.Mark) + fixedQuery})
	s.Binds(toolAlert, "nuwa_a2a", map[string]string{"target_did": environment.OtherAgent, "service_method": otherMethod})
	s.Binds(toolDescribe, "mcp_service", map[string]string{"service_uri": environment.OtherService, "mcp_action": string(environment.EchoText)})
	s.Binds(toolNotify, "nuwa_a2a", map[string]string{"target_did": environment.Agent, "service_method": method})
	s.Binds(toolExtract, "mcp_service", map[string]string{"service_uri": environment.Service, "mcp_action": string(environment.Echo)})
	return s
}

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

// toolBy gives the tool that is bound by a type, and the place of its calls.
func (w *world) toolBy(kind string) (tool, place string) {
	switch kind {
	case "http_get":
		return toolLookup, w.it.Mark
	case "http_post":
		return toolSubmit, placeOfSubmit + w.it.Mark
	case "nuwa_a2a":
		return toolNotify, ""
	default:
		return toolExtract, ""
	}
}

func (w *world) callBound(ctx context.Context, kind string) error {
	tool, place := w.toolBy(kind)
	var t turn
	t, w.calls = w.use(ctx, w.it, tool, place)
	return w.offeredTool(t)
}

// callTwo uses two tools of the type that is the simplest.
func (w *world) callTwo(ctx context.Context) error {
	for _, tool := range []string{toolLookup, toolOther} {
		if err := w.offeredTool(w.order(ctx, w.conversation, w.it, environment.ToolCall{Name: w.it.Tool(tool), Arguments: given()})); err != nil {
			return err
		}
		w.finds = append(w.finds, nil)
		for _, place := range []string{w.it.Mark, placeOfOther + w.it.Mark} {
			for range w.at(place) {
				w.finds[len(w.finds)-1] = append(w.finds[len(w.finds)-1], object{"place": place})
			}
		}
	}
	return nil
}

// at gives the calls of one HTTP place. Who only looks whether somebody is there
// executes nothing.
func (w *world) at(place string) []environment.Call {
	return slices.DeleteFunc(w.Environment.Tools.Calls(place), func(c environment.Call) bool {
		return c.Kind != "http" || c.Path != place || c.Method == http.MethodHead || c.Method == http.MethodOptions
	})
}

// eachOwnPlace counts what had arrived after each of the two calls.
func (w *world) eachOwnPlace() error {
	count := func(after int, place string) int {
		n := 0
		for _, seen := range w.finds[after] {
			if seen["place"] == place {
				n++
			}
		}
		return n
	}
	own, other := w.it.Mark, placeOfOther+w.it.Mark
	w.citeCalls(append(w.at(own), w.at(other)...)...)
	switch {
	case count(0, own) == 0 && count(0, other) == 0:
		return suites.Undecided("no place is called for a tool that is bound: see ACP-BIND-06")
	case count(0, own) == 0, count(0, other) > 0:
		return suites.Violated("a tool is executed by the binding of another", "a call of the place that the first tool's binding names", "a call of the place of the other")
	case count(1, other) == 0:
		return suites.Violated("a tool is executed by the binding of another", "a call of the place that the second tool's binding names", "none there")
	}
	return nil
}

// arrivedByMethod is ACP-BIND-06 and ACP-BIND-07.
func (w *world) arrivedByMethod(method string) error {
	w.citeCalls(w.calls...)
	switch {
	case len(w.calls) == 0:
		return suites.Violated("a tool that is bound by http is not executed there", "a "+method+" of its URL", "no request: "+w.last().read().Print())
	case !slices.ContainsFunc(w.calls, func(c environment.Call) bool { return c.Method == method }):
		return suites.Violated("a tool that is bound by http is executed by another method", "a "+method, "a "+w.calls[0].Method)
	case !slices.ContainsFunc(w.calls, func(c environment.Call) bool { return c.Query.Get("unit") == "metric" }):
		return suites.Violated("a tool that is bound by http is executed at another address", fixedQuery+" in its URL, as in that of the binding", suites.Clip("?"+w.calls[0].Query.Encode()))
	}
	return nil
}

// callPlaceholder offers a package of its own, since a runtime may refuse it.
func (w *world) callPlaceholder(ctx context.Context) error {
	if err := w.callBound(ctx, "nuwa_a2a"); err != nil {
		return err
	}
	if len(w.reaching(environment.Agent)) == 0 {
		return suites.Undecided("no call reaches an agent without a placeholder either: see ACP-BIND-08")
	}
	w.it, w.conversation = w.Sample(), newConversation()
	w.it.Binds(toolForward, "nuwa_a2a", map[string]string{"target_did": "{agent}", "service_method": method})
	if err := w.mounted(ctx, w.it); err != nil {
		return err
	}
	var t turn
	t, w.calls = w.use(ctx, w.it, toolForward, "")
	return w.offeredTool(t)
}

// reaching are the calls that reached an agent.
func (w *world) reaching(did string) []environment.Call {
	return slices.DeleteFunc(slices.Clone(w.calls), func(c environment.Call) bool { return c.Kind != "agent" || c.Service != did })
}

// argumentAgentCalled is a hint: placeholders stand in an example alone.
func (w *world) argumentAgentCalled() error {
	if len(w.reaching(environment.OtherAgent)) == 0 {
		w.citeCalls(w.calls...)
		return suites.Violated("a placeholder is not replaced by the argument of its name", "a POST at the endpoint of the agent that the argument names", "none: "+w.last().read().Print())
	}
	return nil
}

func (w *world) agentGiven() error {
	calls := append(w.reaching(environment.Agent), w.reaching(environment.OtherAgent)...) // which one is ACP-BIND-08's
	if len(calls) == 0 {
		return suites.Undecided("no call reaches an agent: see ACP-BIND-08")
	}
	for _, c := range calls {
		if holds(c.Body, w.objects[0]) {
			return nil
		}
	}
	w.citeCalls(calls...)
	return suites.Violated("an agent is not given the arguments of the model", suites.Print(w.objects[0]), suites.Clip(string(calls[0].Body)))
}

// holds tells whether an object stands somewhere in a body, as it is or as a string
// of JSON.
func holds(body []byte, want object) bool {
	told := history.Telling{Values: history.Unwrapped(string(body), history.WrapsAtMost)}
	return slices.ContainsFunc(told.Objects(), func(o object) bool { return history.Contains(o, want) })
}

func (w *world) serviceGiven() error {
	calls := w.mcpCalls()
	if len(calls) == 0 {
		return suites.Undecided("no call with these arguments reaches the service: see ACP-BIND-09")
	}
	for _, c := range calls {
		if suites.EqualJSON(history.Made(w.objects[0]), schemas.ReadValue(c.Arguments)) {
			return nil
		}
	}
	w.citeCalls(calls...)
	return suites.Violated("an MCP service is not given the arguments of the model", suites.Print(w.objects[0]), suites.Clip(string(calls[0].Arguments)))
}

// by are the calls by one method of HTTP, which is for others to judge.
func (w *world) by(method, see string) ([]environment.Call, error) {
	calls := slices.DeleteFunc(slices.Clone(w.calls), func(c environment.Call) bool { return c.Method != method })
	if len(calls) == 0 {
		return nil, suites.Undecided("no %s arrives: see %s", method, see)
	}
	w.citeCalls(calls...)
	return calls, nil
}

func (w *world) inQuery() error {
	calls, err := w.by(http.MethodGet, "ACP-BIND-06")
	if err != nil {
		return err
	}
	for _, c := range calls {
		if c.Query.Get("topic") == w.objects[0]["topic"] && c.Query.Get("amount") == "3" {
			return nil
		}
	}
	return suites.Violated("the arguments of http_get do not stand in the query", "topic and amount of "+suites.Print(w.objects[0]), calls[0].Query.Encode())
}

func (w *world) inBody() error {
	calls, err := w.by(http.MethodPost, "ACP-BIND-07")
	if err != nil {
		return err
	}
	for _, c := range calls {
		if suites.EqualJSON(history.Made(w.objects[0]), schemas.ReadValue(c.Body)) {
			return nil
		}
	}
	return suites.Violated("the arguments of http_post are not the body", suites.Print(w.objects[0]), suites.Clip(string(calls[0].Body)))
}
