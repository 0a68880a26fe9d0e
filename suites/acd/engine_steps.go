package acdsuite

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
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
	if err := w.needEngine(ctx); err != nil {
		return err
	}
	for _, t := range w.tried(ctx) {
		if !t.ran() {
			continue
		}
		for mode, a := range t.answers {
			if a.refused() && w.owesRun(ctx, t, mode) {
				w.sc.Cite(a.answer, a.err)
				return broken("a capability is refused in a mode that it declares", "an output, as in its other modes", t.of.id+" in the mode "+mode+": "+a.received())
			}
		}
	}
	return w.answersForItself(ctx)
}

// needEngine is needTemplate for the requirement that asks for the engine itself.
func (w *world) needEngine(ctx context.Context) error {
	for _, t := range w.tried(ctx) {
		for _, a := range t.answers {
			if !a.served() {
				return w.demanded(ctx, a)
			}
		}
	}
	return w.needTemplate(ctx)
}

// owesRun tells whether a capability that runs in another mode is still refused in one
// that it still declares.
func (w *world) owesRun(ctx context.Context, t trial, mode string) bool {
	in := func(mode string) invocation {
		return invocation{id: t.of.id, mode: mode, permissions: t.of.required(), input: t.input}
	}
	if !w.mustAccept(ctx, in(mode), in(t.accepted()[0])) {
		return false
	}
	c := w.now(ctx, t.of.id)
	return c != nil && slices.Contains(c.modes(), mode)
}

// runs counts how often something of an id ran, as far as that can be seen.
func (w *world) runs(ctx context.Context, id string) int {
	if !w.execLog.accepted() {
		return 0
	}
	often := 0
	for _, e := range entriesOf(w.call(ctx, opExecLog, object{})) {
		if e["capability_id"] == id {
			often++
		}
	}
	return often
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
	none := "conformance.none." + uuid.NewString()[:8]
	unknown := []string{none, w.template.of.id + "." + none} // the second begins like one that is known
	if !slices.ContainsFunc(listOf(w.list.value), func(item any) bool { return text(item, "capability_id") == "" }) {
		unknown = append(unknown, "") // else ACD-DESC-03
	}
	for _, id := range unknown {
		if why := w.gate.Invent(id); why != "" {
			continue
		}
		a := w.invoke(ctx, invocation{id: id, mode: w.template.mode, permissions: w.template.of.required(), input: w.template.input})
		if err := a.missing(); err != nil {
			return err
		}
		if !a.refused() || w.runs(ctx, id) > 0 {
			return broken("an unknown id is not refused", "an error, and nothing that ran", a.received())
		}
	}
	return nil
}

// refusals wants calls of a copy refused, and that it never ran.
func (w *world) refusals(ctx context.Context, message string, calls ...invocation) error {
	for _, i := range calls {
		a := w.invoke(ctx, i)
		if err := a.missing(); err != nil {
			return err
		}
		if !a.refused() {
			return broken(message, "an error", a.received())
		}
	}
	if len(calls) > 0 && w.runs(ctx, calls[0].id) > 0 {
		return broken(message, "nothing that ran", "an entry of "+calls[0].id+" in the log of executions")
	}
	return nil
}

// refusedAgain wants calls refused of what ran already.
func (w *world) refusedAgain(ctx context.Context, message string, calls ...invocation) error {
	for _, i := range calls {
		if a := w.invoke(ctx, i); a.accepted() {
			return broken(message, "an error", a.received())
		}
	}
	return nil
}

// entryRefuses wants a call of an entry refused because of what its descriptor says, and
// goes on to say: it may be changed by others.
func (w *world) entryRefuses(ctx context.Context, message string, i invocation, forbids holding) error {
	if a := w.invoke(ctx, i); a.accepted() && w.mustRefuse(ctx, i, forbids) {
		return broken(message, "an error", a.received())
	}
	return nil
}

// calling is a call of a copy with the input of the template.
func (w *world) calling(c *capability, mode string, permissions ...string) invocation {
	return invocation{id: c.id, mode: mode, permissions: permissions, input: w.template.input}
}

// onChannels is a call through each channel of the agent.
func (w *world) onChannels(i invocation) []invocation {
	var all []invocation
	for _, channel := range w.channels() {
		i.channel = channelID(channel)
		all = append(all, i)
	}
	return all
}

// onDeclaring is a call through each channel that declares its mode.
func (w *world) onDeclaring(ctx context.Context, i invocation) []invocation {
	return slices.DeleteFunc(w.onChannels(i), func(through invocation) bool {
		return !slices.Contains(suites.Texts(member(w.declared(ctx, through.channel).value, "modes")), i.mode)
	})
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
	c, err := w.needing(ctx, true, firstPermission, secondPermission)
	if err != nil {
		return err
	}
	if err := w.control(w.use(ctx, c, w.template.mode, []string{firstPermission, secondPermission}), "a copy does not run for a caller who has what it requires"); err != nil {
		return err
	}
	for _, mode := range w.template.modes {
		bare, full := w.calling(c, mode), w.calling(c, mode, firstPermission, secondPermission)
		if a := w.invoke(ctx, bare); a.refused() && w.mustAccept(ctx, bare, full) {
			return broken("a caller is refused although the permissions are granted by default", "an output in the mode "+mode, a.received())
		}
	}
	history.Put(c.members, "permissions.granted_by_default", false)
	if !w.updates(ctx, c) {
		return nil // ACD-SDK1-10
	}
	a := w.use(ctx, c, w.template.mode, nil)
	if !a.accepted() {
		return nil
	}
	fresh, err := w.needing(ctx, false, firstPermission, secondPermission)
	if err != nil {
		return nil //nolint:nilerr // the first copies were taken
	}
	w.use(ctx, fresh, w.template.mode, []string{firstPermission, secondPermission})
	if w.use(ctx, fresh, w.template.mode, nil).accepted() {
		return nil // ACD-SDK2-02
	}
	return broken("what an update no longer grants is still granted", "an error", a.received())
}

