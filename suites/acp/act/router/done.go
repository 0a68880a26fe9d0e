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
	kind  string // history.CaseLeft if the capability must leave the stack, CaseKept if it must stay
}

// endings returns the results that report done in different places, and those that do not report it.
func endings() []ending {
	return []ending{
		{[]string{toolFinish}, history.CaseLeft}, {[]string{toolConclude}, history.CaseLeft},
		{[]string{toolComplete}, history.CaseLeft},
		{[]string{toolClose}, history.CaseLeft}, {[]string{toolReport}, history.CaseLeft},
		{[]string{toolGoOn, toolFinish}, history.CaseLeft}, {[]string{toolFinish, toolGoOn}, history.CaseLeft},
		{[]string{toolGoOn}, history.CaseKept}, {[]string{toolHint}, history.CaseKept},
		{[]string{toolTally}, history.CaseKept},
	}
}

// done calls tools of an active capability that report done, and tools that do not. If one of them is
// not called, the others still are. It returns the first error.
func (c completions) done(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byEither)
	var first error
	for _, e := range endings() {
		k, err := c.activated(ctx, l, p, p.loser)
		if err == nil {
			err = c.end(ctx, k, p, e)
		}
		if first == nil {
			first = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return first
}

func (c completions) end(ctx context.Context, k talk, p pair, e ending) error {
	var names []string
	for _, tool := range e.tools {
		names = append(names, k.with.Tool(tool))
	}
	t, err := k.use(ctx, names...)
	if err == nil {
		err = c.called(k, t, e.tools)
	}
	switch {
	case err != nil:
		return err
	case e.kind == history.CaseLeft:
		return k.leaves(ctx, p)
	default:
		return k.shared(ctx, e.kind, p, k.with)
	}
}

// called returns the reason why a turn does not show that its tools were executed, nil if it does. If
// several tools are called, only those that report done must have been executed.
func (c completions) called(k talk, t *history.Turn, tools []string) error {
	for _, tool := range tools {
		if len(tools) > 1 && behaviours()[tool] == environment.NotDone {
			continue
		}
		if !t.Offered(k.with.Tool(tool)) {
			return verdict.Undecided("the model is not shown the tool %s, so that it can't call it: see ACP-EXEC-11", tool)
		}
		var uses []*history.Use
		for _, e := range k.History.Executions() {
			if e.Turn == t && e.Tool == k.with.Tool(tool) {
				uses = append(uses, e.Uses...)
			}
		}
		if len(uses) == 0 {
			return verdict.Undecided("the tool that says it was not called: see ACP-BIND-07 and ACP-BIND-09")
		}
		if !slices.ContainsFunc(uses, func(u *history.Use) bool { return u.Behaviour == string(behaviours()[tool]) }) {
			return verdict.Undecided("another tool was called in place of the one that says it: see ACP-EXEC-05")
		}
	}
	return nil
}

// doneElsewhere has a tool report done in one conversation, and then sends a message in another one in
// which the same capability is active. Each conversation has its own stack.
func (c completions) doneElsewhere(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byEither)
	here, there, err := c.twice(ctx, l, p)
	if err != nil {
		return err
	}
	t, err := here.use(ctx, here.with.Tool(toolFinish))
	if err == nil {
		err = c.called(here, t, []string{toolFinish})
	}
	if err != nil {
		return err
	}
	return there.shared(ctx, history.CaseKept, p, there.with)
}

// doneAbove has a tool of the capability above another one report done, so that the other one must
// become active. As the positive control, /back must do the same in another conversation, because a
// subject may keep only one capability on its stack.
func (c completions) doneAbove(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byEither)
	for _, control := range []bool{true, false} {
		k, err := c.activated(ctx, l, p, p.loser)
		if err != nil {
			return err
		}
		above := k
		above.with = p.other(p.loser)
		if err := k.switchTo(ctx, above.with); err != nil {
			return err
		}
		if control {
			if _, err := above.say(ctx, nil, environment.Script{}); err != nil {
				return err
			}
			if err := k.command(ctx, "/back"); err != nil {
				return err
			}
			if t, err := k.converse(ctx, nil, sample.Amid(p.shared), environment.Script{}); err != nil || !t.Reaches(k.with) {
				return err
			}
			continue
		}
		t, err := above.use(ctx, above.with.Tool(toolFinish))
		if err == nil {
			err = c.called(above, t, []string{toolFinish})
		}
		if err != nil {
			return err
		}
		if err := k.shared(ctx, history.CaseKept, p, k.with); err != nil {
			return err
		}
	}
	return nil
}

