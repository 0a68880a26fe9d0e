package acdsuite

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
)

// legacyLists gives a legacy list in each form that is served.
func (w *world) legacyLists(ctx context.Context, endpoint string) []answered {
	var all []answered
	for _, a := range []answered{w.call(ctx, listOperation(endpoint), object{}), w.call(ctx, opLegacy, object{"endpoint": endpoint})} {
		if a.served() {
			all = append(all, a)
		}
	}
	return all
}

// legacyList compares an old list, and the path that replaces it, with the registry.
func (w *world) legacyList(ctx context.Context, endpoint string) error {
	l := legacies[slices.IndexFunc(legacies, func(one struct{ endpoint, filter, value string }) bool { return one.endpoint == endpoint })]
	holds := func(c *capability) bool { return fits(c, l.filter, l.value) }
	members := 0
	for _, c := range w.entries {
		if holds(c) {
			members++
		}
	}
	all := w.legacyLists(ctx, endpoint)
	if len(all) == 0 {
		return &suites.Inconclusive{Reason: "neither " + endpoint + " nor " + opLegacy + " is served", Supply: "serve one (suites/acd/ADAPTER.md)"}
	}
	for _, a := range all {
		if err := a.missing(); err != nil {
			return err
		}
		if members == 0 && a.refused() {
			continue // there is nothing to list
		}
		if err := w.judgeBy(ctx, view{whole: w.whole(ctx, a), what: endpoint, again: w.again(a.operation, object{"endpoint": endpoint}), holds: holds}, a); err != nil {
			return err
		}
	}
	followed, err := w.legacyFollows(ctx, endpoint, object{l.filter: l.value})
	if err != nil {
		return err
	}
	if !followed && (members == 0 || members == len(w.entries)) {
		return suites.Undecided("%d of %d entries belong into %s, and no copy comes into it, so that the list shows nothing", members, len(w.entries), endpoint)
	}
	path := w.call(ctx, opPath, object{l.filter: l.value})
	if !path.served() {
		return nil
	}
	if err := path.missing(); err != nil {
		return err
	}
	v := view{whole: w.whole(ctx, path), what: "/listCapabilities?" + l.filter + "=" + l.value, again: w.again(opPath, object{l.filter: l.value}), holds: holds}
	if err := w.judgeBy(ctx, v, path); err != nil {
		return err
	}
	return noneFits(w.call(ctx, opPath, object{l.filter: bogusValue}), "/listCapabilities", l.filter+"="+bogusValue)
}

// again asks for a list once more.
func (w *world) again(operation string, params object) func(context.Context) answered {
	return func(ctx context.Context) answered { return w.call(ctx, operation, params) }
}

// whole gives the whole list that came the way that an answer came: who asks over the
// paths of the text may be shown fewer entries than who manages the registry.
func (w *world) whole(ctx context.Context, a answered) answered {
	if !strings.HasPrefix(a.operation, opPath) || w.list.operation == opPath {
		return w.list
	}
	whole := w.call(ctx, opPath, object{})
	if !whole.accepted() || !whole.listed() || len(suites.Texts(listOf(whole.value))) > 0 {
		return w.list
	}
	return whole
}

// legacyFollows registers copies that belong into an old list, an enabled one and one
// that is not, and none of which looks like it otherwise; the old list shows what the
// query shows. It tells whether a copy came into the list. That no copy is taken shows nothing.
func (w *world) legacyFollows(ctx context.Context, endpoint string, filters object) (followed bool, err error) {
	if filters["kind"] != nil { // a composite needs a language model
		return false, nil
	}
	for _, enabled := range []bool{true, false} {
		c, err := w.registerCopy(ctx, w.first(), func(d object) {
			history.Put(d, "status.enabled", enabled)
			if substrate := filters["execution"]; substrate != nil {
				history.Put(d, "execution.substrate", substrate)
			} else {
				history.Put(d, "invocation.modes", anys(modeCommand))
			}
		})
		if err != nil {
			return followed, nil //nolint:nilerr // the lists were compared as they are
		}
		query, err := w.query(ctx, filters)
		if err != nil || !query.listed() {
			return followed, nil //nolint:nilerr // see ACD-SDK1-03 and ACD-SDK1-04
		}
		var all []answered // in which the copy is
		for _, a := range w.legacyLists(ctx, endpoint) {
			if asked := w.sameWay(ctx, a, query, filters); a.listed() && holdsID(asked, c.id) && !holdsID(a, c.id) {
				return followed, broken(endpoint+" does not follow the registry", "what the query that replaces it shows: "+asked.received(), a.received())
			}
			if holdsID(a, c.id) {
				all = append(all, a)
			}
		}
		if err := w.legacyLets(ctx, endpoint, filters, c, all); err != nil {
			return followed, err
		}
		followed = followed || len(all) > 0
	}
	return followed, nil
}

// legacyLets takes a copy out of an old list, by an update where it is enabled and else by
// deleting it.
func (w *world) legacyLets(ctx context.Context, endpoint string, filters object, c *capability, in []answered) error {
	gone := w.deletes
	if c.enabled() {
		history.Put(c.members, "execution.substrate", w.first().substrate())
		history.Put(c.members, "invocation.modes", anys(modeDirect))
		gone = w.updates
	}
	if len(in) == 0 || !gone(ctx, c) {
		return nil
	}
	for _, before := range in {
		params := object{}
		if before.operation == opLegacy {
			params = object{"endpoint": endpoint}
		}
		a := w.call(ctx, before.operation, params)
		if !holdsID(a, c.id) {
			continue
		}
		if query, err := w.query(ctx, filters); err == nil && query.listed() && !holdsID(w.sameWay(ctx, a, query, filters), c.id) {
			return broken(endpoint+" goes on showing what has left it", "what the query that replaces it shows: "+query.received(), a.received())
		}
	}
	return nil
}

// sameWay gives the answer of the query that came the way of an old list.
func (w *world) sameWay(ctx context.Context, legacy, query answered, filters object) answered {
	if !strings.HasPrefix(legacy.operation, opPath) {
		return query
	}
	if path := w.call(ctx, opPath, filters); path.served() {
		return path
	}
	return query
}
