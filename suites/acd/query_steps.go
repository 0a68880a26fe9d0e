package acdsuite

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
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

// bounds are the ids that the answer to a query must and may hold, from lists before
// and behind it.
type bounds struct{ must, may []string }

func (w *world) bounds(ctx context.Context, whole answered, holds func(*capability) bool) bounds {
	before, after := matching(listOf(whole.value), holds), matching(listOf(w.call(ctx, whole.operation, object{}).value), holds)
	var b bounds
	for _, id := range before {
		if slices.Contains(after, id) {
			b.must = append(b.must, id)
		}
	}
	b.may = append(before, after...)
	return b
}

func matching(items []any, holds func(*capability) bool) []string {
	var ids []string
	for _, item := range items {
		members, _ := item.(object)
		c := &capability{text(members, "capability_id"), members}
		if c.id != "" && !strings.HasPrefix(c.id, probePrefix) && holds(c) {
			ids = append(ids, c.id)
		}
	}
	return ids
}

// exact compares an answer with what it must and may hold.
func (b bounds) exact(a answered) (missing, more []string) {
	got := a.ids()
	for _, id := range b.must {
		if !slices.Contains(got, id) {
			missing = append(missing, id)
		}
	}
	for _, id := range got {
		if !slices.Contains(b.may, id) {
			more = append(more, id)
		}
	}
	return missing, more
}

// judge makes a breach of a list that is not exact.
func (w *world) judge(ctx context.Context, a answered, what string, holds func(*capability) bool) error {
	return w.judgeBy(ctx, w.list, a, what, holds)
}

// judgeBy compares a list with the whole one that it is a part of.
func (w *world) judgeBy(ctx context.Context, whole, a answered, what string, holds func(*capability) bool) error {
	if a.refused() {
		return broken(what+" is refused", "the entries that fit", a.received())
	}
	if !a.listed() {
		return broken(what+" gives no list", "{capabilities: [...]}", a.received())
	}
	plain := matching(listOf(whole.value), holds)
	if missing, more := (bounds{must: plain, may: plain}).exact(a); len(missing)+len(more) == 0 {
		return nil
	}
	b := w.bounds(ctx, whole, holds)
	missing, more := b.exact(a)
	if len(missing)+len(more) == 0 {
		return nil
	}
	return broken(what+" does not give the entries that fit", suites.Print(b.must), "lacks "+suites.Print(missing)+", has beside them "+suites.Print(more))
}

// queriedBy asks for every value that entries have.
func (w *world) queriedBy(ctx context.Context, filter string) error {
	asked := values(w.entries, filter)
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
		if err := w.judge(ctx, a, "a query by "+filter, func(c *capability) bool { return fits(c, filter, value) }); err != nil {
			return err
		}
	}
	if filter == "enabled" {
		return nil
	}
	a, err := w.query(ctx, object{filter: bogusValue})
	if err != nil {
		return err
	}
	return noneFits(a, "a query by "+filter, filter)
}

// bogusValue is one that no entry has.
const bogusValue = "capconform-bogus"

// noneFits wants an error or nothing for a value that no entry has.
func noneFits(a answered, what, filter string) error {
	if a.answer.Outcome == driver.Returned && len(a.ids()) > 0 {
		return broken(what+" answers a value that nothing has with entries", "an error or an empty list for "+filter+"="+bogusValue, a.received())
	}
	return nil
}

// queriedByState registers a disabled entry where there is none.
func (w *world) queriedByState(ctx context.Context) error {
	c, err := w.registerCopy(ctx, w.entries[0], func(d object) { put(d, "status.enabled", false) })
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
	}
	return nil
}

func holdsID(a answered, id string) bool {
	return slices.ContainsFunc(listOf(a.value), func(item any) bool { return item == id || text(item, "capability_id") == id })
}

// viewsOnly looks for ids in lists that the registry does not have.
func (w *world) viewsOnly(ctx context.Context) error {
	var seen []answered
	for _, l := range legacies {
		seen = append(seen, w.legacyLists(ctx, l.endpoint)...)
	}
	for _, filters := range []object{{"enabled": true}, {"enabled": false}, {"invocation": modeCommand}, {"kind": "composite"}} {
		if a, err := w.query(ctx, filters); err == nil {
			seen = append(seen, a)
		}
	}
	shown := 0
	for _, a := range seen {
		for _, id := range a.ids() {
			shown++
			if w.find(id) == nil && !w.readable(ctx, id) {
				return broken("a list shows what the registry does not have", "ids of the registry", id+" by "+a.operation)
			}
		}
	}
	if shown == 0 {
		return suites.Undecided("no list but the registry's own shows anything")
	}
	return nil
}

// readable tells whether the registry has an id after all.
func (w *world) readable(ctx context.Context, id string) bool {
	if a := w.call(ctx, opGet, object{"capability_id": id}); text(a.value, "capability_id") == id {
		return true
	}
	return holdsID(w.call(ctx, w.list.operation, object{}), id)
}
