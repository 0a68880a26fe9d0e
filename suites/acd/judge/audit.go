package judge

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// auditSentences are the sentences of the judgements in this file.
var auditSentences = []verdict.Sentence[records]{
	verdict.Say(
		`each invocation that must be logged has a record`,
		func(j records) verdict.Verdict { return j.Logged(false) }),
	verdict.Say(
		`each invocation of a capability without audit.log_invocation is logged`,
		func(j records) verdict.Verdict { return j.Logged(true) }),
	verdict.SayOf(`(inputs|outputs) are logged if, and only if, the descriptor says so`, records.ValuesLogged),
	verdict.Say(
		`no record contains a value of a capability without audit.log_inputs and audit.log_outputs`,
		records.ValuesSilent),
}

// lastRecords returns the last reading of the records after every call of a copy, or nil if there is none. A record
// may be written after the answer, so only the last reading counts.
func (j records) lastRecords(s *history.State) *history.Call {
	var last *history.Call
	for _, c := range j.Of(history.OpAudit) {
		if c.Accepted() && j.During(s, c) {
			last = c
		}
	}
	if last == nil || slices.ContainsFunc(j.callsOf(s), func(i *history.Invocation) bool { return i.Entry > last.Entry }) {
		return nil
	}
	return last
}

// callsOf returns the calls of a copy during a state.
func (j records) callsOf(s *history.State) []*history.Invocation {
	return memoized(j.evidence, func(m *conclusions) *cache[*history.State, []*history.Invocation] { return &m.calls }, s,
		func() []*history.Invocation {
			return slices.DeleteFunc(slices.Clone(j.Invocations()),
				func(i *history.Invocation) bool { return i.ID != s.ID || !j.During(s, i.Call) })
		})
}

// waited reports whether a reading is, or follows, one for which the stimulus of the last call waited after it: only
// then does it show that a record or a value is missing.
func (j records) waited(reading *history.Call, calls ...*history.Invocation) bool {
	last := slices.MaxFunc(calls, func(a, b *history.Invocation) int { return cmp.Compare(a.Done, b.Done) })
	return slices.ContainsFunc(j.Of(history.OpAudit), func(c *history.Call) bool {
		return c.Accepted() && c.Stimulus == last.Stimulus && c.About[history.AboutStep] != history.StepBefore &&
			c.Entry > last.Done && c.Entry <= reading.Entry
	})
}

func recordsOf(c *history.Call, id string) []history.Object {
	var all []history.Object
	for _, i := range c.Items {
		if i.ID == id {
			all = append(all, i.Members)
		}
	}
	return all
}

// ranOf returns the calls of a copy that ran: the accepted ones, and the failed ones that the log of executions
// shows.
func (j records) ranOf(s *history.State) []*history.Invocation {
	return slices.DeleteFunc(slices.Clone(j.callsOf(s)), func(i *history.Invocation) bool {
		return !i.Accepted() && !(i.Refused() && j.isPermitted(i) && j.logShows(s, i))
	})
}

// logShows reports whether the log of executions shows more runs of a copy after a call than before it, with no other
// call of the copy between the two readings.
func (j records) logShows(s *history.State, i *history.Invocation) bool {
	var before *history.Call
	for _, log := range j.Of(history.OpExecLog) {
		switch {
		case !log.Accepted():
		case log.Done < i.Entry:
			before = log
		case j.During(s, log):
			alone := before != nil && !slices.ContainsFunc(j.callsOf(s), func(other *history.Invocation) bool {
				return other != i && other.Entry > before.Entry && other.Entry < log.Entry
			})
			return alone && log.Runs(s.ID) > before.Runs(s.ID)
		}
	}
	return false
}

