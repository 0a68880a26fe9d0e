package acdsuite

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
)

var registrySentences = []sentence{
	try(`a descriptor can be created`, (*world).created),
	try(`a descriptor can be read`, (*world).read),
	try(`a descriptor can be updated`, (*world).updated),
	try(`a descriptor can be deleted`, (*world).deleted),
}

// first is the entry of which copies are made where nothing has to run.
func (w *world) first() *capability {
	outside := func(c *capability) bool {
		return c.substrate() == substrateShell || c.substrate() == substrateTransport
	}
	for _, fits := range []func(*capability) bool{
		func(c *capability) bool { return w.reasonAgainst(c) == "" && !changesRegistry(c.id) && !outside(c) },
		func(c *capability) bool { return !outside(c) },
	} {
		if i := slices.IndexFunc(w.entries, fits); i >= 0 {
			return w.entries[i]
		}
	}
	return w.entries[0]
}

// get reads one entry, by get or else in the whole list; nil where it is not there.
func (w *world) get(ctx context.Context, id string) (object, answered) {
	a := w.call(ctx, opGet, object{"capability_id": id})
	if a.served() && !suites.Survivable(a.err) {
		members, _ := a.value.(object)
		if text(members, "capability_id") == "" {
			members, _ = member(a.value, "descriptor").(object)
		}
		if text(members, "capability_id") != id {
			members = nil
		}
		return members, a
	}
	a = w.call(ctx, w.list.operation, object{})
	return inList(a, id), a
}

func inList(a answered, id string) object {
	for _, item := range listOf(a.value) {
		if members, is := item.(object); is && text(members, "capability_id") == id {
			return members
		}
	}
	return nil
}

func (w *world) created(ctx context.Context) error {
	c, a, err := w.offerCopy(ctx, w.first(), nil)
	if err != nil {
		return err
	}
	if err := w.demanded(ctx, a); err != nil {
		return err
	}
	if err := taken(w.first(), a); err != nil {
		return err
	}
	w.switchOn(ctx, c, a)
	if err := w.keptAs(ctx, c, "what was created"); err != nil {
		return err
	}
	if times := timesIn(w.call(ctx, w.list.operation, object{}), c.id); times > 1 {
		return broken("what was created is listed more than once", c.id+" once", fmt.Sprint(times, " times"))
	}
	whole, err := w.registerCopy(ctx, w.first(), w.wholly)
	if err != nil {
		return nil //nolint:nilerr // the plainer copy was taken
	}
	return w.keptAs(ctx, whole, "what was created")
}

// keptAs wants a copy in the registry and in its list, as it was given.
func (w *world) keptAs(ctx context.Context, c *capability, what string) error {
	kept, a := w.get(ctx, c.id)
	listed := w.call(ctx, w.list.operation, object{})
	switch {
	case kept == nil:
		return broken(what+" is not in the registry", suites.Print(c.members), a.received())
	case !history.Keeps(kept, c.members):
		return broken(what+" is kept otherwise", suites.Print(c.members), kept)
	case inList(listed, c.id) == nil:
		return broken(what+" is not in the list of the registry", c.id, "a list without it")
	case !history.Keeps(inList(listed, c.id), c.members):
		return broken(what+" is listed otherwise", suites.Print(c.members), inList(listed, c.id))
	}
	return nil
}

func timesIn(a answered, id string) (times int) {
	for _, item := range listOf(a.value) {
		if idOf(item) == id {
			times++
		}
	}
	return times
}

func (w *world) read(ctx context.Context) error {
	shown := w.first()
	a := w.call(ctx, opGet, object{"capability_id": shown.id})
	if err := a.missing(); err != nil {
		return err
	}
	if got, _ := w.get(ctx, shown.id); !history.Keeps(got, shown.members) && w.readOtherwise(ctx, shown.id) {
		return broken("what is read is not what is listed", suites.Print(shown.members), a.received())
	}
	none := "conformance.none." + uuid.NewString()[:8]
	for _, id := range []string{none, "", shown.id + "." + none, shown.id[:len(shown.id)-1]} {
		if got := w.call(ctx, opGet, object{"capability_id": id}); got.accepted() && text(got.value, "capability_id") != "" && inList(w.call(ctx, w.list.operation, object{}), id) == nil {
			return broken("a descriptor is given for an id that nobody has", "an error, or null", got.received())
		}
	}
	return nil
}

