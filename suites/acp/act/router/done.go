package router

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

// completions are the stimuli that remove a capability from the stack: a result that says done, or a tool that hangs.
type completions struct{ pairing }

// ending is a series of tools that are called in one turn.
type ending struct {
	tools []string
	kind  string // history.CaseNotActive if the capability must leave the stack, CaseKept if it must stay
}

// endings returns the results that report done in different places, and those that do not report it.
func endings() []ending {
	return []ending{
		{[]string{toolFinish}, history.CaseNotActive}, {[]string{toolConclude}, history.CaseNotActive},
		{[]string{toolComplete}, history.CaseNotActive},
		{[]string{toolClose}, history.CaseNotActive}, {[]string{toolReport}, history.CaseNotActive},
		{[]string{toolGoOn, toolFinish}, history.CaseNotActive}, {[]string{toolFinish, toolGoOn}, history.CaseNotActive},
		{[]string{toolGoOn}, history.CaseStillActive}, {[]string{toolHint}, history.CaseStillActive},
		{[]string{toolTally}, history.CaseStillActive},
	}
}

// done calls tools of an active capability that report done, and tools that do not. If one of them is
// not called, the others still are. It returns the first error.
func (c completions) done(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byEither)
	var firstErr error
	for _, e := range endings() {
		k, err := c.withActive(ctx, l, p, p.other)
		if err == nil {
			err = c.testEnding(ctx, k, p, e)
		}
		if firstErr == nil {
			firstErr = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return firstErr
}

func (c completions) testEnding(ctx context.Context, k conversation, p pair, e ending) error {
	var names []string
	for _, tool := range e.tools {
		names = append(names, k.pkg.ToolName(tool))
	}
	t, err := k.callTools(ctx, names...)
	if err == nil {
		err = c.checkExecuted(k, t, e.tools)
	}
	switch {
	case err != nil:
		return err
	case e.kind == history.CaseNotActive:
		return k.testLeft(ctx, p)
	default:
		return k.sendSharedTrigger(ctx, e.kind, p, k.pkg)
	}
}

// checkExecuted returns the reason why a turn does not show that its tools were executed, nil if it
// does. If several tools are called, only those that report done must have been executed.
func (c completions) checkExecuted(k conversation, t *history.Turn, tools []string) error {
	for _, tool := range tools {
		if len(tools) > 1 && behaviours()[tool] == environment.NotDone {
			continue
		}
		if !t.Offered(k.pkg.ToolName(tool)) {
			return verdict.Undecided("the model is not shown the tool %s, so that it can't call it: see ACP-EXEC-11", tool)
		}
		var calls []*history.ServiceCall
		for _, e := range k.History.Executions() {
			if e.Turn == t && e.Tool == k.pkg.ToolName(tool) {
				calls = append(calls, e.ServiceCalls...)
			}
		}
		if len(calls) == 0 {
			return verdict.Undecided("the tool that says it was not called: see ACP-BIND-07 and ACP-BIND-09")
		}
		if !slices.ContainsFunc(calls, func(u *history.ServiceCall) bool { return u.Behaviour == string(behaviours()[tool]) }) {
			return verdict.Undecided("another tool was called in place of the one that says it: see ACP-EXEC-05")
		}
	}
	return nil
}

// doneInOtherConversation has a tool report done in one conversation, and then sends a message in
// another one in which the same capability is active. Each conversation has its own stack.
func (c completions) doneInOtherConversation(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byEither)
	here, there, err := c.twoConversations(ctx, l, p)
	if err != nil {
		return err
	}
	t, err := here.callTools(ctx, here.pkg.ToolName(toolFinish))
	if err == nil {
		err = c.checkExecuted(here, t, []string{toolFinish})
	}
	if err != nil {
		return err
	}
	return there.sendSharedTrigger(ctx, history.CaseStillActive, p, there.pkg)
}

// doneAbove has a tool of the capability above another one report done, so that the other one must
// become active. As the positive control, /back must do the same in another conversation, because a
// subject may keep only one capability on its stack.
func (c completions) doneAbove(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byEither)
	for _, control := range []bool{true, false} {
		k, err := c.withActive(ctx, l, p, p.other)
		if err != nil {
			return err
		}
		above := k
		above.pkg = p.otherThan(p.other)
		if err := k.switchTo(ctx, above.pkg); err != nil {
			return err
		}
		if control {
			if _, err := above.sendScripted(ctx, nil, environment.Script{}); err != nil {
				return err
			}
			if err := k.sendCommand(ctx, "/back"); err != nil {
				return err
			}
			if t, err := k.sendText(ctx, nil, sample.TextWith(p.sharedWord), environment.Script{}); err != nil ||
				!t.Reaches(k.pkg) {
				return err
			}
			continue
		}
		t, err := above.callTools(ctx, above.pkg.ToolName(toolFinish))
		if err == nil {
			err = c.checkExecuted(above, t, []string{toolFinish})
		}
		if err != nil {
			return err
		}
		if err := k.sendSharedTrigger(ctx, history.CaseStillActive, p, k.pkg); err != nil {
			return err
		}
	}
	return nil
}

