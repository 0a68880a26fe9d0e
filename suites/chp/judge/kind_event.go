package judge

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// evidenceMembers are what the replays of its correlation show of an attempt.
func evidenceMembers() []*rule.Member {
	return []*rule.Member{
		rule.Many("evidence", "event", attempt.evidence),
		rule.Many("seen_events", "event", func(a attempt) rule.List[shownOf] { return a.seen(anyEvent) }),
		rule.Many("seen_core_events", "event", func(a attempt) rule.List[shownOf] { return a.seen(core) }),
		rule.Flag("finds_own_evidence", attempt.findsOwnEvidence),
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

// shownOf is an event of an attempt.
type shownOf struct {
	*history.Event
	of    attempt
	place int // in the order of the events
}

// evidence returns the events of an attempt, in their order. Others may exist unless a whole replay closely
// followed: the host may have discarded some, or an event that lacks its type or its invocation may be one of them.
func (a attempt) evidence() rule.List[shownOf] {
	var all rule.List[shownOf]
	e := a.in.Evidence(a.Attempt)
	for i, ev := range e.InOrder() {
		all.Elements = append(all.Elements, shownOf{ev, a, i})
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

func anyEvent(*history.Event) bool { return true }

// seen returns the events that replays showed of an attempt, in every text in which they were shown.
func (a attempt) seen(which func(*history.Event) bool) rule.List[shownOf] {
	var all rule.List[shownOf]
	for i, ev := range a.in.Evidence(a.Attempt).Shown {
		if which(ev) {
			all.Elements = append(all.Elements, shownOf{ev, a, i})
		}
	}
	return all
}

// findsOwnEvidence reports whether a replay showed events of the attempt, or returned no result.
func (a attempt) findsOwnEvidence() bool {
	e := a.in.Evidence(a.Attempt)
	return len(e.Events) > 0 || e.LastReplay == nil || !e.LastReplay.Arrived()
}

// replayed returns the answer to the last replay of the attempt.
func (a attempt) replayed() string {
	if last := a.in.Evidence(a.Attempt).LastReplay; last != nil {
		return last.Got
	}
	return "no replay"
}

// mayOwn reports whether an event that lacks its type or the id of its invocation may be one of the attempt.
func (a attempt) mayOwn(ev *history.Event) bool {
	return ev.Kind == "" && a.Owns(ev) || ev.Invocation == "" && ev.JudgedAsCore()
}

func eventKind() *rule.Kind {
	return rule.NewKind("event", func(*evidence) []shownOf { return nil },
		func(e shownOf) []record.Tick { return e.of.entries() },
		rule.Text("type", func(e shownOf) string { return e.Kind }),
		rule.One("attempt", "attempt", func(e shownOf) (attempt, bool) { return e.of, true }),
		rule.Number("place", func(e shownOf) int { return e.place }),
		rule.Text("correlation_id", func(e shownOf) string { return e.Correlation }),
		rule.Value("context", func(e shownOf) any { return e.Members()["correlation"] }),
		rule.Text("claimed_outcome", shownOf.claimedOutcome),
		rule.Text("outcome_of_type", func(e shownOf) string { return history.OutcomeOfEvent[e.Kind] }),
	)
}

// claimedOutcome returns the outcome that the event states, if it contradicts the type of the event.
func (e shownOf) claimedOutcome() string {
	said, _ := e.Members()["outcome"].(string)
	if !history.Contradicts(e.Kind, said) {
		return ""
	}
	return said
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