// Logged judges whether there is a record of each invocation that must be logged. If unsaid is true, it judges the
// copies without audit.log_invocation.
func (j records) Logged(unsaid bool) verdict.Verdict {
	r := &verdict.Verdict{}
	others, missed := false, false // whether the other copies are logged
	stimulus := history.Audits
	if unsaid {
		stimulus = history.AuditAbsent
	}
	if audits := j.Of(history.OpAudit); len(audits) > 0 && audits[0].Missing() != nil {
		return notObserved(audits[0].Missing())
	}
	if !unsaid {
		j.wellFormed(r, history.OpAudit)
	}
	for _, s := range j.States() {
		says := history.Member(s.Given, "audit.log_invocation")
		if s.Given == nil || says == false {
			continue
		}
		records, ran := j.lastRecords(s), j.ranUpTo(s)
		if records == nil || len(ran) == 0 {
			continue
		}
		found := recordsOf(records, s.ID)
		if (says == nil) != unsaid {
			others = others || s.Change.Stimulus == stimulus
			missed = missed || s.Change.Stimulus == stimulus && len(found) < len(ran)
			continue
		}
		missing := len(found) < len(ran) && (len(found) == 0 || !j.bounded(records))
		if missing && !j.waited(records, ran...) {
			continue
		}
		r.Judged++
		message := "an invocation is not logged"
		if !s.Created() {
			message = "an invocation is not logged after an update"
		}
		if last := ran[len(ran)-1]; last.Refused() {
			message = "an invocation that failed is not logged"
		}
		if missing {
			r.AddBreach([]record.Tick{ran[0].Entry, records.Entry}, message,
				fmt.Sprint("a record for each of ", len(ran), " invocations"), found)
		}
	}
	j.entriesLogged(r, unsaid)
	switch {
	case j.engine() != nil:
		r.Open = j.engine()
	case unsaid && (!others || missed):
		return notObserved(verdict.Undecided("invocations are not logged even where the descriptor says so: see ACD-SDK6-01"))
	}
	return r.OpenUnlessJudged(j.unperformed(stimulus))
}

// bounded reports whether a reading of the records no longer shows the first record of an earlier reading: the log
// keeps only the last records.
func (j records) bounded(now *history.Call) bool {
	return slices.ContainsFunc(j.Of(history.OpAudit), func(c *history.Call) bool {
		return c.Done < now.Entry && len(c.Items) > 0 && !slices.Contains(now.Items, c.Items[0])
	})
}

// ranUpTo returns the calls of a copy that ran during a state and before it. It returns none if the state has none,
// or if the copy was called while its descriptor said something else of the log.
func (j records) ranUpTo(s *history.State) []*history.Invocation {
	ran := j.ranOf(s)
	for one := s.Before; one != nil && len(ran) > 0; one = one.Before {
		if len(j.callsOf(one)) == 0 {
			continue
		}
		if one.Given == nil || history.Member(one.Given, "audit.log_invocation") != history.Member(s.Given, "audit.log_invocation") {
			return nil
		}
		ran = append(j.ranOf(one), ran...)
	}
	return ran
}

// values are the values that may be logged, and the members of a record that contain them.
var values = map[string]struct{ flag, other, member, otherMember string }{
	"inputs":  {"audit.log_inputs", "audit.log_outputs", "input", "output"},
	"outputs": {"audit.log_outputs", "audit.log_inputs", "output", "input"},
}