// lostMessage sends a message to the other capability, and then the command /back.
func (c completions) lostMessage(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byEither)
	k, err := c.withActive(ctx, l, p, p.other)
	if err != nil {
		return err
	}
	other := k
	other.pkg = p.otherThan(k.pkg)
	t, err := other.sendScripted(ctx, nil, environment.Script{})
	switch {
	case err != nil:
		return err
	case !t.Reaches(other.pkg):
		return verdict.Undecided("a message does not reach the package that its trigger matches: see ACP-ROUTE-03")
	}
	if err := k.sendCommand(ctx, "/back"); err != nil {
		return err
	}
	return k.testLeft(ctx, p)
}

// The values of capability_ms for the test of a tool that hangs: a short one, and longer ones if the
// tool was not called in time, as it happens on a busy subject. normalTimeoutMS applies in the rest of
// the run. leeway is how much later a slow subject may stop the capability.
const (
	shortTimeoutMS   = 60
	longerTimeoutMS  = 600
	longestTimeoutMS = 6_000
	normalTimeoutMS  = 60_000
	stopLeeway       = 3 * time.Second
)

// whatHangs has the active capability wait for a tool that hangs, and then for a model that hangs, until the subject
// stops it.
func (c completions) whatHangs(ctx context.Context, l *suites.Laboratory) error {
	if !c.Supports["timeouts"] {
		return &verdict.Inconclusive{
			Reason: "the subject does not report that it obeys timeouts",
			Supply: "answer acp.configure with {supports: [timeouts]} if the router obeys capability_ms",
		}
	}
	p := c.pairOf(ctx, l, byEither)
	if err := c.stopped(ctx, l, p, c.callHangingTool, "the tool that hangs was not called: see ACP-BIND-07"); err != nil {
		return err
	}
	return c.stopped(ctx, l, p, c.askHangingModel, "the model that hangs was not asked")
}

// hang begins something that hangs, with a value of capability_ms, and reports whether it began.
type hang func(ctx context.Context, k conversation, ms int64) (begun bool, err error)

// stopped tests whether a capability leaves the stack after something hung.
func (c completions) stopped(ctx context.Context, l *suites.Laboratory, p pair, begin hang, otherwise string) error {
	for _, ms := range []int64{shortTimeoutMS, longerTimeoutMS, longestTimeoutMS} {
		k, err := c.withActive(ctx, l, p, p.other)
		if err != nil {
			return err
		}
		k.readStack(ctx, nil) // shows what is installed now
		begun, err := begin(ctx, k, ms)
		if err != nil {
			return err
		}
		if begun {
			return errors.Join(k.testLeft(ctx, p), c.testStillInstalled(ctx, k, p))
		}
	}
	return verdict.Undecided("%s", otherwise)
}

// testStillInstalled tests whether packages are still installed after a capability was stopped: by a
// message to another package, and by acp.state.
func (c completions) testStillInstalled(ctx context.Context, k conversation, p pair) error {
	k.readStack(ctx, nil)
	other := c.conversation(k.l, p.otherThan(k.pkg))
	_, err := other.sendCase(ctx, history.CaseOtherPackage, sample.TextWith(other.pkg.Word), other.pkg)
	return err
}

// callHangingTool reports whether the tool was called. The turn may end with an answer or with an error,
// but it must end.
func (c completions) callHangingTool(ctx context.Context, k conversation, ms int64) (called bool, err error) {
	if err := c.configure(ctx, k, ms); err != nil {
		return false, err
	}
	k.deadline = time.Duration(ms)*time.Millisecond + stopLeeway
	script := environment.Script{Calls: []environment.ToolCall{{Name: k.pkg.ToolName(toolDally),
		Arguments: newArguments()}}}
	_, err = k.sendText(ctx, about{history.AboutCase: history.CaseHangs}, sample.TextWith(k.pkg.Word), script)
	for _, c := range k.Environment.Tools.Calls(k.pkg.Mark) {
		if c.Behaviour == environment.Hangs {
			called = true
			k.Environment.Tools.Release(c.Mark())
		}
	}
	if undone := c.configure(ctx, k, normalTimeoutMS); undone != nil {
		return false, undone
	}
	if called && errors.Is(err, driver.ErrTimeout) {
		err = nil // the entry shows that the capability was not stopped
	}
	return called, err
}

// askHangingModel reports whether the model was asked. It hangs only with the prompt of the package, since a router may
// ask it further questions. The turn must end, as for a tool.
func (c completions) askHangingModel(ctx context.Context, k conversation, ms int64) (asked bool, err error) {
	if err := c.configure(ctx, k, ms); err != nil {
		return false, err
	}
	k.deadline = time.Duration(ms)*time.Millisecond + stopLeeway
	t, err := k.sendText(ctx, about{history.AboutCase: history.CaseHangs, history.AboutForm: history.FormModel},
		sample.TextWith(k.pkg.Word), environment.Script{Hangs: true, Prompt: k.pkg.Mark})
	if undone := c.configure(ctx, k, normalTimeoutMS); undone != nil {
		return false, undone
	}
	asked = t != nil && len(k.Environment.Model.RequestsWith(t.Mark)) > 0
	if asked && errors.Is(err, driver.ErrTimeout) {
		err = nil // the entry shows that the capability was not stopped
	}
	return asked, err
}

func (c completions) configure(ctx context.Context, k conversation, ms int64) error {
	configuration := k.Environment.Configuration()
	configuration.Timeouts = &environment.Timeouts{CapabilityMS: ms}
	_, err := callFunc(k.l)(ctx, driver.Operation{Name: history.OpConfigure, Params: jsonvalue.Encode(configuration)})
	return err
}
