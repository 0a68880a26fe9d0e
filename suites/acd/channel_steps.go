package acdsuite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
)

var channelSentences = []sentence{
	try(`no channel exposes a shell`, (*world).noShellOnChannels),
	tryWord(`each channel declares its (capabilities|modes)`, (*world).channelDeclares),
	tryWord(`a channel rejects what (it has no mode for|leaves it out|is not registered)`, (*world).channelRejects),
	try(`a capability is rendered differently on two channels`, (*world).renderedDifferently),
	try(`the whole agent can be operated through the CLI`, (*world).operatedByCLI),
}

func channelID(c object) string { return text(c, "channel_id") }

func (w *world) declared(ctx context.Context, id string) answered {
	return w.call(ctx, opDeclare, object{"channel_id": id})
}

func (w *world) project(ctx context.Context, channel, id string) answered {
	return w.call(ctx, opProject, object{"channel_id": channel, "capability_id": id})
}

// channelDeclares asks each channel of the manifest.
func (w *world) channelDeclares(ctx context.Context, what string) error {
	if err := w.needChannels(); err != nil {
		return err
	}
	for _, channel := range w.channels() {
		a, err := w.declaresSound(ctx, channel, what)
		var breach *suites.Violation
		if errors.As(err, &breach) && w.persists(ctx, func() bool {
			now := w.channelNow(ctx, channelID(channel))
			a, err = w.declaresSound(ctx, now, what)
			return now != nil && errors.As(err, &breach) && w.channelNow(ctx, channelID(channel)) != nil
		}) {
			w.sc.Cite(a.answer, a.err)
			return err
		}
		if breach == nil && err != nil {
			return err
		}
	}
	if what == "capabilities" {
		return w.declaresNoLonger(ctx)
	}
	return nil
}

// declaresSound judges what one channel declares.
func (w *world) declaresSound(ctx context.Context, channel object, what string) (answered, error) {
	a := w.declared(ctx, channelID(channel))
	told := suites.Texts(member(a.value, what))
	if !a.served() && what == "capabilities" {
		told = suites.Texts(channel["capabilities"]) // the manifest declares them as well
	} else if err := a.missing(); err != nil {
		return a, err
	}
	if len(told) == 0 {
		return a, broken("a channel declares no "+what, "a list that is not empty, for "+channelID(channel), a.received())
	}
	if id := w.undeclared(channel, told); what == "capabilities" && a.served() && id != "" {
		return a, broken("the manifest lists under a channel what the channel does not declare", id+" in the declaration of "+channelID(channel), a.received())
	}
	if odd := slices.IndexFunc(told, func(mode string) bool { return !slices.Contains(modes, mode) }); what == "modes" && odd >= 0 {
		return a, broken("a channel declares a mode that the text does not have", strings.Join(modes, ", "), told[odd]+" of "+channelID(channel))
	}
	return a, nil
}

// declaresNoLonger deletes a copy that a channel declares. That none is declared, or
// none deleted, shows nothing.
func (w *world) declaresNoLonger(ctx context.Context) error {
	if len(w.entries) == 0 {
		return nil
	}
	for _, channel := range w.channels() {
		id := channelID(channel)
		supported := suites.Texts(member(w.declared(ctx, id).value, "modes"))
		c, err := w.registerCopy(ctx, w.first(), showing(id, supported...))
		if err != nil {
			return nil //nolint:nilerr // what is declared was looked at
		}
		declares := func() bool {
			return slices.Contains(suites.Texts(member(w.declared(ctx, id).value, "capabilities")), c.id)
		}
		if !declares() {
			continue
		}
		if a := w.project(ctx, id, c.id); otherID(a, c.id) {
			return broken("a channel projects another capability than it is asked for", c.id+" on "+id, a.received())
		}
		if w.deletes(ctx, c) && declares() {
			return broken("a channel declares what was deleted", "ids of the registry", c.id+" of the channel "+id)
		}
	}
	return nil
}

// otherID tells whether a projection names another capability.
func otherID(a answered, id string) bool {
	told := text(a.value, "capability_id")
	return a.accepted() && told != "" && told != id
}

// showing makes a copy one that a channel may show.
func showing(channel string, modes ...string) func(object) {
	return func(d object) {
		history.Put(d, "exposure", object{"scope": "public", "channels": anys(channel)})
		if len(modes) > 0 {
			history.Put(d, "invocation.modes", anys(modes...))
		}
		history.Put(d, "status.enabled", true)
	}
}

