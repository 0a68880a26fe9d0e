package acdsuite

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
)

// runsOnItsSubstrate invokes one capability of each substrate and looks where it ran.
func (w *world) runsOnItsSubstrate(ctx context.Context) error {
	done := map[string]bool{}
	for _, t := range w.tried(ctx) {
		substrate := t.of.substrate()
		if done[substrate] || !t.ran() {
			continue
		}
		done[substrate] = true
		a := w.invoke(ctx, invocation{id: t.of.id, mode: t.of.modes()[0], permissions: t.of.required(), input: t.input})
		log := entriesOf(w.call(ctx, opExecLog, object{}))
		at := slices.IndexFunc(log, func(e object) bool { return e["capability_id"] == t.of.id })
		if at < 0 {
			return suites.Undecided("the log of executions does not show %s: %s", t.of.id, a.received())
		}
		for _, e := range log {
			if e["capability_id"] == t.of.id && e["substrate"] != substrate {
				return broken("a call runs on another substrate than the descriptor names", substrate+" for "+t.of.id, e)
			}
		}
	}
	moved, err := w.runsWhereItIsMoved(ctx)
	if err != nil {
		return err
	}
	if len(done) < 2 && !moved {
		return suites.Undecided("capabilities of one substrate alone could be invoked, so that routing shows nothing")
	}
	return nil
}

// movable are the substrates that a copy of an echo may be told to run on: the others
// reach out of the agent.
var movable = []string{"symbolic", "llm", "agent", "external_service"}

// runsWhereItIsMoved tells copies of what plays echo to run elsewhere, when they are
// created and by an update. That one is refused or fails is nobody's fault; that it runs,
// and not there, is.
func (w *world) runsWhereItIsMoved(ctx context.Context) (seen bool, err error) {
	if !w.plays(w.template.of, roleEcho) || w.subject.Invoke == suites.InvokeNone {
		return false, nil
	}
	for i, substrate := range movable {
		c, err := w.register(ctx, func(d object) { put(d, "execution.substrate", substrate) })
		if err != nil {
			continue
		}
		ran, err := w.ranOn(ctx, c, substrate)
		if err != nil {
			return false, err
		}
		seen = seen || ran && substrate != w.template.of.substrate()
		next := movable[(i+1)%len(movable)]
		put(c.members, "execution.substrate", next)
		if !w.updates(ctx, c) {
			continue // ACD-SDK1-10
		}
		if _, err := w.ranOn(ctx, c, next); err != nil {
			return false, err
		}
	}
	return seen, nil
}

// ranOn invokes a copy and looks at the last place where it ran.
func (w *world) ranOn(ctx context.Context, c *capability, substrate string) (bool, error) {
	if a := w.use(ctx, c, w.template.mode, c.required()); !a.accepted() {
		return false, nil
	}
	for _, e := range slices.Backward(entriesOf(w.call(ctx, opExecLog, object{}))) {
		if e["capability_id"] != c.id {
			continue
		}
		if e["substrate"] != substrate {
			return false, broken("a call runs on another substrate than the descriptor names", substrate+" for a copy of "+w.template.of.id, e)
		}
		return true, nil
	}
	return false, nil
}
