package judge

import (
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// copiesIn judges what a query shows of the copies. ACD-SDK1-10 judges a query that follows an update late.
// ACD-SDK1-11 judges a query by several filters that still returns a deleted copy.
func (j views) copiesIn(r *verdict.Verdict, v *history.View) {
	if !v.Listed || v.ByPath {
		return
	}
	what := "a query by " + strings.Join(slices.Sorted(maps.Keys(v.Filters)), " and ")
	for _, s := range j.statesAt(v.Call) {
		want, known := j.wanted(s, v)
		shown := v.Shows(s.ID)
		if !known || want != shown && j.belongsToChange(s, v) {
			continue
		}
		r.Judged++
		switch {
		case want && !shown:
			r.AddBreach([]record.Tick{v.Entry}, what+" does not return a created capability",
				"the copy for "+jsonvalue.Print(v.Filters), v.Got())
		case !want && shown && s.Given == nil:
			r.AddBreach([]record.Tick{v.Entry}, what+" returns a deleted capability", "entries without it", v.Got())
		case !want && shown:
			r.AddBreach([]record.Tick{v.Entry}, what+" does not return the entries that match",
				"entries without a copy that does not match", v.Got())
		}
	}
}

// wanted reports whether a query must show a copy, and whether this is known: the registry itself must show the copy
// as it was requested, or no longer.
func (j views) wanted(s *history.State, v *history.View) (want, known bool) {
	unsaid := v.Filters["enabled"] != nil && history.Member(s.Given, "status.enabled") == nil // ACD-DESC-27 judges that
	steady := memoized(j.evidence, func(m *conclusions) *cache[*history.State, bool] { return &m.steady }, s,
		func() bool { return j.isSteady(s) })
	if !steady || s.Given == nil || unsaid {
		return false, steady && s.Given == nil
	}
	got, listed := j.readings(s)
	return history.FitsAll(append(slices.Clone(listed), got...)[0].Shown, v.Filters), true
}

// isSteady reports whether each reading of the registry shows a state as it was requested.
func (j views) isSteady(s *history.State) bool {
	got, listed := j.readings(s)
	all := append(slices.Clone(listed), got...)
	return !s.MayChangeMore && len(all) > 0 && !slices.ContainsFunc(all, func(l history.Reading) bool {
		return (l.Shown == nil) != (s.Given == nil) || l.Shown != nil && !history.ShowsAsRequested(l.Shown, s)
	})
}

// belongsToChange reports whether a wrong answer of a query belongs to the update or the deletion of a copy: the
// answer would be right before the update, or queries by other filters also return the deleted copy.
func (j views) belongsToChange(s *history.State, v *history.View) bool {
	if s.Given == nil {
		return j.rememberedElsewhere(s, v)
	}
	if s.Created() {
		return false
	}
	for before := s.Before; before != nil && before.Given != nil; before = before.Before {
		if history.FitsAll(before.Given, v.Filters) == v.Shows(s.ID) {
			return true
		}
	}
	return false
}

func (j views) rememberedElsewhere(s *history.State, v *history.View) bool {
	name := slices.Sorted(maps.Keys(v.Filters))
	return slices.ContainsFunc(j.queries(), func(other *history.View) bool {
		return !other.ByPath && other.Shows(s.ID) && !slices.Equal(name, slices.Sorted(maps.Keys(other.Filters))) &&
			j.During(s, other.Call)
	})
}

// rightBefore reports whether a query by the same filters was right before a change, and excluded a copy that it must
// exclude.
func (j views) rightBefore(s *history.State, v *history.View) bool {
	right := false
	for _, other := range j.queries() {
		if other.ByPath != v.ByPath || s.Before == nil || !j.During(s.Before, other.Call) || !other.Listed {
			continue
		}
		if !slices.Equal(slices.Sorted(maps.Keys(v.Filters)), slices.Sorted(maps.Keys(other.Filters))) {
			continue
		}
		want, known := j.wanted(s.Before, other)
		if !known || want != other.Shows(s.ID) {
			return false
		}
		right = right || !want
	}
	return right
}

// distinguishes reports whether a query returned an entry that matches, or excluded one that does not, according to
// gives. If the registry has no such entry, another query by the same filters may prove it.
func (j views) distinguishes(v *history.View, gives bool) bool {
	among, right := false, false
	for _, i := range j.Descriptors() {
		if history.FitsAll(i.Members, v.Filters) == gives {
			among, right = true, right || v.Shows(i.ID) == gives
		}
	}
	return right || !among && slices.ContainsFunc(j.queries(), func(other *history.View) bool {
		if other.ByPath != v.ByPath || !other.Listed || !jsonvalue.Equal(other.Filters, v.Filters) {
			return false
		}
		return slices.ContainsFunc(j.statesAt(other.Call), func(s *history.State) bool {
			want, known := j.wanted(s, other)
			return s.Given != nil && known && want == gives && other.Shows(s.ID) == gives
		})
	})
}

// copiesFollow compares what an old list shows of each copy with what the query that replaces it shows. It reports
// whether a copy entered the list.
func (j views) copiesFollow(r *verdict.Verdict, v *history.View) (came bool) {
	if !v.Listed {
		return false
	}
	replacing := slices.DeleteFunc(slices.Clone(j.queries()), func(query *history.View) bool {
		return query.ByPath != v.ByPath || !query.Listed || !jsonvalue.Equal(query.Filters, v.Filters)
	})
	for _, s := range j.statesAt(v.Call) {
		came = came || v.Shows(s.ID)
		for _, query := range replacing {
			if !j.During(s, query.Call) {
				continue
			}
			r.Judged++
			belongs := s.Given != nil && history.FitsAll(s.Given, v.Filters) // otherwise FR-SDK-1 judges a wrong query
			switch in, asked := v.Shows(s.ID), query.Shows(s.ID); {
			case asked && !in && belongs:
				r.AddBreach([]record.Tick{v.Entry}, v.Endpoint+" does not follow the registry",
					"what the query that replaces it shows: "+query.Got(), v.Got())
			case in && !asked && !belongs:
				r.AddBreach([]record.Tick{v.Entry}, v.Endpoint+" still shows a capability that no longer matches",
					"what the query that replaces it shows: "+query.Got(), v.Got())
			}
			break
		}
	}
	return came
}

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
