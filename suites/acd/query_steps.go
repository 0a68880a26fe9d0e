package acdsuite

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/driver"
)

// filterNames are the parameters of a query, as the text prints the first three.
var filterNames = []string{"kind", "invocation", "execution", "exposure", "enabled"}

var querySentences = []sentence{
	tryWord(`the registry can be queried by (kind|execution|invocation|exposure|enabled)`, (*world).queriedBy),
	try(`filters that are given together all hold`, (*world).queriedTogether),
	tryWord(`(/list[A-Za-z]+) lists what its query describes`, (*world).legacyList),
	say(`every list is a view of the registry`, func(w *world) any { return w.viewsOnly }),
}

// fits answers a query as the text does.
func fits(c *capability, filter string, value any) bool {
	switch filter {
	case "kind":
		return c.members["kind"] == value
	case "execution":
		return c.substrate() == value
	case "exposure":
		return text(c.members, "exposure.scope") == value
	case "enabled":
		return c.enabled() == value
	default:
		mode, _ := value.(string)
		return slices.Contains(c.modes(), mode)
	}
}

// values are those that entries have.
func values(entries []*capability, filter string) []any {
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
			add(text(c.members, "kind"))
		case "execution":
			add(c.substrate())
		case "exposure":
			add(text(c.members, "exposure.scope"))
		default:
			for _, mode := range c.modes() {
				add(mode)
			}
		}
	}
	return all
}

// query asks the registry's own operation, or else the path of the text, which is
// printed with one of three parameters and no other.
func (w *world) query(ctx context.Context, filters object) (answered, error) {
	a := w.call(ctx, opQuery, filters)
	if !a.served() && printedQuery(filters) {
		if path := w.call(ctx, opPath, filters); path.served() {
			a = path
		}
	}
	return a, a.missing()
}

func printedQuery(filters object) bool {
	return len(filters) == 1 && (filters["kind"] != nil || filters["invocation"] != nil || filters["execution"] != nil)
}

// judge makes a breach of a list that is not exact. It is asked for again before that.
func (w *world) judge(ctx context.Context, a answered, what string, filters object) error {
	again := func(ctx context.Context) answered { a, _ := w.query(ctx, filters); return a } // what is no list has no ids
	return w.judgeBy(ctx, view{whole: w.list, what: what, again: again, holds: func(c *capability) bool { return fitsAll(c, filters) }}, a)
}

// view is a list that shows a part of a whole one.
type view struct {
	whole answered
	what  string
	again func(context.Context) answered
	holds holding
}

// difference says in words what a list lacks and what it has too much.
func difference(missing, more []string) string {
	var parts []string
	if len(missing) > 0 {
		parts = append(parts, "lacks "+suites.Print(missing))
	}
	if len(more) > 0 {
		parts = append(parts, "has beside them "+suites.Print(more))
	}
	return strings.Join(parts, ", ")
}

// judgeBy compares a list with the whole one that it is a part of.
func (w *world) judgeBy(ctx context.Context, v view, a answered) error {
	if a.refused() {
		return broken(v.what+" is refused", "the entries that fit", a.received())
	}
	if !a.listed() {
		return broken(v.what+" gives no list", "{capabilities: [...]}", a.received())
	}
	var first comparison
	first.whole(listOf(v.whole.value), v.holds, v.holds)
	first.part(a.ids())
	if missing, more := first.wrong(); len(missing)+len(more) > 0 {
		ids := func(ctx context.Context) []string { return v.again(ctx).ids() }
		c := w.compare(ctx, a.ids(), partly{whole: v.whole.operation, ids: ids, must: v.holds, may: v.holds})
		if missing, more = c.wrong(); len(missing)+len(more) > 0 {
			return broken(v.what+" does not give the entries that fit", suites.Print(c.fitting()), difference(missing, more))
		}
	}
	whole := v.whole
	if twice(whole, a) != "" && w.persists(ctx, func() bool {
		whole, a = w.call(ctx, whole.operation, object{}), v.again(ctx)
		return twice(whole, a) != ""
	}) {
		return broken(v.what+" gives an entry more often than the registry has it", "each entry once", twice(whole, a))
	}
	return nil
}

