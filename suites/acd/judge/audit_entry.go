package judge

import (
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// logged is a call of an entry of the agent between two readings of the records.
type logged struct {
	entry         *history.Item
	call          *history.Invocation
	before, after *history.Call
}

// loggedEntries returns the accepted calls of entries that lie alone between two readings of the records. An entry
// whose audit ever differed is left out, because another caller may have changed it.
func (j records) loggedEntries() []logged {
	var all []logged
	for _, i := range j.Invocations() {
		entry := j.entry(i.ID)
		if entry == nil || !i.Accepted() || !slices.Contains(loggedStimuli, i.Stimulus) || !j.keepsAudit(entry) {
			continue
		}
		if before, after := j.recordsAround(i); before != nil && after != nil {
			all = append(all, logged{entry, i, before, after})
		}
	}
	return all
}

// loggedStimuli are the stimuli that read the records before and after a call of an entry.
var loggedStimuli = []string{
	history.EntriesLogged, history.ByCreate, history.ByEnable, history.ByBind, history.Scripts,
}

// recordsAround returns the last reading of the records before a call, and the last one after it that precedes the
// next call of the same capability.
func (j records) recordsAround(i *history.Invocation) (before, after *history.Call) {
	var next record.Tick
	for _, other := range j.Invocations() {
		switch {
		case other.ID != i.ID || other.Entry == i.Entry:
		case other.Entry > i.Entry && (next == 0 || other.Entry < next):
			next = other.Entry
		}
	}
	for _, c := range j.Of(history.OpAudit) {
		switch {
		case !c.Accepted() || c.Stimulus != i.Stimulus:
		case c.Done < i.Entry:
			before = c
		case c.Entry > i.Done && (next == 0 || c.Done < next):
			after = c
		}
	}
	if before != nil && slices.ContainsFunc(j.Invocations(), func(other *history.Invocation) bool {
		return other.ID == i.ID && other.Entry > before.Entry && other.Entry < i.Entry
	}) {
		return nil, nil
	}
	return before, after
}

// keepsAudit reports whether each list of the registry shows the same audit of an entry.
func (j records) keepsAudit(entry *history.Item) bool {
	return !slices.ContainsFunc(j.Registries(), func(c *history.Call) bool {
		now := c.EntryOf(entry.ID)
		return c.Listed && (now == nil || !jsonvalue.Equal(now.Members["audit"], entry.Members["audit"]))
	})
}

// missed reports whether the records show that a call was not logged. If the log is bounded, older records may be
// gone: then any record of the entry counts, and a log that shares no record with the earlier reading shows
// nothing.
func (l logged) missed() bool {
	was, now := recordsOf(l.before, l.entry.ID), recordsOf(l.after, l.entry.ID)
	if len(l.before.Items) == 0 ||
		len(l.after.Items) >= len(l.before.Items) && l.after.Items[0] == l.before.Items[0] {
		return len(now) <= len(was)
	}
	shared := slices.ContainsFunc(l.after.Items, func(i *history.Item) bool { return slices.Contains(l.before.Items, i) })
	return shared && len(now) == 0
}

// mark returns a text of the input that occurs nowhere else: the mark of the suite, or the description of a copy.
func (l logged) mark() string {
	if text := textOf(l.call.Input); unique(text) {
		return text
	}
	return history.Text(l.call.Input, "descriptor.description")
}

// entriesLogged judges whether the invocations of the agent's own entries are logged.
func (j records) entriesLogged(r *verdict.Verdict, unsaid bool) {
	for _, l := range j.loggedEntries() {
		says := history.Member(l.entry.Members, "audit.log_invocation")
		if says == false || (says == nil) != unsaid {
			continue
		}
		missed := l.missed()
		if missed && !j.waited(l.after, l.call) {
			continue
		}
		r.Judged++
		if missed {
			r.AddBreach([]record.Tick{l.call.Entry, l.after.Entry}, "an invocation of an entry of the agent is not logged",
				"a record of "+l.entry.ID, fmt.Sprint(len(l.after.Items), " records, none of them for this invocation"))
		}
	}
}

// entryValuesLogged judges whether the records of the agent's own entries contain the inputs or the outputs if, and
// only if, the descriptor says so.
func (j records) entryValuesLogged(r *verdict.Verdict, what string) {
	v := values[what]
	for _, l := range j.loggedEntries() {
		result, said := history.Member(l.entry.Members, v.flag).(bool)
		other, otherSaid := history.Member(l.entry.Members, v.other).(bool)
		found, mark := recordsOf(l.after, l.entry.ID), l.mark()
		if !said || !otherSaid || mark == "" || len(found) == 0 ||
			what == "outputs" && !containsText(history.Member(l.call.Value, "output"), mark) {
			continue
		}
		at := []record.Tick{l.call.Entry, l.after.Entry}
		there := containsOutside(found, v.otherMember, mark)
		if other {
			there = slices.ContainsFunc(found, func(one history.Object) bool { return containsText(one[v.member], mark) })
		}
		if result && !there && !j.waited(l.after, l.call) {
			continue
		}
		r.Judged++
		switch {
		case result && !there:
			r.AddBreach(at, what+" of an entry of the agent are not logged although its descriptor says so",
				v.member+" in the record", found)
		case !result && there:
			r.AddBreach(at, what+" of an entry of the agent are logged although its descriptor says false",
				"a record without "+v.member, found)
		}
	}
}

// entryValuesSilent judges the agent's own entries without audit.log_inputs and audit.log_outputs: no value must be
// logged.
func (j records) entryValuesSilent(r *verdict.Verdict) {
	for _, l := range j.loggedEntries() {
		unsaid := history.Member(l.entry.Members, "audit.log_inputs") == nil &&
			history.Member(l.entry.Members, "audit.log_outputs") == nil
		found, mark := recordsOf(l.after, l.entry.ID), l.mark()
		if !unsaid || mark == "" || len(found) == 0 {
			continue
		}
		r.Judged++
		if containsText(found, mark) {
			r.AddBreach([]record.Tick{l.call.Entry, l.after.Entry}, "a record contains a value that must not be logged",
				"records without the values of the invocation", found)
		}
	}
}
