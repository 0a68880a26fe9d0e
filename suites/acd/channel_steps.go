package acdsuite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
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

// noShellOnChannels looks at descriptors, declarations, projections and calls.
func (w *world) noShellOnChannels(ctx context.Context) error {
	all, err := w.shellEntries()
	if err != nil {
		return err
	}
	for _, c := range all {
		if text(c.members, "exposure.scope") == "channel" || len(texts(member(c.members, "exposure.channels"))) > 0 {
			return broken("a shell capability is exposed to channels", "no channels and another scope", c.id+": "+suites.Print(c.members["exposure"]))
		}
	}
	if err := w.needChannels(); err != nil {
		return err
	}
	for _, channel := range w.channels() {
		id := channelID(channel)
		shown := append(texts(channel["capabilities"]), texts(member(w.declared(ctx, id).value, "capabilities"))...)
		for _, c := range all {
			if err := w.shellOn(ctx, id, shown, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *world) shellOn(ctx context.Context, channel string, shown []string, c *capability) error {
	const want = "no shell capability on any channel"
	if slices.Contains(shown, c.id) {
		return broken("a channel lists a shell capability", want, c.id+" on "+channel)
	}
	if a := w.project(ctx, channel, c.id); a.accepted() {
		return broken("a channel projects a shell capability", want, a.received())
	}
	if !w.plays(c, roleShell) || len(c.modes()) == 0 || w.reasonAgainst(c) != "" {
		return nil
	}
	i := invocation{id: c.id, mode: c.modes()[0], channel: channel, permissions: c.required(), input: object{"script": "exit 0"}}
	if a := w.invoke(ctx, i); a.accepted() {
		return broken("a shell capability runs through a channel", want, a.received())
	}
	return nil
}

// channelDeclares asks each channel of the manifest.
func (w *world) channelDeclares(ctx context.Context, what string) error {
	if err := w.needChannels(); err != nil {
		return err
	}
	for _, channel := range w.channels() {
		a := w.declared(ctx, channelID(channel))
		told := texts(member(a.value, what))
		if !a.served() && what == "capabilities" {
			told = texts(channel["capabilities"]) // the manifest declares them as well
		} else if err := a.missing(); err != nil {
			return err
		}
		if len(told) == 0 {
			return broken("a channel declares no "+what, "a list that is not empty, for "+channelID(channel), a.received())
		}
		if odd := slices.IndexFunc(told, func(mode string) bool { return !slices.Contains(modes, mode) }); what == "modes" && odd >= 0 {
			return broken("a channel declares a mode that the text does not have", strings.Join(modes, ", "), told[odd]+" of "+channelID(channel))
		}
	}
	return nil
}

// projecting finds a channel that projects something, and a mode that it lacks.
func (w *world) projecting(ctx context.Context) (channel string, supported []string, err error) {
	if err := w.needChannels(); err != nil {
		return "", nil, err
	}
	for _, c := range w.channels() {
		a := w.declared(ctx, channelID(c))
		ids := append(texts(member(a.value, "capabilities")), texts(c["capabilities"])...)
		for _, id := range ids {
			p := w.project(ctx, channelID(c), id)
			if err := p.missing(); err != nil {
				return "", nil, err
			}
			told := texts(member(a.value, "modes"))
			if p.accepted() && len(told) > 0 && len(told) < len(modes) {
				return channelID(c), told, nil
			}
		}
	}
	return "", nil, suites.Undecided("no channel with fewer than five modes projects what it declares")
}

func (w *world) channelRejects(ctx context.Context, what string) error {
	channel, supported, err := w.projecting(ctx)
	if err != nil {
		return err
	}
	id := "conformance.none." + uuid.NewString()[:8]
	if what != "is not registered" {
		c, err := w.registerCopy(ctx, w.first(), func(d object) {
			put(d, "exposure.scope", "public")
			if what == "leaves it out" {
				put(d, "invocation.modes", anys(supported...))
				put(d, "exposure.channels", anys("capconform-elsewhere"))
				return
			}
			put(d, "invocation.modes", anys(lacking(supported)))
		})
		if err != nil {
			return err
		}
		id = c.id
	}
	a := w.project(ctx, channel, id)
	if err := a.missing(); err != nil {
		return err
	}
	if a.accepted() {
		return broken("a channel projects what "+strings.Replace(what, "leaves it out", "leaves the channel out", 1), "an error for "+id+" on "+channel, a.received())
	}
	if shown := texts(member(w.declared(ctx, channel).value, "capabilities")); slices.Contains(shown, id) {
		return broken("a channel declares what it does not project", "a declaration without "+id, fmt.Sprint(len(shown), " ids with it"))
	}
	return nil
}

// lacking gives a mode that is not among those supported.
func lacking(supported []string) string {
	return modes[slices.IndexFunc(modes, func(mode string) bool { return !slices.Contains(supported, mode) })]
}

// renderedDifferently compares what two channels make of one capability. The names of
// the channels themselves are no difference.
func (w *world) renderedDifferently(ctx context.Context) error {
	seen := map[string]map[string]string{} // by capability and channel
	for _, c := range w.channels() {
		channel := channelID(c)
		for _, id := range append(texts(c["capabilities"]), texts(member(w.declared(ctx, channel).value, "capabilities"))...) {
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
	shown := append(texts(cli["capabilities"]), texts(member(w.declared(ctx, channelID(cli)).value, "capabilities"))...)
	people := 0
	for _, c := range w.entries {
		scope, only := text(c.members, "exposure.scope"), texts(member(c.members, "exposure.channels"))
		if !c.enabled() || len(c.modes()) == 0 || c.substrate() == substrateShell || scope != "human" && scope != "public" || len(only) > 0 && !slices.Contains(only, channelID(cli)) {
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
		if !a.accepted() {
			return broken("a capability for people can't be reached through the CLI", c.id+" on the channel cli", a.received())
		}
	}
	if people == 0 {
		return suites.Undecided("no capability is for people")
	}
	return nil
}