// readOtherwise tells whether what is read differs from what is listed before and behind it.
func (w *world) readOtherwise(ctx context.Context, id string) bool {
	listed := func() object { return inList(w.call(ctx, w.list.operation, object{}), id) }
	return w.steadily(ctx, listed, func(kept object) bool {
		got, _ := w.get(ctx, id)
		return kept != nil && !history.Keeps(got, kept)
	})
}

func (w *world) updated(ctx context.Context) error {
	c, err := w.registerCopy(ctx, w.first(), func(d object) {
		history.Put(d, "invocation.modes", anys(modeDirect, "event"))
		history.Put(d, "exposure.scope", "agent")
	})
	if err != nil {
		return err
	}
	near := w.neighbour(ctx, c)
	moves := w.moving(ctx, c.id)
	c.members["name"] = "Updated " + c.id
	history.Put(c.members, "invocation.modes", anys(modeDirect))
	history.Put(c.members, "exposure.scope", "human")
	a := w.change(ctx, c)
	if err := w.demanded(ctx, a); err != nil {
		return err
	}
	if a.refused() {
		return broken("a descriptor that may be changed can't be updated", "the new descriptor", a.received())
	}
	kept, got := w.get(ctx, c.id)
	if kept == nil || !history.Keeps(kept, c.members) {
		return broken("an update is lost", suites.Print(c.members), got.received())
	}
	if listed := inList(w.call(ctx, w.list.operation, object{}), c.id); !history.Keeps(listed, c.members) {
		return broken("an update is not in the list", suites.Print(c.members), listed)
	}
	if err := w.moved(ctx, c, moves); err != nil {
		return err
	}
	if err := w.updatedState(ctx, c); err != nil {
		return err
	}
	if err := near("an update"); err != nil {
		return err
	}
	return w.updatedWholly(ctx, c)
}

// updatedWholly changes every member. That this is refused shows nothing.
func (w *world) updatedWholly(ctx context.Context, c *capability) error {
	w.wholly(c.members)
	history.Put(c.members, "status.enabled", true)
	if !w.change(ctx, c).accepted() {
		return nil
	}
	return w.keptAs(ctx, c, "what was updated")
}

// neighbour registers a copy whose id begins like that of another, and gives what looks
// whether a change of the other one has touched it.
func (w *world) neighbour(ctx context.Context, of *capability) func(by string) error {
	c, err := w.registerCopy(ctx, of, func(d object) { d["capability_id"] = of.id + ".more" })
	if err != nil {
		return func(string) error { return nil } // an id of such a form need not be taken
	}
	before, _ := w.get(ctx, c.id)
	return func(by string) error {
		if kept, a := w.get(ctx, c.id); before != nil && !history.Same(kept, before) {
			return broken(by+" touches another entry", suites.Print(before), a.received())
		}
		return nil
	}
}

// moved asks whether queries answer from behind an update.
func (w *world) moved(ctx context.Context, c *capability, moves []move) error {
	for _, one := range moves {
		if q, err := w.query(ctx, one.filters); err == nil && q.listed() && holdsID(q, c.id) != one.there {
			return broken("a query answers from before an update", suites.Print(c.members), "for "+suites.Print(one.filters)+": "+q.received())
		}
	}
	return nil
}

// updatedState updates a copy a second time: it switches it off, and on again.
func (w *world) updatedState(ctx context.Context, c *capability) error {
	for _, enabled := range []bool{false, true} {
		left := object{"enabled": !enabled}
		q, err := w.query(ctx, left)
		other, otherErr := w.query(ctx, object{"enabled": enabled})
		held := err == nil && otherErr == nil && holdsID(q, c.id) && other.listed() && !holdsID(other, c.id) && w.filters(q, !enabled) // else ACD-SDK1-06
		history.Put(c.members, "status.enabled", enabled)
		a := w.change(ctx, c)
		if !a.accepted() {
			return nil // the first one was taken
		}
		if kept, got := w.get(ctx, c.id); kept == nil || !history.Keeps(kept, c.members) {
			return broken("a second update is lost", suites.Print(c.members), got.received())
		}
		if held {
			if err := w.moved(ctx, c, []move{{left, false}}); err != nil {
				return err
			}
		}
	}
	return nil
}