// twice gives an id that a list shows more often than the whole one, in which an id may
// have several versions.
func twice(whole, a answered) string {
	shown, has := often(a), often(whole)
	for _, id := range slices.Sorted(maps.Keys(shown)) {
		if shown[id] > max(1, has[id]) {
			return id
		}
	}
	return ""
}

// often counts how often a list shows each id.
func often(a answered) map[string]int {
	all := map[string]int{}
	for _, item := range listOf(a.value) {
		if id := idOf(item); !strings.HasPrefix(id, probePrefix) {
			all[id]++
		}
	}
	return all
}

// queriedBy asks for every value that entries have.
func (w *world) queriedBy(ctx context.Context, filter string) error {
	asked := values(w.entries, filter)
	if a, _ := w.query(ctx, object{filter: followed[filter].asked}); filter != "kind" && !a.served() { // FR-SDK-1 does not name the kind
		return w.demanded(ctx, a)
	}
	if err := w.queryFollows(ctx, filter); err != nil {
		return err
	}
	if filter == "enabled" && !slices.ContainsFunc(w.entries, func(c *capability) bool { return !c.enabled() }) {
		return w.queriedByState(ctx)
	}
	if len(asked) < 2 {
		return suites.Undecided("all entries have the same %s, so that a filter shows nothing", filter)
	}
	for _, value := range asked {
		a, err := w.query(ctx, object{filter: value})
		if err != nil {
			return err
		}
		if err := w.judge(ctx, a, "a query by "+filter, object{filter: value}); err != nil {
			return err
		}
	}
	if filter == "enabled" {
		return nil
	}
	cut, _ := asked[0].(string)
	for _, value := range []string{bogusValue, cut[:max(0, len(cut)-1)]} {
		a, err := w.query(ctx, object{filter: value})
		if err != nil {
			return err
		}
		if err := noneFits(a, "a query by "+filter, filter+"="+value); err != nil {
			return err
		}
	}
	return nil
}

// followed are the values that copies have for each filter, so that each of them comes into
// an answer.
var followed = map[string]struct {
	path  string
	value any
	asked any
}{
	"kind": {"kind", "template", "template"}, "execution": {"execution.substrate", "llm", "llm"}, "exposure": {"exposure.scope", "agent", "agent"},
	"invocation": {"invocation.modes", []any{modeCommand, "event"}, "event"}, "enabled": {"status.enabled", false, false},
}

// queryFollows looks for a copy that was created, and for its absence. That no copy is taken
// shows nothing.
func (w *world) queryFollows(ctx context.Context, filter string) error {
	f := followed[filter]
	c, err := w.registerCopy(ctx, w.first(), func(d object) { history.Put(d, f.path, f.value) })
	if err != nil {
		return nil //nolint:nilerr // the entries are compared as they are
	}
	filters := object{filter: f.asked}
	listed := func() bool {
		kept := inList(w.call(ctx, w.list.operation, object{}), c.id)
		return kept != nil && fits(&capability{c.id, kept}, filter, f.asked)
	}
	a, err := w.query(ctx, filters)
	if err != nil {
		return err
	}
	if a.listed() && !holdsID(a, c.id) && listed() {
		return broken("a query by "+filter+" does not give what was created", c.id+" for "+suites.Print(filters), a.received())
	}
	if !holdsID(a, c.id) || !w.deletes(ctx, c) {
		return nil // ACD-SDK1-08 and ACD-SDK1-11
	}
	if a, err = w.query(ctx, filters); err == nil && holdsID(a, c.id) && !listed() && !w.foundElsewhere(ctx, c.id, filter) {
		return broken("a query by "+filter+" gives what was deleted", "entries without "+c.id, a.received())
	}
	return nil
}

// foundElsewhere tells whether another query gives what was deleted as well, which is
// ACD-SDK1-11.
func (w *world) foundElsewhere(ctx context.Context, id, but string) bool {
	for _, name := range []string{"enabled", "kind"} {
		if a, err := w.query(ctx, object{name: followed[name].asked}); name != but && err == nil && holdsID(a, id) {
			return true
		}
	}
	return false
}

