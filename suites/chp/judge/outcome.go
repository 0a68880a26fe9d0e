package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

var outcomeSentences = []verdict.Sentence[outcomes]{
	verdict.Say(`each outcome is defined by the text`, outcomes.OutcomesKnown),
	verdict.Say(`success is true only with the outcome success`, outcomes.SuccessMeansSuccess),
	verdict.Say(`success is a boolean and true with the outcome success`, outcomes.SuccessIsSaid),
	verdict.Say(`each success returns the data of its handler`, outcomes.ValueComesBack),
	verdict.Say(`each failed execution has the outcome failure`, outcomes.FailureIsFailure),
	verdict.Say(`the host continues to serve after a failure`, outcomes.ServesAfterFailures),
	verdict.Say(`no skipped invocation was executed`, outcomes.NotExecuted),
	verdict.SayOfThree(`each outcome ([a-z]+) emits (\w+) and then (\w+)`, outcomes.LeavesInOrder),
	verdict.SayOfTwo(`each outcome ([a-z]+) emits (\w+)`, outcomes.Leaves),
	verdict.Say(`each result agrees with its events, which end once`, outcomes.OutcomeMatchesEvidence),
}

// hasOutcome reports whether the outcome is defined by the text or by the newer one.
func hasOutcome(a *history.Attempt) bool {
	known := []any{history.Success, history.Failure, history.Denied, history.Skipped, history.Indeterminate}
	return slices.Contains(known, a.Result["outcome"])
}

// OutcomesKnown judges CHP-8-01: each outcome is defined by the text.
func (j outcomes) OutcomesKnown() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, a := range j.results() {
		if !hasOutcome(a) {
			r.AddBreach(j.entriesOfAttempt(a), "the text does not define the outcome of a result",
				"success, failure, denied or skipped",
				printed(a.Result["outcome"]))
		}
	}
	return j.ofResults(r)
}

// SuccessMeansSuccess judges CHP-8-02: success is true only with the outcome success. CHP-8-03 judges whether
// the member is present and a boolean.
func (j outcomes) SuccessMeansSuccess() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, a := range j.results() {
		if hasOutcome(a) && a.Outcome() != history.Success && saysTrue(a.Result["success"]) {
			r.AddBreach(j.entriesOfAttempt(a), "a result has success true with another outcome",
				"success false with the outcome "+a.Outcome(),
				printed(a.Result))
		}
	}
	return j.ofResults(r)
}

// saysTrue accepts the spellings of true that occur in practice.
func saysTrue(v any) bool {
	return slices.Contains([]string{"true", "yes", "1", "success"}, strings.ToLower(fmt.Sprint(v)))
}

// SuccessIsSaid judges CHP-8-03: success is a boolean and true with the outcome success.
func (j outcomes) SuccessIsSaid() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, a := range j.results() {
		if _, is := a.Result["success"].(bool); !is {
			r.AddBreach(j.entriesOfAttempt(a), "a result: success is not a boolean", "success, a boolean",
				printed(a.Result["success"])+" in "+printed(a.Result))
		} else if a.Outcome() == history.Success && a.Result["success"] == false {
			r.AddBreach(j.entriesOfAttempt(a), "a result with the outcome success has success false", "success true",
				printed(a.Result))
		}
	}
	return j.ofResults(r)
}

// ended returns the attempts with an outcome whose evidence could be read.
func (j outcomes) ended(outcome string) ([]*history.Attempt, error) {
	attempts := slices.DeleteFunc(j.Attempts(), func(a *history.Attempt) bool {
		return a.Outcome() != outcome ||
			!j.Evidence(a).IsComplete()
	})
	if len(attempts) > 0 {
		return attempts, nil
	}
	if err := j.lost(j.Attempts()); err != nil {
		return nil, err
	}
	denied := slices.ContainsFunc(j.inRole("disabled"),
		func(a *history.Attempt) bool { return a.Outcome() == history.Denied })
	switch missing := j.Missing("with", "disabled"); {
	case outcome == history.Skipped && missing != nil:
		return nil, missing
	case outcome == history.Skipped && denied:
		return nil, verdict.NotObserved("a skip, since the host denies what is disabled")
	case outcome == history.Failure:
		return nil, j.notShown("fails", "no invocation failed")
	}
	return nil, verdict.Undecided("no invocation had the outcome %s and left evidence that a replay shows", outcome)
}

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