// known are the permissions that entries of the registry require.
func (w *world) known() []string {
	var all []string
	for _, c := range w.entries {
		all = append(all, c.required()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// otherModesRefused makes a copy for each mode in which the template ran, and calls it
// in the four others; and calls entries in modes that they don't list.
func (w *world) otherModesRefused(ctx context.Context) error {
	const message = "a call in a mode that the descriptor does not list is not refused"
	for at, own := range w.template.modes {
		c, err := w.ofMode(ctx, own, at)
		if err != nil {
			return err
		}
		var calls []invocation
		for place, mode := range append(slices.Clone(modes), "capconform-mode") {
			i := w.calling(c, mode, c.required()...)
			if place%2 == 0 {
				i.permissions = append(i.permissions, w.known()...)
			}
			switch {
			case place == len(modes) && own != modeDirect:
				calls = append(calls, i) // a mode that nobody knows might be read as direct
			case place < len(modes) && mode != own:
				calls = append(append(calls, i), w.onChannels(i)...)
			}
		}
		if err := w.refusals(ctx, message, calls...); err != nil {
			return err
		}
		if err := w.control(w.use(ctx, c, own, c.required()), "a copy does not run in the mode that it declares"); err != nil {
			return err
		}
		history.Put(c.members, "invocation.modes", anys(modes[(slices.Index(modes, own)+1)%len(modes)]))
		if !w.updates(ctx, c) {
			continue // ACD-SDK1-10
		}
		if err := w.refusedAgain(ctx, "a mode that an update has taken away is not refused", w.calling(c, own, c.required()...)); err != nil {
			return err
		}
	}
	for _, t := range w.tried(ctx) {
		for _, mode := range modes {
			if !t.ran() || slices.Contains(t.of.modes(), mode) {
				continue
			}
			i := invocation{id: t.of.id, mode: mode, permissions: t.of.required(), input: t.input}
			if err := w.entryRefuses(ctx, message, i, func(c *capability) bool { return !slices.Contains(c.modes(), mode) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// ofMode registers a copy with one mode. What else it says opens no other one: every second
// copy grants its permissions, and has an alias if the registry takes that.
func (w *world) ofMode(ctx context.Context, mode string, at int) (*capability, error) {
	plain := func(d object) {
		history.Put(d, "invocation.modes", anys(mode))
		history.Put(d, "permissions.granted_by_default", at%2 != 0)
	}
	if at%2 != 0 || mode == modeCommand {
		return w.register(ctx, plain)
	}
	c, err := w.register(ctx, func(d object) {
		plain(d)
		history.Put(d, "invocation.command_aliases", anys("alias-of-"+text(d, "capability_id")))
	})
	if err != nil {
		return w.register(ctx, plain)
	}
	return c, nil
}

func (w *world) disabledRefused(ctx context.Context) error {
	const message = "a disabled capability is not refused"
	c, err := w.register(ctx, func(d object) { history.Put(d, "status.enabled", true) })
	if err != nil {
		return err
	}
	if err := w.control(w.use(ctx, c, w.template.mode, c.required()), "a copy that is enabled does not run"); err != nil {
		return err
	}
	for _, granted := range []bool{false, true} {
		off, err := w.register(ctx, func(d object) {
			history.Put(d, "status.enabled", false)
			history.Put(d, "permissions.required", append(anys(c.required()...), firstPermission))
			history.Put(d, "permissions.granted_by_default", granted)
		})
		if err != nil {
			return err
		}
		calls := w.onChannels(w.calling(off, w.template.mode, off.required()...))
		for at, mode := range w.template.modes {
			i := w.calling(off, mode, off.required()...)
			if at%2 == 0 {
				i.permissions = append(i.permissions, w.known()...) // there is nothing more to hold
			}
			calls = append(calls, i)
		}
		if granted {
			calls = []invocation{w.calling(off, w.template.mode), w.calling(off, w.template.mode, off.required()...)}
		}
		if err := w.refusals(ctx, message, calls...); err != nil {
			return err
		}
	}
	if err := w.hookStaysDisabled(ctx); err != nil {
		return err
	}
	history.Put(c.members, "status.enabled", false)
	if !w.updates(ctx, c) {
		return nil // ACD-SDK1-10
	}
	return w.refusedAgain(ctx, "a capability that was disabled is not refused", w.calling(c, w.template.mode, c.required()...))
}
