package acdsuite

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
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
		if err := w.routed(ctx, t); err != nil {
			return err
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

// routed invokes an entry in each mode and looks at the last places where it ran. Its
// descriptor is read around that before anybody is blamed, since others may move it.
func (w *world) routed(ctx context.Context, t trial) error {
	at, a, err := w.ranAt(ctx, t)
	if err != nil {
		return err
	}
	elsewhere := func(c *capability) bool {
		return c != nil && slices.ContainsFunc(at, func(substrate any) bool { return substrate != c.substrate() })
	}
	if !elsewhere(t.of) {
		return nil
	}
	if w.persists(ctx, func() bool {
		before := w.now(ctx, t.of.id)
		at, a, err = w.ranAt(ctx, t)
		return err == nil && a.accepted() && elsewhere(before) && elsewhere(w.now(ctx, t.of.id))
	}) {
		return broken("a call runs on another substrate than the descriptor names", t.of.substrate()+" for "+t.of.id, at)
	}
	return nil
}

// ranAt invokes an entry in each mode in which it ran, and gives as many substrates, the
// last ones of its in the log.
func (w *world) ranAt(ctx context.Context, t trial) (at []any, a answered, err error) {
	for _, mode := range t.accepted() {
		a = w.invoke(ctx, invocation{id: t.of.id, mode: mode, permissions: t.of.required(), input: t.input})
	}
	for _, e := range slices.Backward(entriesOf(w.call(ctx, opExecLog, object{}))) {
		if e["capability_id"] == t.of.id && len(at) < len(t.accepted()) {
			at = append(at, e["substrate"])
		}
	}
	if len(at) == 0 {
		err = suites.Undecided("the log of executions does not show %s: %s", t.of.id, a.received())
	}
	return at, a, err
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
		c, err := w.register(ctx, func(d object) { history.Put(d, "execution.substrate", substrate) })
		if err != nil {
			continue
		}
		ran, err := w.ranOn(ctx, c, w.template.modes[i%len(w.template.modes)], nil)
		if err != nil {
			return false, err
		}
		seen = seen || len(ran) > 0 && substrate != w.template.of.substrate()
		next := movable[(i+1)%len(movable)]
		history.Put(c.members, "execution.substrate", next)
		if !w.updates(ctx, c) {
			continue // ACD-SDK1-10
		}
		if _, err := w.ranOn(ctx, c, w.template.modes[(i+1)%len(w.template.modes)], ran); err != nil {
			return false, err
		}
	}
	return seen, nil
}

// ranOn invokes a copy and looks where it ran: once, and on its substrate. It gives all that
// the log shows of it, in which what is there before comes first.
func (w *world) ranOn(ctx context.Context, c *capability, mode string, before []object) ([]object, error) {
	a := w.use(ctx, c, mode, c.required())
	all := w.runsOf(ctx, c.id)
	if !a.accepted() || len(all) <= len(before) {
		return all, nil
	}
	for _, e := range all[len(before):] {
		if e["substrate"] != c.substrate() {
			return nil, broken("a call runs on another substrate than the descriptor names", c.substrate()+" for a copy of "+w.template.of.id, e)
		}
	}
	if again := all[len(before)+1:]; len(again) > 0 {
		return nil, broken("a call runs more than once", "one entry of a copy of "+w.template.of.id+" in the log of executions", all[len(before):])
	}
	return all, nil
}

// runsOf gives the entries of an id in the log of executions.
func (w *world) runsOf(ctx context.Context, id string) []object {
	return slices.DeleteFunc(entriesOf(w.call(ctx, opExecLog, object{})), func(e object) bool { return e["capability_id"] != id })
}
