package judge

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

var replaySentences = []verdict.Sentence[replays]{
	verdict.Say(`each replay returns all evidence of its correlation`, replays.ReplaysShowAll),
	verdict.Say(`each replay contains only events of the requested correlation`, replays.OwnEventsAlone),
	verdict.SayOf(`each replay result has its ([a-z_]+)`, replays.ReplaysHave),
	verdict.Say(`each replay result contains the requested id`, replays.ReplaysOfAsked),
	verdict.Say(`each complete replay states the number of its events`, replays.CountsAreTrue),
	verdict.Say(`each other replay states its own number of events or the total`, replays.LimitedCounts),
	verdict.Say(`the events of each replay are in the order of their sequence`, replays.SequencesRise),
}

// ReplaysHave judges a member of every replay result.
func (j replays) ReplaysHave(name string) verdict.Verdict {
	r, part := &verdict.Verdict{}, member(j.Forms.Replay, name)
	for _, replay := range j.answeredReplays() {
		r.Judged++
		if name == "events" && replay.Malformed != "" {
			r.AddBreach(j.entriesOfReplay(replay), "a replay result: events is not a list of objects", part.Want,
				replay.Malformed+" in it")
			continue
		}
		if what, got, wrong := part.broken(replay.Head); wrong {
			r.AddBreach(j.entriesOfReplay(replay), "a replay result: "+what, part.Want, got+" in "+replay.Got)
		}
	}
	return r.OpenUnlessJudged(noReplay())
}

func noReplay() error {
	return verdict.Undecided("no replay was answered by a result: see CHP-10-01")
}

// answeredReplays returns the replays that returned a result. It returns none if no such replay
// is of an invocation.
func (j replays) answeredReplays() []*history.Replay {
	ours := false
	all := slices.DeleteFunc(j.Replays(), func(r *history.Replay) bool {
		answered := r.Arrived() && r.Head != nil
		ours = ours || answered && j.ofProcessed(r)
		return !answered
	})
	if !ours {
		return nil
	}
	return all
}

// ofProcessed reports whether an invocation with the correlation id of the query was processed.
func (j replays) ofProcessed(r *history.Replay) bool {
	return slices.ContainsFunc(j.Thread(r.Correlation()).Attempts, (*history.Attempt).Processed)
}

// ReplaysOfAsked judges CHP-10-06 beyond the presence of the member: each replay result
// contains the requested id.
func (j replays) ReplaysOfAsked() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, replay := range j.answeredReplays() {
		r.Judged++
		if id, ok := replay.Head["correlation_id"].(string); ok && id != replay.Correlation() {
			r.AddBreach(j.entriesOfReplay(replay), "a replay result has a correlation id other than the requested one",
				printed(replay.Correlation()), printed(id))
		}
	}
	return r.OpenUnlessJudged(noReplay())
}

// CountsAreTrue judges CHP-10-08 for replays that were not limited: each complete replay states
// the number of its events.
func (j replays) CountsAreTrue() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, replay := range j.answeredReplays() {
		n, ok := history.WholeNumber(replay.Head["event_count"])
		if !ok || replay.Query["limit"] != nil || replay.Query["since_sequence"] != nil || !replay.Readable() {
			continue
		}
		r.Judged++
		if !history.CountFits(n, replay.Page, replay.Cut()) {
			r.AddBreach(j.entriesOfReplay(replay), "a replay result states a wrong number of events", fmt.Sprint(replay.Page),
				n.String())
		}
	}
	if len(j.answeredReplays()) == 0 {
		return r.OpenUnlessJudged(noReplay())
	}
	return r.Holds()
}

// LimitedCounts judges CHP-10-08 for all other replays: each states its own number of events or
// the total.
func (j replays) LimitedCounts() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, replay := range j.answeredReplays() {
		n, ok := history.WholeNumber(replay.Head["event_count"])
		whole := j.wholeBefore(replay)
		limited := replay.Query["limit"] != nil || replay.Query["since_sequence"] != nil
		if !ok || !limited || !replay.Readable() || whole == nil || whole.Cut() {
			continue
		}
		r.Judged++
		all := max(len(whole.Whole()), whole.Page, j.most(replay.Correlation()))
		if n.Cmp(big.NewInt(int64(replay.Page))) < 0 || n.Cmp(big.NewInt(int64(max(all, replay.Page)))) > 0 {
			r.AddBreach(j.entriesOfReplay(replay), "a limited replay states neither the number of its events nor that of all",
				fmt.Sprintf("%d or %d", replay.Page, whole.Page), n.String())
		}
	}
	if len(j.answeredReplays()) == 0 {
		return r.OpenUnlessJudged(noReplay())
	}
	return r.Holds()
}

