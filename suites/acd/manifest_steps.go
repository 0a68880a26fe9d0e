package acdsuite

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
)

var manifestSentences = []sentence{
	say(`the agent shows its manifest`, func(w *world) any { return w.needManifest }),
	say(`the agent shows its manifest and its registry`, func(w *world) any { return w.needBoth }),
	try(`the list of the manifest follows the registry`, (*world).manifestFollows),
	try(`the manifest is true both ways`, (*world).manifestTrue),
}

func (w *world) needManifest() error {
	w.sc.Cite(w.manifest.answer, w.manifest.err)
	if err := w.manifest.missing(); err != nil {
		return err
	}
	if members, is := w.manifest.value.(object); !is || len(members) == 0 {
		return suites.Undecided("the agent shows no manifest: %s", w.manifest.received())
	}
	return nil
}

func (w *world) needBoth() error {
	if err := w.needManifest(); err != nil {
		return err
	}
	if len(suites.Texts(member(w.manifest.value, "capabilities.list"))) == 0 {
		return suites.Undecided("the manifest lists no capability: see ACD-MAN-07")
	}
	return w.needEntries()
}

// channels gives the channels of the manifest that have an id, as it was at first.
func (w *world) channels() []object { return channelsOf(w.manifest) }

func channelsOf(manifest answered) []object {
	list, _ := member(manifest.value, "channels").([]any)
	var all []object
	for _, item := range list {
		if c, is := item.(object); is && channelID(c) != "" { // else ACD-MAN-08
			all = append(all, c)
		}
	}
	return all
}

func (w *world) needChannels() error {
	if len(w.channels()) == 0 {
		return suites.Undecided("the manifest has no channels")
	}
	return nil
}

// channelNow gives a channel of the manifest as it is now, nil where it is gone.
func (w *world) channelNow(ctx context.Context, id string) object {
	all := channelsOf(w.call(ctx, opManifest, object{}))
	if at := slices.IndexFunc(all, func(c object) bool { return channelID(c) == id }); at >= 0 {
		return all[at]
	}
	return nil
}

// hidden tells whether a capability may be left out of the manifest.
func hidden(c *capability) bool {
	return !c.enabled() || text(c.members, "exposure.scope") == "internal"
}

// differences compares manifest and registry, which are read again when they differ:
// other callers may change them.
func (w *world) differences(ctx context.Context, ghosts bool) error {
	told := func(manifest answered) []string { return suites.Texts(member(manifest.value, "capabilities.list")) }
	p := partly{
		whole: w.list.operation,
		ids:   func(ctx context.Context) []string { return told(w.call(ctx, opManifest, object{})) },
		must:  func(c *capability) bool { return !hidden(c) },
		may:   func(c *capability) bool { return !ghosts || c.enabled() },
	}
	var first comparison
	first.whole(listOf(w.list.value), p.must, p.may)
	first.part(told(w.manifest))
	if missing, more := first.wrong(); len(missing)+len(more) == 0 {
		return nil
	}
	const want = "the ids of the enabled entries, those of scope internal as you like"
	missing, more := w.compare(ctx, told(w.manifest), p).wrong()
	switch {
	case len(missing) > 0:
		return broken("an enabled entry of the registry is not in the manifest", want, missing[0])
	case len(more) > 0 && ghosts && w.readable(ctx, more[0]):
		return broken("the manifest lists what is disabled", want, more[0])
	case len(more) > 0:
		return broken("the manifest lists what is not registered", want, more[0])
	}
	return nil
}

// manifestFollows changes the registry and looks at the manifest again.
func (w *world) manifestFollows(ctx context.Context) error {
	if err := w.differences(ctx, false); err != nil {
		return err
	}
	of := w.first()
	if err := w.needTemplate(ctx); err == nil {
		of = w.template.of
	}
	c, err := w.registerCopy(ctx, of, func(d object) { history.Put(d, "exposure.scope", "public"); history.Put(d, "status.enabled", true) })
	if err != nil {
		return err
	}
	lists := func() (answered, bool) {
		a := w.call(ctx, opManifest, object{})
		return a, slices.Contains(suites.Texts(member(a.value, "capabilities.list")), c.id)
	}
	if a, there := lists(); !there {
		return broken("a capability that was created is not in the manifest", c.id+" in capabilities.list", a.received())
	}
	if w.deletes(ctx, c) {
		if a, there := lists(); there {
			return broken("a capability that was deleted is still in the manifest", "a list without "+c.id, a.received())
		}
	}
	if c, err = w.registerCopy(ctx, of, func(d object) { history.Put(d, "exposure.scope", "internal"); history.Put(d, "status.enabled", true) }); err != nil {
		return nil //nolint:nilerr // the public one was taken
	}
	history.Put(c.members, "exposure.scope", "public")
	if !w.updates(ctx, c) {
		return nil // ACD-SDK1-10
	}
	if a, there := lists(); !there {
		return broken("a capability that is no longer internal is not in the manifest", c.id+" in capabilities.list", a.received())
	}
	return nil
}

// manifestTrue wants of the exemplar, too, that it advertises nothing that can't be used.
func (w *world) manifestTrue(ctx context.Context) error {
	if err := w.differences(ctx, true); err != nil {
		return err
	}
	public := func(d object) { history.Put(d, "exposure.scope", "public"); history.Put(d, "status.enabled", true) }
	c, err := w.registerCopy(ctx, w.first(), public)
	if err != nil {
		return nil //nolint:nilerr // what is there was compared
	}
	lists := func(c *capability) (answered, bool) {
		a := w.call(ctx, opManifest, object{})
		return a, slices.Contains(suites.Texts(member(a.value, "capabilities.list")), c.id)
	}
	history.Put(c.members, "status.enabled", false)
	if !w.updates(ctx, c) {
		return nil // ACD-SDK1-10
	}
	if a, there := lists(c); there {
		return broken("a capability that was disabled is still in the manifest", "a list without "+c.id, a.received())
	}
	history.Put(c.members, "status.enabled", true)
	if !w.updates(ctx, c) {
		return nil
	}
	a, there := lists(c)
	if there {
		return nil
	}
	fresh, err := w.registerCopy(ctx, w.first(), public)
	if err != nil {
		return nil //nolint:nilerr // nothing tells it from ACD-MAN-01
	}
	if _, followed := lists(fresh); followed {
		return broken("a capability that was enabled is not in the manifest", c.id+" in capabilities.list", a.received())
	}
	return nil // ACD-MAN-01
}
