package judge

import (
	"cmp"
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// deletionSentences are the sentences of the judgements in this file.
var deletionSentences = []verdict.Sentence[changes]{
	verdict.Say(`each deleted descriptor is gone`, changes.Deletes),
}

// Deletes judges whether get, list, queries and the engine no longer know a deleted descriptor.
func (j changes) Deletes() verdict.Verdict {
	r, usable := j.registry()
	if !usable {
		return *r
	}
	for _, c := range j.Of(history.OpDelete) {
		if c.Served() {
			continue
		}
		if r.Open = c.Missing(); j.SDK || j.creates() {
			r.AddBreach([]record.Tick{c.Entry}, "the SDK does not serve "+history.OpDelete,
				"an answer to "+history.OpDelete, c.Got())
		}
		return *r
	}
	for _, c := range j.Of(history.OpDelete) {
		s := j.StateAt(c.ID, c)
		if s != nil && s.Given != nil && c.Refused() && history.Member(s.Given, "status.mutable") == true && // else ACD-DESC-28
			j.shownLast(s) {
			r.AddBreach([]record.Tick{c.Entry}, "a mutable descriptor cannot be deleted", "a result", c.Got())
		}
	}
	j.wellFormed(r, history.OpDelete)
	for _, s := range j.judged(history.OpDelete) {
		j.judgeDeleted(r, s)
	}
	if !j.anyUnknownRuns() { // otherwise ACD-SDK2-06
		j.neverRan(r, Deleted, "a deleted capability still runs")
	}
	for _, s := range j.judged(history.OpCreate) {
		for _, f := range j.faults(s) {
			if j.comesBack(s, f.reading) {
				r.AddBreach([]record.Tick{f.reading.Call.Entry, s.Change.Entry},
					"a deleted descriptor comes back when its id is registered again", jsonvalue.Print(s.Given), f.got)
			}
		}
	}
	j.judgeUntouched(r, history.OpDelete, "a deletion touches another entry")
	return r.OpenUnlessJudged(j.unperformed(history.DeletedOnes))
}

// creates reports whether the registry accepted a creation. A registry that accepts none may be read-only, and its
// agent may not be an SDK.
func (j changes) creates() bool {
	return slices.ContainsFunc(j.Of(history.OpCreate), (*history.Call).Accepted)
}

// shownLast reports whether the last reading of a copy showed it.
func (j changes) shownLast(s *history.State) bool {
	got, _ := j.readings(s)
	return len(got) > 0 && got[len(got)-1].Shown != nil
}

// judgeDeleted judges the answers that show a deleted copy.
func (j changes) judgeDeleted(r *verdict.Verdict, s *history.State) {
	got, listed := j.readings(s)
	if len(got)+len(listed) == 0 {
		return
	}
	r.Judged++
	for _, one := range got {
		if one.Shown != nil {
			r.AddBreach([]record.Tick{one.Call.Entry, s.Change.Entry}, "a deleted descriptor can still be read",
				"an error, or null", one.Call.Got())
		}
	}
	for _, one := range listed {
		if one.Shown != nil {
			r.AddBreach([]record.Tick{one.Call.Entry, s.Change.Entry}, "a deleted descriptor is still listed",
				"a list without it", s.ID)
		}
	}
	for _, v := range j.queries() {
		if !v.ByPath && j.During(s, v.Call) && v.Shows(s.ID) &&
			(j.rememberedElsewhere(s, v) || v.Stimulus == history.DeletedOnes) {
			r.AddBreach([]record.Tick{v.Entry, s.Change.Entry}, "a query still returns a deleted descriptor",
				"entries without it", v.Got())
		}
	}
	if j.anyUnknownRuns() {
		return // ACD-SDK2-06 judges that
	}
	for _, i := range j.Invocations() {
		if i.ID == s.ID && i.Accepted() && j.isOnlyReason(i, Deleted) && j.During(s, i.Call) {
			r.AddBreach([]record.Tick{i.Entry, s.Change.Entry}, "a deleted capability can still be invoked", "an error", i.Got())
		}
	}
}

func (j changes) anyUnknownRuns() bool {
	return slices.ContainsFunc(j.Invocations(),
		func(i *history.Invocation) bool { return i.Accepted() && j.isOnlyReason(i, Unknown) })
}

// immutableSentences are the sentences of the judgements in this file.
var immutableSentences = []verdict.Sentence[changes]{
	verdict.Say(`no immutable capability changes`, changes.ImmutableStays),
}

// ImmutableStays judges whether an immutable entry reads the same after each attempt to change it. An attempt without
// an answer proves nothing.
func (j changes) ImmutableStays() verdict.Verdict {
	r, usable := j.registry()
	if !usable {
		return *r
	}
	id, readings := j.steps(history.Immutables)
	var before history.Object
	for at, c := range readings {
		if c.Refused() && at+1 < len(readings) && readings[at+1].About[history.AboutStep] == c.About[history.AboutStep] {
			continue // it was read again
		}
		var shown history.Object
		if i := c.EntryOf(id); i != nil {
			shown = i.Members
		}
		switch way := c.About[history.AboutStep]; {
		case way == history.StepRestore:
		case way == history.StepBefore:
			before = shown
		case c.Lost != nil:
			return notObserved(c.Missing())
		case before != nil:
			r.Judged++
			if !history.Same(shown, before) {
				r.AddBreach([]record.Tick{c.Entry}, "an immutable capability is changed by "+way, jsonvalue.Print(before), c.Got())
			}
		}
	}
	return r.OpenUnlessJudged(j.unperformed(history.Immutables))
}

// steps returns the readings of an entry by the steps of a stimulus, in order, and its id.
func (j changes) steps(stimulus string) (id string, all []*history.Call) {
	for _, c := range j.Of(history.OpGet) {
		if c.Stimulus == stimulus && c.About[history.AboutStep] != "" {
			id = c.ID
			if c.Served() {
				all = append(all, c)
			}
		}
	}
	for _, c := range j.Registries() {
		if c.Stimulus == stimulus && c.About[history.AboutStep] != "" {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b *history.Call) int { return cmp.Compare(a.Entry, b.Entry) })
	return id, all
}
