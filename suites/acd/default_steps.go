package acdsuite

import (
	"context"
	"fmt"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
)

var defaultSentences = []sentence{
	tryWord(`a copy without ([a-z_.]+) behaves as printed`, (*world).asPrinted),
}

// asPrinted leaves a member out of a copy and looks whether it is read as the text
// prints it.
func (w *world) asPrinted(ctx context.Context, path string) error {
	switch path {
	case "status.enabled":
		return w.enabledByDefault(ctx)
	case "status.mutable":
		return w.mutableByDefault(ctx)
	case "permissions.granted_by_default":
		_, err := w.permissionsNeeded(ctx, nil, nil)
		return err
	case "audit.log_invocation":
		if err := w.invocationsLogged(ctx); err != nil {
			return suites.Undecided("invocations are not logged even where the descriptor says so: see ACD-SDK6-01")
		}
		return w.without(ctx, path, func(c *capability) error { return w.logged(ctx, c, false) })
	case "audit.log_inputs":
		return w.without(ctx, path, func(c *capability) error { return w.silent(ctx, c) })
	default:
		return fmt.Errorf("acdsuite: unknown default %q", path)
	}
}

// without registers a copy that lacks a member, and one that lacks the whole object in which
// the member stands. One of them has to be taken.
func (w *world) without(ctx context.Context, path string, judge func(*capability) error) error {
	whole, _, _ := strings.Cut(path, ".")
	var refused error
	judged := 0
	for _, paths := range [][]string{{path, "audit.log_outputs"}, {whole}} {
		c, err := w.register(ctx, func(d object) {
			for _, one := range paths {
				drop(d, one)
			}
		})
		if err != nil {
			refused = err
			continue
		}
		if err := judge(c); err != nil {
			return err
		}
		judged++
	}
	if judged == 0 {
		return refused
	}
	return nil
}

func (w *world) enabledByDefault(ctx context.Context) error {
	on, a, err := w.offerCopy(ctx, w.template.of, func(d object) { history.Put(d, "status.enabled", true) })
	if err != nil {
		return err
	}
	if err := taken(w.template.of, a); err != nil {
		return err
	}
	if kept, _ := w.get(ctx, on.id); kept != nil && !flag(kept, "status.enabled", true) {
		return suites.Undecided("whatever is created starts disabled, so that a default shows nothing")
	}
	if err := w.control(w.use(ctx, on, w.template.mode, on.required()), "a copy that is enabled does not run"); err != nil {
		return err
	}
	return w.without(ctx, "status.enabled", func(c *capability) error { return w.takenForEnabled(ctx, c) })
}

func (w *world) takenForEnabled(ctx context.Context, c *capability) error {
	a, err := w.query(ctx, object{"enabled": true})
	if err != nil {
		return err
	}
	if a.listed() && !holdsID(a, c.id) {
		return broken("a capability without status.enabled is not among the enabled ones", c.id, a.received())
	}
	if a := w.use(ctx, c, w.template.mode, c.required()); a.refused() && w.lame(ctx, c) {
		return broken("a capability without status.enabled is refused", "an output", a.received())
	}
	return nil
}

func (w *world) mutableByDefault(ctx context.Context) error {
	if err := w.mutableChanges(ctx); err != nil {
		return err
	}
	return w.without(ctx, "status.mutable", func(c *capability) error { return w.takenForMutable(ctx, c) })
}

func (w *world) takenForMutable(ctx context.Context, c *capability) error {
	c.members["name"] = "Updated " + c.id
	a := w.change(ctx, c)
	if err := a.missing(); err != nil {
		return err
	}
	if kept, got := w.get(ctx, c.id); a.refused() || kept == nil || kept["name"] != c.members["name"] {
		return broken("a capability without status.mutable can't be changed", "the new name", a.received()+", then "+got.received())
	}
	return nil
}

// lame tells whether a copy is refused again and again while the template runs.
func (w *world) lame(ctx context.Context, c *capability) bool {
	return w.mustAccept(ctx, w.calling(c, w.template.mode, c.required()...), w.calling(w.template.of, w.template.mode, w.template.of.required()...))
}

// unlessRoleless keeps a breach where the subject follows the adapter's page, by
// which a copy of conformance.echo runs. Elsewhere a copy may have no code.
func (w *world) unlessRoleless(err error) error {
	if w.plays(w.template.of, roleEcho) {
		return err
	}
	return suites.Undecided("a copy of %s does not run: %v", w.template.of.id, err)
}
