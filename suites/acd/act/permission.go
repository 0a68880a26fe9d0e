package act

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
)

// permissions examine who may call.
type permissions struct{ bench }

// needing registers a copy that requires permissions that nothing else requires.
func (b permissions) needing(
	ctx context.Context, of *history.Item, granted any, permissions ...string,
) (*history.Item, error) {
	return b.register(ctx, of, func(d object) {
		history.Set(d, "permissions.required", toAnys(permissions...))
		if granted == nil {
			drop(d, "permissions.granted_by_default")
		} else {
			history.Set(d, "permissions.granted_by_default", granted)
		}
	})
}

// lacking calls a copy with no permission, with some of the required permissions, with other permissions, and with
// all: in every mode, through channels, before, during and after the accepted call, after an update that adds a
// permission, and after a failure.
func (b permissions) lacking(ctx context.Context) error {
	t, of, err := b.template()
	if err != nil {
		return err
	}
	const first, second = history.FirstPermission, history.SecondPermission
	c, err := b.needing(ctx, of, false, first, second)
	if err != nil {
		return err
	}
	var calls []invocation
	for _, held := range [][]string{
		nil, {first}, {second}, {"conformance.other"}, {"conformance.other", "conformance.more"}, {first, first},
		{first, "conformance.other"}, {first, second + ".more"}, {first, second[:len(second)-1]}, append(b.known(), first),
		{c.ID, first},
	} {
		calls = append(calls, b.invocationOf(c, t.Mode, held...))
	}
	b.all(ctx, calls...)
	allowed, lacks := b.invocationOf(c, t.Mode, first, second), b.invocationOf(c, t.Mode)
	b.invoke(ctx, allowed)
	b.concurrently(ctx, allowed, lacks, allowed, lacks)
	calls = append(b.onChannels(b.invocationOf(c, t.Mode)), b.invocationOf(c, t.Mode))
	for _, mode := range t.Modes {
		calls = append(calls, b.invocationOf(c, mode, first), b.invocationOf(c, mode))
	}
	for _, u := range calls {
		b.invoke(ctx, u)
	}
	history.Set(c.Members, "permissions.required", toAnys(first, second, history.ThirdPermission))
	if b.updates(ctx, c) {
		b.invoke(ctx, b.invocationOf(c, t.Mode, first, second))
		all := b.invocationOf(c, t.Mode, first, second, history.ThirdPermission)
		b.accepted(ctx, all, b.invocationOf(of, t.Mode, of.Required()...))
		b.afterFailure(ctx, b.invocationOf(c, t.Mode))
	}
	if hook, err := b.needing(ctx, of, false, append(of.Required(), first)...); err == nil {
		b.hookedIn(ctx, of, hook)
	}
	return nil
}

// afterFailure makes a call directly after an invocation that failed.
func (b permissions) afterFailure(ctx context.Context, u invocation) {
	p, assigned := b.Players["fails"]
	if !assigned || len(p.Capability.Modes()) == 0 || b.Gate.ReasonAgainst(p.Capability.ID, "") != "" {
		return
	}
	c, err := b.register(ctx, p.Capability, nil)
	if err != nil {
		return
	}
	input, _ := b.Input(p.Capability)
	b.invoke(ctx, invocation{id: c.ID, mode: c.Modes()[0], held: c.Required(), input: input})
	b.invoke(ctx, u)
}

// absent calls a copy without permissions.granted_by_default, in every mode.
func (b permissions) absent(ctx context.Context) error {
	t, of, err := b.template()
	if err != nil {
		return err
	}
	c, err := b.needing(ctx, of, nil, history.FirstPermission, history.SecondPermission)
	if err != nil {
		return err
	}
	for _, mode := range t.Modes {
		b.all(ctx, b.invocationOf(c, mode))
	}
	b.invoke(ctx, b.invocationOf(c, t.Mode, history.FirstPermission, history.SecondPermission))
	return nil
}

// granted calls a copy that grants its permissions by default, in every mode and through channels, and after an update
// that no longer grants them.
func (b permissions) granted(ctx context.Context) error {
	t, of, err := b.template()
	if err != nil {
		return err
	}
	both := []string{history.FirstPermission, history.SecondPermission}
	c, err := b.needing(ctx, of, true, both...)
	if err != nil {
		return err
	}
	b.invoke(ctx, b.invocationOf(c, t.Mode, both...))
	for _, mode := range t.Modes {
		b.accepted(ctx, b.invocationOf(c, mode), b.invocationOf(c, mode, both...))
	}
	b.accepted(ctx, b.invocationOf(c, t.Mode, "conformance.other"), b.invocationOf(c, t.Mode, both...))
	for _, u := range b.asDeclared(ctx, c) {
		control := u
		u.held = nil
		b.accepted(ctx, u, control)
	}
	b.audit(ctx, c, 2+len(t.Modes))
	history.Set(c.Members, "permissions.granted_by_default", false)
	if b.updates(ctx, c) {
		b.invoke(ctx, b.invocationOf(c, t.Mode))
	}
	return nil
}

// outOfBounds calls entries that ran in modes that they do not list, and entries and meta-capabilities without the
// permissions that they require.
func (b permissions) outOfBounds(ctx context.Context) error {
	_, of, err := b.template()
	if err != nil {
		return err
	}
	for _, one := range b.History.Trials() {
		ran, entry := one.Ran(), b.find(one.ID)
		if len(ran) == 0 {
			continue
		}
		for _, mode := range history.Modes {
			if one.Answers[mode] == nil {
				b.invoke(ctx, invocation{id: one.ID, mode: mode, held: one.Held, input: one.Input})
			}
		}
		if history.Guarded(entry.Members) {
			b.invoke(ctx, invocation{id: one.ID, mode: ran[0], input: one.Input})
		}
	}
	b.switchedOff(ctx)
	for _, name := range []string{"create", "enable", "bind"} {
		c := b.meta(name)
		if c == nil || !history.Guarded(c.Members) {
			continue
		}
		made := b.copyOf(of, nil)
		input := object{
			"descriptor": made, "capability_id": made["capability_id"], "command_alias": "capconform-alias",
		}
		b.invoke(ctx, invocation{id: c.ID, mode: c.Modes()[0], input: input})
	}
	return nil
}

// offAtMost is the largest number of disabled entries that are called.
const offAtMost = 3

// switchedOff calls disabled entries that may be invoked, with all permissions that they require.
func (b permissions) switchedOff(ctx context.Context) {
	called := 0
	for _, c := range b.Entries {
		input, makeable := b.Input(c)
		outside := slices.Contains([]string{"shell", "transport"}, history.Substrate(c.Members))
		if history.Enabled(c.Members) || !makeable || outside || len(c.Modes()) == 0 || history.ChangesRegistry(c.ID) ||
			b.Gate.ReasonAgainst(c.ID, "") != "" {
			continue
		}
		if called++; called > offAtMost {
			return
		}
		b.invoke(ctx, invocation{id: c.ID, mode: c.Modes()[0], held: c.Required(), input: input})
	}
}