func firstOf(events []*history.Event, kind string) int {
	return slices.IndexFunc(events, func(ev *history.Event) bool { return ev.Kind == kind })
}

func lastOf(events []*history.Event, kind string) int {
	last := -1
	for i, ev := range events {
		if ev.Kind == kind {
			last = i
		}
	}
	return last
}

// LeavesInOrder judges CHP-8-08 and CHP-8-09: each invocation with an outcome emits one event and then
// another.
func (j outcomes) LeavesInOrder(outcome, first, second string) verdict.Verdict {
	r := &verdict.Verdict{}
	attempts, why := j.ended(outcome)
	for _, a := range attempts {
		r.Judged++
		e := j.Evidence(a)
		events, want := e.InOrder(), first+" and then "+second
		switch start := firstOf(events, first); {
		case start < 0 && (j.unnamed(a, first) || j.mayBeDiscarded(a, e.LastReplay)), start >= 0 &&
			firstOf(events, second) < 0 && j.unnamed(a, second):
		case start < 0:
			r.AddBreach(j.entriesOfAttempt(a), "the outcome "+outcome+" emits no "+first, want, kindsOf(e.Events))
		case firstOf(events, second) < 0:
			r.AddBreach(j.entriesOfAttempt(a), "the outcome "+outcome+" emits no "+second, want, kindsOf(e.Events))
		case lastOf(events, second) < start:
			r.AddBreach(j.entriesOfAttempt(a), second+" comes before "+first, want, kindsOf(events))
		}
	}
	return r.OpenUnlessJudged(why)
}

// Leaves judges CHP-8-10 and CHP-8-11: each invocation with an outcome emits an event.
func (j outcomes) Leaves(outcome, kind string) verdict.Verdict {
	r := &verdict.Verdict{}
	attempts, why := j.ended(outcome)
	for _, a := range attempts {
		r.Judged++
		if e := j.Evidence(a); !e.Has(kind) && !j.unnamed(a, kind) {
			r.AddBreach(j.entriesOfAttempt(a), "the outcome "+outcome+" emits no "+kind, kind+" in the evidence of "+a.Kind,
				kindsOf(e.Events))
		}
	}
	return r.OpenUnlessJudged(why)
}

// unnamed reports whether an event that lacks its type or the id of its invocation may be the event of this
// type. CHP-6-04 and CHP-6-05 judge such an event.
func (j outcomes) unnamed(a *history.Attempt, kind string) bool {
	return slices.ContainsFunc(j.Evidence(a).LastReplay.Whole(), func(ev *history.Event) bool {
		return ev.Kind == "" && (a.Owns(ev) || ev.Invocation == "") || ev.Kind == kind && ev.Invocation == ""
	})
}

// NotExecuted judges CHP-8-07: no event shows that an execution began or ended.
func (j outcomes) NotExecuted() verdict.Verdict {
	r := &verdict.Verdict{}
	attempts, why := j.ended(history.Skipped)
	for _, a := range attempts {
		r.Judged++
		e := j.Evidence(a)
		for _, kind := range []string{history.EventStarted, history.EventCompleted, history.EventFailed} {
			if e.Has(kind) {
				r.AddBreach(j.entriesOfAttempt(a), "a skipped invocation was executed", "no "+kind, kindsOf(e.Events))
				break
			}
		}
		if a.Result["data"] != nil {
			r.AddBreach(j.entriesOfAttempt(a), "a skipped invocation has data", "no data", printed(a.Result["data"]))
		}
	}
	return r.OpenUnlessJudged(why)
}

// OutcomeMatchesEvidence judges CHP-8-13: each result agrees with its events, which end once. It judges
// invocations that have the events that their outcome requires; other requirements judge a missing event.
func (j outcomes) OutcomeMatchesEvidence() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, a := range j.Attempts() {
		end, known := history.EventOfOutcome[a.Outcome()]
		if e := j.Evidence(a); known && e.IsComplete() && e.Has(end) && !a.Resent {
			r.Judged++
			j.matchesEvidence(r, a, end)
		}
	}
	return r.OpenUnlessJudged(verdict.Undecided("no invocation left the evidence that its outcome demands"))
}

