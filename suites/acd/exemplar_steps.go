package acdsuite

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
)

var exemplarSentences = []sentence{
	say(`the exemplar ships with (cap\.[a-z_.]+)`, func(w *world) any { return w.shipsWith }),
	say(`the CLI adapter is there`, func(w *world) any { return w.cliAdapter }),
	try(`the documentation follows the registry`, (*world).docsFollow),
}

func (w *world) shipsWith(id string) error {
	c := w.find(id)
	switch {
	case c == nil:
		return broken("the exemplar does not register "+id, id+" in the registry", "a registry without it")
	case !c.enabled():
		return broken("the exemplar ships with "+id+" switched off", "status.enabled true", c.members["status"])
	case !slices.Contains(suites.Texts(member(w.manifest.value, "capabilities.list")), id):
		return broken("the exemplar does not list "+id, id+" in capabilities.list", suites.Print(member(w.manifest.value, "capabilities.list")))
	}
	return nil
}

func (w *world) cliAdapter() error {
	c := w.find(capCLI)
	if c == nil {
		return suites.Undecided("%s is not registered: see ACD-EX1-03", capCLI)
	}
	if c.substrate() != substrateTransport {
		return broken("the CLI adapter is no transport", substrateTransport, c.substrate())
	}
	for _, channel := range w.channels() {
		if strings.EqualFold(channelID(channel), channelCLI) && slices.Contains(suites.Texts(channel["capabilities"]), capCLI) {
			return nil
		}
	}
	return broken("no channel cli exposes the CLI adapter", capCLI+" under the channel cli of the manifest", suites.Print(member(w.manifest.value, "channels")))
}

// docsFollow looks for a copy in the documentation, and for its absence.
func (w *world) docsFollow(ctx context.Context) error {
	first := w.call(ctx, opDocs, object{})
	if err := first.missing(); err != nil {
		return err
	}
	if text(first.value, "text") == "" {
		return suites.Undecided("the documentation is no text: %s", first.received())
	}
	c, err := w.registerCopy(ctx, w.first(), func(d object) { put(d, "exposure.scope", "public"); put(d, "status.enabled", true) })
	if err != nil {
		return err
	}
	mentioned := func() (answered, bool) {
		a := w.call(ctx, opDocs, object{})
		return a, strings.Contains(text(a.value, "text"), c.id) || strings.Contains(text(a.value, "text"), text(c.members, "name"))
	}
	var shown answered
	if there := soon(ctx, func() (is bool) { shown, is = mentioned(); return is }); !there {
		return broken("the documentation does not mention a capability that was created", c.id, shown.received())
	}
	if err := w.docsUpdated(ctx, c); err != nil {
		return err
	}
	if !w.deletes(ctx, c) {
		return nil // ACD-SDK1-11
	}
	var a answered
	if gone := soon(ctx, func() (is bool) { a, is = mentioned(); return !is }); !gone {
		return broken("the documentation mentions a capability that was deleted", "a text without "+c.id, a.received())
	}
	return nil
}

// docsUpdated gives a copy another name, where the documentation shows names.
func (w *world) docsUpdated(ctx context.Context, c *capability) error {
	shows := func(name string) bool {
		return strings.Contains(text(w.call(ctx, opDocs, object{}).value, "text"), name)
	}
	before := text(c.members, "name")
	if !shows(before) {
		return nil
	}
	after := "Renamed " + strings.TrimPrefix(c.id, probePrefix)
	c.members["name"] = after
	if !w.updates(ctx, c) {
		return nil // ACD-SDK1-10
	}
	if !soon(ctx, func() bool { return shows(after) || !shows(before) }) {
		return broken("the documentation shows what an update has changed", after+" in the place of "+before, "a text with the old name alone")
	}
	return nil
}
