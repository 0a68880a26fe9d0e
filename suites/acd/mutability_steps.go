package acdsuite

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
)

var mutabilitySentences = []sentence{
	try(`what is mutable can be changed`, (*world).mutableChanges),
	try(`what is immutable stays as it is`, (*world).immutableStays),
}

// mutableChanges is the positive control: changes as such are possible.
func (w *world) mutableChanges(ctx context.Context) error {
	c, err := w.registerCopy(ctx, w.first(), nil)
	if err != nil {
		return err
	}
	c.members["name"] = "Updated " + c.id
	a := w.change(ctx, c)
	if err := a.missing(); err != nil {
		return err
	}
	if kept, _ := w.get(ctx, c.id); kept == nil || !history.Keeps(kept, c.members) {
		return suites.Undecided("a copy that is mutable can't be updated: %s", a.received())
	}
	return nil
}

// change updates an entry of ours. A registry may want a new version for a change, so that
// an update that is refused is tried again with one.
func (w *world) change(ctx context.Context, c *capability) answered {
	a := w.call(ctx, opUpdate, object{"descriptor": c.members})
	if !a.refused() {
		return a
	}
	newer, _ := deep(c.members).(object)
	newer["version"] = newerVersion(text(c.members, "version"))
	again := w.call(ctx, opUpdate, object{"descriptor": newer})
	if !again.accepted() {
		return a
	}
	c.members["version"] = newer["version"]
	return again
}

// newerVersion counts the last number of a version up.
func newerVersion(version string) string {
	head := strings.TrimRight(version, "0123456789")
	last, err := strconv.Atoi(version[len(head):])
	if err != nil {
		return version + ".1"
	}
	return head + strconv.Itoa(last+1)
}

// updates changes an entry, and tells whether that took effect.
func (w *world) updates(ctx context.Context, c *capability) bool {
	w.change(ctx, c)
	kept, _ := w.get(ctx, c.id)
	return kept != nil && history.Keeps(kept, c.members)
}

// deletes removes an entry, and tells whether that took effect.
func (w *world) deletes(ctx context.Context, c *capability) bool {
	a := w.call(ctx, opDelete, object{"capability_id": c.id})
	kept, _ := w.get(ctx, c.id)
	if !a.accepted() || kept != nil {
		return false
	}
	w.probes = slices.DeleteFunc(w.probes, func(id string) bool { return id == c.id })
	return true
}

// immutable gives the capability of the role, or else registers a copy that stays.
func (w *world) immutable(ctx context.Context) (*capability, error) {
	if p, cast := w.players[roleImmutable]; cast {
		return p.Capability, nil
	}
	c, err := w.registerCopy(ctx, w.first(), func(d object) { history.Put(d, "status.mutable", false) })
	if err == nil {
		return c, nil
	}
	at := slices.IndexFunc(w.entries, func(c *capability) bool { return !flag(c.members, "status.mutable", true) })
	if at < 0 {
		return nil, err
	}
	return w.entries[at], nil
}

// change is a way round.
type change struct {
	name string
	make func(ctx context.Context) answered
}

func (w *world) changes(c *capability) []change {
	edited := func(edit func(object)) object {
		made, _ := deep(c.members).(object)
		made["name"], made["description"] = "Changed by capconform", "Changed by capconform."
		history.Put(made, "permissions", object{"required": []any{}, "granted_by_default": true})
		edit(made)
		return made
	}
	as := func(operation string, descriptor object) func(context.Context) answered {
		return func(ctx context.Context) answered { return w.call(ctx, operation, object{"descriptor": descriptor}) }
	}
	keep := func(object) {}
	free := func(d object) { history.Put(d, "status.mutable", true) }
	silent := func(d object) { drop(d, "status.mutable") }
	rest := edited(w.wholly)
	rest["name"], rest["description"], rest["permissions"] = c.members["name"], c.members["description"], c.members["permissions"]
	history.Put(rest, "status", object{"enabled": true, "mutable": false, "signed": flag(c.members, "status.signed", false)})
	off := func(d object) { history.Put(d, "status.enabled", false) }
	newer := func(d object) { d["version"] = "99.0.0" }
	all := []change{
		{"an update", as(opUpdate, edited(keep))}, {"an update of what else it says", as(opUpdate, rest)}, {"an update that makes it mutable", as(opUpdate, edited(free))},
		{"an update that says nothing of it", as(opUpdate, edited(silent))}, {"an update that disables it", as(opUpdate, edited(off))},
		{"an update to a newer version", as(opUpdate, edited(newer))}, {"registering a newer version", as(opCreate, edited(newer))},
		{"registering it again", as(opCreate, edited(keep))}, {"registering it again as mutable", as(opCreate, edited(free))},
		{"registering it again without saying so", as(opCreate, edited(silent))},
	}
	bound := object{"capability_id": c.id, "command_alias": "capconform-alias"}
	for _, by := range []struct {
		meta  *capability
		input object
	}{
		{w.meta("bind"), bound}, {w.meta("create"), object{"descriptor": edited(free)}}, {w.find("cap.command.bind"), bound},
		{w.find("cap.hook.create"), object{"capability_id": c.id, "kind": "pre_invoke", "hook": w.first().id}},
	} {
		if meta, input := by.meta, by.input; meta != nil && len(meta.modes()) > 0 && w.reasonAgainst(meta) == "" {
			all = append(all, change{strings.TrimPrefix(meta.id, "cap."), func(ctx context.Context) answered {
				return w.invoke(ctx, invocation{id: meta.id, mode: w.modeOf(meta), permissions: meta.required(), input: input})
			}})
		}
	}
	return append(all, change{"deleting it", func(ctx context.Context) answered { return w.call(ctx, opDelete, object{"capability_id": c.id}) }})
}

// immutableStays tries every way round and reads the descriptor after each.
func (w *world) immutableStays(ctx context.Context) error {
	c, err := w.immutable(ctx)
	if err != nil {
		return err
	}
	before, a := w.get(ctx, c.id)
	if before == nil {
		return suites.Undecided("%s can't be read: %s", c.id, a.received())
	}
	for _, change := range w.changes(c) {
		if got := change.make(ctx); got.err != nil {
			return got.missing()
		}
		after, a := w.get(ctx, c.id)
		if history.Same(after, before) {
			continue
		}
		restored := "it was put back"
		if !w.restore(ctx, before) {
			restored = "it could not be put back"
		}
		return broken("an immutable capability is changed by "+change.name, suites.Print(before), a.received()+"; "+restored)
	}
	return nil
}

// restore undoes what a host let happen that must not have.
func (w *world) restore(ctx context.Context, before object) bool {
	return slices.ContainsFunc([]string{opUpdate, opCreate}, func(operation string) bool {
		w.call(ctx, operation, object{"descriptor": before})
		now, _ := w.get(ctx, text(before, "capability_id"))
		return history.Same(now, before)
	})
}