// most returns the greatest number of events in a replay of a correlation.
func (j replays) most(correlation string) int {
	most := 0
	for _, r := range j.Thread(correlation).Replays {
		most = max(most, r.Page)
	}
	return most
}

// SequencesRise judges CHP-10-10: the events of each replay are in the order of their sequence.
func (j replays) SequencesRise() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, replay := range j.Replays() {
		r.Judged += replay.Compared
		fall := replay.Fall
		if fall == "" && len(replay.Pages) > 0 {
			fall, _ = history.Falls(replay.Whole())
		}
		if fall != "" {
			r.AddBreach(j.entriesOfReplay(replay), "the sequence of the replayed events does not increase",
				"each sequence greater than the one before it",
				fall)
		}
	}
	return r.OpenUnlessJudged(verdict.Undecided("no replay contains two events with a numeric sequence: see CHP-6-09"))
}

// OwnEventsAlone judges CHP-10-02: each replay contains only events of the requested
// correlation.
func (j replays) OwnEventsAlone() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, replay := range j.Replays() {
		thread := j.Thread(replay.Correlation())
		if len(thread.Attempts) == 0 && len(replay.Events) > 0 && replay.Stimulus == history.UnusedID {
			r.AddBreach(j.entriesOfReplay(replay), "a replay of an unused id contains events", "no events, or an error",
				replay.Got)
			continue
		}
		for _, ev := range replay.Events {
			r.Judged++
			if j.foreign(thread, ev) {
				r.AddBreach(j.entriesOfReplay(replay), "a replay contains an event of another correlation",
					"only events of "+thread.Correlation, jsonvalue.Clip(ev.Raw))
				break
			}
		}
	}
	return r.OpenUnlessJudged(noEvidence())
}

func (j replays) foreign(t *history.Thread, ev *history.Event) bool {
	if slices.ContainsFunc(t.Attempts, func(a *history.Attempt) bool { return a.Owns(ev) }) {
		return false
	}
	b := j.Sent(ev.Invocation)
	if b != nil && (b.CorrelationID() == t.Correlation || ev.Correlation != b.CorrelationID()) {
		return false // the host replaced two ids by one: CHP-7-01 and CHP-7-05
	}
	return b != nil || ev.Correlation != "" && ev.Correlation != t.Correlation
}

// ReplaysShowAll judges CHP-10-01: the id alone is a complete query.
func (j replays) ReplaysShowAll() verdict.Verdict {
	r := &verdict.Verdict{}
	var these []*history.Attempt
	for _, a := range j.Attempts() {
		e := j.Evidence(a)
		if !a.Processed() || e.LastReplay == nil || a.CorrelationID() == "" {
			continue
		}
		these = append(these, a)
		switch {
		case e.LastReplay.Lost != nil:
			if j.ClosedInsteadOfAnswer(&e.LastReplay.Call) && (!a.HasUncommonID() || j.usuallyShown(a)) {
				r.AddBreach(j.entriesOfAttempt(a), "the host closes the connection instead of returning a replay",
					"a ReplayResult for "+a.CorrelationID(), e.LastReplay.Got)
			}
		case !e.LastReplay.Arrived() || e.LastReplay.Head == nil: // CHP-10-07 judges a result without a list of events
			if !a.HasUncommonID() || j.usuallyShown(a) {
				r.AddBreach(j.entriesOfAttempt(a), "a replay by correlation id returns no evidence",
					"a ReplayResult for "+a.CorrelationID(), e.LastReplay.Got)
			}
		case e.LastReplay.Broken == nil:
			j.judgeFound(r, a, e)
		}
	}
	j.goneAgain(r)
	j.leftOut(r)
	if err := j.reason(these, history.Shared); err != nil {
		r.Open = err
	}
	return r.OpenUnlessJudged(verdict.Undecided("no invocation left evidence: see CHP-6-01"))
}

