package act

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

// channels examine which capabilities the channels of the agent declare, project and execute.
type channels struct{ bench }

// elsewhere is the id of a channel that does not exist.
const elsewhere = "capconform-elsewhere"

func (b channels) project(ctx context.Context, channel, id string) *history.Call {
	return b.call(ctx, history.OpProject, object{"channel_id": channel, "capability_id": id})
}

// showing returns an edit that lets a channel show a copy.
func showing(channel string, modes ...string) func(object) {
	return func(d object) {
		history.Set(d, "exposure", object{"scope": "public", "channels": toAnys(channel)})
		if len(modes) > 0 {
			history.Set(d, "invocation.modes", toAnys(modes...))
		}
		history.Set(d, "status.enabled", true)
	}
}

// declared requests the declaration of each channel of the manifest, and a projection of each declared capability. It
// repeats this for a copy that is then deleted.
func (b channels) declared(ctx context.Context) error {
	b.call(ctx, history.OpManifest, nil)
	for _, channel := range history.ChannelsOf(b.History.Manifest()) {
		declaration := b.declare(ctx, channel.ID)
		shown := append(declaration.Declares(), channel.Exposes()...)
		for _, id := range slices.Compact(slices.Sorted(slices.Values(shown))) {
			if !b.project(ctx, channel.ID, id).Served() {
				break
			}
		}
		if len(b.Entries) == 0 {
			continue
		}
		modes := jsonvalue.Texts(history.Member(declaration.Value, "modes"))
		c, err := b.register(ctx, b.first(), showing(channel.ID, modes...))
		if err != nil {
			continue // the registry may refuse the copy
		}
		b.declare(ctx, channel.ID)
		b.project(ctx, channel.ID, c.ID)
		if b.deletes(ctx, c) {
			b.declare(ctx, channel.ID)
			b.call(ctx, history.OpManifest, nil)
		}
	}
	return nil
}

// rejected requests projections that a channel must reject, from each channel that declares some of the modes, and
// calls copies through it.
func (b channels) rejected(ctx context.Context) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	channels := history.ChannelsOf(b.History.Manifest())
	for _, channel := range channels {
		modes := b.History.ModesOf(channel.ID)
		if len(modes) == 0 {
			continue
		}
		others := []string{elsewhere}
		for _, c := range channels {
			if c.ID != channel.ID {
				others = append(others, c.ID)
			}
		}
		b.entries(ctx, channel.ID, modes)
		b.withoutMode(ctx, channel.ID, modes)
		b.leftOut(ctx, channel.ID, modes, others)
		b.projects(ctx, channel.ID, unknownID())
		b.project(ctx, channel.ID, "")
		if c, err := b.register(ctx, b.first(), showing(channel.ID, modes...)); err == nil {
			b.project(ctx, channel.ID, c.ID)
			if b.deletes(ctx, c) {
				b.project(ctx, channel.ID, c.ID)
			}
		}
	}
	return nil
}

// maxRejected is the largest number of entries of each kind that a channel must reject and is asked to project.
const maxRejected = 3

// entries requests from a channel the projections of entries whose modes it does not support, of internal entries,
// and of entries that name other channels.
func (b channels) entries(ctx context.Context, channel string, supported []string) {
	count := map[string]int{}
	for _, c := range b.Entries {
		only := jsonvalue.Texts(history.Member(c.Members, "exposure.channels"))
		kind := ""
		switch {
		case !history.Enabled(c.Members) || slices.Contains([]string{"shell", "transport"}, history.Substrate(c.Members)):
			continue
		case history.Text(c.Members, "exposure.scope") == "internal":
			kind = "internal"
		case len(only) > 0 && !slices.Contains(only, channel):
			kind = "elsewhere"
		case !slices.ContainsFunc(c.Modes(), func(mode string) bool { return slices.Contains(supported, mode) }):
			kind = "mode"
		default:
			continue
		}
		if count[kind]++; count[kind] <= maxRejected {
			b.project(ctx, channel, c.ID)
		}
	}
}

// projects requests a projection, and then the declaration of the channel.
func (b channels) projects(ctx context.Context, channel, id string) {
	b.project(ctx, channel, id)
	b.declare(ctx, channel)
}

// withoutMode registers a copy for each mode that a channel lacks. The copy names the channel or no channel, so that
// the mode is the only reason to reject it. It also calls a copy in these modes through the channel.
func (b channels) withoutMode(ctx context.Context, channel string, supported []string) {
	lacks := slices.DeleteFunc(slices.Clone(history.Modes),
		func(mode string) bool { return slices.Contains(supported, mode) })
	for _, mode := range lacks {
		for _, named := range []bool{true, false} {
			c, err := b.register(ctx, b.first(), func(d object) {
				showing(channel, mode)(d)
				if !named {
					drop(d, "exposure.channels")
				}
			})
			if err == nil {
				b.projects(ctx, channel, c.ID)
			}
		}
	}
	t := b.History.Template()
	if t == nil {
		return
	}
	for _, modes := range [][]string{supported[:1], lacks} {
		c, err := b.register(ctx, b.find(t.ID), showing(channel, history.Modes...))
		if err != nil {
			return
		}
		var calls []invocation
		for _, mode := range modes {
			u := b.invocationOf(c, mode, c.Required()...)
			u.channel = channel
			calls = append(calls, u)
		}
		b.all(ctx, calls...)
	}
}

