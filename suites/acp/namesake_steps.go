package acpsuite

import (
	"context"
	"net/http"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
)

// namesakeSentences are about tools of one name, and calls of one tool.
var namesakeSentences = []sentence{
	say(`two packages bind a tool of one name to two places`, func(w *world) any { return w.installNamesakes }),
	say(`two packages have a tool of one name and one of them binds it`, func(w *world) any { return w.installHalfBound }),
	say(`the model calls it by each of them`, func(w *world) any { return w.callNamesakes }),
	say(`the model calls it by the one that does not bind it`, func(w *world) any { return w.callHalfBound }),
	say(`each package's own place was called`, func(w *world) any { return w.ownPlacesCalled }),
	say(`the place of the other package was not called`, func(w *world) any { return w.otherPlaceSpared }),
	say(`the model calls the tool that is bound by (http_get|http_post|nuwa_a2a|mcp_service) twice in one turn`, func(w *world) any { return w.callTwice }),
	say(`both calls arrived with their own arguments`, func(w *world) any { return w.bothArrived }),
}

// placeOfCommon begins the place of a tool whose name several packages have.
const placeOfCommon = "common-"

// commonName is the name of a tool in which no mark stands.
func commonName() string { return "common_" + environment.Mark()[2:] }

func (e *examination) bindsCommon(s *specimen, tool string) {
	s.DeclaresAs(tool)
	s.Bindings = append(s.Bindings, environment.Binding{
		Tool: tool, Type: "http_get", Parameters: map[string]string{"url": e.Environment.Tools.URL(environment.Echo, placeOfCommon+s.Mark)},
	})
}

func (w *world) installNamesakes(ctx context.Context) error { return w.namesakes(ctx, true) }

func (w *world) installHalfBound(ctx context.Context) error { return w.namesakes(ctx, false) }

// namesakes installs two packages with a tool of one name, which the second binds.
func (w *world) namesakes(ctx context.Context, both bool) error {
	if err := w.needPackages(); err != nil {
		return err
	}
	tool := commonName()
	w.others = []*specimen{w.Sample(), w.Sample()}
	w.it = w.others[0]
	if both {
		w.bindsCommon(w.it, tool)
	} else {
		w.it.DeclaresAs(tool)
	}
	w.bindsCommon(w.others[1], tool)
	for _, s := range w.others {
		if err := w.mounted(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// common is the tool whose name both packages have.
func (w *world) common() string { return w.it.Tools[len(w.it.Tools)-1].Name }

func (w *world) callNamesakes(ctx context.Context) error {
	for _, s := range w.others {
		if err := w.offeredTool(w.order(ctx, newConversation(), s, environment.ToolCall{Name: w.common(), Arguments: given()})); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) callHalfBound(ctx context.Context) error {
	return w.offeredTool(w.order(ctx, newConversation(), w.it, environment.ToolCall{Name: w.common(), Arguments: given()}))
}

func (w *world) ownPlacesCalled() error {
	first, second := w.at(placeOfCommon+w.others[0].Mark), w.at(placeOfCommon+w.others[1].Mark)
	w.citeCalls(append(first, second...)...)
	switch {
	case len(first) == 0 && len(second) == 0:
		return suites.Undecided("no place is called for a tool that is bound: see ACP-BIND-06")
	case len(first) == 0 || len(second) == 0:
		return suites.Violated("a tool is executed by the binding that another package has under its name", "a call of the place of each package", "calls of one place alone")
	}
	return nil
}

func (w *world) otherPlaceSpared() error {
	if calls := w.at(placeOfCommon + w.others[1].Mark); len(calls) > 0 {
		w.citeCalls(calls...)
		return suites.Violated("a tool that is not bound is executed by the binding of another package", "an error, or an answer that says so", "a call of the place that another package binds")
	}
	return nil
}

// callTwice lets the model call one tool again when it has the first result.
func (w *world) callTwice(ctx context.Context, kind string) error {
	tool, _ := w.toolBy(kind)
	var calls []environment.ToolCall
	for range 2 {
		arguments := given()
		w.objects = append(w.objects, arguments)
		calls = append(calls, environment.ToolCall{Name: w.it.Tool(tool), Arguments: arguments})
	}
	before := len(w.Environment.Tools.Calls(""))
	t := w.askFor(ctx, w.conversation, w.it, environment.Script{Calls: calls})
	w.calls = w.Environment.Tools.Calls("")[before:]
	if err := w.offeredTool(t); err != nil {
		return err
	}
	if w.Environment.Model.Called(t.mark) < 2 {
		return suites.Undecided("the model is not asked again after a tool was executed, so that it calls nothing else in a turn")
	}
	return nil
}

// bothArrived looks for the topic of each call, and leaves the form of the arguments
// to others. Where not even the first arrived, that is for others too.
func (w *world) bothArrived() error {
	w.citeCalls(w.calls...)
	switch {
	case len(w.callsWith(w.objects[0])) == 0:
		return suites.Undecided("the arguments of the first call do not arrive either")
	case len(w.callsWith(w.objects[1])) == 0:
		return suites.Violated("a second call of a tool does not arrive with its own arguments", suites.Print(w.objects[1]), seenCalls(w.calls))
	}
	return nil
}

// callsWith gives the calls that arrived with the topic of some arguments.
func (w *world) callsWith(arguments object) []environment.Call {
	return w.Environment.Tools.Calls(topicOf(arguments))
}

// seenCalls tells in a line what arrived.
func seenCalls(calls []environment.Call) string {
	if len(calls) == 0 {
		return "no call"
	}
	last := calls[len(calls)-1]
	if last.Method == http.MethodGet {
		return suites.Clip(last.Query.Encode())
	}
	return suites.Clip(string(last.Body) + string(last.Arguments))
}
