package act

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/record"
)

// ordinary invokes what may be invoked, in every mode that it declares and with all that it
// requires.
func (b *bench) ordinary(ctx context.Context) error {
	for _, c := range b.Pool {
		input, makeable := b.Input(c)
		if !makeable {
			continue
		}
		for _, mode := range c.Modes() {
			b.invoke(ctx, use{id: c.ID, mode: mode, held: c.Required(), input: input})
		}
	}
	return nil
}

// template gives what ran, or why nothing did.
func (b *bench) template() (*history.Template, *history.Item, error) {
	t := b.History.Template()
	if t == nil {
		return nil, nil, suites.Undecided("no capability came back with an output")
	}
	return t, b.find(t.ID), nil
}

// calling is a call of a copy with the input of the template.
func (b *bench) calling(c *history.Item, mode string, held ...string) use {
	return use{id: c.ID, mode: mode, held: held, input: b.History.Template().Input}
}

// asDeclared are calls of a copy through each channel in a mode that the channel declares.
func (b *bench) asDeclared(ctx context.Context, c *history.Item) []use {
	var all []use
	for _, u := range b.onChannels(b.calling(c, "", c.Required()...)) {
		declared := suites.Texts(history.Member(b.declare(ctx, u.channel).Value, "modes"))
		if at := slices.IndexFunc(c.Modes(), func(mode string) bool { return slices.Contains(declared, mode) }); at >= 0 {
			u.mode = c.Modes()[at]
			all = append(all, u)
		}
	}
	return all
}

// onChannels is a call through each channel of the agent.
func (b *bench) onChannels(u use) []use {
	var all []use
	for _, channel := range history.ChannelsOf(b.History.Manifest()) {
		u.channel = channel.ID
		all = append(all, u)
	}
	return all
}

// all makes calls, and reads the log of executions then.
func (b *bench) all(ctx context.Context, calls ...use) {
	for _, u := range calls {
		b.invoke(ctx, u)
	}
	b.log(ctx)
}

// logged tells whether the agent shows what it executed.
func (b *bench) logged() bool {
	logs := b.History.Of(history.OpExecLog)
	return len(logs) > 0 && logs[0].Accepted()
}

// log reads the log of executions, nil where there is none.
func (b *bench) log(ctx context.Context) *history.Call {
	if !b.logged() {
		return nil
	}
	return b.call(ctx, history.OpExecLog, object{})
}

// accepted makes a call that should be accepted. If it is refused, it is made again and
// again beside a control: what runs may fail now and then.
func (b *bench) accepted(ctx context.Context, u, control use) *history.Call {
	first := b.invoke(ctx, u)
	if !first.Refused() {
		return first
	}
	confirm := func(n int, part string, one use) *history.Call {
		about := map[string]string{history.AboutLook: strconv.Itoa(n), history.AboutPart: part}
		op := driver.Operation{Name: history.OpInvoke, Params: suites.Encode(paramsOf(one))}
		links := []record.Link{{Relation: record.Confirms, To: first.Entry}}
		entry, _, err := b.lab.Do(ctx, suites.Call{About: about, Links: links, Operation: op})
		if c := b.History.At(entry.Begun); c != nil {
			return c
		}
		return &history.Call{Observed: suites.Observed{Lost: err}}
	}
	for n := range history.LooksAtMost {
		for range n % 2 {
			b.whole(ctx)
		}
		parts := []string{history.PartRefused, history.PartControl}
		if n%2 == 0 {
			slices.Reverse(parts)
		}
		for _, part := range parts {
			if part == history.PartRefused && !confirm(n, part, u).Refused() ||
				part == history.PartControl && !confirm(n, part, control).Accepted() {
				return first
			}
		}
	}
	return first
}

// inputs gives what plays echo inputs that are easily mangled.
func (b *bench) inputs(ctx context.Context) error {
	t, of, err := b.echo()
	if err != nil {
		return err
	}
	for _, further := range []string{" größer 能力", strings.Repeat("-", longestMessage)} {
		input, mark := marked(t.Input)
		if of.ID == history.EchoID {
			letters := []rune(mark + further)
			input = object{"message": string(letters[:min(len(letters), longestMessage)])}
		}
		b.invoke(ctx, use{id: of.ID, mode: "direct", held: of.Required(), input: input})
	}
	return nil
}

// echo gives what plays echo, if it is the template.
func (b *bench) echo() (*history.Template, *history.Item, error) {
	t, of, err := b.template()
	if err != nil {
		return nil, nil, err
	}
	p, cast := b.Players["echo"]
	if !cast || p.Capability.ID != t.ID || t.Mode != "direct" || t.Mark == "" {
		return nil, nil, suites.Undecided("no capability plays echo, runs directly and takes a text")
	}
	return t, of, nil
}

// longestMessage is what conformance.echo takes, in characters.
const longestMessage = 280

// together is how many calls are made at the same time.
const together = 4

// atOnce makes calls at the same time.
func (b *bench) atOnce(ctx context.Context) error {
	t, of, err := b.echo()
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	for range together {
		input, _ := marked(t.Input)
		wg.Go(func() { b.invoke(ctx, use{id: of.ID, mode: "direct", held: of.Required(), input: input}) })
	}
	wg.Wait()
	return nil
}