// renderedDifferently compares what two channels make of one capability. The names of
// the channels themselves are no difference.
func (w *world) renderedDifferently(ctx context.Context) error {
	seen := map[string]map[string]string{} // by capability and channel
	for _, c := range w.channels() {
		channel := channelID(c)
		for _, id := range append(suites.Texts(c["capabilities"]), suites.Texts(member(w.declared(ctx, channel).value, "capabilities"))...) {
			if seen[id] == nil {
				seen[id] = map[string]string{}
			}
			seen[id][channel] = ""
		}
	}
	compared := 0
	for id, on := range seen {
		if len(on) < 2 {
			continue
		}
		var first string
		for channel := range on {
			a := w.project(ctx, channel, id)
			if err := a.missing(); err != nil {
				return err
			}
			if !a.accepted() {
				continue
			}
			shown := strings.ReplaceAll(string(suites.Encode(member(a.value, "rendering"))), channel, "")
			switch {
			case first == "":
				first = shown
			case first != shown:
				return nil
			default:
				compared++
			}
		}
	}
	if compared == 0 {
		return suites.Undecided("no capability is projected on two channels")
	}
	return broken("every capability is rendered alike on all channels", "one that is rendered differently, such as a prompt and a button", fmt.Sprintf("%d projections compared", compared))
}

// operatedByCLI wants whatever people may use on the channel cli.
func (w *world) operatedByCLI(ctx context.Context) error {
	at := slices.IndexFunc(w.channels(), func(c object) bool { return strings.EqualFold(channelID(c), channelCLI) })
	if at < 0 {
		return broken("the agent has no channel cli", "the channel cli in the manifest", w.manifest.received())
	}
	cli := w.channels()[at]
	shown := append(suites.Texts(cli["capabilities"]), suites.Texts(member(w.declared(ctx, channelID(cli)).value, "capabilities"))...)
	people := 0
	forPeople := func(c *capability) bool {
		scope, only := text(c.members, "exposure.scope"), suites.Texts(member(c.members, "exposure.channels"))
		return c.enabled() && len(c.modes()) > 0 && c.substrate() != substrateShell && (scope == "human" || scope == "public") && (len(only) == 0 || slices.Contains(only, channelID(cli)))
	}
	for _, c := range w.entries {
		if !forPeople(c) {
			continue
		}
		people++
		if slices.Contains(shown, c.id) {
			continue
		}
		a := w.project(ctx, channelID(cli), c.id)
		if err := a.missing(); err != nil {
			return err
		}
		stands := func() bool { now := w.now(ctx, c.id); return now != nil && forPeople(now) }
		if !a.accepted() && w.persists(ctx, func() bool { return stands() && !w.project(ctx, channelID(cli), c.id).accepted() && stands() }) {
			return broken("a capability for people can't be reached through the CLI", c.id+" on the channel cli", a.received())
		}
	}
	if people == 0 {
		return suites.Undecided("no capability is for people")
	}
	if err := w.laterByCLI(ctx, channelID(cli)); err != nil {
		return err
	}
	return w.runByCLI(ctx, channelID(cli), forPeople)
}

// laterByCLI wants what is created for people on the channel cli, too.
func (w *world) laterByCLI(ctx context.Context, cli string) error {
	declaration := w.declared(ctx, cli)
	c, err := w.registerCopy(ctx, w.first(), func(d object) {
		showing(cli, suites.Texts(member(declaration.value, "modes"))...)(d)
		history.Put(d, "exposure", object{"scope": "human"})
	})
	if err != nil {
		return nil //nolint:nilerr // what is there was looked at
	}
	if a := w.project(ctx, cli, c.id); a.refused() && !slices.Contains(w.shownOn(ctx, cli), c.id) {
		return broken("a capability for people that was created can't be reached through the CLI", c.id+" on the channel cli", a.received())
	}
	return nil
}

// runByCLI calls a capability for people that runs in a mode of the channel cli there.
func (w *world) runByCLI(ctx context.Context, cli string, forPeople holding) error {
	supported := suites.Texts(member(w.declared(ctx, cli).value, "modes"))
	for _, t := range w.tried(ctx) {
		at := slices.IndexFunc(t.accepted(), func(mode string) bool { return slices.Contains(supported, mode) })
		if at < 0 || !forPeople(t.of) {
			continue
		}
		within := invocation{id: t.of.id, mode: t.accepted()[at], permissions: t.of.required(), input: t.input}
		through := within
		through.channel = cli
		if a := w.invoke(ctx, through); a.refused() && w.mustAccept(ctx, through, within) {
			if now := w.now(ctx, t.of.id); now != nil && forPeople(now) {
				return broken("a capability for people does not run through the CLI", "an output, as without a channel", t.of.id+" in the mode "+within.mode+": "+a.received())
			}
		}
	}
	return nil
}
