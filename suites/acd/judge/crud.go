package judge

import (
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// crudSentences are the sentences of the judgements in this file.
var crudSentences = []verdict.Sentence[changes]{
	verdict.Say(`each created descriptor is in the registry as it was given`, changes.CreatesAsGiven),
	verdict.Say(`each entry is read as it is listed`, changes.ReadsAsListed),
	verdict.Say(`each update replaces the descriptor`, changes.Updates),
}

// fault is a reading that shows a copy wrongly.
type fault struct {
	reading history.Reading
	how     string // "is not in the registry", "is stored differently", ...
	got     any
}

// faults returns the readings of a state that do not show it as it was requested.
func (j changes) faults(s *history.State) []fault {
	var all []fault
	got, listed := j.readings(s)
	both := append(slices.Clone(got), listed...)
	wrong := func(readings []history.Reading, lacks, differs string) {
		for _, one := range readings {
			keeps := one.Shown != nil && history.ShowsAsRequested(one.Shown, s)
			if keeps && !history.Keeps(one.Shown, s.Given) { // it may be disabled at first, but not become disabled
				keeps = !slices.ContainsFunc(both, func(r history.Reading) bool {
					return r.Call.Entry < one.Call.Entry && history.Keeps(r.Shown, s.Given)
				})
			}
			was := slices.ContainsFunc(both, func(r history.Reading) bool {
				before := r.Call.Entry < one.Call.Entry &&
					(r.Call.Operation == one.Call.Operation || j.changedBetween(r.Call, one.Call))
				return before && r.Shown != nil && history.ShowsAsRequested(r.Shown, s)
			})
			switch {
			case was && !keeps: // another call changed it
			case one.Shown == nil:
				all = append(all, fault{one, lacks, one.Call.Got()})
			case !one.IDOnly && !keeps:
				all = append(all, fault{one, differs, one.Shown})
			}
		}
	}
	wrong(got, "is not in the registry", "is stored differently")
	wrong(listed, "is not in the list of the registry", "is listed differently")
	return all
}

// changedBetween reports whether a call that may change the registry lies between two readings.
func (j changes) changedBetween(from, to *history.Call) bool {
	between := func(c *history.Call) bool { return c.Entry > from.Done && c.Entry < to.Entry }
	return slices.ContainsFunc([]string{history.OpCreate, history.OpUpdate, history.OpDelete},
		func(operation string) bool {
			return slices.ContainsFunc(j.Of(operation), between)
		}) || slices.ContainsFunc(j.Invocations(), func(i *history.Invocation) bool {
		return history.ChangesRegistry(i.ID) &&
			between(i.Call)
	})
}

// judged returns the states by which creations, updates and deletions are judged. Other requirements judge the
// changes by meta-capabilities, and a lost change of a copy without status.mutable.
func (j changes) judged(by string) []*history.State {
	return slices.DeleteFunc(slices.Clone(j.States()), func(s *history.State) bool {
		mutable := by == history.OpCreate || s.Given == nil ||
			history.Member(s.Given, "status.mutable") != nil || j.renamed(s)
		return s.By != by || s.MayChangeMore || !mutable || s.Before != nil && (s.Before.MayChangeMore || j.replaced(s))
	})
}

// renamed reports whether a reading shows the name that the state requested.
func (j changes) renamed(s *history.State) bool {
	got, listed := j.readings(s)
	return slices.ContainsFunc(slices.Concat(got, listed),
		func(r history.Reading) bool { return r.Shown["name"] == s.Given["name"] })
}

// replaced reports whether a copy was registered again without having been deleted.
func (j changes) replaced(s *history.State) bool {
	return s.By == history.OpCreate && s.Before.Given != nil
}

// CreatesAsGiven judges whether a created descriptor is in the registry once and as it was requested.
func (j changes) CreatesAsGiven() verdict.Verdict {
	r, usable := j.registry()
	if !usable {
		return *r
	}
	if all := j.Of(history.OpCreate); len(all) > 0 && !all[0].Served() {
		return j.demanded(all[0])
	}
	j.wellFormed(r, history.OpCreate)
	for _, s := range j.judged(history.OpCreate) {
		if !s.Created() {
			continue
		}
		got, listed := j.readings(s)
		if len(got)+len(listed) > 0 {
			r.Judged++
		}
		for _, f := range j.faults(s) {
			if j.comesBack(s, f.reading) {
				continue // ACD-SDK1-11 judges that
			}
			r.AddBreach([]record.Tick{f.reading.Call.Entry, s.Change.Entry}, "a created descriptor "+f.how,
				jsonvalue.Print(s.Given), f.got)
		}
		for _, l := range listed {
			if times := timesIn(l.Call, s.ID); times > 1 {
				r.AddBreach([]record.Tick{l.Call.Entry}, "a created descriptor is listed more than once", s.ID+" once",
					fmt.Sprint(times, " times"))
			}
		}
	}
	return r.OpenUnlessJudged(j.unperformed(history.Created))
}

func timesIn(c *history.Call, id string) (times int) {
	for _, i := range c.Items {
		if i.ID == id {
			times++
		}
	}
	return times
}

// comesBack reports whether a reading of a descriptor that was created again shows the deleted one.
func (j changes) comesBack(s *history.State, r history.Reading) bool {
	if s.Before == nil || s.Before.Given != nil || s.Before.Before == nil || r.Shown == nil {
		return false
	}
	before := history.Text(s.Before.Before.Given, "name")
	return before != history.Text(s.Given, "name") && history.Text(r.Shown, "name") == before
}

const readsOtherwise = "an entry is not read as it is listed"

// ReadsAsListed judges whether get returns the same as the list, and nothing for an unknown id.
func (j changes) ReadsAsListed() verdict.Verdict {
	r, usable := j.registry()
	if !usable {
		return *r
	}
	gets := j.Of(history.OpGet)
	if len(gets) > 0 && gets[0].Missing() != nil {
		return notObserved(gets[0].Missing())
	}
	for _, c := range gets {
		if c.IsConfirmation() {
			continue
		}
		id := c.ID
		entry := j.entry(id)
		shown := c.EntryOf(id)
		switch {
		case entry != nil:
			r.Judged++
			if shown == nil || !history.Keeps(shown.Members, entry.Members) {
				b := verdict.Breach{Message: readsOtherwise, Entries: []record.Tick{c.Entry}}
				b.Want, b.Got = jsonvalue.Print(entry.Members), c.Got()
				if shown != nil {
					b.Want, b.Got = describeDifference(entry.Members, shown.Members)
				}
				j.confirm(r, history.ReadAgain, map[string]string{history.AboutID: id}, b, func(answers history.Confirmation) bool {
					before, got := answers[0].EntryOf(id), answers[1].EntryOf(id)
					return showsSteadily(answers, id, func(now history.Object) bool { return history.Same(now, before.Members) }) &&
						(got == nil || !history.Keeps(got.Members, before.Members)) && !j.everListed(id, got)
				})
			}
		case history.IsCopyID(id):
			j.copyReadsAsListed(r, c, shown)
		case !j.listedIn(id):
			r.Judged++
			if c.Accepted() && history.Text(c.Value, "capability_id") != "" {
				r.AddBreach([]record.Tick{c.Entry}, "get returns a descriptor for an unknown id", "an error, or null", c.Got())
			}
		}
	}
	return r.OpenUnlessJudged(j.unperformed(history.ReadEntries))
}

// listedIn reports whether a list of the registry ever showed an id.
func (j changes) listedIn(id string) bool {
	return slices.ContainsFunc(j.Registries(), func(c *history.Call) bool { return c.Shows(id) })
}

// copyReadsAsListed compares a reading of a copy with the lists that show the same state, if the lists agree.
func (j changes) copyReadsAsListed(r *verdict.Verdict, c *history.Call, shown *history.Item) {
	s := j.StateAt(c.ID, c)
	if s == nil || s.Given == nil || shown == nil {
		return
	}
	_, listed := j.readings(s)
	differs := func(l history.Reading) bool {
		return l.Shown != nil && history.Keeps(l.Shown, s.Given) && !history.Keeps(shown.Members, l.Shown)
	}
	if len(listed) == 0 || slices.ContainsFunc(listed, func(l history.Reading) bool { return !differs(l) }) {
		return
	}
	r.Judged++
	if got, _ := j.readings(s); slices.ContainsFunc(got,
		func(g history.Reading) bool { return g.Shown != nil && history.Keeps(g.Shown, s.Given) }) {
		return
	}
	want, got := describeDifference(listed[0].Shown, shown.Members)
	r.AddBreach([]record.Tick{c.Entry}, readsOtherwise, want, got)
}

// Updates judges whether get, list, queries and the engine follow an update, and whether it changes no other entry.
func (j changes) Updates() verdict.Verdict {
	r, usable := j.registry()
	if !usable {
		return *r
	}
	for _, c := range j.Of(history.OpUpdate) {
		if !c.Served() {
			return j.demanded(c)
		}
	}
	j.wellFormed(r, history.OpUpdate)
	for _, c := range j.Of(history.OpUpdate) {
		if c.About[history.AboutStep] == history.StepPlain {
			if r.Open = c.Missing(); r.Open != nil {
				return *r
			}
			r.Judged++
			id := history.Text(c.Params, "descriptor.capability_id")
			if c.Refused() && !j.accepts(id) {
				r.AddBreach([]record.Tick{c.Entry}, "a mutable descriptor cannot be updated", "the new descriptor", c.Got())
			}
		}
	}
	for _, s := range j.judged(history.OpUpdate) {
		r.Judged++
		for _, f := range j.faults(s) {
			message := "an update is lost"
			if f.reading.Call.Listed {
				message = "an update is not in the list"
			}
			r.AddBreach([]record.Tick{f.reading.Call.Entry, s.Change.Entry}, message, jsonvalue.Print(s.Given), f.got)
		}
		j.staleQueries(r, s)
		j.runsUpdated(r, s)
	}
	j.judgeUntouched(r, history.OpUpdate, "an update touches another entry")
	return r.OpenUnlessJudged(j.unperformed(history.Updated))
}

// runsUpdated judges the calls of an updated copy that the new descriptor permits. Only an agent that follows the
// adapter page must run a copy.
func (j changes) runsUpdated(r *verdict.Verdict, s *history.State) {
	if j.Template() == nil || j.Echo != j.Template().ID || !j.ranBefore(s) {
		return
	}
	for _, i := range j.Invocations() {
		if i.ID == s.ID && !i.IsConfirmation() && j.During(s, i.Call) && j.isPermitted(i) && i.Refused() &&
			j.refusedAgain(i) {
			r.AddBreach([]record.Tick{i.Entry, s.Change.Entry}, "a call that an update permits is refused",
				"an output in the mode "+i.Mode+" for a caller with all permissions of the new descriptor", i.Got())
		}
	}
}

// ranBefore reports whether a copy ran before a change of it. If it did not, ACD-SDK3-01 judges that.
func (j changes) ranBefore(s *history.State) bool {
	return slices.ContainsFunc(j.Invocations(), func(i *history.Invocation) bool {
		return i.ID == s.ID && i.Accepted() && i.Done < s.Change.Entry
	})
}

// accepts reports whether any update of a copy was accepted.
func (j changes) accepts(id string) bool {
	return slices.ContainsFunc(j.Of(history.OpUpdate), func(c *history.Call) bool {
		return c.Accepted() && history.Text(c.Params, "descriptor.capability_id") == id
	})
}

// staleQueries judges the queries after an update that were right before it.
func (j changes) staleQueries(r *verdict.Verdict, s *history.State) {
	for _, v := range j.queries() {
		if v.ByPath || !v.Listed || !j.During(s, v.Call) || !j.rightBefore(s, v) {
			continue
		}
		if want, known := j.wanted(s, v); known && want != v.Shows(s.ID) && j.distinguishes(v, want) {
			r.AddBreach([]record.Tick{v.Entry, s.Change.Entry}, "a query returns the descriptor from before an update",
				jsonvalue.Print(s.Given),
				"for "+jsonvalue.Print(v.Filters)+": "+v.Got())
		}
	}
}

// judgeUntouched judges whether a change of another entry changed a copy that was correct before.
func (j changes) judgeUntouched(r *verdict.Verdict, by, message string) {
	for _, s := range j.States() {
		if s.Given == nil || s.MayChangeMore || !history.Flag(s.Given, "status.mutable", true) { // otherwise ACD-SDK6-03
			continue
		}
		got, listed := j.readings(s)
		for at, one := range got {
			if at > 0 && got[at-1].Shown != nil && !history.Same(one.Shown, got[at-1].Shown) {
				j.touches(r, s, by, message, got[at-1], one)
			}
		}
		for _, one := range listed {
			at := slices.IndexFunc(got, func(g history.Reading) bool { return g.Call.Entry > one.Call.Entry })
			if at < 0 {
				at = len(got)
			}
			kept := func(reading history.Reading) bool {
				return reading.Shown != nil && history.ShowsAsRequested(reading.Shown, s)
			}
			if at > 0 && kept(got[at-1]) && !kept(one) && !one.IDOnly && !j.listsOtherwise() {
				j.touches(r, s, by, message, got[at-1], one)
			}
		}
	}
}

// touches adds a breach if a change of another entry lies between two readings that differ.
func (j changes) touches(r *verdict.Verdict, s *history.State, by, message string, before, after history.Reading) {
	if culprit := j.lastChange(s.ID, before.Call, after.Call); culprit != nil && culprit.Operation == by {
		r.AddBreach([]record.Tick{culprit.Entry, after.Call.Entry}, message, jsonvalue.Print(before.Shown), after.Call.Got())
	}
}

// listsOtherwise reports whether the list shows copies wrongly without any other change: ACD-SDK1-08 judges that.
func (j changes) listsOtherwise() bool {
	return slices.ContainsFunc(j.judged(history.OpCreate), func(s *history.State) bool {
		return slices.ContainsFunc(j.faults(s), func(f fault) bool { return f.reading.Call.Listed })
	})
}
