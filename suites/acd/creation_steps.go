package acdsuite

import (
	"context"
	"maps"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
)

var creationSentences = []sentence{
	try(`what was created is used at once`, (*world).usedAtOnce),
	tryWord(`there is a capability (create|enable|bind) that does so`, (*world).metaCapability),
	tryWord(`no (composite|proxy) is created without a language model`, (*world).modelNeeded),
}

// usedAtOnce lists, finds and invokes a copy directly after it was created.
func (w *world) usedAtOnce(ctx context.Context) error {
	c, err := w.register(ctx, nil)
	if err != nil {
		return err
	}
	if a := w.call(ctx, w.list.operation, object{}); inList(a, c.id) == nil {
		return broken("what was created at runtime is not listed", c.id, "a list without it")
	}
	if a := w.use(ctx, c, w.template.mode, c.required()); a.refused() && w.lame(ctx, c) {
		return w.unlessRoleless(broken("what was created at runtime can't be invoked", "an output, as of "+w.template.of.id, a.received()))
	}
	return nil
}

// meta finds a capability of FR-SDK-3, with cap. before its name or without.
func (w *world) meta(name string) *capability {
	for _, id := range []string{"capability." + name, "cap.capability." + name} {
		if c := w.find(id); c != nil && c.enabled() {
			return c
		}
	}
	return nil
}

// metaCapability lets a meta-capability do what it is for. That it refuses our input
// leaves the question open, since the text prints none.
func (w *world) metaCapability(ctx context.Context, name string) error {
	c := w.meta(name)
	if c == nil {
		return broken("there is no capability capability."+name, "capability."+name+" or cap.capability."+name+", enabled", "a registry without it")
	}
	if len(c.modes()) == 0 {
		return broken("capability."+name+" has no mode", "a mode", c.members)
	}
	if why := w.reasonAgainst(c); why != "" {
		return suites.NotInvoked(c.id, why)
	}
	run, err := w.playModel(ctx)
	if err != nil {
		return err
	}
	defer w.endModel(ctx, run)
	made := w.copyOf(w.first(), func(d object) {
		history.Put(d, "status.enabled", name != "enable")
		history.Put(d, "permissions.required", append(anys(w.first().required()...), firstPermission))
	})
	id := text(made, "capability_id")
	input := object{"capability_id": id}
	if name == "create" {
		w.probes = append(w.probes, id)
		input = object{"descriptor": made}
	} else if err := w.existing(ctx, made); err != nil {
		return err
	}
	changed := w.changing(ctx, id)
	const alias = "capconform-alias"
	if name == "bind" {
		input["command_alias"] = alias
	}
	if err := w.control(w.invoke(ctx, invocation{id: c.id, mode: w.modeOf(c), permissions: c.required(), input: input}), c.id+" does not take our input"); err != nil {
		return err
	}
	kept, a := w.get(ctx, id)
	done := kept != nil // what is created may start disabled
	switch name {
	case "enable":
		done = done && flag(kept, "status.enabled", true)
	case "bind":
		done = done && changed(kept)
	}
	if !done {
		return broken("capability."+name+" changes nothing", "its effect on "+id, a.received())
	}
	switch name {
	case "create":
		if err := asGuarded(name, kept, made, "execution", "permissions"); err != nil {
			return err
		}
		return w.madeReachable(ctx, id, made)
	case "enable":
		return w.enabledOnly(ctx, c, kept, made)
	default:
		return asGuarded(name, kept, made, "kind", "execution", "permissions")
	}
}

// asGuarded wants members of a descriptor as they were asked for.
func asGuarded(name string, kept, made object, members ...string) error {
	now, asked := history.OfText(kept), history.OfText(made)
	for _, member := range members {
		if !history.HoldsAll(now[member], asked[member]) {
			return broken("capability."+name+" changes more than it is asked for", suites.Print(made), kept)
		}
	}
	return nil
}

// modeOf gives the mode in which a meta-capability is invoked.
func (w *world) modeOf(c *capability) string {
	if slices.Contains(c.modes(), modeDirect) {
		return modeDirect
	}
	return c.modes()[0]
}

// changing reads a descriptor twice and tells later what has changed in it beside what
// changes whenever it is read.
func (w *world) changing(ctx context.Context, id string) func(object) bool {
	first, _ := w.get(ctx, id)
	second, _ := w.get(ctx, id)
	return func(later object) bool {
		before, restless := leaves("", first), map[string]bool{}
		for path, value := range leaves("", second) {
			restless[path] = before[path] != value
		}
		now := leaves("", later)
		for path, value := range now {
			if before[path] != value && !restless[path] {
				return true
			}
		}
		return false
	}
}

// leaves gives what stands in an object, by path.
func leaves(path string, v any) map[string]string {
	members, is := v.(object)
	if !is {
		return map[string]string{path: string(suites.Encode(v))}
	}
	all := map[string]string{}
	for name, value := range members {
		maps.Copy(all, leaves(path+"/"+name, value))
	}
	return all
}

// madeReachable looks for what capability.create made in the list, and invokes it.
func (w *world) madeReachable(ctx context.Context, id string, made object) error {
	if a := w.call(ctx, w.list.operation, object{}); inList(a, id) == nil {
		return broken("what capability.create made is not listed", id, "a list without it")
	}
	if w.first() != w.template.of {
		return nil // of others it is not known with what they run
	}
	c := &capability{id, made}
	w.switchOn(ctx, c, answered{})
	if a := w.use(ctx, c, w.template.mode, c.required()); a.refused() && w.lame(ctx, c) {
		return w.unlessRoleless(broken("what capability.create made can't be invoked", "an output, as of "+w.template.of.id, a.received()))
	}
	return nil
}

// enabledOnly wants what guards a capability to be as before, that it runs, and that no
// other one is enabled with it.
func (w *world) enabledOnly(ctx context.Context, meta *capability, kept, made object) error {
	if err := asGuarded("enable", kept, made, "kind", "execution", "invocation", "exposure", "permissions"); err != nil {
		return err
	}
	others := []object{w.copyOf(w.first(), func(d object) { history.Put(d, "status.enabled", false) }), w.copyOf(w.first(), func(d object) { history.Put(d, "status.enabled", false) })}
	for _, d := range others {
		if err := w.existing(ctx, d); err != nil {
			return nil //nolint:nilerr // one was taken
		}
	}
	input := object{"capability_id": others[0]["capability_id"]}
	w.invoke(ctx, invocation{id: meta.id, mode: w.modeOf(meta), permissions: meta.required(), input: input})
	if still, a := w.get(ctx, text(others[1], "capability_id")); still != nil && flag(still, "status.enabled", true) {
		return broken("capability.enable enables what it is not asked for", suites.Print(others[1]), a.received())
	}
	if w.first() != w.template.of {
		return nil
	}
	c := &capability{text(made, "capability_id"), made}
	if a := w.use(ctx, c, w.template.mode, c.required()); a.refused() && w.lame(ctx, c) {
		return w.unlessRoleless(broken("what capability.enable enabled can't be invoked", "an output, as of "+w.template.of.id, a.received()))
	}
	return nil
}

// existing registers a descriptor that was made already.
func (w *world) existing(ctx context.Context, made object) error {
	c := &capability{text(made, "capability_id"), made}
	w.probes = append(w.probes, c.id)
	a := w.call(ctx, opCreate, object{"descriptor": made})
	if err := w.control(a, "the registry does not take a copy"); err != nil {
		return err
	}
	w.switchOn(ctx, c, a)
	return nil
}
