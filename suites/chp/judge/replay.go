package judge

import (
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/verdict"
)

var replaySentences = []verdict.Sentence[replays]{
	verdict.Say(`each replay returns all evidence of its correlation`, replays.ReplaysShowAll),
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