// leftOut registers copies that exclude a channel and one that an update makes exclude it, and calls copies through
// the channel that they exclude.
func (b channels) leftOut(ctx context.Context, channel string, supported, others []string) {
	names := func(exposure object) func(object) {
		return func(d object) {
			showing(channel, supported...)(d)
			history.Set(d, "exposure", exposure)
		}
	}
	excluding := []func(object){
		names(object{"scope": "internal"}), names(object{"scope": "public", "channels": toAnys(others...)}),
	}
	for _, other := range others {
		excluding = append(excluding, showing(other, supported...))
	}
	for _, edit := range excluding {
		if c, err := b.register(ctx, b.first(), edit); err == nil {
			b.projects(ctx, channel, c.ID)
		}
	}
	named := excluding[min(3, len(excluding)-1):] // the copies that name one other channel of the agent
	b.callsLeftOut(ctx, channel, supported[0], append([]func(object){excluding[0]}, named...)...)
	if c, err := b.register(ctx, b.first(), showing(channel, supported...)); err == nil {
		history.Set(c.Members, "exposure.channels", toAnys(others[0]))
		if b.updates(ctx, c) {
			b.projects(ctx, channel, c.ID)
		}
	}
}

// callsLeftOut calls copies of the template through a channel that they exclude. A call without a channel is the
// control.
func (b channels) callsLeftOut(ctx context.Context, channel, mode string, excluding ...func(object)) {
	t := b.History.Template()
	if t == nil {
		return
	}
	for _, edit := range excluding {
		for _, through := range []string{"", channel} {
			c, err := b.register(ctx, b.find(t.ID), func(d object) {
				edit(d)
				history.Set(d, "invocation.modes", toAnys(history.Modes...))
			})
			if err != nil {
				break
			}
			u := b.invocationOf(c, mode, c.Required()...)
			u.channel = through
			b.all(ctx, u)
		}
	}
}

// shells looks for shells on each channel: it asks the channel to project each shell, calls the capability with the
// role shell there, and registers copies that name the channel: one with the substrate shell, and one that an update
// gives this substrate. These copies are not invoked.
func (b channels) shells(ctx context.Context) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	for _, channel := range history.ChannelsOf(b.History.Manifest()) {
		declaration := b.declare(ctx, channel.ID)
		for _, c := range b.Entries {
			if history.Substrate(c.Members) == "shell" {
				b.project(ctx, channel.ID, c.ID)
				b.shellThrough(ctx, channel.ID, c)
			}
		}
		modes := jsonvalue.Texts(history.Member(declaration.Value, "modes"))
		c, err := b.register(ctx, b.first(), func(d object) {
			showing(channel.ID, modes...)(d)
			history.Set(d, "execution.substrate", "shell")
		})
		if err == nil { // otherwise it was refused before it could be shown
			b.projects(ctx, channel.ID, c.ID)
		}
		c, err = b.register(ctx, b.first(), showing(channel.ID, modes...))
		if err != nil {
			continue
		}
		history.Set(c.Members, "execution.substrate", "shell")
		if b.updates(ctx, c) {
			b.projects(ctx, channel.ID, c.ID)
		}
	}
	return nil
}

// shellThrough calls the capability with the role shell, and a copy of it, through a channel.
func (b channels) shellThrough(ctx context.Context, channel string, c *history.Item) {
	p, assigned := b.Players["shell"]
	if !assigned || p.Capability.ID != c.ID || len(c.Modes()) == 0 || b.Gate.ReasonAgainst(c.ID, "") != "" {
		return
	}
	u := invocation{id: c.ID, mode: c.Modes()[0], channel: channel, held: c.Required(), input: object{"script": "exit 0"}}
	b.invoke(ctx, u)
	if made, err := b.register(ctx, c, nil); err == nil {
		u.id = made.ID
		b.all(ctx, u)
	}
}

// throughCLI requests from the channel cli the projections of the capabilities for people, including one that was
// created for them, and calls the capabilities that ran through this channel.
func (b channels) throughCLI(ctx context.Context) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	channels := history.ChannelsOf(b.History.Manifest())
	at := slices.IndexFunc(channels, func(c history.Channel) bool { return strings.EqualFold(c.ID, "cli") })
	if at < 0 {
		return verdict.Undecided("the agent has no channel cli")
	}
	cli := channels[at].ID
	declaration := b.declare(ctx, cli)
	modes := jsonvalue.Texts(history.Member(declaration.Value, "modes"))
	for _, c := range b.Entries {
		if history.ForHumans(c.Members, cli) {
			b.project(ctx, cli, c.ID)
		}
	}
	if c, err := b.register(ctx, b.first(), func(d object) {
		showing(cli, modes...)(d)
		history.Set(d, "exposure", object{"scope": "human"})
	}); err == nil {
		b.projects(ctx, cli, c.ID)
	}
	for _, t := range b.History.Trials() {
		at := slices.IndexFunc(t.Ran(), func(mode string) bool { return slices.Contains(modes, mode) })
		if at < 0 || !history.ForHumans(b.find(t.ID).Members, cli) {
			continue
		}
		within := invocation{id: t.ID, mode: t.Ran()[at], held: t.Held, input: t.Input}
		through := within
		through.channel = cli
		b.accepted(ctx, through, within)
	}
	return nil
}
