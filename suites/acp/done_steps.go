package acpsuite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/driver"
)

var doneSentences = []sentence{
	say(`two packages that can end share a trigger and have one each of their own`, func(w *world) any { return w.pairOf(byEndings) }),
	say(`a tool of the active one says done (in structured content|in a text|in a body|in the body of a GET|as an agent)`, func(w *world) any { return w.sayDone }),
	say(`tools of the active one say (what is not done, and then done|done, and then what is not), in one turn`, func(w *world) any { return w.sayDoneAmong }),
	say(`it is active in another conversation too`, func(w *world) any { return w.activateElsewhere }),
	say(`the active one is still active in the other conversation`, func(w *world) any { return w.stillActiveElsewhere }),
	say(`tools of the active one say what is not done`, func(w *world) any { return w.sayNotDone }),
	say(`a tool of the active one does not answer in time`, func(w *world) any { return w.dally }),
}

// finishers are the tools that say that they are done, by the place where they do.
var finishers = map[string]string{"in structured content": toolFinish, "in a text": toolConclude, "in a body": toolComplete, "in the body of a GET": toolClose, "as an agent": toolReport}

// executed lets the model call a tool of the active package. It has to be the
// service of this tool that is called.
func (w *world) executed(ctx context.Context, tool string) error {
	w.it = w.active
	t, calls := w.use(ctx, w.active, tool, w.active.Mark)
	if err := w.offeredTool(t); err != nil {
		return err
	}
	if len(calls) == 0 {
		return suites.Undecided("the tool that says it was not called: see ACP-BIND-07 and ACP-BIND-09")
	}
	if !slices.ContainsFunc(calls, func(c environment.Call) bool { return c.Behaviour == behaviours[tool] }) {
		return suites.Undecided("another tool was called in place of the one that says it: see ACP-EXEC-05")
	}
	return nil
}

func (w *world) sayDone(ctx context.Context, where string) error {
	return w.executed(ctx, finishers[where])
}

func (w *world) sayNotDone(ctx context.Context) error {
	for _, tool := range []string{toolGoOn, toolHint} {
		if err := w.executed(ctx, tool); err != nil {
			return err
		}
	}
	return nil
}

// sayDoneAmong lets the model call two tools, the one after the other.
func (w *world) sayDoneAmong(ctx context.Context, order string) error {
	w.it = w.active
	tools := []string{toolGoOn, toolFinish}
	if strings.HasPrefix(order, "done") {
		slices.Reverse(tools)
	}
	var calls []environment.ToolCall
	for _, tool := range tools {
		calls = append(calls, environment.ToolCall{Name: w.it.Tool(tool), Arguments: given()})
	}
	t := w.askFor(ctx, w.conversation, w.it, environment.Script{Calls: calls})
	if err := w.offeredTool(t); err != nil {
		return err
	}
	said, _ := calls[slices.Index(tools, toolFinish)].Arguments.(object)
	if len(w.callsWith(said)) > 0 {
		return nil
	}
	return suites.Undecided("the tool that says it was not called: see ACP-BIND-09")
}

// activateElsewhere begins another conversation with the active one.
func (w *world) activateElsewhere(ctx context.Context) error {
	here := w.conversation
	w.elsewhere = newConversation()
	w.conversation = w.elsewhere
	err := w.activate(ctx)
	w.conversation = here
	return err
}

// stillActiveElsewhere: each conversation has a stack of its own.
func (w *world) stillActiveElsewhere(ctx context.Context) error {
	w.conversation = w.elsewhere
	return w.stillActive(ctx)
}

// How long a capability may take while one that hangs is looked at, in milliseconds:
// as short as it can be, and longer where that is too short to come to the tool, as on
// a machine that is busy. How long otherwise; and how much later a slow subject may give
// it up.
var patiences = []int64{60, 600, 6_000}

const (
	atEase = 60_000
	leeway = 3 * time.Second
)

// dally lets a tool hang until the subject gives it up.
func (w *world) dally(ctx context.Context) error {
	w.it = w.active
	for _, patience := range patiences {
		hung, err := w.hang(ctx, patience)
		if err != nil || hung {
			return err
		}
		w.conversation = newConversation()
		if err := w.activate(ctx); err != nil {
			return err
		}
	}
	return suites.Undecided("the tool that hangs was not called: see ACP-BIND-07")
}

// hang reports whether the tool was called. The turn may end with an answer or with
// an error, but it has to end.
func (w *world) hang(ctx context.Context, patience int64) (bool, error) {
	if _, err := w.configure(ctx, &environment.Timeouts{CapabilityMS: patience}); err != nil {
		return false, err
	}
	before, longest := w.call, time.Duration(patience)*time.Millisecond+leeway
	w.call = func(ctx context.Context, op driver.Operation) (driver.Answer, error) {
		answer, err := w.sc.Ask(ctx, op, longest)
		w.sc.Cite(answer, err)
		return answer, err
	}
	t, calls := w.use(ctx, w.active, toolDally, w.active.Mark)
	w.call = before
	for _, c := range calls {
		w.Environment.Tools.Release(c.Mark())
	}
	_, err := w.configure(ctx, &environment.Timeouts{CapabilityMS: atEase})
	switch {
	case err != nil:
		return false, err
	case len(calls) > 0 && errors.Is(t.err, driver.ErrTimeout):
		return true, suites.Violated("a capability that takes too long is not given up", fmt.Sprintf("the end of the turn after %d ms, or not much later", patience), "no end within "+longest.String())
	}
	return len(calls) > 0, t.ended()
}
