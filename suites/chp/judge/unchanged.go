package judge

import (
	"fmt"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

var unchangedSentences = []verdict.Sentence[replays]{
	verdict.Say(`each later replay contains the events of an earlier one, unchanged`, replays.Unchanged),
}

// stored returns the members of an event that the text defines. A member that a host adds to
// each answer, such as the age of the event, is not stored.
func (j replays) stored(ev *history.Event) history.Object {
	known, members := history.Object{}, ev.Members()
	for _, p := range j.Forms.Event.Parts {
		known[p.Member] = members[p.Member]
	}
	for _, name := range []string{"outcome", "error", "denial"} {
		known[name] = members[name]
	}
	return known
}

// Unchanged judges CHP-6-16: an event that a replay showed is in a later replay of the same
// query, unchanged.
func (j replays) Unchanged() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, t := range j.Threads() {
		byQuery := map[string][]*history.Replay{}
		for _, replay := range t.Replays {
			if replay.Readable() {
				key := string(jsonvalue.Encode(replay.Query))
				byQuery[key] = append(byQuery[key], replay)
			}
		}
		for _, same := range byQuery {
			j.unchanged(r, t, same)
		}
	}
	if r.Judged == 0 {
		if err := j.reason(j.Of(history.Later), history.Later); err != nil {
			return r.OpenUnlessJudged(err)
		}
	}
	return r.OpenUnlessJudged(noEvidence())
}

// unchanged compares each replay with the one before it that showed an event.
func (j replays) unchanged(r *verdict.Verdict, t *history.Thread, all []*history.Replay) {
	first := map[string]*history.Event{}
	last := map[string]*history.Replay{}
	for _, replay := range all {
		here := map[string]bool{}
		for _, ev := range replay.Whole() {
			if ev.ID == "" || here[ev.ID] {
				continue
			}
			here[ev.ID] = true
			before := first[ev.ID]
			if before == nil {
				first[ev.ID] = ev
			} else if before != ev && before.Known() && ev.Known() {
				r.Judged++
				if !jsonvalue.Equal(j.stored(before), j.stored(ev)) {
					r.AddBreach(append(j.entries(j.shown(replay, ev)), last[ev.ID].Entry), "an event changes in a later replay",
						jsonvalue.Clip(before.Raw), jsonvalue.Clip(ev.Raw))
				}
			} else {
				r.Judged++
			}
			last[ev.ID] = replay
		}
		if replay.Unfiltered() && !replay.Polled {
			j.gone(r, t, replay, first, last, here)
		}
	}
}

// gone finds events that a replay lacks, although an earlier replay showed them shortly before.
func (j replays) gone(r *verdict.Verdict, t *history.Thread, in *history.Replay, first map[string]*history.Event,
	last map[string]*history.Replay, here map[string]bool) {
	for id, before := range last {
		if here[id] || !j.FollowsClosely(before.Done, in.Entry) || !first[id].Known() {
			continue
		}
		owner := j.Sent(first[id].Invocation)
		if owner != nil && (!in.Shows(owner) && !j.othersBetween(t, before, in) || j.mayBeDiscarded(owner, in)) {
			continue // CHP-10-01 judges it, or the host discarded it
		}
		entries, want := append(j.entries(j.shown(in, first[id])), before.Entry), "the event "+id
		got := fmt.Sprintf("%d events, none of that id", in.Page)
		const message = "a later replay omits an event"
		if in.About[history.AboutAfter] == history.AfterWait || in.About[history.AboutStep] == history.StepAfter {
			r.AddBreach(entries, message, want, got)
			return
		}
		switch again, asked := j.again(in); {
		case !asked:
			r.AddDoubt(verdict.Settle{Stimulus: history.ReplayAgain, Of: in.Entry}, entries, message, want, got)
		case !again.Holds(id):
			r.AddBreach(entries, message, want, got)
		}
		return
	}
}
