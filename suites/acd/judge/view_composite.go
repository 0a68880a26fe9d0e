package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// compositesIn judges what a list shows of copies that may have become composites. The agent may create another
// kind, so the whole lists directly before and after the list decide. If they show a composite that matches, so
// must the list. If they showed it before and the copy was deleted since, the list must not show it.
func (j views) compositesIn(r *verdict.Verdict, v *history.View, what string) {
	if !v.Listed || v.Stimulus != history.OldLists {
		return
	}
	before, after := j.wholesAround(v)
	if before == nil || after == nil {
		return
	}
	for _, id := range j.composites() {
		here, there := before.EntryOf(id), after.EntryOf(id)
		at := []record.Tick{v.Entry, before.Entry}
		switch {
		case j.queryAgrees(v, id, before, after):
			r.Judged++
		case here == nil && there == nil && v.Shows(id) && j.tookDeletion(id, before):
			r.AddBreach(at, what+" returns a deleted capability", "entries without it", v.Got())
		case here == nil || there == nil || here.Members == nil || there.Members == nil:
		case !history.FitsAll(here.Members, v.Filters) || !history.FitsAll(there.Members, v.Filters):
		case j.deletedBefore(id, before): // a whole list that still shows it breaks ACD-SDK1-11
		default:
			if r.Judged++; !v.Shows(id) {
				r.AddBreach(at, what+" does not return a created capability", "the copy "+id, v.Got())
			}
		}
	}
}

// composites returns the ids of the copies that were to become composites.
func (j views) composites() []string {
	var all []string
	for _, c := range j.Copies() {
		if slices.ContainsFunc(c.States, func(s *history.State) bool { return history.Text(s.Given, "kind") == "composite" }) {
			all = append(all, c.ID)
		}
	}
	return all
}

// tookDeletion reports whether the last reading of a copy by get, before a call, follows its deletion and shows
// nothing.
func (j views) tookDeletion(id string, before *history.Call) bool {
	gone := false
	for _, c := range j.Of(history.OpGet) {
		if c.ID == id && c.Done < before.Entry {
			gone = c.EntryOf(id) == nil
		}
	}
	return gone && j.deletedBefore(id, before)
}

// deletedBefore reports whether the agent accepted the deletion of a copy before a call.
func (j views) deletedBefore(id string, before *history.Call) bool {
	return slices.ContainsFunc(j.Of(history.OpDelete), func(c *history.Call) bool {
		return c.ID == id && c.Accepted() && c.Done < before.Entry
	})
}

// wholesAround returns the whole lists directly before and after a view, if no copy changed between them. A path of
// the text may show less than the registry, so it is compared with the path without a filter if that is served.
func (j views) wholesAround(v *history.View) (before, after *history.Call) {
	for _, c := range j.Of(j.Whole(v).Operation) {
		switch {
		case !c.Listed || c.Stimulus != v.Stimulus || len(c.Params) > 0:
		case c.Done < v.Entry:
			before = c
		case c.Entry > v.Done && after == nil:
			after = c
		}
	}
	if before == nil || after == nil || j.changedWithin(before, after) {
		return nil, nil
	}
	return before, after
}

// changedWithin reports whether a call between two readings may have changed a copy.
func (j views) changedWithin(from, to *history.Call) bool {
	return slices.ContainsFunc([]string{history.OpCreate, history.OpUpdate, history.OpDelete}, func(operation string) bool {
		return slices.ContainsFunc(j.Of(operation), func(c *history.Call) bool {
			return c.Entry > from.Done && c.Done < to.Entry
		})
	})
}

// queryAgrees reports whether an old list and the query that replaces it show the same of a copy between two
// readings. What is wrong in both belongs to the query.
func (j views) queryAgrees(v *history.View, id string, from, to *history.Call) bool {
	return v.Endpoint != "" && slices.ContainsFunc(j.queries(), func(query *history.View) bool {
		return query.ByPath == v.ByPath && query.Listed && jsonvalue.Equal(query.Filters, v.Filters) &&
			query.Entry > from.Done && query.Done < to.Entry && query.Shows(id) == v.Shows(id)
	})
}
