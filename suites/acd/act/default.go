package act

import (
	"context"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
)

// defaults examine copies that omit members with a printed default.
type defaults struct{ bench }

// without registers a copy that lacks a member, and one that lacks the whole object that contains the member, and
// calls do with each of them. It returns an error if the registry refuses both.
func (b defaults) without(ctx context.Context, of *history.Item, path string, do func(*history.Item)) error {
	whole, _, _ := strings.Cut(path, ".")
	var refused error
	taken := 0
	for _, one := range []string{path, whole} {
		c, err := b.register(ctx, of, func(d object) { drop(d, one) })
		if err != nil {
			refused = err
			continue
		}
		taken++
		do(c)
	}
	if taken == 0 {
		return refused
	}
	return nil
}

// enabledAbsent uses copies without status.enabled, after one that has it.
func (b defaults) enabledAbsent(ctx context.Context) error {
	t, of, err := b.template()
	if err != nil {
		return err
	}
	on, created, err := b.offer(ctx, of, func(d object) { history.Set(d, "status.enabled", true) })
	if err != nil {
		return err
	}
	if err := creationError(of, created); err != nil {
		return err
	}
	b.get(ctx, on.ID)
	b.invoke(ctx, b.invocationOf(on, t.Mode, on.Required()...))
	return b.without(ctx, of, "status.enabled", func(c *history.Item) {
		b.query(ctx, object{"enabled": true})
		b.accepted(ctx, b.invocationOf(c, t.Mode, c.Required()...), b.invocationOf(of, t.Mode, of.Required()...))
	})
}

// mutableAbsent updates and deletes copies without status.mutable, after one that has it.
func (b defaults) mutableAbsent(ctx context.Context) error {
	_, of, err := b.template()
	if err != nil {
		return err
	}
	control, err := b.register(ctx, of, nil)
	if err != nil {
		return err
	}
	control.Members["name"] = "Updated " + control.ID
	b.updates(ctx, control)
	b.deletes(ctx, control)
	return b.without(ctx, of, "status.mutable", func(c *history.Item) {
		c.Members["name"] = "Updated " + c.ID
		b.updates(ctx, c)
		b.deletes(ctx, c)
	})
}

// usedAtOnce lists and invokes a copy directly after its creation.
func (b defaults) usedAtOnce(ctx context.Context) error {
	t, of, err := b.template()
	if err != nil {
		return err
	}
	c, err := b.register(ctx, of, nil)
	if err != nil {
		return err
	}
	b.readRegistry(ctx)
	b.accepted(ctx, b.invocationOf(c, t.Mode, c.Required()...), b.invocationOf(of, t.Mode, of.Required()...))
	return nil
}
