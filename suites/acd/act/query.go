package act

import (
	"context"
	"maps"
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

// queries examine the lists that show a part of the registry.
type queries struct{ bench }

// values returns the values that entries have for a filter.
func values(entries []*history.Item, filter string) []any {
	if filter == "enabled" {
		return []any{true, false}
	}
	var all []any
	add := func(v string) {
		if v != "" && !slices.Contains(all, any(v)) {
			all = append(all, v)
		}
	}
	for _, c := range entries {
		switch filter {
		case "kind":
			add(history.Text(c.Members, "kind"))
		case "execution":
			add(history.Substrate(c.Members))
		case "exposure":
			add(history.Text(c.Members, "exposure.scope"))
		default:
			for _, mode := range c.Modes() {
				add(mode)
			}
		}
	}
	return all
}

// followed contains, for each filter, the member and the value of a copy that the query must return.
var followed = map[string]struct {
	path  string
	value any
	asked any
}{
	"kind": {"kind", "template", "template"}, "execution": {"execution.substrate", "llm", "llm"},
	"exposure": {"exposure.scope", "agent", "agent"}, "enabled": {"status.enabled", false, false},
	"invocation": {"invocation.modes", []any{"command", "event"}, "event"},
}

// undefinedValue is a value that no entry has.
const undefinedValue = "capconform-bogus"

// byOne queries by each filter: for every value that entries have, for a value that no entry has, and for a copy
// before and after its deletion. The registry may refuse the copy.
func (b queries) byOne(ctx context.Context) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	for _, filter := range history.Filters {
		f := followed[filter]
		filters := object{filter: f.asked}
		if b.query(ctx, filters).Served() {
			b.follow(ctx, filter, filters)
		}
		asked := values(b.Entries, filter)
		for _, value := range asked {
			b.query(ctx, object{filter: value})
		}
		if len(asked) == 0 {
			continue
		}
		if cut, isText := asked[0].(string); isText {
			b.queries(ctx, object{filter: undefinedValue}, object{filter: cut[:len(cut)-1]})
		}
	}
	return nil
}

// follow registers a copy that matches a query, and deletes it.
func (b queries) follow(ctx context.Context, filter string, filters object) {
	f := followed[filter]
	c, err := b.register(ctx, b.first(), func(d object) { history.Set(d, f.path, f.value) })
	if err != nil {
		return
	}
	b.readRegistry(ctx)
	b.query(ctx, filters)
	if filter == "enabled" {
		b.query(ctx, object{"enabled": true})
	}
	if b.deletes(ctx, c) {
		b.readRegistry(ctx)
		b.query(ctx, filters)
		for _, other := range []string{"enabled", "kind"} {
			b.query(ctx, object{other: followed[other].asked})
		}
	}
}

// maxConsidered is the largest number of entries from which filters are combined.
const maxConsidered = 64

// bySeveral queries by two or more filters, each of which excludes an entry that the others include.
func (b queries) bySeveral(ctx context.Context) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	asked := 0
	for chosen := range 1 << len(history.Filters) {
		var names []string
		for i, name := range history.Filters {
			if chosen&(1<<i) != 0 {
				names = append(names, name)
			}
		}
		if filters := b.crossing(names); len(names) > 1 && filters != nil {
			b.query(ctx, filters)
			asked++
		}
	}
	if asked == 0 {
		return verdict.Undecided("no two filters select different entries")
	}
	return nil
}

// crossing returns values of one entry for several filters, each of which excludes an entry that the others include.
// It returns nil if there are none.
func (b queries) crossing(names []string) object {
	considered := b.Entries[:min(len(b.Entries), maxConsidered)]
	for _, filters := range joined(considered, names) {
		needed := !slices.ContainsFunc(names, func(name string) bool {
			rest := maps.Clone(filters)
			delete(rest, name)
			return !slices.ContainsFunc(considered, func(c *history.Item) bool {
				return history.FitsAll(c.Members, rest) && !history.Fits(c.Members, name, filters[name])
			})
		})
		if needed {
			return filters
		}
	}
	return nil
}

// joined returns the combinations of values that entries have for the filters, each once.
func joined(entries []*history.Item, names []string) []object {
	if len(names) < 2 {
		return nil
	}
	seen := map[string]bool{}
	var all []object
	for _, c := range entries {
		ways := []object{{}}
		for _, name := range names {
			var longer []object
			for _, value := range values([]*history.Item{c}, name) {
				if !history.Fits(c.Members, name, value) {
					continue
				}
				for _, way := range ways {
					further := maps.Clone(way)
					further[name] = value
					longer = append(longer, further)
				}
			}
			ways = longer
		}
		for _, way := range ways {
			if key := jsonvalue.Print(way); !seen[key] {
				seen[key] = true
				all = append(all, way)
			}
		}
	}
	return all
}

// legacyLists requests each old list in each form that is served, and the query that replaces it: first as they are,
// then after copies enter and leave them.
func (b queries) legacyLists(ctx context.Context) error {
	if err := b.needEntries(); err != nil {
		return err
	}
	for _, l := range history.Legacies {
		filters := object{l.Filter: l.Value}
		b.call(ctx, history.OpPath, object{})
		served := b.bothWays(ctx, l, filters)
		b.call(ctx, history.OpPath, object{l.Filter: undefinedValue})
		if !served {
			continue
		}
		if l.Filter == "kind" { // a composite needs a language model
			if err := b.composite(ctx, l, filters); err != nil {
				return err
			}
			continue
		}
		for _, enabled := range []bool{true, false} {
			c, err := b.register(ctx, b.first(), func(d object) {
				history.Set(d, "status.enabled", enabled)
				if !enabled {
					history.Set(d, "exposure.scope", "internal")
				}
				if l.Filter == "execution" {
					history.Set(d, "execution.substrate", l.Value)
				} else {
					history.Set(d, "invocation.modes", toAnys(l.Value))
				}
			})
			if err != nil {
				break
			}
			b.bothWays(ctx, l, filters)
			if enabled {
				history.Set(c.Members, "execution.substrate", history.Substrate(b.first().Members))
				history.Set(c.Members, "invocation.modes", toAnys("direct"))
				b.updates(ctx, c)
			} else {
				b.deletes(ctx, c)
			}
			b.bothWays(ctx, l, filters)
		}
	}
	return nil
}

// bothWays requests an old list and the query that replaces it. It reports whether the old list is served.
func (b queries) bothWays(ctx context.Context, l history.Legacy, filters object) bool {
	path := b.call(ctx, l.PathOf(), object{})
	if path.Served() {
		b.call(ctx, history.OpPath, filters)
	}
	own := b.call(ctx, history.OpLegacy, object{"endpoint": l.Endpoint})
	b.query(ctx, filters)
	return path.Served() || own.Served()
}
