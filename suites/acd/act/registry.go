package act

import (
	"context"
	"fmt"
	"sync"

	"github.com/capconform/capconform/suites/acd/history"
)

// registries examine how descriptors are created, read, updated and deleted.
type registries struct{ bench }

// creates registers a plain copy and one with every member.
func (b registries) creates(ctx context.Context) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	for _, edit := range []func(object){nil, b.setAllMembers} {
		c, err := b.register(ctx, b.first(), edit)
		if err != nil {
			return err
		}
		b.readCopy(ctx, c)
	}
	b.createsConcurrently(ctx)
	return nil
}

// createsConcurrently registers copies at the same time, then updates them, and then deletes them.
func (b registries) createsConcurrently(ctx context.Context) {
	var made []object
	for range together {
		made = append(made, b.copyOf(b.first(), nil))
	}
	all := func(operation string, params func(d object) object) {
		var wg sync.WaitGroup
		for _, d := range made {
			wg.Go(func() { b.call(ctx, operation, params(d)) })
		}
		wg.Wait()
		for _, d := range made {
			b.get(ctx, history.Text(d, "capability_id"))
		}
	}
	whole := func(d object) object { return object{"descriptor": history.Deep(d)} }
	all(history.OpCreate, whole)
	b.readRegistry(ctx)
	for _, d := range made {
		d["name"] = "Updated " + history.Text(d, "capability_id")
	}
	all(history.OpUpdate, whole)
	all(history.OpDelete, func(d object) object { return object{"capability_id": d["capability_id"]} })
}

// maxRead is the largest number of entries that are read one by one.
const maxRead = 50

// readsEntries reads the entries one by one, and unknown ids.
func (b registries) readsEntries(ctx context.Context) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	for _, one := range b.Entries[:min(maxRead, len(b.Entries))] {
		b.call(ctx, history.OpGet, object{"capability_id": one.ID})
	}
	shown := b.first()
	b.readCopy(ctx, shown)
	none := unknownID()
	for _, id := range []string{none, "", shown.ID + "." + none, shown.ID[:len(shown.ID)-1]} {
		b.call(ctx, history.OpGet, object{"capability_id": id})
		b.readRegistry(ctx)
	}
	return nil
}

// neighbour registers a copy whose id begins like that of another copy, and returns a function that reads it. The
// registry may refuse such an id.
func (b registries) neighbour(ctx context.Context, of *history.Item) func() {
	c, err := b.register(ctx, of, func(d object) { d["capability_id"] = of.ID + ".more" })
	if err != nil {
		return func() {}
	}
	b.get(ctx, c.ID)
	return func() { b.get(ctx, c.ID) }
}

// moves are the queries that an update of updatesCopies makes a copy enter or leave.
var moves = []object{
	{"exposure": "human"}, {"exposure": "agent"}, {"invocation": "message"}, {"invocation": "event"},
	{"enabled": true}, {"enabled": false}, {"kind": "template"}, {"execution": "llm"}, {"execution": "symbolic"},
}

