package chpmutant

import (
	"iter"
	"maps"

	"github.com/capconform/capconform/reference/chphost"
)

func keysOf(members object) iter.Seq[string] { return maps.Keys(members) }

// silences records nothing for affected invocations.
func silences(which affects) defect {
	return func(h *chphost.Host) {
		original := h.Evidence
		h.Evidence = func(inv *chphost.Invocation, event object) []object {
			if which(inv) {
				return nil
			}
			return original(inv, event)
		}
	}
}

// selects changes what a query selects. The total number changes with it.
func selects(change func(query chphost.Query, records []chphost.Record) []chphost.Record) defect {
	return func(h *chphost.Host) {
		original := h.Select
		h.Select = func(query chphost.Query) ([]chphost.Record, int) {
			records, _ := original(query)
			changed := change(query, records)
			return changed, len(changed)
		}
	}
}

// readsQuery changes how a query is read.
func readsQuery(change func(query *chphost.Query, members object)) defect {
	return func(h *chphost.Host) {
		original := h.ReadQuery
		h.ReadQuery = func(members map[string]any) (chphost.Query, error) {
			query, err := original(members)
			change(&query, members)
			return query, err
		}
	}
}

// swapped redacts the strings at the top level of an object only.
func swapped(payload map[string]any) object {
	result := object{}
	for name, value := range payload {
		switch value.(type) {
		case []any, map[string]any:
			result["deeper"] = value
		default:
			result["crossed"] = name == ""
		}
	}
	return result
}
