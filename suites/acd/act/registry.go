package act

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
)

// first is the entry of which copies are made where nothing has to run.
func (b *bench) first() *history.Item {
	outside := func(c *history.Item) bool {
		return slices.Contains([]string{"shell", "transport"}, history.Substrate(c.Members))
	}
	for _, fits := range []func(*history.Item) bool{
		func(c *history.Item) bool {
			return b.Gate.Against(c.ID, "") == "" && !history.ChangesRegistry(c.ID) && !outside(c)
		},
		func(c *history.Item) bool { return !outside(c) },
	} {
		if i := slices.IndexFunc(b.Entries, fits); i >= 0 {
			return b.Entries[i]
		}
	}
	return b.Entries[0]
}

// needEntries says why nothing can be registered that is like an entry.
func (b *bench) needEntries() error {
	if len(b.Entries) > 0 {
		return nil
	}
	if err := b.History.NoEntries(); err != nil {
		return err
	}
	return suites.Undecided("no descriptor has an id: see ACD-DESC-03")
}

// step names the part of a stimulus to which the next calls belong.
func (b *bench) step(name string) { b.about = map[string]string{history.AboutStep: name} }

// reads asks for a copy and for the whole list.
func (b *bench) reads(ctx context.Context, c *history.Item) {
	b.get(ctx, c.ID)
	b.whole(ctx)
}

// creates registers copies, a plain one and one that says something in every member.
func (b *bench) creates(ctx context.Context) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	for _, edit := range []func(object){nil, b.wholly} {
		c, err := b.register(ctx, b.first(), edit)
		if err != nil {
			return err
		}
		b.reads(ctx, c)
	}
	return nil
}

// mostRead bounds the entries that are read one by one.
const mostRead = 50

// readsEntries reads the entries one by one, and ids that nobody has.
func (b *bench) readsEntries(ctx context.Context) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	for _, one := range b.Entries[:min(mostRead, len(b.Entries))] {
		b.call(ctx, history.OpGet, object{"capability_id": one.ID})
	}
	shown := b.first()
	b.reads(ctx, shown)
	none := noneID()
	for _, id := range []string{none, "", shown.ID + "." + none, shown.ID[:len(shown.ID)-1]} {
		b.call(ctx, history.OpGet, object{"capability_id": id})
		b.whole(ctx)
	}
	return nil
}

// neighbour registers a copy whose id begins like that of another, and gives what reads it.
// An id of such a form need not be taken.
func (b *bench) neighbour(ctx context.Context, of *history.Item) func() {
	c, err := b.register(ctx, of, func(d object) { d["capability_id"] = of.ID + ".more" })
	if err != nil {
		return func() {}
	}
	b.get(ctx, c.ID)
	return func() { b.get(ctx, c.ID) }
}

// moves are the queries into which, and out of which, the update of updatesCopies moves a copy.
var moves = []object{
	{"exposure": "human"}, {"exposure": "agent"}, {"invocation": "message"}, {"invocation": "event"},
	{"enabled": true}, {"enabled": false},
}

// updatesCopies updates a copy: some members, its state twice, and then every member.
func (b *bench) updatesCopies(ctx context.Context) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	c, err := b.register(ctx, b.first(), func(d object) {
		history.Put(d, "invocation.modes", anys("direct", "event"))
		history.Put(d, "exposure.scope", "agent")
	})
	if err != nil {
		return err
	}
	near := b.neighbour(ctx, c)
	b.whole(ctx)
	b.queries(ctx, moves...)
	c.Members["name"] = "Updated " + c.ID
	history.Put(c.Members, "invocation.modes", anys("direct"))
	history.Put(c.Members, "exposure.scope", "human")
	b.step(history.StepPlain)
	changed := b.change(ctx, c)
	b.about = nil
	if !changed.Accepted() {
		return nil
	}
	b.reads(ctx, c)
	b.queries(ctx, moves...)
	for _, enabled := range []bool{false, true} {
		history.Put(c.Members, "status.enabled", enabled)
		if !b.change(ctx, c).Accepted() {
			break
		}
		b.get(ctx, c.ID)
		b.queries(ctx, object{"enabled": true}, object{"enabled": false})
	}
	near()
	b.wholly(c.Members)
	history.Put(c.Members, "status.enabled", true)
	if b.change(ctx, c).Accepted() {
		b.reads(ctx, c)
	}
	return nil
}

// deletesCopies deletes a copy, asks for it everywhere, and registers another one under its
// id.
func (b *bench) deletesCopies(ctx context.Context) error {
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
	ran := t != nil && b.invoke(ctx, b.calling(c, t.Mode, c.Required()...)).Accepted()
	b.reads(ctx, c)
	near := b.neighbour(ctx, c)
	b.step(history.StepPlain)
	b.call(ctx, history.OpDelete, object{"capability_id": c.ID})
	b.about = nil
	b.reads(ctx, c)
	b.queries(ctx, object{"enabled": true})
	near()
	if ran {
		b.invoke(ctx, b.calling(c, t.Mode, c.Required()...))
	}
	c.Members["name"] = "Another " + c.ID
	if b.call(ctx, history.OpCreate, object{"descriptor": c.Members}).Accepted() {
		b.get(ctx, c.ID)
	}
	return nil
}

// wholly lets a copy say something in every member of the text, other than the defaults, and
// more than one thing in each list. That a registry does not take it, as it may, shows
// nothing.
func (b *bench) wholly(d object) {
	id := history.Text(d, "capability_id")
	known := []string{b.first().ID}
	for _, c := range slices.Backward(b.Entries) {
		if c.ID != known[0] && b.Gate.Against(c.ID, "") == "" { // a hook runs
			known = append(known, c.ID)
			break
		}
	}
	hooks := anys(known...)
	nested := object{"type": "object", "required": anys("a", "b"), "properties": object{
		"a": object{"type": "object", "properties": object{"inner": object{"type": "string"}}},
		"b": object{"type": "array", "items": object{"enum": anys("x", "y")}},
	}}
	for path, value := range map[string]any{
		"name": "Whole " + id,
		"description": "A copy of capconform, " + id + ", in many words: " +
			strings.Repeat("größer, œuvre, 能力, ", 16) + "end.",
		"invocation.modes":           anys("command", "event", "message"),
		"invocation.command_aliases": anys("alias-of-"+id, "other-alias-of-"+id),
		"exposure":                   object{"scope": "agent", "channels": anys("cli", "web")},
		"execution.runtime":          "runtime-of-" + id,
		"permissions": object{
			"required": anys(history.FirstPermission, history.SecondPermission), "granted_by_default": true,
			"danger_level": "high",
		},
		"inputs":       object{"schema": nested, "required": anys("a", "b")},
		"outputs":      object{"schema": object{"type": "array", "items": nested}},
		"dependencies": object{"capabilities": hooks, "resources": anys("filesystem", "gpu")},
		"lifecycle":    object{"hooks": object{"pre_invoke": hooks, "post_invoke": hooks, "on_error": hooks}},
		"delegation":   object{"allowed": false, "creates_subagent": false},
		"audit":        object{"log_invocation": false, "log_inputs": true, "log_outputs": true},
		"status":       object{"enabled": false, "mutable": true, "signed": false},
	} {
		history.Put(d, path, value)
	}
}