// filters tells whether a query by state keeps out entries of the other state, if the
// registry has any.
func (w *world) filters(q answered, enabled bool) bool {
	others := slices.DeleteFunc(slices.Clone(w.entries), func(c *capability) bool { return c.enabled() == enabled })
	return slices.ContainsFunc(others, func(c *capability) bool { return !holdsID(q, c.id) })
}

// move is a query into which, or out of which, an update moves an entry.
type move struct {
	filters object
	there   bool
}

// moving gives the queries that answer rightly before an update: others are the
// business of the statements on queries.
func (w *world) moving(ctx context.Context, id string) []move {
	excludes := func(filters object) bool {
		q, err := w.query(ctx, filters)
		return err == nil && q.listed() && !holdsID(q, id)
	}
	var all []move
	if excludes(object{"exposure": "human"}) {
		all = append(all, move{object{"exposure": "human"}, true}, move{object{"exposure": "agent"}, false})
	}
	if excludes(object{"invocation": "message"}) {
		all = append(all, move{object{"invocation": "event"}, false})
	}
	return all
}

func (w *world) deleted(ctx context.Context) error {
	of := w.first()
	if w.needTemplate(ctx) == nil {
		of = w.template.of
	}
	c, err := w.registerCopy(ctx, of, nil)
	if err != nil {
		return err
	}
	ran := of == w.template.of && w.use(ctx, c, w.template.mode, c.required()).accepted()
	if kept, _ := w.get(ctx, c.id); kept == nil {
		return suites.Undecided("what was created is not in the registry: see ACD-SDK1-08")
	}
	if inList(w.call(ctx, w.list.operation, object{}), c.id) == nil {
		return suites.Undecided("what was created is not in the list: see ACD-SDK1-08")
	}
	near := w.neighbour(ctx, c)
	a := w.call(ctx, opDelete, object{"capability_id": c.id})
	if !a.served() { // the registry lets others be created
		return broken("the SDK does not serve "+opDelete, "an answer to "+opDelete, a.received())
	}
	if err := a.missing(); err != nil {
		return err
	}
	if a.refused() {
		return broken("a descriptor that may be changed can't be deleted", "a result", a.received())
	}
	if kept, got := w.get(ctx, c.id); kept != nil {
		return broken("what was deleted can still be read", "an error, or null", got.received())
	}
	if inList(w.call(ctx, w.list.operation, object{}), c.id) != nil {
		return broken("what was deleted is still listed", "a list without "+c.id, c.id)
	}
	if q, err := w.query(ctx, object{"enabled": true}); err == nil && holdsID(q, c.id) {
		return broken("what was deleted is still found by a query", "entries without "+c.id, q.received())
	}
	if err := near("a deletion"); err != nil {
		return err
	}
	unknown := invocation{id: "conformance.none." + uuid.NewString()[:8], mode: w.template.mode, input: w.template.input}
	w.gate.Invent(unknown.id)
	if ran && !w.invoke(ctx, unknown).accepted() { // else ACD-SDK2-06
		if err := w.refusedAgain(ctx, "what was deleted can still be invoked", w.calling(c, w.template.mode, c.required()...)); err != nil {
			return err
		}
	}
	return w.staysAway(ctx, c)
}

// staysAway creates something else under an id that was deleted, as a registry may let us.
func (w *world) staysAway(ctx context.Context, c *capability) error {
	before := text(c.members, "name")
	c.members["name"] = "Another " + c.id
	w.probes = append(w.probes, c.id)
	if !w.call(ctx, opCreate, object{"descriptor": c.members}).accepted() {
		return nil
	}
	if kept, a := w.get(ctx, c.id); kept["name"] == before {
		return broken("what was deleted comes back when its id is taken again", suites.Print(c.members), a.received())
	}
	return nil
}
