package acdsuite

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
)

var registrySentences = []sentence{
	try(`a descriptor can be created`, (*world).created),
	try(`a descriptor can be read`, (*world).read),
	try(`a descriptor can be updated`, (*world).updated),
	try(`a descriptor can be deleted`, (*world).deleted),
	try(`everything that the agent names is registered`, (*world).namedRegistered),
}

// first is the entry of which copies are made where nothing has to run.
func (w *world) first() *capability {
	for _, c := range w.entries {
		if c.substrate() != substrateShell && c.substrate() != substrateTransport {
			return c
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
		if text(members, "capability_id") == "" {
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

// ofText gives the members of a descriptor that the text names, and of those that are
// objects what the text names in them. The rest may change whenever it is read, such as
// the time of a change or a count.
func ofText(descriptor object) object {
	known := object{}
	for _, path := range memberPaths {
		if value := member(descriptor, path); value != nil {
			put(known, path, value)
		}
	}
	return known
}

// memberPaths are the members of a descriptor (ACD 1.2).
var memberPaths = []string{
	"capability_id", "name", "version", "description", "kind", "execution.substrate", "execution.runtime", "execution.entrypoint",
	"invocation.modes", "invocation.command_aliases", "exposure.scope", "exposure.channels",
	"permissions.required", "permissions.granted_by_default", "permissions.danger_level", "inputs.schema", "inputs.required", "outputs.schema",
	"dependencies.capabilities", "dependencies.resources", "lifecycle.hooks.pre_invoke", "lifecycle.hooks.post_invoke", "lifecycle.hooks.on_error",
	"delegation.allowed", "delegation.creates_subagent", "audit.log_invocation", "audit.log_inputs", "audit.log_outputs",
	"status.enabled", "status.mutable", "status.signed",
}

// same tells whether two readings of a descriptor say the same. The order of names in a
// list says nothing.
func same(a, b object) bool {
	a, b = ofText(a), ofText(b)
	return len(a) > 0 && len(b) > 0 && holdsAll(a, b) && holdsAll(b, a)
}

// keeps tells whether a descriptor was kept as it was given.
func keeps(kept, given object) bool { return holdsAll(kept, ofText(given)) }

// holdsAll tells whether everything that was given is in what was kept; defaults and
// further members may be there too.
func holdsAll(kept, given any) bool {
	switch given := given.(type) {
	case object:
		members, is := kept.(object)
		if !is {
			return len(given) == 0 && kept == nil
		}
		for name, value := range given {
			if !holdsAll(members[name], value) {
				return false
			}
		}
		return true
	case []any:
		list, is := kept.([]any)
		if !is {
			return len(given) == 0 && kept == nil
		}
		if all := suites.Texts(given); len(all) == len(given) {
			return slices.Equal(slices.Sorted(slices.Values(all)), slices.Sorted(slices.Values(suites.Texts(list))))
		}
		return suites.EqualJSON(list, given)
	default:
		return given == nil || suites.EqualJSON(kept, given)
	}
}

func (w *world) created(ctx context.Context) error {
	c, err := w.registerCopy(ctx, w.first(), nil)
	if err != nil {
		return err
	}
	kept, a := w.get(ctx, c.id)
	switch {
	case kept == nil:
		return broken("what was created is not in the registry", suites.Print(c.members), a.received())
	case !keeps(kept, c.members):
		return broken("what was created is kept otherwise", suites.Print(c.members), kept)
	case inList(w.call(ctx, w.list.operation, object{}), c.id) == nil:
		return broken("what was created is not in the list of the registry", c.id, "a list without it")
	}
	return w.createdWhole(ctx)
}

// createdWhole creates a copy that says something in every member of the text, other
// than the defaults. That a registry does not take it, as it may, shows nothing.
func (w *world) createdWhole(ctx context.Context) error {
	other := w.first().id
	c, err := w.registerCopy(ctx, w.first(), func(d object) {
		id := text(d, "capability_id")
		for path, value := range map[string]any{
			"invocation.modes": anys(modeCommand, "event"), "invocation.command_aliases": anys("alias-of-" + id),
			"exposure": object{"scope": "agent", "channels": anys(channelCLI)}, "execution.runtime": "runtime-of-" + id,
			"permissions":  object{"required": anys(firstPermission, secondPermission), "granted_by_default": true, "danger_level": "high"},
			"inputs":       object{"schema": object{"type": "object", "required": anys("a")}, "required": anys("a")},
			"outputs":      object{"schema": object{"type": "array"}},
			"dependencies": object{"capabilities": anys(other), "resources": anys("filesystem")},
			"lifecycle":    object{"hooks": object{"pre_invoke": anys(other), "post_invoke": anys(other), "on_error": anys(other)}},
			"delegation":   object{"allowed": false, "creates_subagent": false},
			"audit":        object{"log_invocation": false, "log_inputs": true, "log_outputs": true},
			"status":       object{"enabled": false, "mutable": true, "signed": false},
		} {
			put(d, path, value)
		}
	})
	if err != nil {
		return nil //nolint:nilerr // the plainer copy was taken
	}
	if kept, _ := w.get(ctx, c.id); kept != nil && !keeps(kept, c.members) {
		return broken("what was created is kept otherwise", suites.Print(c.members), kept)
	}
	return nil
}

func (w *world) read(ctx context.Context) error {
	shown := w.first()
	a := w.call(ctx, opGet, object{"capability_id": shown.id})
	if err := a.missing(); err != nil {
		return err
	}
	if got, _ := w.get(ctx, shown.id); !keeps(got, shown.members) && w.persists(ctx, func() bool { return w.readOtherwise(ctx, shown.id) }) {
		return broken("what is read is not what is listed", suites.Print(shown.members), a.received())
	}
	none := "conformance.none." + uuid.NewString()[:8]
	if got := w.call(ctx, opGet, object{"capability_id": none}); got.accepted() && text(got.value, "capability_id") != "" {
		return broken("a descriptor is given for an id that nobody has", "an error, or null", got.received())
	}
	return nil
}

// readOtherwise tells whether what is read differs from what is listed before and behind it.
func (w *world) readOtherwise(ctx context.Context, id string) bool {
	before := inList(w.call(ctx, w.list.operation, object{}), id)
	got, _ := w.get(ctx, id)
	after := inList(w.call(ctx, w.list.operation, object{}), id)
	return before != nil && after != nil && !keeps(got, before) && !keeps(got, after)
}

func (w *world) updated(ctx context.Context) error {
	c, err := w.registerCopy(ctx, w.first(), func(d object) {
		put(d, "invocation.modes", anys(modeDirect, "event"))
		put(d, "exposure.scope", "agent")
	})
	if err != nil {
		return err
	}
	moves := w.moving(ctx, c.id)
	c.members["name"] = "Updated " + c.id
	put(c.members, "invocation.modes", anys(modeDirect))
	put(c.members, "exposure.scope", "human")
	a := w.call(ctx, opUpdate, object{"descriptor": c.members})
	if err := a.missing(); err != nil {
		return err
	}
	if a.refused() {
		return broken("a descriptor that may be changed can't be updated", "the new descriptor", a.received())
	}
	kept, got := w.get(ctx, c.id)
	if kept == nil || !keeps(kept, c.members) {
		return broken("an update is lost", suites.Print(c.members), got.received())
	}
	if listed := inList(w.call(ctx, w.list.operation, object{}), c.id); !keeps(listed, c.members) {
		return broken("an update is not in the list", suites.Print(c.members), listed)
	}
	if err := w.moved(ctx, c, moves); err != nil {
		return err
	}
	return w.updatedState(ctx, c)
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
		held := err == nil && otherErr == nil && holdsID(q, c.id) && other.listed() && !holdsID(other, c.id) // else ACD-SDK1-06
		put(c.members, "status.enabled", enabled)
		a := w.call(ctx, opUpdate, object{"descriptor": c.members})
		if !a.accepted() {
			return nil // the first one was taken
		}
		if kept, got := w.get(ctx, c.id); kept == nil || !keeps(kept, c.members) {
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
	a := w.call(ctx, opDelete, object{"capability_id": c.id})
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
	unknown := invocation{id: "conformance.none." + uuid.NewString()[:8], mode: w.template.mode, input: w.template.input}
	if !ran || w.invoke(ctx, unknown).accepted() { // ACD-SDK2-06
		return nil
	}
	return w.refusedAgain(ctx, "what was deleted can still be invoked", w.calling(c, w.template.mode, c.required()...))
}

// adapted tells whether the registry has an adapter of a channel.
func (w *world) adapted(ctx context.Context) bool {
	return slices.ContainsFunc(listOf(w.call(ctx, w.list.operation, object{}).value), func(item any) bool { return text(item, "execution.substrate") == substrateTransport })
}

// namedRegistered looks at what the agent names beside its lists: what its channels
// declare, and hooks (ACD 1.1).
func (w *world) namedRegistered(ctx context.Context) error {
	transports := slices.ContainsFunc(w.entries, func(c *capability) bool { return c.substrate() == substrateTransport })
	bare := func() bool { return len(channelsOf(w.call(ctx, opManifest, object{}))) > 0 && !w.adapted(ctx) }
	seen := 0
	for _, channel := range w.channels() {
		seen++
		if !transports && w.persists(ctx, bare) {
			return broken("the agent has a channel, and no capability of the registry is an adapter", "a capability of the substrate transport", suites.Print(channel))
		}
		names := func() []string {
			return suites.Texts(member(w.declared(ctx, channelID(channel)).value, "capabilities"))
		}
		if id := w.unregistered(ctx, names(), names); id != "" {
			return broken("a channel declares what is not registered", "ids of the registry", id+" of the channel "+suites.Print(channel["channel_id"]))
		}
	}
	for _, c := range w.entries {
		for _, kind := range hookKinds {
			hooks := suites.Texts(member(c.members, "lifecycle.hooks."+kind))
			seen += len(hooks)
			if len(hooks) == 0 {
				continue
			}
			names := func() []string {
				now, _ := w.get(ctx, c.id)
				return suites.Texts(member(now, "lifecycle.hooks."+kind))
			}
			if id := w.unregistered(ctx, hooks, names); id != "" {
				return broken("a descriptor hooks in what is not registered", "ids of the registry", id+" in "+kind+" of "+c.id)
			}
		}
	}
	if seen == 0 {
		return suites.Undecided("the agent names neither channels nor hooks")
	}
	return nil
}