// ValuesLogged judges whether records contain the inputs or the outputs if, and only if, the descriptor requires it.
// A value is recognised by a text that occurs nowhere else.
func (j records) ValuesLogged(what string) verdict.Verdict {
	r := &verdict.Verdict{}
	v := values[what]
	unlogged, mute := false, false
	for _, s := range j.States() {
		result, said := history.Member(s.Given, v.flag).(bool)
		other, otherSaid := history.Member(s.Given, v.other).(bool)
		if !said || !otherSaid || !j.isEffective(s) {
			continue
		}
		last := j.lastRecords(s)
		for _, i := range j.ranOf(s) {
			mark := textOf(i.Input)
			if !unique(mark) || last == nil || what == "outputs" && i.Refused() {
				continue
			}
			found := recordsOf(last, s.ID)
			if len(found) == 0 {
				said := history.Member(s.Given, "audit.log_invocation") != nil // otherwise ACD-DESC-30 judges it
				unlogged = unlogged || said && i.Accepted()
				continue
			}
			if what == "outputs" && !containsText(history.Member(i.Value, "output"), mark) {
				mute = true
				continue
			}
			at := []record.Tick{i.Entry, last.Entry}
			there := containsOutside(found, v.otherMember, mark)
			if other {
				there = slices.ContainsFunc(found, func(one history.Object) bool { return containsText(one[v.member], mark) })
			}
			if result && !there && !j.waited(last, i) {
				continue
			}
			r.Judged++
			switch {
			case result && !there:
				r.AddBreach(at, what+" are not logged although the descriptor says so", v.member+" in the record", found)
			case !result && there:
				r.AddBreach(at, j.loggedThough(s, i, what, other), "a record without "+v.member, found)
			}
		}
	}
	j.entryValuesLogged(r, what)
	if mute && r.Judged == 0 {
		r.Open = verdict.Undecided("the output of a copy does not contain the value of its input")
	}
	return j.audited(r, unlogged, history.Values)
}

// audited leaves a verdict on records open if nothing can be decided.
func (j records) audited(r *verdict.Verdict, unlogged bool, stimulus string) verdict.Verdict {
	audits := j.Of(history.OpAudit)
	switch {
	case j.engine() != nil:
		r.Open = j.engine()
	case len(audits) > 0 && audits[0].Missing() != nil:
		r.Open = audits[0].Missing()
	case unlogged:
		r.Open = verdict.Undecided("the invocation is not logged: see ACD-SDK6-01")
	}
	return r.OpenUnlessJudged(j.unperformed(stimulus))
}

// loggedThough returns the message for a value that is logged but must not be.
func (j records) loggedThough(s *history.State, i *history.Invocation, what string, other bool) string {
	switch {
	case i.Refused():
		return what + " of a failed invocation are logged, although the descriptor says false"
	case !s.Created():
		return what + " are logged although an update says false"
	case other:
		return what + " are logged although only " +
			map[string]string{"inputs": "outputs", "outputs": "inputs"}[what] + " must be"
	}
	return what + " are logged although the descriptor says false"
}

// ValuesSilent judges copies without audit.log_inputs and audit.log_outputs: no value must be logged.
func (j records) ValuesSilent() verdict.Verdict {
	r := &verdict.Verdict{}
	unlogged := false
	for _, s := range j.States() {
		given := s.Given != nil && j.isEffective(s)
		if !given || history.Member(s.Given, "audit.log_inputs") != nil ||
			history.Member(s.Given, "audit.log_outputs") != nil {
			continue
		}
		last := j.lastRecords(s)
		for _, i := range j.callsOf(s) {
			mark := textOf(i.Input)
			if last == nil || !unique(mark) || !i.Accepted() {
				continue
			}
			found := recordsOf(last, s.ID)
			if len(found) == 0 {
				unlogged = true
				continue
			}
			r.Judged++
			if containsText(found, mark) {
				r.AddBreach([]record.Tick{i.Entry, last.Entry}, "a record contains a value that must not be logged",
					"records without the values of the invocation", found)
			}
		}
	}
	j.entryValuesSilent(r)
	return j.audited(r, unlogged, history.AuditAbsent)
}

// unique reports whether a text is a mark of the suite, which occurs nowhere else.
func unique(mark string) bool {
	return strings.HasPrefix(mark, "capconform-") && len(mark) > len("capconform-")
}

// containsText reports whether a value contains a text.
func containsText(v any, part string) bool {
	return strings.Contains(string(jsonvalue.Encode(v)), part)
}

// containsOutside reports whether a record contains a text outside a member.
func containsOutside(records []history.Object, name, mark string) bool {
	return slices.ContainsFunc(records, func(r history.Object) bool {
		kept := maps.Clone(r)
		delete(kept, name)
		return containsText(kept, mark)
	})
}