// updatesCopies updates a copy: some members, its state twice and its name in each state, kind and substrate, every
// member, and then lists, which the new lists must replace.
func (b registries) updatesCopies(ctx context.Context) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	c, err := b.register(ctx, b.first(), func(d object) {
		history.Set(d, "invocation.modes", toAnys("direct", "event"))
		history.Set(d, "exposure.scope", "agent")
		history.Set(d, "permissions.required", toAnys(history.ThirdPermission))
	})
	if err != nil {
		return err
	}
	near := b.neighbour(ctx, c)
	b.readRegistry(ctx)
	b.queries(ctx, moves...)
	c.Members["name"] = "Updated " + c.ID
	history.Set(c.Members, "invocation.modes", toAnys("direct"))
	history.Set(c.Members, "exposure.scope", "human")
	b.step(history.StepPlain)
	changed := b.change(ctx, c)
	b.about = nil
	if !changed.Accepted() {
		return nil
	}
	b.readCopy(ctx, c)
	b.queries(ctx, moves...)
	for _, enabled := range []bool{false, true} {
		history.Set(c.Members, "status.enabled", enabled)
		if !b.change(ctx, c).Accepted() {
			break
		}
		b.get(ctx, c.ID)
		b.queries(ctx, object{"enabled": true}, object{"enabled": false})
		c.Members["name"] = fmt.Sprint("Updated with enabled ", enabled, " ", c.ID)
		if b.change(ctx, c).Accepted() {
			b.get(ctx, c.ID)
		}
	}
	near()
	b.updatesAlone(ctx, c)
	b.setAllMembers(c.Members)
	history.Set(c.Members, "status.enabled", true)
	if !b.change(ctx, c).Accepted() {
		return nil
	}
	b.readCopy(ctx, c)
	history.Set(c.Members, "invocation.command_aliases", toAnys("third-alias-of-"+c.ID))
	history.Set(c.Members, "permissions.required", toAnys(history.ThirdPermission))
	history.Set(c.Members, "dependencies.resources", toAnys("network"))
	if b.change(ctx, c).Accepted() {
		b.readCopy(ctx, c)
	}
	return nil
}

// updatesAlone updates the members by which a capability is filtered and routed. A registry may refuse to change one.
func (b registries) updatesAlone(ctx context.Context, c *history.Item) {
	substrate := "llm"
	if history.Substrate(c.Members) == substrate {
		substrate = "symbolic"
	}
	for _, one := range []struct{ path, value string }{{"kind", "template"}, {"execution.substrate", substrate}} {
		before := history.Text(c.Members, one.path)
		history.Set(c.Members, one.path, one.value)
		if !b.change(ctx, c).Accepted() {
			history.Set(c.Members, one.path, before)
			continue
		}
		b.get(ctx, c.ID)
		b.queries(ctx, moves[len(moves)-3:]...)
	}
}

// deletesCopies deletes a copy, looks for it in every answer, and registers another copy under its id, which it calls
// without the permission that only this copy requires.
func (b registries) deletesCopies(ctx context.Context) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	of, t := b.first(), b.History.Template()
	if t != nil {
		of = b.find(t.ID)
	}
	c, err := b.register(ctx, of, nil)
	if err != nil {
		return err
	}
	ran := t != nil && b.invoke(ctx, b.invocationOf(c, t.Mode, c.Required()...)).Accepted()
	b.readCopy(ctx, c)
	near := b.neighbour(ctx, c)
	b.step(history.StepPlain)
	b.call(ctx, history.OpDelete, object{"capability_id": c.ID})
	b.about = nil
	b.readCopy(ctx, c)
	b.queries(ctx, object{"enabled": true})
	near()
	if ran {
		again := b.invocationOf(c, t.Mode, c.Required()...)
		for _, u := range append(b.onChannels(again), again) {
			b.invoke(ctx, u)
		}
	}
	if t != nil && b.logged() {
		b.deletedHook(ctx, of, t.Mode)
	}
	c.Members["name"] = "Another " + c.ID
	history.Set(c.Members, "permissions", object{"required": toAnys(history.FirstPermission), "granted_by_default": false})
	if b.call(ctx, history.OpCreate, object{"descriptor": c.Members}).Accepted() && b.get(ctx, c.ID) != nil && ran {
		b.invoke(ctx, b.invocationOf(c, t.Mode))
	}
	return nil
}

// deletedHook deletes a copy that another copy has as a hook, and calls the other copy.
func (b registries) deletedHook(ctx context.Context, of *history.Item, mode string) {
	hook, err := b.register(ctx, of, nil)
	if err != nil {
		return
	}
	main, err := b.register(ctx, of, hookedBy(hook.ID))
	if err == nil && b.deletes(ctx, hook) {
		b.all(ctx, b.invocationOf(main, mode, main.Required()...))
	}
}
