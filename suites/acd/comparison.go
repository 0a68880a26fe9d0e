package acdsuite

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
)

// looksAtMost is how often a subject is looked at before it is blamed for two answers that
// don't agree: other callers come and go, and change what is theirs, between any two calls.
const looksAtMost = 7

// comparison is what several looks at a whole list, and at a part of it in between, have
// in common.
type comparison struct {
	must, may, shown map[string]int // how many looks show an id
	wholes, parts    int
}

// holding tells of an entry whether a part must or may hold it.
type holding func(*capability) bool

func (c *comparison) whole(items []any, must, may holding) {
	c.wholes++
	fitting, allowed := map[string]bool{}, map[string]bool{}
	for _, item := range items {
		members, _ := item.(object)
		one := &capability{text(members, "capability_id"), members}
		if one.id == "" || strings.HasPrefix(one.id, probePrefix) {
			continue
		}
		fitting[one.id] = fitting[one.id] || must(one)
		allowed[one.id] = allowed[one.id] || may(one)
	}
	c.must, c.may = counted(c.must, fitting), counted(c.may, allowed)
}

func (c *comparison) part(ids []string) {
	c.parts++
	shown := map[string]bool{}
	for _, id := range ids {
		shown[id] = !strings.HasPrefix(id, probePrefix)
	}
	c.shown = counted(c.shown, shown)
}

func counted(often map[string]int, seen map[string]bool) map[string]int {
	if often == nil {
		often = map[string]int{}
	}
	for id, is := range seen {
		if is {
			often[id]++
		}
	}
	return often
}

// wrong gives the ids that every whole list has and no part, and those that every part has
// and no whole list.
func (c *comparison) wrong() (missing, more []string) {
	for id, often := range c.must {
		if often == c.wholes && c.shown[id] == 0 {
			missing = append(missing, id)
		}
	}
	for id, often := range c.shown {
		if often == c.parts && c.may[id] == 0 {
			more = append(more, id)
		}
	}
	slices.Sort(missing)
	slices.Sort(more)
	return missing, more
}

// fitting gives the ids that every whole list has.
func (c *comparison) fitting() []string {
	var all []string
	for id, often := range c.must {
		if often == c.wholes {
			all = append(all, id)
		}
	}
	slices.Sort(all)
	return all
}

// partly is a list that has to be a part of a whole one.
type partly struct {
	whole     string // the operation that gives the whole one
	ids       func(ctx context.Context) []string
	must, may holding
}

// compare looks at both in turn until nothing is left to blame. The looks don't alternate
// strictly: what comes and goes with every second call would always be seen by the same.
func (w *world) compare(ctx context.Context, first []string, p partly) *comparison {
	c := &comparison{}
	c.part(first)
	for look := range looksAtMost {
		for range 1 + look%2 {
			c.whole(listOf(w.call(ctx, p.whole, object{}).value), p.must, p.may)
		}
		if missing, more := c.wrong(); len(missing)+len(more) == 0 {
			return c
		}
		c.part(p.ids(ctx))
	}
	c.whole(listOf(w.call(ctx, p.whole, object{}).value), p.must, p.may)
	return c
}

// persists tells whether something is so at every look.
func (w *world) persists(ctx context.Context, isSo func() bool) bool {
	for look := range looksAtMost {
		for range look % 2 { // see compare
			w.call(ctx, w.list.operation, object{})
		}
		if !isSo() {
			return false
		}
	}
	return true
}

// steadily tells whether something is so at every look at an entry of which the registry
// says the same all the while.
func (w *world) steadily(ctx context.Context, kept func() object, isSo func(kept object) bool) bool {
	var first object
	return w.persists(ctx, func() bool {
		before := kept()
		if first == nil {
			first = before
		}
		return isSo(before) && history.Same(first, before) && history.Same(first, kept())
	})
}

// now reads an entry again, nil if it is gone.
func (w *world) now(ctx context.Context, id string) *capability {
	if members, _ := w.get(ctx, id); members != nil {
		return &capability{id, members}
	}
	return nil
}

// mustRefuse tells whether a call of an entry comes through again and again, although what
// is read of the entry before and behind it forbids that.
func (w *world) mustRefuse(ctx context.Context, i invocation, forbids holding) bool {
	stands := func() bool {
		c := w.now(ctx, i.id)
		return c != nil && forbids(c)
	}
	return w.persists(ctx, func() bool { return stands() && w.invoke(ctx, i).accepted() && stands() })
}

// mustAccept tells whether a call is refused again and again, while another one that needs
// the same is accepted: what runs may fail now and then.
func (w *world) mustAccept(ctx context.Context, refused, control invocation) bool {
	turn := 0
	return w.persists(ctx, func() bool {
		if turn++; turn%2 == 0 {
			return w.invoke(ctx, refused).refused() && w.invoke(ctx, control).accepted()
		}
		return w.invoke(ctx, control).accepted() && w.invoke(ctx, refused).refused()
	})
}

// unregistered gives the first of the named ids that the registry lacks, "" if it has all.
// The names are asked for again then: what others took away in between may have been named
// before, and no longer is.
func (w *world) unregistered(ctx context.Context, first []string, names func() []string) string {
	lacks := func(id string) bool { return w.find(id) == nil && !w.readable(ctx, id) }
	for _, id := range first {
		if strings.HasPrefix(id, probePrefix) || !lacks(id) {
			continue
		}
		if w.persists(ctx, func() bool { return slices.Contains(names(), id) && lacks(id) }) {
			return id
		}
	}
	return ""
}
