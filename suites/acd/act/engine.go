package act

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
)

// executions examine what the engine runs: in every mode, concurrently, and what it must refuse.
type executions struct{ bench }

// ordinary invokes each capability that may be invoked, in every mode that it declares, with all permissions that it
// requires.
func (b executions) ordinary(ctx context.Context) error {
	for _, c := range b.Pool {
		input, makeable := b.Input(c)
		if !makeable {
			continue
		}
		for _, mode := range c.Modes() {
			b.invoke(ctx, invocation{id: c.ID, mode: mode, held: c.Required(), input: input})
		}
	}
	return nil
}

// inputs invokes the capability with the role echo with inputs that are easily changed.
func (b executions) inputs(ctx context.Context) error {
	t, of, err := b.echo()
	if err != nil {
		return err
	}
	for _, further := range []string{" größer 能力", strings.Repeat("-", maxMessageLength), unusualText} {
		input, mark := marked(t.Input)
		if of.ID == history.EchoID {
			letters := []rune(mark + further)
			input = object{"message": string(letters[:min(len(letters), maxMessageLength)])}
		}
		b.invoke(ctx, invocation{id: of.ID, mode: "direct", held: of.Required(), input: input})
	}
	return nil
}

// maxMessageLength is the largest number of characters in a message of conformance.echo.
const maxMessageLength = 280

// unusualText has characters that are easily changed: outside the first plane, in upper case, and with a meaning in
// JSON, HTML and shells.
const unusualText = " 🙂 ÄB \"c\" 'd' <e>&amp; $F \\g\n\th  i "

// together is the number of concurrent calls.
const together = 4

// atOnce makes concurrent calls of the capability with the role echo.
func (b executions) atOnce(ctx context.Context) error {
	t, of, err := b.echo()
	if err != nil {
		return err
	}
	var calls []invocation
	for range together {
		input, _ := marked(t.Input)
		calls = append(calls, invocation{id: of.ID, mode: "direct", held: of.Required(), input: input})
	}
	b.concurrently(ctx, calls...)
	return nil
}

// unknown calls unknown ids. Some of them begin like a known id, and one ends like it.
func (b executions) unknown(ctx context.Context) error {
	t, of, err := b.template()
	if err != nil {
		return err
	}
	none := unknownID()
	for _, id := range []string{none, of.ID + "." + none, none + "." + of.ID, of.ID[:len(of.ID)-1], ""} {
		nameless := slices.ContainsFunc(b.History.Registry().Items, func(i *history.Item) bool { return i.ID == "" })
		if id == "" && nameless || b.Gate.Invent(id) != "" {
			continue
		}
		b.all(ctx, invocation{id: id, mode: t.Mode, held: of.Required(), input: t.Input})
	}
	return nil
}

// otherModes registers a copy for each mode in which the template ran, calls it in the other modes, and removes its
// mode by an update.
func (b executions) otherModes(ctx context.Context) error {
	t, of, err := b.template()
	if err != nil {
		return err
	}
	for at, own := range t.Modes {
		c, err := b.ofMode(ctx, of, own, at)
		if err != nil {
			return err
		}
		b.all(ctx, b.inOtherModes(c, own)...)
		b.invoke(ctx, b.invocationOf(c, own, c.Required()...))
		if others := b.inOtherModes(c, own); at == 0 && len(others) > 0 {
			listed := b.invocationOf(c, own, c.Required()...)
			b.concurrently(ctx, listed, others[0], listed, others[0])
		}
		next := history.Modes[(slices.Index(history.Modes, own)+1)%len(history.Modes)]
		history.Set(c.Members, "invocation.modes", toAnys(next))
		if !b.updates(ctx, c) {
			continue
		}
		b.invoke(ctx, b.invocationOf(c, own, c.Required()...))
		if slices.Contains(t.Modes, next) {
			b.accepted(ctx, b.invocationOf(c, next, c.Required()...), b.invocationOf(of, own, of.Required()...))
		}
	}
	return nil
}

