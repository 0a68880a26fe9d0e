package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
)

// replay is an answer to chp.replay.
type replay struct {
	*history.Replay
	in *evidence
}

func replayKind() *rule.Kind {
	k := rule.NewKind("replay", (*evidence).allReplays,
		func(r replay) []record.Tick { return r.in.entriesOfReplay(r.Replay) },
		slices.Concat(resultOfReplay(), queryMembers(), threadMembers())...)
	return rule.Losing(k, func(r replay) *rule.Gap { return r.in.lostGap(&r.Call) })
}

// resultOfReplay are the members of the answer.
func resultOfReplay() []*rule.Member {
	return []*rule.Member{
		rule.Text("requested_id", func(r replay) string { return r.Correlation() }),
		rule.Flag("is_of_unused_id", replay.isOfUnusedID),
		rule.Flag("is_limited", func(r replay) bool { return r.Query["limit"] != nil || r.Query["since_sequence"] != nil }),
		rule.Flag("is_result", func(r replay) bool { return r.Arrived() && r.Head != nil }),
		rule.Flag("is_readable", func(r replay) bool { return r.Readable() }),
		rule.Flag("is_part", func(r replay) bool { return r.Cut() }),
		rule.Value("head", func(r replay) any { return r.Head }), // without the events
		rule.Value("correlation_id", func(r replay) any { return r.Head["correlation_id"] }),
		rule.Value("event_count", replay.eventCount),
		rule.Value("known_total", replay.knownTotal),
		rule.Number("size", func(r replay) int { return r.Page }), // of the list of events
		rule.Flag("has_events", func(r replay) bool { return len(r.Events) > 0 }),
		rule.Text("duplicate_id", func(r replay) string { return r.DuplicateID }),
		rule.Text("malformed_event", func(r replay) string { return r.Malformed }),
		rule.Text("foreign_event", replay.foreignEvent),
		rule.Flag("has_sequences", func(r replay) bool { return r.Compared > 0 }), // two neighbours with numbers
		rule.Text("disorder", replay.disorder),
		rule.Text("answer", func(r replay) string { return r.Got() }), // for messages
	}
}

func (j *evidence) allReplays() []replay {
	var all []replay
	for _, r := range j.Replays() {
		all = append(all, replay{r, j})
	}
	return all
}

// replaysAnInvocation reports whether a replay returned a result for the correlation of an invocation that was
// processed.
func (j *evidence) replaysAnInvocation() bool {
	return slices.ContainsFunc(j.Replays(), func(r *history.Replay) bool {
		return r.Arrived() && r.Head != nil &&
			slices.ContainsFunc(j.Thread(r.Correlation()).Attempts, (*history.Attempt).Processed)
	})
}

func (r replay) isOfUnusedID() bool {
	return r.Stimulus == history.UnusedID && len(r.in.Thread(r.Correlation()).Attempts) == 0
}

// eventCount returns the number of events that the result states, null if it is not a whole number.
func (r replay) eventCount() any {
	if _, is := history.WholeNumber(r.Head["event_count"]); !is {
		return nil
	}
	return r.Head["event_count"]
}

// knownTotal returns the greatest number of events that the correlation may have, null if no whole replay came
// shortly before.
func (r replay) knownTotal() any {
	whole := r.in.wholeBefore(r.Replay)
	if whole == nil || whole.Cut() {
		return nil
	}
	most := max(len(whole.Whole()), r.Page)
	for _, other := range r.in.Thread(r.Correlation()).Replays {
		most = max(most, other.Page)
	}
	return most
}

// disorder returns where the sequence of the events does not increase, "" if it does.
func (r replay) disorder() string {
	fall := r.Fall
	if fall == "" && len(r.Pages) > 0 {
		fall, _ = history.Falls(r.Whole())
	}
	return fall
}

// foreignEvent returns an event of another correlation, "" if there is none.
func (r replay) foreignEvent() string {
	t := r.in.Thread(r.Correlation())
	for _, ev := range r.Events {
		if r.in.foreign(t, ev) {
			return ev.Raw
		}
	}
	return ""
}

func (j *evidence) foreign(t *history.Thread, ev *history.Event) bool {
	if slices.ContainsFunc(t.Attempts, func(a *history.Attempt) bool { return a.Owns(ev) }) {
		return false
	}
	b := j.Sent(ev.Invocation)
	if b != nil && (b.CorrelationID() == t.Correlation || ev.Correlation != b.CorrelationID()) {
		return false // the host replaced two ids by one
	}
	return b != nil || ev.Correlation != "" && ev.Correlation != t.Correlation
}
