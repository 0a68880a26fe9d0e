package judge

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// evidenceMembers are what the replays of its correlation show of an attempt.
func evidenceMembers() []*rule.Member {
	return []*rule.Member{
		rule.Many("evidence", "event", attempt.evidence),
		rule.Many("seen_events", "event", func(a attempt) rule.List[event] { return a.seen(anyEvent) }),
		rule.Many("seen_core_events", "event", func(a attempt) rule.List[event] { return a.seen(core) }),
		rule.Value("finds_own_evidence", attempt.findsOwnEvidence),
		rule.Flag("may_have_evidence", func(a attempt) bool { return len(a.in.Evidence(a.Attempt).PossiblyOwn) > 0 }),
		rule.Value("has_readable_replay", attempt.hasReadableReplay),
		rule.Flag("may_be_under_another_id", attempt.mayBeUnderAnotherID),
		rule.Value("listed_evidence", func(a attempt) any { return a.EvidenceIDs() }).InAnswer(),
		rule.Value("emits", attempt.emits),
		rule.Text("listed_event_of_another", attempt.listedEventOfAnother),
		rule.Text("replayed", attempt.replayed), // for messages
		rule.Text("event_types", func(a attempt) string { return kindsOf(a.in.Evidence(a.Attempt).InOrder()) }),
		rule.Value("expected_ending", func(a attempt) any { return orNull(history.EventOfOutcome[a.Outcome()]) }),
		rule.Value("last_ending", func(a attempt) any {
			return orNull(lastEnding(a.in.Evidence(a.Attempt).InOrder()))
		}),
		rule.Value("executions", attempt.executions),
		rule.Flag("evidence_is_whole", func(a attempt) bool { return a.in.Evidence(a.Attempt).IsComplete() }),
		rule.Flag("was_resent", func(a attempt) bool { return a.Resent }),
	}
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// evidence returns the events of an attempt, in their order. Others may exist unless a whole replay closely
// followed: the host may have discarded some, or an event that lacks its type or its invocation may be one of them.
func (a attempt) evidence() rule.List[event] {
	var all rule.List[event]
	e := a.in.Evidence(a.Attempt)
	for i, ev := range e.InOrder() {
		all.Elements = append(all.Elements, event{Event: ev, j: a.in, of: a.Attempt, place: i})
	}
	switch {
	case !e.IsComplete():
		all.Open = &rule.Gap{Reason: undecided("no replay shows the whole evidence of the invocation")}
	case a.in.mayBeDiscarded(a.Attempt, e.LastReplay):
		all.Open = &rule.Gap{Reason: undecided("the host may have discarded evidence of the invocation")}
	case slices.ContainsFunc(e.LastReplay.Whole(), a.mayOwn):
		all.Open = &rule.Gap{Reason: undecided("an event lacks its type or its invocation")}
	}
	return all
}

// seen returns the events that replays showed of an attempt, in every text in which they were shown.
func (a attempt) seen(which func(*history.Event) bool) rule.List[event] {
	var all rule.List[event]
	for i, ev := range a.in.Evidence(a.Attempt).Shown {
		if which(ev) {
			all.Elements = append(all.Elements, event{Event: ev, j: a.in, of: a.Attempt, place: i})
		}
	}
	return all
}

// findsOwnEvidence reports whether a replay showed events of the attempt. A replay that the host refuses shows none. A
// connection that it closes says nothing about the evidence: CHP-10-01 judges it.
func (a attempt) findsOwnEvidence() any {
	e := a.in.Evidence(a.Attempt)
	if len(e.Events) > 0 || e.LastReplay == nil {
		return true
	}
	if gap := a.in.lostGap(&e.LastReplay.Call); gap != nil {
		return gap
	}
	return e.LastReplay.Lost != nil
}

// hasReadableReplay reports whether a replay of the correlation could be read.
func (a attempt) hasReadableReplay() any {
	last := a.in.Evidence(a.Attempt).LastReplay
	if last == nil {
		return false
	}
	if gap := a.in.lostGap(&last.Call); gap != nil {
		return gap
	}
	return last.Readable()
}

// mayBeUnderAnotherID reports whether the evidence may be under another id: the host replaces an id that is used
// again, or does not show every invocation of an id that several share.
func (a attempt) mayBeUnderAnotherID() bool {
	j := a.in
	return j.usedBefore(a.Attempt) && j.replaced(a.Attempt) != "" || j.shares(a.Attempt) && !j.sharersShown()
}

// emits returns the types of events that the capability lists, null if it has no such list.
func (a attempt) emits() any {
	list := a.in.descriptor(a.Attempt)["emits"]
	if list == nil {
		return nil
	}
	return history.Texts(list)
}

// listedEventOfAnother returns an event under the correlation of the attempt, of a type that the capability lists, with
// the id of no invocation that was sent. It returns "" if there is none.
func (a attempt) listedEventOfAnother() string {
	last := a.in.Evidence(a.Attempt).LastReplay
	if last == nil {
		return ""
	}
	listed := history.Texts(a.in.descriptor(a.Attempt)["emits"])
	for _, ev := range last.Whole() {
		if !core(ev) && ev.Correlation == a.Supplied && slices.Contains(listed, ev.Kind) {
			return ev.Raw
		}
	}
	return ""
}

// replayed returns the answer to the last replay of the attempt.
func (a attempt) replayed() string {
	if last := a.in.Evidence(a.Attempt).LastReplay; last != nil {
		return last.Got()
	}
	return "no replay"
}

// mayOwn reports whether an event that lacks its type or the id of its invocation may be one of the attempt.
func (a attempt) mayOwn(ev *history.Event) bool {
	return ev.Kind == "" && a.Owns(ev) || ev.Invocation == "" && ev.JudgedAsCore()
}

// executions returns the closing events of each execution: one list before the first execution_started, if it has
// any, and one for each.
func (a attempt) executions() any {
	all := [][]any{nil}
	for _, ev := range a.in.Evidence(a.Attempt).InOrder() {
		if ev.Kind == history.EventStarted {
			all = append(all, nil)
		}
		if _, closes := history.OutcomeOfEvent[ev.Kind]; closes {
			all[len(all)-1] = append(all[len(all)-1], ev.Kind)
		}
	}
	if len(all) > 1 && all[0] == nil {
		all = all[1:]
	}
	var list []any
	for _, one := range all {
		list = append(list, one)
	}
	return list
}

func lastEnding(events []*history.Event) string {
	last := ""
	for _, ev := range events {
		if _, closes := history.OutcomeOfEvent[ev.Kind]; closes {
			last = ev.Kind
		}
	}
	return last
}

func undecided(why string) error { return verdict.Undecided("%s", why) }

// kindsOf returns the types of events, for messages.
func kindsOf(events []*history.Event) string {
	if len(events) == 0 {
		return "no events"
	}
	var kinds []string
	for _, ev := range events {
		kinds = append(kinds, ev.Kind)
	}
	return strings.Join(kinds, ", ")
}