// bogusValue is one that no entry has.
const bogusValue = "capconform-bogus"

// noneFits wants an error or nothing for a value that no entry has.
func noneFits(a answered, what, asked string) error {
	if a.answer.Outcome == driver.Returned && len(a.ids()) > 0 {
		return broken(what+" answers a value that nothing has with entries", "an error or an empty list for "+asked, a.received())
	}
	return nil
}

// queriedByState registers a disabled entry where there is none.
func (w *world) queriedByState(ctx context.Context) error {
	c, err := w.registerCopy(ctx, w.first(), func(d object) { history.Put(d, "status.enabled", false) })
	if err != nil {
		return err
	}
	for _, wanted := range []bool{true, false} {
		a, err := w.query(ctx, object{"enabled": wanted})
		if err != nil {
			return err
		}
		if got := holdsID(a, c.id); got == wanted {
			return broken("a query by enabled does not give the entries that fit", "an entry that is disabled only where these are asked for", a.received())
		}
		if err := w.judge(ctx, a, "a query by enabled", object{"enabled": wanted}); err != nil {
			return err
		}
	}
	return nil
}

func holdsID(a answered, id string) bool {
	return slices.ContainsFunc(listOf(a.value), func(item any) bool { return item == id || text(item, "capability_id") == id })
}

// viewsOnly looks for ids in lists that the registry does not have.
func (w *world) viewsOnly(ctx context.Context) error {
	var asks []func() []answered
	for _, l := range legacies {
		asks = append(asks, func() []answered { return w.legacyLists(ctx, l.endpoint) })
	}
	for _, filters := range []object{{"enabled": true}, {"enabled": false}, {"invocation": modeCommand}, {"kind": "composite"}} {
		asks = append(asks, func() []answered {
			if a, err := w.query(ctx, filters); err == nil {
				return []answered{a}
			}
			return nil
		})
	}
	shown := 0
	for _, ask := range asks {
		for at, a := range ask() {
			shown += len(a.ids())
			names := func() []string { return ask()[at].ids() } // what was served is served again
			if id := w.unregistered(ctx, a.ids(), names); id != "" {
				return broken("a list shows what the registry does not have", "ids of the registry", id+" by "+a.operation)
			}
			if id := w.otherwise(ctx, a, func() answered { return ask()[at] }); id != "" {
				return broken("a list says of an entry what the registry does not say", "what guards an entry as in the registry", id+" by "+a.operation+": "+suites.Print(inList(a, id)))
			}
		}
	}
	if shown == 0 {
		return suites.Undecided("no list but the registry's own shows anything")
	}
	return nil
}

// guards are the members by which entries are filtered, routed and guarded.
var guards = []string{"version", "kind", "execution", "invocation", "exposure", "permissions", "status"}

// otherwise gives the id of an item that says something else of these than the registry
// does, "" where none does. An item may say less.
func (w *world) otherwise(ctx context.Context, a answered, again func() answered) string {
	differs := func(kept, shown object) bool {
		kept, shown = history.OfText(kept), history.OfText(shown)
		return slices.ContainsFunc(guards, func(name string) bool { return !history.HoldsAll(kept[name], shown[name]) })
	}
	for _, item := range listOf(a.value) {
		shown, _ := item.(object)
		id := text(shown, "capability_id")
		c := w.find(id)
		if c == nil || !differs(c.members, shown) {
			continue
		}
		kept := func() object { members, _ := w.get(ctx, id); return members }
		if w.steadily(ctx, kept, func(members object) bool {
			now := inList(again(), id)
			return members != nil && now != nil && differs(members, now)
		}) {
			return id
		}
	}
	return ""
}

// readable tells whether the registry has an id after all.
func (w *world) readable(ctx context.Context, id string) bool {
	if a := w.call(ctx, opGet, object{"capability_id": id}); text(a.value, "capability_id") == id {
		return true
	}
	return holdsID(w.call(ctx, w.list.operation, object{}), id)
}