// lost sends a message to the other capability, and then the command /back.
func (c completions) lost(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byEither)
	k, err := c.activated(ctx, l, p, p.loser)
	if err != nil {
		return err
	}
	other := k
	other.with = p.other(k.with)
	t, err := other.say(ctx, nil, environment.Script{})
	switch {
	case err != nil:
		return err
	case !t.Reaches(other.with):
		return verdict.Undecided("a message does not reach the package that its trigger matches: see ACP-ROUTE-03")
	}
	if err := k.command(ctx, "/back"); err != nil {
		return err
	}
	return k.leaves(ctx, p)
}

// The values of capability_ms for the test of a tool that hangs: a short one, and longer ones if the
// tool was not called in time, as it happens on a busy subject. atEase applies in the rest of the run.
// leeway is how much later a slow subject may stop the capability.
const (
	patience = 60
	longer   = 600
	longest  = 6_000
	atEase   = 60_000
	leeway   = 3 * time.Second
)

// hanging calls a tool that hangs until the subject stops it.
func (c completions) hanging(ctx context.Context, l *suites.Laboratory) error {
	if !c.Supports["timeouts"] {
		return &verdict.Inconclusive{
			Reason: "the subject does not report that it obeys timeouts",
			Supply: "answer acp.configure with {supports: [timeouts]} if the router obeys capability_ms",
		}
	}
	p := c.pairOf(ctx, l, byEither)
	for _, ms := range []int64{patience, longer, longest} {
		k, err := c.activated(ctx, l, p, p.loser)
		if err != nil {
			return err
		}
		k.stack(ctx, nil) // shows what is installed now
		called, err := c.hang(ctx, k, ms)
		if err != nil {
			return err
		}
		if called {
			return errors.Join(k.leaves(ctx, p), c.stays(ctx, k, p))
		}
	}
	return verdict.Undecided("the tool that hangs was not called: see ACP-BIND-07")
}

// stays tests whether packages are still installed after a capability was stopped: by a message to
// another package, and by acp.state.
func (c completions) stays(ctx context.Context, k talk, p pair) error {
	k.stack(ctx, nil)
	other := c.talk(k.l, p.other(k.with))
	_, err := other.send(ctx, history.CaseOther, sample.Amid(other.with.Word), other.with)
	return err
}

// hang reports whether the tool was called. The turn may end with an answer or with an error, but it
// must end.
func (c completions) hang(ctx context.Context, k talk, ms int64) (called bool, err error) {
	if err := c.configure(ctx, k, ms); err != nil {
		return false, err
	}
	k.patience = time.Duration(ms)*time.Millisecond + leeway
	script := environment.Script{Calls: []environment.ToolCall{{Name: k.with.Tool(toolDally), Arguments: given()}}}
	_, err = k.converse(ctx, about{history.AboutCase: history.CaseHangs}, sample.Amid(k.with.Word), script)
	for _, c := range k.Environment.Tools.Calls(k.with.Mark) {
		if c.Behaviour == environment.Hangs {
			called = true
			k.Environment.Tools.Release(c.Mark())
		}
	}
	if undone := c.configure(ctx, k, atEase); undone != nil {
		return false, undone
	}
	if called && errors.Is(err, driver.ErrTimeout) {
		err = nil // the entry shows that the capability was not stopped
	}
	return called, err
}

func (c completions) configure(ctx context.Context, k talk, ms int64) error {
	configuration := k.Environment.Configuration()
	configuration.Timeouts = &environment.Timeouts{CapabilityMS: ms}
	_, err := asking(k.l)(ctx, driver.Operation{Name: history.OpConfigure, Params: jsonvalue.Encode(configuration)})
	return err
}