// marked puts a text that stands in no other place into an input that takes one.
func marked(input any) (any, string) {
	mark := "capconform-" + uuid.NewString()[:8]
	members, _ := input.(object)
	made := history.Deep(members)
	made[history.TextMember(input)] = mark
	return made, mark
}

// unknown calls ids that nobody has. One begins like an id that is known.
func (b *bench) unknown(ctx context.Context) error {
	t, of, err := b.template()
	if err != nil {
		return err
	}
	none := noneID()
	for _, id := range []string{none, of.ID + "." + none, ""} {
		nameless := slices.ContainsFunc(b.History.Registry().Items, func(i *history.Item) bool { return i.ID == "" })
		if id == "" && nameless || b.Gate.Invent(id) != "" {
			continue
		}
		b.all(ctx, use{id: id, mode: t.Mode, held: of.Required(), input: t.Input})
	}
	return nil
}

// noneID makes an id that nobody has.
func noneID() string { return "conformance.none." + uuid.NewString()[:8] }

// known are the permissions that entries of the registry require.
func (b *bench) known() []string {
	var all []string
	for _, c := range b.Entries {
		all = append(all, c.Required()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// otherModes makes a copy for each mode in which the template ran, calls it in the others,
// and takes its mode away by an update.
func (b *bench) otherModes(ctx context.Context) error {
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
		b.invoke(ctx, b.calling(c, own, c.Required()...))
		next := history.Modes[(slices.Index(history.Modes, own)+1)%len(history.Modes)]
		history.Put(c.Members, "invocation.modes", anys(next))
		if b.updates(ctx, c) {
			b.invoke(ctx, b.calling(c, own, c.Required()...))
		}
	}
	return nil
}

// inOtherModes are calls of a copy in each mode but its own, and in one that the text does not
// have: nobody else might be read as direct.
func (b *bench) inOtherModes(c *history.Item, own string) []use {
	var calls []use
	for place, mode := range append(slices.Clone(history.Modes), "capconform-mode") {
		u := b.calling(c, mode, c.Required()...)
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

// ofMode registers a copy with one mode. What else it says opens no other one: every second
// copy grants its permissions, and the others have an alias if the registry takes that.
func (b *bench) ofMode(ctx context.Context, of *history.Item, mode string, at int) (*history.Item, error) {
	plain := func(d object) {
		history.Put(d, "invocation.modes", anys(mode))
		history.Put(d, "permissions.granted_by_default", at%2 != 0)
	}
	if at%2 != 0 || mode == "command" {
		return b.register(ctx, of, plain)
	}
	c, err := b.register(ctx, of, func(d object) {
		plain(d)
		history.Put(d, "invocation.command_aliases", anys("alias-of-"+history.Text(d, "capability_id")))
	})
	if err != nil {
		return b.register(ctx, of, plain)
	}
	return c, nil
}

// disabled calls copies that are disabled from the start, one that an update disables, and
// one that hooks in a disabled one.
func (b *bench) disabled(ctx context.Context) error {
	t, of, err := b.template()
	if err != nil {
		return err
	}
	c, err := b.register(ctx, of, func(d object) { history.Put(d, "status.enabled", true) })
	if err != nil {
		return err
	}
	b.invoke(ctx, b.calling(c, t.Mode, c.Required()...))
	for _, granted := range []bool{false, true} {
		off, err := b.register(ctx, of, func(d object) {
			history.Put(d, "status.enabled", false)
			history.Put(d, "permissions.required", append(anys(c.Required()...), history.FirstPermission))
			history.Put(d, "permissions.granted_by_default", granted)
		})
		if err != nil {
			return err
		}
		calls := []use{b.calling(off, t.Mode), b.calling(off, t.Mode, off.Required()...)}
		if !granted {
			calls = b.onChannels(b.calling(off, t.Mode, off.Required()...))
			for at, mode := range t.Modes {
				u := b.calling(off, mode, off.Required()...)
				if at%2 == 0 {
					u.held = append(u.held, b.known()...) // there is nothing more to hold
				}
				calls = append(calls, u)
			}
		}
		b.all(ctx, calls...)
	}
	if hook, err := b.register(ctx, of, func(d object) { history.Put(d, "status.enabled", false) }); err == nil {
		b.hookedIn(ctx, of, hook)
	}
	off, err := b.register(ctx, of, func(d object) {
		history.Put(d, "status.enabled", false)
		history.Put(d, "exposure.scope", "public")
	})
	if err == nil {
		b.all(ctx, b.asDeclared(ctx, off)...)
	}
	history.Put(c.Members, "status.enabled", false)
	if b.updates(ctx, c) {
		b.invoke(ctx, b.calling(c, t.Mode, c.Required()...))
	}
	return nil
}

// hookedIn hooks a capability that a caller may not run into a copy that the caller may, and
// calls that one. That the registry does not take it shows nothing.
func (b *bench) hookedIn(ctx context.Context, of, hook *history.Item) {
	if !b.logged() {
		return
	}
	main, err := b.register(ctx, of, func(d object) { history.Put(d, "lifecycle.hooks.pre_invoke", anys(hook.ID)) })
	if err == nil {
		b.all(ctx, b.calling(main, b.History.Template().Mode, main.Required()...))
	}
}
