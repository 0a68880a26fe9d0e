package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// defaultSentences are the sentences of the judgements in this file.
var defaultSentences = []verdict.Sentence[records]{
	verdict.Say(`each capability without status.enabled is enabled`, records.EnabledAbsent),
	verdict.Say(`each capability without status.mutable can be changed`, records.MutableAbsent),
	verdict.Say(`each created capability can be used at once`, records.UsedAtOnce),
}

// EnabledAbsent judges whether copies without status.enabled are enabled.
func (j records) EnabledAbsent() verdict.Verdict {
	r := &verdict.Verdict{}
	ran, off := false, false
	for _, s := range j.States() {
		switch {
		case s.Given == nil || !s.Created() || !j.isEffective(s):
		case history.Member(s.Given, "status.enabled") == nil:
			j.takenForEnabled(r, s)
		case s.Change.Stimulus == history.EnabledAbsent:
			got, _ := j.readings(s)
			off = off ||
				slices.ContainsFunc(got, func(g history.Reading) bool { return g.Shown != nil && !history.Enabled(g.Shown) })
			ran = ran || slices.ContainsFunc(j.callsOf(s), func(i *history.Invocation) bool { return i.Accepted() })
		}
	}
	switch {
	case j.engine() != nil:
		r.Open = j.engine()
	case off:
		return notObserved(verdict.Undecided("every created capability starts disabled, so the default cannot be observed"))
	case r.Judged > 0 && !ran:
		return notObserved(verdict.Undecided("no enabled copy runs"))
	case !j.queried():
		r.Open = j.Of(history.OpQuery)[0].Missing()
	}
	return r.OpenUnlessJudged(j.unperformed(history.EnabledAbsent))
}

// queried reports whether queries by the state are served, or none was made.
func (j records) queried() bool {
	all := j.Of(history.OpQuery)
	return len(all) == 0 || all[0].Served()
}

func (j records) takenForEnabled(r *verdict.Verdict, s *history.State) {
	for _, v := range j.queries() {
		enabled, is := v.Filters["enabled"].(bool)
		if is && enabled && len(v.Filters) == 1 && v.Listed && j.During(s, v.Call) {
			r.Judged++
			if !v.Shows(s.ID) {
				r.AddBreach([]record.Tick{v.Entry}, "a capability without status.enabled is not among the enabled ones", s.ID,
					v.Got())
			}
		}
	}
	for _, i := range j.callsOf(s) {
		if !j.isPermitted(i) || i.IsConfirmation() {
			continue
		}
		r.Judged++
		if i.Refused() && j.refusedAgain(i) {
			r.AddBreach([]record.Tick{i.Entry}, "a capability without status.enabled is refused", "an output", i.Got())
		}
	}
}

// MutableAbsent judges whether copies without status.mutable are mutable.
func (j records) MutableAbsent() verdict.Verdict {
	r := &verdict.Verdict{}
	changed := false
	for _, c := range j.Of(history.OpUpdate) {
		given, _ := c.Params["descriptor"].(history.Object)
		id := history.Text(given, "capability_id")
		if !history.IsCopyID(id) || c.Stimulus != history.MutableAbsent {
			continue
		}
		read := j.readAfter(id, c)
		if read == nil {
			continue
		}
		kept := read.EntryOf(id)
		took := kept != nil && kept.Members["name"] == given["name"]
		if history.Member(given, "status.mutable") != nil {
			changed = changed || took
			continue
		}
		r.Judged++
		if c.Refused() || !took {
			r.AddBreach([]record.Tick{c.Entry, read.Entry}, "a capability without status.mutable cannot be changed",
				"the new name",
				c.Got()+", then "+read.Got())
		}
	}
	j.undeletable(r)
	switch {
	case j.engine() != nil:
		r.Open = j.engine()
	case r.Judged > 0 && !changed:
		return notObserved(verdict.Undecided("a mutable copy cannot be updated"))
	}
	return r.OpenUnlessJudged(j.unperformed(history.MutableAbsent))
}

// undeletable judges the deletions of copies without status.mutable. A copy that has the member is the control.
func (j records) undeletable(r *verdict.Verdict) {
	deleted := false
	for _, c := range j.Of(history.OpDelete) {
		at := slices.IndexFunc(j.Copies(), func(one *history.Copy) bool { return one.ID == c.ID })
		if c.Stimulus != history.MutableAbsent || at < 0 {
			continue
		}
		if history.Member(j.Copies()[at].States[0].Given, "status.mutable") != nil {
			deleted = deleted || c.Accepted()
			continue
		}
		r.Judged++
		if s := j.StateAt(c.ID, c); deleted && c.Refused() && s != nil && s.Given != nil {
			r.AddBreach([]record.Tick{c.Entry}, "a capability without status.mutable cannot be deleted", "a result", c.Got())
		}
	}
}

// readAfter returns the first reading of an entry after a call, or nil if another update lies between.
func (j records) readAfter(id string, after *history.Call) *history.Call {
	for _, c := range slices.Concat(j.Of(history.OpGet), j.Registries()) {
		if c.Entry > after.Done && (c.Listed || c.ID == id) && c.Served() && c.Lost == nil {
			again := slices.ContainsFunc(j.Of(history.OpUpdate), func(u *history.Call) bool {
				return u.Entry > after.Entry && u.Entry < c.Entry && history.Text(u.Params, "descriptor.capability_id") == id
			})
			if again {
				return nil
			}
			return c
		}
	}
	return nil
}

// UsedAtOnce judges whether a created capability is listed and runs without a restart. Only an agent that follows the
// adapter page must run it: elsewhere, a copy may have no code.
func (j records) UsedAtOnce() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, s := range j.States() {
		own := s.Change.Stimulus == history.UsedAtOnce
		if s.Given == nil || s.MayChangeMore || !own && !(s.Created() && s.By == history.OpCreate) {
			continue
		}
		if _, listed := j.readings(s); len(listed) > 0 && own {
			r.Judged++
			if listed[0].Shown == nil {
				r.AddBreach([]record.Tick{listed[0].Call.Entry, s.Change.Entry},
					"a capability that was created at runtime is not listed",
					s.ID, "a list without it")
			}
		}
		j.runsAtOnce(r, s, "a capability that was created at runtime cannot be invoked")
	}
	if err := j.engine(); err != nil {
		r.Open = err
	}
	return r.OpenUnlessJudged(j.unperformed(history.UsedAtOnce))
}

// runsAtOnce judges the permitted calls of a copy.
func (j records) runsAtOnce(r *verdict.Verdict, s *history.State, message string) {
	if history.Member(s.Given, "status.enabled") == nil || history.Flag(s.Given, "permissions.granted_by_default", false) {
		return // other requirements judge these
	}
	for _, i := range j.callsOf(s) {
		if !j.isPermitted(i) || i.IsConfirmation() || !i.Refused() || !j.refusedAgain(i) {
			continue
		}
		if j.Template() == nil || j.Echo != j.Template().ID {
			r.Open = verdict.Undecided("a copy does not run: %s", i.Got())
			continue
		}
		r.AddBreach([]record.Tick{i.Entry}, message, "an output, as of "+j.Template().ID, i.Got())
	}
}
