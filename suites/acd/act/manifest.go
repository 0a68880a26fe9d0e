package act

import (
	"context"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/verdict"
)

// manifests examine whether the manifest and the documentation follow the registry.
type manifests struct{ bench }

// makePublic returns an edit of a copy that the manifest must list.
func makePublic(d object) {
	history.Set(d, "exposure.scope", "public")
	history.Set(d, "status.enabled", true)
}

// indexed reads the manifest while copies of several scopes are created, deleted, made public, disabled and enabled.
func (b manifests) indexed(ctx context.Context) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	of := b.first()
	if t := b.History.Template(); t != nil {
		of = b.find(t.ID)
	}
	c, err := b.registered(ctx, of, makePublic)
	if err != nil {
		return err
	}
	if b.deletes(ctx, c) {
		b.call(ctx, history.OpManifest, nil)
	}
	for _, scope := range []string{"human", "agent", "channel"} {
		edit := func(d object) { makePublic(d); history.Set(d, "exposure.scope", scope) }
		_, _ = b.registered(ctx, of, edit) // the registry may refuse it
	}
	internal := func(d object) { makePublic(d); history.Set(d, "exposure.scope", "internal") }
	if c, err = b.registered(ctx, of, internal); err == nil {
		history.Set(c.Members, "exposure.scope", "public")
		b.updates(ctx, c)
		b.call(ctx, history.OpManifest, nil)
	}
	if c, err = b.registered(ctx, of, makePublic); err != nil {
		return nil // the registry accepted the first copy
	}
	for _, enabled := range []bool{false, true} {
		history.Set(c.Members, "status.enabled", enabled)
		b.updates(ctx, c)
		b.call(ctx, history.OpManifest, nil)
	}
	return nil
}

// registered registers a copy, and reads it and the manifest.
func (b manifests) registered(ctx context.Context, of *history.Item, edit func(object)) (*history.Item, error) {
	c, err := b.register(ctx, of, edit)
	if err == nil {
		b.get(ctx, c.ID)
		b.call(ctx, history.OpManifest, nil)
	}
	return c, err
}

// documented reads the documentation while a copy is created, renamed and deleted.
func (b manifests) documented(ctx context.Context) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	page := func() string { return history.Text(b.call(ctx, history.OpDocs, object{}).Value, "text") }
	if page() == "" {
		return verdict.Undecided("the documentation is not a text")
	}
	c, err := b.register(ctx, b.first(), makePublic)
	if err != nil {
		return err
	}
	name := history.Text(c.Members, "name")
	mentioned := func() bool { now := page(); return strings.Contains(now, c.ID) || strings.Contains(now, name) }
	eventually(ctx, mentioned)
	if strings.Contains(page(), name) {
		former := name
		name = "Renamed " + strings.TrimPrefix(c.ID, history.ProbePrefix)
		c.Members["name"] = name
		if b.updates(ctx, c) {
			eventually(ctx, func() bool {
				now := page()
				return strings.Contains(now, name) || strings.Contains(now, c.ID) && !strings.Contains(now, former)
			})
		}
	}
	if b.deletes(ctx, c) {
		eventually(ctx, func() bool { return !mentioned() })
	}
	return nil
}

// described reads the manifest and the registry once more, after all other stimuli.
func (b manifests) described(ctx context.Context) error {
	b.call(ctx, history.OpManifest, nil)
	b.readRegistry(ctx)
	return nil
}