func (j outcomes) matchesEvidence(r *verdict.Verdict, a *history.Attempt, end string) {
	open, last := false, ""
	events := j.Evidence(a).InOrder()
	for _, ev := range events {
		_, closes := history.OutcomeOfEvent[ev.Kind]
		switch {
		case ev.Kind == history.EventStarted:
			open = true
		case closes && last != "" && !open:
			r.AddBreach(j.entriesOfAttempt(a), "an invocation ends twice", "one closing event, or a new start between two",
				kindsOf(events))
			return
		case closes:
			open, last = false, ev.Kind
		}
		if said, _ := ev.Members()["outcome"].(string); history.Contradicts(ev.Kind, said) {
			r.AddBreach(j.entriesOfAttempt(a), "the outcome in a closing event contradicts its type",
				history.OutcomeOfEvent[ev.Kind]+" in "+ev.Kind, said)
			return
		}
	}
	starts := lastOf(events, history.EventStarted)
	executed := a.Outcome() == history.Success || a.Outcome() == history.Failure
	switch {
	case last != end:
		r.AddBreach(j.entriesOfAttempt(a), "the last closing event contradicts the result",
			end+" for the outcome "+a.Outcome(),
			kindsOf(events))
	case open && starts > lastOf(events, last) && executed && j.Evidence(a).Count(history.EventStarted) > 1:
		r.AddBreach(j.entriesOfAttempt(a), "an execution starts after the end and nothing closes it",
			end+" as the last of them",
			kindsOf(events))
	}
}

// ValueComesBack judges CHP-8-04: each success returns the data of its handler. It judges the capability that
// is known to return its input, and others as far as they returned data.
func (j outcomes) ValueComesBack() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, a := range j.Attempts() {
		echo := a.Role() == "echo" && a.About[history.AboutBreaks] == ""
		if a.Outcome() != history.Success || a.Result["data"] == nil && !echo {
			continue
		}
		if a.MatchesEnvelope() {
			r.Judged++
		}
		sent, _ := schemas.ReadObject(jsonvalue.Encode(a.Payload))["value"].(string)
		if echo && sent != "" && !history.Contains(a.Result["data"], sent) {
			r.AddBreach(j.entriesOfAttempt(a), "a success does not return the data of its handler",
				jsonvalue.Clip(sent)+" somewhere in data",
				printed(a.Result["data"]))
		}
	}
	if err := j.lost(j.inRole("echo")); err != nil {
		r.Open = err
	}
	if r.Judged == 0 {
		return r.OpenUnlessJudged(j.notShown("echo", "no success contains data"))
	}
	return *r
}

// ServesAfterFailures judges a part of CHP-8-05: an invocation that succeeded before a failure succeeds after
// it.
func (j outcomes) ServesAfterFailures() verdict.Verdict {
	r := &verdict.Verdict{}
	var failed, last *history.Attempt
	for _, a := range j.Attempts() {
		switch {
		case a.Stimulus == history.NoEnvelope:
		case failed == nil && a.Outcome() == history.Failure:
			failed = a
		case failed != nil && a.Entry > failed.Done && a.Outcome() == history.Success:
			return r.Holds()
		case failed != nil && a.Entry > failed.Done && !a.DeniedOrSkipped() && a.Outcome() != history.Failure:
			last = a
		}
	}
	if last != nil && j.SomeSuccess().Judged > 0 && (last.Lost == nil || j.ClosedInsteadOfAnswer(&last.Call)) {
		r.AddBreach([]record.Tick{last.Entry, failed.Entry}, "the host no longer serves",
			"the successes that it returned before",
			last.Got)
	}
	return r.Holds()
}

// FailureIsFailure judges CHP-8-05: each failed execution has the outcome failure. It judges the capability
// that is known to fail, otherwise every failure.
func (j outcomes) FailureIsFailure() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, a := range j.Attempts() {
		if a.Outcome() == history.Failure && a.MatchesEnvelope() {
			r.Judged++
		}
		other := a.Outcome() != history.Failure && a.Outcome() != history.Indeterminate && !a.DeniedOrSkipped()
		judged := !a.HasUncommonID() || a.Outcome() == history.Success // an unusual id may be refused
		if a.Role() == "fails" && judged && j.answered(a) && other {
			r.AddBreach(j.entriesOfAttempt(a), a.Kind+" does not have the outcome failure",
				"an InvocationResult with the outcome failure",
				hidden(a))
		}
	}
	if r.Judged > 0 {
		return *r
	}
	if err := j.lost(j.inRole("fails")); err != nil {
		return r.OpenUnlessJudged(err)
	}
	if missing := j.Missing("with", "fails"); missing != nil {
		return r.OpenUnlessJudged(missing)
	}
	return r.OpenUnlessJudged(j.notShown("fails", "no execution failed"))
}