// inOtherModes returns calls of a copy in each mode except its own, and in a mode that the text does not define if
// the own mode is not direct: an engine might treat an undefined mode as direct.
func (b executions) inOtherModes(c *history.Item, own string) []invocation {
	var calls []invocation
	for place, mode := range append(slices.Clone(history.Modes), "capconform-mode") {
		u := b.invocationOf(c, mode, c.Required()...)
		if place%2 == 0 {
			u.held = append(u.held, b.known()...)
		}
		switch {
		case place == len(history.Modes) && own != "direct":
			calls = append(calls, u)
		case place < len(history.Modes) && mode != own:
			calls = append(append(calls, u), b.onChannels(u)...)
		}
	}
	return calls
}

// ofMode registers a copy with one mode. Every second copy grants its permissions by default, and the others have an
// alias if the registry accepts it: neither permits another mode.
func (b executions) ofMode(ctx context.Context, of *history.Item, mode string, at int) (*history.Item, error) {
	plain := func(d object) {
		history.Set(d, "invocation.modes", toAnys(mode))
		history.Set(d, "permissions.granted_by_default", at%2 != 0)
	}
	if at%2 != 0 || mode == "command" {
		return b.register(ctx, of, plain)
	}
	c, err := b.register(ctx, of, func(d object) {
		plain(d)
		history.Set(d, "invocation.command_aliases", toAnys("alias-of-"+history.Text(d, "capability_id")))
	})
	if err != nil {
		return b.register(ctx, of, plain)
	}
	return c, nil
}

// disabled calls copies that are disabled from the start, one that an update disables and another update enables
// again, and one that has a disabled copy as a hook.
func (b executions) disabled(ctx context.Context) error {
	t, of, err := b.template()
	if err != nil {
		return err
	}
	c, err := b.register(ctx, of, func(d object) {
		history.Set(d, "status.enabled", true)
		history.Set(d, "permissions.required", append(toAnys(of.Required()...), history.FirstPermission))
		history.Set(d, "permissions.granted_by_default", false)
	})
	if err != nil {
		return err
	}
	b.invoke(ctx, b.invocationOf(c, t.Mode, c.Required()...))
	for _, granted := range []bool{false, true} {
		off, err := b.register(ctx, of, func(d object) {
			history.Set(d, "status.enabled", false)
			history.Set(d, "permissions.required", append(toAnys(c.Required()...), history.FirstPermission))
			history.Set(d, "permissions.granted_by_default", granted)
		})
		if err != nil {
			return err
		}
		calls := []invocation{b.invocationOf(off, t.Mode), b.invocationOf(off, t.Mode, off.Required()...)}
		if !granted {
			calls = b.onChannels(b.invocationOf(off, t.Mode, off.Required()...))
			for at, mode := range t.Modes {
				u := b.invocationOf(off, mode, off.Required()...)
				if at%2 == 0 {
					u.held = append(u.held, b.known()...) // every known permission
				}
				calls = append(calls, u)
			}
		}
		b.all(ctx, calls...)
		on := b.invocationOf(c, t.Mode, c.Required()...)
		b.concurrently(ctx, on, calls[len(calls)-1], on, calls[len(calls)-1])
	}
	if hook, err := b.register(ctx, of, func(d object) { history.Set(d, "status.enabled", false) }); err == nil {
		b.hookedIn(ctx, of, hook)
	}
	off, err := b.register(ctx, of, func(d object) {
		history.Set(d, "status.enabled", false)
		history.Set(d, "exposure.scope", "public")
	})
	if err == nil {
		b.all(ctx, b.asDeclared(ctx, off)...)
	}
	history.Set(c.Members, "status.enabled", false)
	if b.updates(ctx, c) {
		b.invoke(ctx, b.invocationOf(c, t.Mode, c.Required()...))
		history.Set(c.Members, "status.enabled", true)
		if b.updates(ctx, c) {
			b.accepted(ctx, b.invocationOf(c, t.Mode, c.Required()...), b.invocationOf(of, t.Mode, of.Required()...))
			b.invoke(ctx, b.invocationOf(c, t.Mode))
		}
	}
	return nil
}
