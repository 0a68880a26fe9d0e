package judge

import (
	"maps"
	"slices"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// threadMembers are what earlier replays of the same correlation showed.
func threadMembers() []*rule.Member {
	return []*rule.Member{
		rule.Many("invocations_shown_before", "attempt", replay.invocationsShownBefore),
		rule.Many("events_shown_before", "event", replay.eventsShownBefore),
		rule.Many("events_of_narrower_query", "event", replay.eventsOfNarrowerQuery),
	}
}

// threadFunctions are:
//
//	shows(REPLAY, ATTEMPT)      whether the replay shows the invocation, or was repeated and does
//	contains(REPLAY, EVENT)     whether the replay contains the event, or was repeated and does
//	contains_unless_gone(REPLAY, EVENT) whether the replay contains the event, or a later one without optional
//	                            members lacks it as well
//	contains_at_place(REPLAY, EVENT)    whether the replay contains the event, under any id
func threadFunctions() []rule.Function {
	return []rule.Function{
		rule.FunctionOfTwo("shows", func(r replay, a attempt) any {
			return r.orAgain(func(r *history.Replay) bool { return r.Shows(a.Attempt) })
		}),
		rule.FunctionOfTwo("contains", func(r replay, e event) any {
			return r.orAgain(func(r *history.Replay) bool { return r.Holds(e.ID) })
		}),
		rule.FunctionOfTwo("contains_unless_gone", func(r replay, e event) any {
			if r.Holds(e.ID) {
				return true
			}
			if again, asked := r.in.again(r.Replay); asked {
				return !again.Holds(e.ID)
			}
			return r.notRepeated()
		}),
		rule.FunctionOfTwo("contains_at_place", func(r replay, e event) any { return r.ShowsAt(e.Event) }),
	}
}

// orAgain reports whether something is true of a replay, or of its repetition: a store may lag. A replay before which
// the harness waited, or let other calls pass, is not repeated.
func (r replay) orAgain(is func(*history.Replay) bool) any {
	if is(r.Replay) {
		return true
	}
	if r.About[history.AboutAfter] == history.AfterWait || r.About[history.AboutStep] == history.StepAfter {
		return false
	}
	again, asked := r.in.again(r.Replay)
	if asked {
		return is(again)
	}
	return r.notRepeated()
}

// notRepeated is the gap that another replay of the correlation closes.
func (r replay) notRepeated() *rule.Gap {
	return &rule.Gap{Reason: undecided("the replay was not repeated"),
		Settle: verdict.Settle{Stimulus: history.ReplayAgain, Of: r.Entry}}
}

// isFinal reports whether a plain replay is not followed by another poll.
func isFinal(r *history.Replay) bool { return r.Plain() && !r.Polled && r.Readable() }

// invocationsShownBefore returns the invocations that an earlier replay of the correlation showed, with only
// invocations of the same correlation in between.
func (r replay) invocationsShownBefore() rule.List[attempt] {
	var all rule.List[attempt]
	if !isFinal(r.Replay) {
		return all
	}
	t := r.in.Thread(r.Correlation())
	for _, a := range t.Attempts {
		var before *history.Replay
		for _, earlier := range t.Replays {
			if isFinal(earlier) && earlier.Entry >= a.Done && earlier.Entry < r.Entry && earlier.Shows(a) {
				before = earlier
			}
		}
		if before != nil && !r.in.othersBetween(t, before, r.Replay) && !r.in.mayBeDiscarded(a, r.Replay) {
			all.Elements = append(all.Elements, attempt{a, r.in})
		}
	}
	return all
}

// sameQuery returns the earlier readable replays of the same query, in their order.
func (r replay) sameQuery() []*history.Replay {
	return slices.DeleteFunc(slices.Clone(r.in.Thread(r.Correlation()).Replays), func(b *history.Replay) bool {
		return b.Entry >= r.Entry || !b.Readable() || !b.HasQueryOf(r.Replay)
	})
}

// eventsShownBefore returns the events that an earlier replay of the same query showed shortly before. It omits those
// of invocations of which the replay shows nothing, and those that the host may have discarded.
func (r replay) eventsShownBefore() rule.List[event] {
	var all rule.List[event]
	if !r.Unfiltered() || r.Polled || !r.Readable() {
		return all
	}
	first, last := map[string]event{}, map[string]*history.Replay{}
	for _, before := range r.sameQuery() {
		for _, ev := range before.Whole() {
			if _, known := first[ev.ID]; !known {
				first[ev.ID] = r.in.shown(before, ev)
			}
			last[ev.ID] = before
		}
	}
	delete(first, "")
	t := r.in.Thread(r.Correlation())
	for _, id := range slices.Sorted(maps.Keys(first)) {
		ev, before := first[id], last[id]
		owner := r.in.Sent(ev.Invocation)
		gone := owner != nil &&
			(!r.Shows(owner) && !r.in.othersBetween(t, before, r.Replay) || r.in.mayBeDiscarded(owner, r.Replay))
		if ev.Known() && r.in.FollowsClosely(before.Done, r.Entry) && !gone {
			all.Elements = append(all.Elements, ev)
		}
	}
	return all
}

// asShownFirst returns the event as the first replay of the same query showed it, if its members were kept. An id that
// the replay contains twice counts once.
func (e event) asShownFirst() (event, bool) {
	if e.in == nil || e.ID == "" || !e.Known() || e.in.Named(e.ID) != e.Event {
		return event{}, false
	}
	for _, before := range (replay{e.in, e.j}).sameQuery() {
		if ev := before.Named(e.ID); ev != nil {
			return e.j.shown(before, ev), ev.Known()
		}
	}
	return event{}, false
}

// stored returns the members that the text defines. A member that a host adds to each answer, such as the age of the
// event, is not stored.
func (e event) stored() history.Object {
	known, members := history.Object{}, e.Members()
	for _, p := range e.j.Forms.Event.Parts {
		known[p.Member] = members[p.Member]
	}
	for _, name := range []string{"outcome", "error", "denial"} {
		known[name] = members[name]
	}
	return known
}

// eventsOfNarrowerQuery returns the events of the invocations of the correlation that replays with more query members
// showed shortly before a plain one.
func (r replay) eventsOfNarrowerQuery() rule.List[event] {
	var all rule.List[event]
	if !isFinal(r.Replay) || r.Cut() {
		return all
	}
	t := r.in.Thread(r.Correlation())
	for _, part := range t.Replays {
		if part.Plain() || !part.Readable() || part.Done >= r.Entry || !r.in.FollowsClosely(part.Done, r.Entry) ||
			nextWhole(t, part) != r.Replay {
			continue
		}
		for _, ev := range part.Events {
			owned := slices.ContainsFunc(t.Attempts, func(a *history.Attempt) bool { return a.Processed() && a.Owns(ev) })
			if owned && ev.ID != "" {
				all.Elements = append(all.Elements, r.in.shown(part, ev))
			}
		}
	}
	return all
}

// nextWhole returns the next plain replay that is not declared as a part, or nil.
func nextWhole(t *history.Thread, part *history.Replay) *history.Replay {
	for _, r := range t.Replays {
		if isFinal(r) && r.Entry > part.Done && !r.Cut() {
			return r
		}
	}
	return nil
}

// wasShownBefore reports whether a plain replay of the correlation showed the event before the replay that it is in.
func (e event) wasShownBefore() bool {
	return e.in != nil && slices.ContainsFunc(e.j.Thread(e.in.Correlation()).Replays,
		func(r *history.Replay) bool { return r.Plain() && r.Done < e.in.Entry && r.Holds(e.ID) })
}

// foundMembers are whether the replays of its correlation find an attempt.
func foundMembers() []*rule.Member {
	return []*rule.Member{
		rule.Flag("was_replayed", func(a attempt) bool {
			last := a.in.Evidence(a.Attempt).LastReplay
			return last != nil && a.CorrelationID() != "" && (last.Broken == nil || last.Lost != nil)
		}),
		rule.Value("has_replay_result", attempt.hasReplayResult),
		rule.Text("replay_answer", func(a attempt) string { return a.in.Evidence(a.Attempt).LastReplay.Got() }),
		rule.Text("correlation_id", func(a attempt) string { return a.CorrelationID() }),
		rule.Flag("is_found", func(a attempt) bool {
			e := a.in.Evidence(a.Attempt)
			return len(e.PossiblyOwn) > 0 && (len(e.Events) > 0 || a.Stimulus != history.Shared)
		}),
		rule.Flag("may_be_discarded", func(a attempt) bool {
			return a.in.mayBeDiscarded(a.Attempt, a.in.Evidence(a.Attempt).LastReplay)
		}),
		rule.Flag("keeps_id", func(a attempt) bool {
			return a.ResultCorrelation() == "" || a.ResultCorrelation() == a.Supplied || !a.in.keptUsually(a.Attempt)
		}),
	}
}

// hasReplayResult reports whether the last replay of the correlation was answered by a result.
func (a attempt) hasReplayResult() any {
	last := a.in.Evidence(a.Attempt).LastReplay
	if gap := a.in.lostGap(&last.Call); gap != nil {
		return gap
	}
	return last.Arrived() && last.Head != nil
}
