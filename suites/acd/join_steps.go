package acdsuite

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
)

// consideredAtMost bounds the entries from which joined filters are made.
const consideredAtMost = 64

// queriedTogether joins two filters and more, so that each of them counts.
func (w *world) queriedTogether(ctx context.Context) error {
	asked := 0
	for chosen := range 1 << len(filterNames) {
		var names []string
		for i, name := range filterNames {
			if chosen&(1<<i) != 0 {
				names = append(names, name)
			}
		}
		filters := w.crossing(names)
		if len(names) < 2 || filters == nil {
			continue
		}
		a, err := w.query(ctx, filters)
		if err != nil {
			return err
		}
		asked++
		if err := w.judge(ctx, a, "a query by "+strings.Join(names, " and "), filters); err != nil {
			return err
		}
	}
	if asked == 0 {
		return suites.Undecided("no two filters cut the entries differently")
	}
	return nil
}

func fitsAll(c *capability, filters object) bool {
	for name, value := range filters {
		if !fits(c, name, value) {
			return false
		}
	}
	return true
}

// crossing finds values that an entry has together, and of which each keeps an entry
// out that the others let in; nil where there are none.
func (w *world) crossing(names []string) object {
	considered := w.entries[:min(len(w.entries), consideredAtMost)]
	for _, filters := range joined(considered, names) {
		needed := !slices.ContainsFunc(names, func(name string) bool {
			rest := maps.Clone(filters)
			delete(rest, name)
			return !slices.ContainsFunc(considered, func(c *capability) bool { return fitsAll(c, rest) && !fits(c, name, filters[name]) })
		})
		if needed {
			return filters
		}
	}
	return nil
}

// joined gives the values that entries have under the names, each combination once.
func joined(entries []*capability, names []string) []object {
	if len(names) < 2 {
		return nil
	}
	seen := map[string]bool{}
	var all []object
	for _, c := range entries {
		ways := []object{{}}
		for _, name := range names {
			var longer []object
			for _, value := range values([]*capability{c}, name) {
				if !fits(c, name, value) {
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
			if key := suites.Print(way); !seen[key] {
				seen[key] = true
				all = append(all, way)
			}
		}
	}
	return all
}
