package act

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// hooks examine the hooks that run before a capability, after it, and on its errors.
type hooks struct{ bench }

// hooksOfAKind is the number of hooks of a copy.
const hooksOfAKind = 2

// hooked registers copies of the template as hooks, and a copy of another entry that has these hooks and further
// modes. If the registry refuses it, a copy without hooks shows whether the registry accepts copies at all.
func (b hooks) hooked(
	ctx context.Context, of *history.Item, kind string, modes ...string,
) (main *history.Item, hooks []string, err error) {
	for at := range hooksOfAKind {
		h, err := b.register(ctx, b.find(b.History.Template().ID), func(d object) {
			if kind == "on_error" { // the capability that fails may take another input
				takesAnything(d)
			}
			if at > 0 && kind != "on_error" {
				history.Set(d, "permissions.required", append(toAnys(of.Required()...), history.FirstPermission))
			}
		})
		if err != nil {
			return nil, nil, err
		}
		hooks = append(hooks, h.ID)
	}
	main, err = b.register(ctx, of, func(d object) {
		history.Set(d, "lifecycle.hooks."+kind, toAnys(hooks...))
		if len(modes) > 0 {
			history.Set(d, "invocation.modes", toAnys(append(of.Modes(), modes...)...))
		}
	})
	if err != nil {
		_, _ = b.register(ctx, of, nil) // the entry of the record shows the answer
	}
	return main, hooks, err
}

// takesAnything lets a hook accept the input of any capability that it is a hook of.
func takesAnything(d object) {
	history.Set(d, "inputs", object{"schema": object{"type": "object"}, "required": []any{}})
}

// ran reads the log of executions until it shows each id the given number of times, for at most the time of pauses.
func (b hooks) ran(ctx context.Context, often int, ids ...string) {
	eventually(ctx, func() bool {
		log := b.log(ctx)
		return log == nil || !slices.ContainsFunc(ids, func(id string) bool { return log.Runs(id) < often })
	})
}

// before and after call copies with hooks that run for every call.
func (b hooks) before(ctx context.Context) error { return b.inEveryMode(ctx, "pre_invoke") }
func (b hooks) after(ctx context.Context) error {
	if err := b.inEveryMode(ctx, "post_invoke"); err != nil {
		return err
	}
	t, of, err := b.template()
	if err == nil {
		b.ofAllKinds(ctx, of, t.Mode, t.Input)
	}
	return err
}

// hookKinds are the kinds of hooks.
var hookKinds = []string{"pre_invoke", "post_invoke", "on_error"}

// ofAllKinds calls a copy that has a hook of each kind.
func (b hooks) ofAllKinds(ctx context.Context, of *history.Item, mode string, input any) {
	template := b.find(b.History.Template().ID)
	var hooks []string
	main, err := b.register(ctx, of, func(d object) {
		for _, kind := range hookKinds {
			if h, err := b.register(ctx, template, takesAnything); err == nil {
				history.Set(d, "lifecycle.hooks."+kind, toAnys(h.ID))
				hooks = append(hooks, h.ID)
			}
		}
	})
	if err != nil || len(hooks) < len(hookKinds) {
		return
	}
	held := append(main.Required(), template.Required()...) // the hooks require these permissions
	b.log(ctx)
	last := hooks[1]
	if b.invoke(ctx, invocation{id: main.ID, mode: mode, held: held, input: input}).Refused() {
		last = hooks[2]
	}
	b.ran(ctx, 1, hooks[0], last, main.ID)
}

