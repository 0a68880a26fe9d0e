package act

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/verdict"
)

// immutables examine entries that must not change.
type immutables struct{ bench }

// edit is a way to change an entry.
type edit struct {
	name      string
	operation string
	params    object
}

// attempted tries every way to change an immutable entry, and reads the entry after each attempt. An update of a
// mutable copy is the control. It restores the entry if an attempt changed it.
func (b immutables) attempted(ctx context.Context) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	control, err := b.register(ctx, b.first(), nil)
	if err != nil {
		return err
	}
	control.Members["name"] = "Updated " + control.ID
	if !b.updates(ctx, control) {
		return verdict.Undecided("a mutable copy cannot be updated")
	}
	c, err := b.immutable(ctx)
	if err != nil {
		return err
	}
	b.step(history.StepBefore)
	before := b.get(ctx, c.ID)
	if before == nil {
		return verdict.Undecided("%s cannot be read", c.ID)
	}
	for _, w := range b.changes(c) {
		b.step(w.name)
		b.call(ctx, w.operation, w.params)
		after := b.get(ctx, c.ID)
		if after == nil { // the reading may have failed for another reason
			after = b.get(ctx, c.ID)
		}
		if !history.Same(after, before) {
			b.restore(ctx, before)
			break
		}
	}
	return nil
}

// immutable returns the capability with the role immutable, or a copy that remains in the registry.
func (b immutables) immutable(ctx context.Context) (*history.Item, error) {
	if p, assigned := b.Players["immutable"]; assigned {
		return p.Capability, nil
	}
	c, err := b.register(ctx, b.first(), func(d object) { history.Set(d, "status.mutable", false) })
	if err == nil {
		return c, nil
	}
	at := slices.IndexFunc(b.Entries,
		func(c *history.Item) bool { return !history.Flag(c.Members, "status.mutable", true) })
	if at < 0 {
		return nil, err
	}
	return b.Entries[at], nil
}

// changes returns the ways to change an entry.
func (b immutables) changes(c *history.Item) []edit {
	edited := func(edit func(object)) object {
		made := history.Deep(c.Members)
		made["name"], made["description"] = "Changed by capconform", "Changed by capconform."
		history.Set(made, "permissions", object{"required": []any{}, "granted_by_default": true})
		edit(made)
		return object{"descriptor": made}
	}
	keep := func(object) {}
	free := func(d object) { history.Set(d, "status.mutable", true) }
	silent := func(d object) { drop(d, "status.mutable") }
	rest := func(d object) {
		b.setAllMembers(d)
		d["name"], d["description"], d["permissions"] = c.Members["name"], c.Members["description"], c.Members["permissions"]
		signed := history.Flag(c.Members, "status.signed", false)
		history.Set(d, "status", object{"enabled": true, "mutable": false, "signed": signed})
	}
	off := func(d object) { history.Set(d, "status.enabled", false) }
	newer := func(d object) { d["version"] = "99.0.0" }
	all := []edit{
		{"an update", history.OpUpdate, edited(keep)},
		{"an update of what else it says", history.OpUpdate, edited(rest)},
		{"an update that makes it mutable", history.OpUpdate, edited(free)},
		{"an update that says nothing of it", history.OpUpdate, edited(silent)},
		{"an update that disables it", history.OpUpdate, edited(off)},
		{"an update to a newer version", history.OpUpdate, edited(newer)},
		{"registering a newer version", history.OpCreate, edited(newer)},
		{"registering it again", history.OpCreate, edited(keep)},
		{"registering it again as mutable", history.OpCreate, edited(free)},
		{"registering it again without saying so", history.OpCreate, edited(silent)},
	}
	all = append(all, b.alone(c)...)
	bound := object{"capability_id": c.ID, "command_alias": "capconform-alias"}
	for _, by := range []struct {
		meta  *history.Item
		input object
	}{
		{b.meta("enable"), object{"capability_id": c.ID}}, {b.meta("bind"), bound}, {b.meta("create"), edited(free)},
		{b.find("cap.command.bind"), bound},
		{b.find("cap.hook.create"), object{"capability_id": c.ID, "kind": "pre_invoke", "hook": b.first().ID}},
	} {
		if by.meta != nil && len(by.meta.Modes()) > 0 && b.Gate.ReasonAgainst(by.meta.ID, "") == "" {
			u := invocation{id: by.meta.ID, mode: modeOf(by.meta), held: by.meta.Required(), input: by.input}
			all = append(all, edit{strings.TrimPrefix(by.meta.ID, "cap."), history.OpInvoke, paramsOf(u)})
		}
	}
	id := object{"capability_id": c.ID}
	return append(all, edit{"deleting it", history.OpDelete, id}, edit{"deleting it again", history.OpDelete, id})
}

// alone returns updates that change one member each.
func (b immutables) alone(c *history.Item) []edit {
	whole := history.Deep(c.Members)
	b.setAllMembers(whole)
	whole["version"], whole["kind"] = "99.0.0", "template"
	if history.Text(c.Members, "kind") == "template" {
		whole["kind"] = "atomic"
	}
	values := map[string]any{"status.enabled": !history.Enabled(c.Members), "status.mutable": true}
	for _, member := range []string{
		"name", "version", "description", "kind", "execution", "invocation", "exposure", "permissions", "inputs", "outputs",
		"dependencies", "lifecycle", "delegation", "audit",
	} {
		values[member] = whole[member]
	}
	var all []edit
	for _, path := range slices.Sorted(maps.Keys(values)) {
		made := history.Deep(c.Members)
		history.Set(made, path, values[path])
		all = append(all, edit{"an update of " + path + " alone", history.OpUpdate, object{"descriptor": made}})
	}
	return all
}

// restore undoes a change of an immutable entry.
func (b immutables) restore(ctx context.Context, before object) {
	b.step(history.StepRestore)
	for _, operation := range []string{history.OpUpdate, history.OpCreate} {
		b.call(ctx, operation, object{"descriptor": before})
		if now := b.get(ctx, history.Text(before, "capability_id")); history.Same(now, before) {
			return
		}
	}
}