// judgeFound judges invocations under unusual or shared ids.
func (j replays) judgeFound(r *verdict.Verdict, a *history.Attempt, e *history.Evidence) {
	if len(e.PossiblyOwn) > 0 && (len(e.Events) > 0 || a.Stimulus != history.Shared) {
		r.Judged++
		return
	}
	kept := a.ResultCorrelation() == "" || a.ResultCorrelation() == a.Supplied || !j.keptUsually(a)
	refusable := a.Outcome() != history.Success && !succeededWithForm(j.Attempts(), a)
	if !a.HasUncommonID() || a.Supplied == "" || !kept || refusable || !j.usuallyShown(a) {
		return // CHP-6-01, CHP-7-02 and CHP-7-05 judge that
	}
	if j.mayBeDiscarded(a, e.LastReplay) {
		return
	}
	r.Judged++
	message := "a replay does not find the evidence of " + a.Kind
	if len(e.LastReplay.Events) > 0 {
		message = "a replay omits an invocation of its correlation"
	}
	r.AddBreach(j.entriesOfAttempt(a), message, "the events of the invocation "+a.ID+" in a replay of "+a.Supplied,
		fmt.Sprintf("%d events, none of that invocation", len(e.LastReplay.Whole())))
}

// final returns the plain replays of a thread that are not followed by another poll.
func final(t *history.Thread) []*history.Replay {
	return slices.DeleteFunc(slices.Clone(t.Replays), func(r *history.Replay) bool {
		return !r.Plain() || r.Polled ||
			!r.Readable()
	})
}

// goneAgain finds an invocation that an earlier replay showed and a later one omits, with only
// invocations of the same correlation in between. CHP-6-16 judges evidence that other
// invocations displace.
func (j replays) goneAgain(r *verdict.Verdict) {
	for _, t := range j.Threads() {
		looks := final(t)
		for _, a := range t.Attempts {
			var before *history.Replay
			for _, later := range looks {
				switch {
				case later.Entry < a.Done:
				case later.Shows(a):
					before = later
				case before != nil && !j.othersBetween(t, before, later) && !j.mayBeDiscarded(a, later):
					j.absent(r, a, later)
				}
			}
		}
	}
}

func (j replays) absent(r *verdict.Verdict, a *history.Attempt, in *history.Replay) {
	const message = "a repeated replay omits its invocation"
	entries, want := append(j.entriesOfReplay(in), a.Entry), "the events of "+a.ID
	if in.About[history.AboutAfter] == history.AfterWait || in.About[history.AboutStep] == history.StepAfter {
		r.AddBreach(entries, message, want, in.Got)
		return
	}
	switch again, asked := j.again(in); {
	case !asked:
		r.AddDoubt(verdict.Settle{Stimulus: history.ReplayAgain, Of: in.Entry}, entries, message, want, in.Got)
	case !again.Shows(a):
		r.AddBreach(entries, message, want, in.Got)
	}
}

// leftOut finds an event that a replay with more query members shows and the next plain replay
// omits.
func (j replays) leftOut(r *verdict.Verdict) {
	for _, t := range j.Threads() {
		for i, part := range t.Replays {
			if part.Plain() || !part.Readable() {
				continue
			}
			after := slices.IndexFunc(t.Replays[i:], func(w *history.Replay) bool {
				return w.Plain() && !w.Polled && w.Readable() && w.Entry > part.Done && !w.Cut()
			})
			if after < 0 || !j.FollowsClosely(part.Done, t.Replays[i+after].Entry) {
				continue
			}
			whole := t.Replays[i+after]
			for _, ev := range part.Events {
				owned := slices.ContainsFunc(t.Attempts, func(a *history.Attempt) bool { return a.Processed() && a.Owns(ev) })
				if owned && ev.ID != "" && !whole.ShowsAt(ev) && !shownBefore(t, part, ev.ID) {
					r.AddBreach(j.entriesOfReplay(whole), "a replay omits an event that a replay with more query members contains",
						"the event "+ev.ID,
						fmt.Sprintf("%d other events", whole.Page))
					break
				}
			}
		}
	}
}

// shownBefore reports whether a plain replay showed an event before: CHP-6-16 judges an event
// that disappears.
func shownBefore(t *history.Thread, part *history.Replay, id string) bool {
	return slices.ContainsFunc(t.Replays,
		func(r *history.Replay) bool { return r.Plain() && r.Done < part.Entry && r.Holds(id) })
}