// inEveryMode calls a copy with hooks in each mode. It calls the last copy again, through channels, and after an
// update that names another hook.
func (b hooks) inEveryMode(ctx context.Context, kind string) error {
	t, of, err := b.template()
	if err != nil {
		return err
	}
	var last *history.Item
	var hooks []string
	for at, mode := range t.Modes {
		like := of
		if at < len(t.Modes)-1 { // the last one is called through channels
			like = withOtherScope(of, at)
		}
		if last, hooks, err = b.hooked(ctx, like, kind); err != nil && like != of {
			last, hooks, err = b.hooked(ctx, of, kind)
		}
		if err != nil {
			return err
		}
		held := append(last.Required(), history.FirstPermission) // one of the hooks requires it
		if b.invoke(ctx, b.invocationOf(last, mode, held...)).Accepted() {
			b.ran(ctx, 1, append(hooks, last.ID)...)
		}
	}
	again, ran := b.invocationOf(last, t.Mode, append(last.Required(), history.FirstPermission)...), 1
	if history.TextMember(again.input) != "" {
		again.input, _ = marked(again.input)
	}
	for _, u := range append(b.onDeclaring(ctx, again), again) {
		if b.invoke(ctx, u).Accepted() {
			ran++
		}
	}
	b.ran(ctx, ran, hooks...)
	b.audit(ctx, last, ran)
	next, err := b.register(ctx, of, nil)
	if err != nil {
		return err
	}
	history.Set(last.Members, "lifecycle.hooks."+kind, toAnys(next.ID))
	if b.updates(ctx, last) && b.invoke(ctx, again).Accepted() {
		b.ran(ctx, 1, next.ID)
	}
	return nil
}

// scopes are the scopes of the text.
var scopes = []string{"agent", "human", "public", "channel", "internal"}

// withOtherScope returns an entry with another scope. In every second place, its permissions are granted by default.
func withOtherScope(of *history.Item, at int) *history.Item {
	made := *of
	made.Members = history.Deep(of.Members)
	history.Set(made.Members, "exposure.scope", scopes[at%len(scopes)])
	history.Set(made.Members, "permissions.granted_by_default", at%2 != 0)
	return &made
}

// onDeclaring returns the call through each channel that declares its mode.
func (b hooks) onDeclaring(ctx context.Context, u invocation) []invocation {
	return slices.DeleteFunc(b.onChannels(u), func(through invocation) bool {
		declaration := b.call(ctx, history.OpDeclare, object{"channel_id": through.channel})
		return !slices.Contains(jsonvalue.Texts(history.Member(declaration.Value, "modes")), u.mode)
	})
}

// onError calls copies with hooks of on_error: copies of the template, which succeed, and copies of the capability
// with the role fails, twice in each mode. These copies also get the modes of the template.
func (b hooks) onError(ctx context.Context) error {
	t, of, err := b.template()
	if err != nil {
		return err
	}
	c, _, err := b.hooked(ctx, of, "on_error")
	if err != nil {
		return err
	}
	for _, mode := range t.Modes {
		b.all(ctx, b.invocationOf(c, mode, c.Required()...))
	}
	p, assigned := b.Players["fails"]
	if !assigned || len(p.Capability.Modes()) == 0 {
		return nil
	}
	input, _ := b.Input(p.Capability)
	further := slices.DeleteFunc(slices.Clone(t.Modes), func(mode string) bool {
		return slices.Contains(p.Capability.Modes(), mode)
	})
	for _, mode := range append(p.Capability.Modes(), further...) {
		c, hooks, err := b.hooked(ctx, p.Capability, "on_error", further...)
		if err != nil {
			return err
		}
		held := append(c.Required(), of.Required()...) // the hooks require these permissions
		for n := range 2 {
			b.invoke(ctx, invocation{id: c.ID, mode: mode, held: held, input: input})
			b.ran(ctx, n+1, append(hooks, c.ID)...)
		}
	}
	b.ofAllKinds(ctx, p.Capability, p.Capability.Modes()[0], input)
	return b.onErrorThrough(ctx, of, further, invocation{input: input})
}

// onErrorThrough calls a copy of the capability with the role fails, with hooks on an error, further modes and the
// exposure of the template, through the channels that declare one of its modes.
func (b hooks) onErrorThrough(ctx context.Context, of *history.Item, further []string, u invocation) error {
	failing := *b.Players["fails"].Capability
	failing.Members = history.Deep(failing.Members)
	failing.Members["exposure"] = of.Members["exposure"]
	for _, mode := range append(failing.Modes(), further...) {
		u.mode = mode
		calls := b.onDeclaring(ctx, u)
		if len(calls) == 0 {
			continue
		}
		c, hooks, err := b.hooked(ctx, &failing, "on_error", further...)
		if err != nil {
			return err
		}
		for n, through := range calls {
			through.id, through.held = c.ID, append(c.Required(), of.Required()...)
			b.invoke(ctx, through)
			b.ran(ctx, n+1, append(hooks, c.ID)...)
		}
		return nil
	}
	return nil
}
