package acdsuite

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
)

// noShellOnChannels looks at descriptors, declarations, projections and calls.
func (w *world) noShellOnChannels(ctx context.Context) error {
	all, err := w.shellEntries()
	if err != nil {
		return err
	}
	for _, c := range all {
		if text(c.members, "exposure.scope") == "channel" || len(suites.Texts(member(c.members, "exposure.channels"))) > 0 {
			return broken("a shell capability is exposed to channels", "no channels and another scope", c.id+": "+suites.Print(c.members["exposure"]))
		}
	}
	if err := w.needChannels(); err != nil {
		return err
	}
	for _, channel := range w.channels() {
		id := channelID(channel)
		declaration := w.declared(ctx, id)
		shown := append(suites.Texts(channel["capabilities"]), suites.Texts(member(declaration.value, "capabilities"))...)
		for _, c := range all {
			if err := w.shellOn(ctx, id, shown, c); err != nil {
				return err
			}
		}
		if err := w.openShell(ctx, id, suites.Texts(member(declaration.value, "modes"))); err != nil {
			return err
		}
	}
	return nil
}

// openShell registers a copy that asks to be shown on a channel and has the substrate
// shell. The registry may refuse it; the channel has to. Nothing is invoked.
func (w *world) openShell(ctx context.Context, channel string, supported []string) error {
	c, err := w.registerCopy(ctx, w.first(), func(d object) {
		showing(channel, supported...)(d)
		history.Put(d, "execution.substrate", substrateShell)
	})
	if err != nil {
		return nil //nolint:nilerr // refused before it could be shown
	}
	if a := w.project(ctx, channel, c.id); a.accepted() {
		return broken("a channel projects a shell capability", noShell, a.received())
	}
	if slices.Contains(suites.Texts(member(w.declared(ctx, channel).value, "capabilities")), c.id) {
		return broken("a channel lists a shell capability", noShell, c.id+" on "+channel)
	}
	return nil
}

// shownOn gives what a channel shows now, by the manifest or by its own declaration.
func (w *world) shownOn(ctx context.Context, channel string) []string {
	return append(suites.Texts(w.channelNow(ctx, channel)["capabilities"]), suites.Texts(member(w.declared(ctx, channel).value, "capabilities"))...)
}

const noShell = "no shell capability on any channel"

// shellOn looks for one on a channel, and calls it there.
func (w *world) shellOn(ctx context.Context, channel string, shown []string, c *capability) error {
	still := func(shows func() bool) bool {
		isShell := func() bool { now := w.now(ctx, c.id); return now != nil && now.substrate() == substrateShell }
		return w.persists(ctx, func() bool { return isShell() && shows() && isShell() })
	}
	if slices.Contains(shown, c.id) && still(func() bool { return slices.Contains(w.shownOn(ctx, channel), c.id) }) {
		return broken("a channel lists a shell capability", noShell, c.id+" on "+channel)
	}
	if a := w.project(ctx, channel, c.id); a.accepted() && still(func() bool { return w.project(ctx, channel, c.id).accepted() }) {
		return broken("a channel projects a shell capability", noShell, a.received())
	}
	if !w.plays(c, roleShell) || len(c.modes()) == 0 || w.reasonAgainst(c) != "" {
		return nil
	}
	i := invocation{id: c.id, mode: c.modes()[0], channel: channel, permissions: c.required(), input: object{"script": "exit 0"}}
	const message = "a shell capability runs through a channel"
	if a := w.invoke(ctx, i); a.accepted() {
		return broken(message, noShell, a.received())
	}
	return w.copyKeepsStill(ctx, c, i, message)
}
