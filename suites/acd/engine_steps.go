package acdsuite

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
)

var engineSentences = []sentence{
	say(`a capability runs`, func(w *world) any { return w.needTemplate }),
	say(`capabilities run in each mode that they declare`, func(w *world) any { return w.runInTheirModes }),
	say(`an unknown id is refused`, func(w *world) any { return w.unknownRefused }),
	try(`a caller who lacks a required permission is refused`, (*world).permissionNeeded),
	try(`what is granted by default needs no permission`, (*world).grantedByDefault),
	try(`calls in other modes are refused`, (*world).otherModesRefused),
	try(`a disabled capability is refused`, (*world).disabledRefused),
	say(`each call runs on its substrate`, func(w *world) any { return w.runsOnItsSubstrate }),
}

// runInTheirModes wants of a capability that ran in one mode that it runs in all that
// it declares: what never ran may just fail.
func (w *world) runInTheirModes(ctx context.Context) error {
	for _, t := range w.tried(ctx) {
		if !t.ran() {
			continue
		}
		for mode, a := range t.answers {
			if a.refused() {
				w.sc.Cite(a.answer, a.err)
				return broken("a capability is refused in a mode that it declares", "an output, as in its other modes", t.of.id+" in the mode "+mode+": "+a.received())
			}
		}
	}
	return nil
}

// ranSince tells whether something of an id ran, as far as that can be seen.
func (w *world) ranSince(ctx context.Context, id string) bool {
	if !w.execLog.accepted() {
		return false
	}
	return slices.ContainsFunc(entriesOf(w.call(ctx, opExecLog, object{})), func(e object) bool { return e["capability_id"] == id })
}

func entriesOf(a answered) []object {
	list, _ := member(a.value, "entries").([]any)
	var all []object
	for _, item := range list {
		if e, is := item.(object); is {
			all = append(all, e)
		}
	}
	return all
}

func (w *world) unknownRefused(ctx context.Context) error {
	id := "conformance.none." + uuid.NewString()[:8]
	a := w.invoke(ctx, invocation{id: id, mode: w.template.mode, permissions: w.template.of.required(), input: w.template.input})
	if err := a.missing(); err != nil {
		return err
	}
	if !a.refused() || w.ranSince(ctx, id) {
		return broken("an unknown id is not refused", "an error, and nothing that ran", a.received())
	}
	return nil
}

// refusal wants a call refused and without effect.
func (w *world) refusal(ctx context.Context, a answered, c *capability, message string) error {
	if err := a.missing(); err != nil {
		return err
	}
	if !a.refused() {
		return broken(message, "an error", a.received())
	}
	if w.ranSince(ctx, c.id) {
		return broken(message, "nothing that ran", "an entry of "+c.id+" in the log of executions")
	}
	return nil
}

// needing registers a copy that needs permissions of our own.
func (w *world) needing(ctx context.Context, granted any, permissions ...string) (*capability, error) {
	return w.register(ctx, func(d object) {
		put(d, "permissions.required", anys(permissions...))
		if granted == nil {
			drop(d, "permissions.granted_by_default")
		} else {
			put(d, "permissions.granted_by_default", granted)
		}
	})
}

// The permissions that copies need.
const (
	firstPermission  = "conformance.first"
	secondPermission = "conformance.second"
)

// permissionNeeded wants callers refused who have nothing, a part, or something else.
func (w *world) permissionNeeded(ctx context.Context) error {
	return w.permissionsNeeded(ctx, false, nil, []string{firstPermission}, []string{secondPermission}, []string{"conformance.other"})
}

// permissionsNeeded refuses callers who have not all that is required, and accepts one
// with all of it.
func (w *world) permissionsNeeded(ctx context.Context, granted any, lacking ...[]string) error {
	both := []string{firstPermission, secondPermission}
	c, err := w.needing(ctx, granted, both...)
	if err != nil {
		return err
	}
	for _, held := range lacking {
		if err := w.refusal(ctx, w.use(ctx, c, w.template.mode, held), c, "a caller who lacks a required permission is not refused"); err != nil {
			return err
		}
	}
	return w.control(w.use(ctx, c, w.template.mode, both), "a copy does not run for a caller who has what it requires")
}

// control wants a call accepted, else the question stays open.
func (w *world) control(a answered, why string) error {
	if err := a.missing(); err != nil {
		return err
	}
	if !a.accepted() {
		return suites.Undecided("%s: %s", why, a.received())
	}
	return nil
}

func (w *world) grantedByDefault(ctx context.Context) error {
	c, err := w.needing(ctx, true, firstPermission)
	if err != nil {
		return err
	}
	if err := w.control(w.use(ctx, c, w.template.mode, []string{firstPermission}), "a copy does not run for a caller who has what it requires"); err != nil {
		return err
	}
	if a := w.use(ctx, c, w.template.mode, nil); a.refused() {
		return broken("a caller is refused although the permission is granted by default", "an output", a.received())
	}
	return nil
}

func (w *world) otherModesRefused(ctx context.Context) error {
	c, err := w.register(ctx, func(d object) { put(d, "invocation.modes", anys(w.template.mode)) })
	if err != nil {
		return err
	}
	for _, mode := range modes {
		if mode == w.template.mode {
			continue
		}
		if err := w.refusal(ctx, w.use(ctx, c, mode, c.required()), c, "a call in a mode that the descriptor does not list is not refused"); err != nil {
			return err
		}
	}
	return w.control(w.use(ctx, c, w.template.mode, c.required()), "a copy does not run in the mode that it declares")
}

func (w *world) disabledRefused(ctx context.Context) error {
	c, err := w.register(ctx, func(d object) { put(d, "status.enabled", true) })
	if err != nil {
		return err
	}
	if err := w.control(w.use(ctx, c, w.template.mode, c.required()), "a copy that is enabled does not run"); err != nil {
		return err
	}
	off, err := w.register(ctx, func(d object) { put(d, "status.enabled", false) })
	if err != nil {
		return err
	}
	if err := w.refusal(ctx, w.use(ctx, off, w.template.mode, off.required()), off, "a disabled capability is not refused"); err != nil {
		return err
	}
	put(c.members, "status.enabled", false)
	if !w.updates(ctx, c) {
		return nil // ACD-SDK1-10
	}
	if a := w.use(ctx, c, w.template.mode, c.required()); a.accepted() {
		return broken("a capability that was disabled is not refused", "an error", a.received())
	}
	return nil
}

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
	if len(done) < 2 {
		return suites.Undecided("capabilities of one substrate alone could be invoked, so that routing shows nothing")
	}
	return nil
}
