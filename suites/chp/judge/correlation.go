package judge

import (
	"maps"
	"slices"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

var correlationSentences = []verdict.Sentence[correlations]{
	verdict.Say(`the result and the events contain the correlation id of the caller`, correlations.CorrelationKept),
	verdict.Say(`each result contains the correlation context`, correlations.ResultsHaveContext),
	verdict.Say(`the host generates a missing id and returns it in the result and the evidence`, correlations.CorrelationMade),
	verdict.Say(`the host generates a different id for each invocation`, correlations.MadeIDsDiffer),
	verdict.Say(`the host returns each unusual or shared id as it was sent, or openly refuses it`, correlations.NoneReplaced),
	verdict.Say(`the host accepts each form of a missing id`, correlations.FormsAccepted),
	verdict.Say(`the host returns the other members of each context`, correlations.ContextKept),
	verdict.Say(`the host uses no empty id`, correlations.NoEmptyID),
}

// succeededWithForm reports whether an invocation with the same form of correlation succeeded. A denial of
// another one then has another reason.
func succeededWithForm(all []*history.Attempt, a *history.Attempt) bool {
	return slices.ContainsFunc(all, func(b *history.Attempt) bool {
		return b.Stimulus == a.Stimulus && b.Form() == a.Form() && b.Outcome() == history.Success
	})
}

func sameKindAndOutcome(a, b *history.Attempt) bool {
	same := b.Capability == a.Capability ||
		a.About[history.AboutEnding] == history.Unknown && b.Stimulus == history.Unknown
	return same && b.Outcome() == a.Outcome()
}

// CorrelationKept judges CHP-7-01: the result and the events contain the correlation id of the
// caller. CHP-7-04 and CHP-7-03 judge a result or an event without any context, and CHP-7-05
// judges an unusual id.
func (j correlations) CorrelationKept() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, a := range j.Attempts() {
		if a.Supplied == "" || a.Result == nil || a.HasUncommonID() || j.usedBefore(a) {
			continue
		}
		r.Judged++
		if got := a.ResultCorrelation(); got != "" && got != a.Supplied {
			r.AddBreach(j.entriesOfAttempt(a), "a result has a correlation id other than the caller's", a.Supplied, got)
		}
		for _, ev := range j.Evidence(a).Shown {
			if ev.JudgedAsCore() && ev.Correlation != "" && ev.Correlation != a.Supplied {
				r.AddBreach(j.entriesOfAttempt(a), "an event has a correlation id other than the caller's", a.Supplied,
					ev.Correlation)
			}
		}
	}
	return r.OpenUnlessJudged(verdict.Undecided("no invocation was answered by a result: see CHP-5-01"))
}

// ResultsHaveContext judges CHP-7-04: each result contains the correlation context. CHP-7-02
// judges the ids that the host makes.
func (j correlations) ResultsHaveContext() verdict.Verdict {
	r, part := &verdict.Verdict{}, member(j.Forms.Result, "correlation")
	for _, a := range j.Attempts() {
		if !a.IsResult() || a.Supplied == "" {
			continue
		}
		r.Judged++
		context, _ := a.Result["correlation"].(history.Object)
		if other := context["correlation_id"]; a.HasUncommonID() && other != nil && other != "" {
			continue // CHP-7-05 judges that
		}
		if what, got, wrong := part.broken(a.Result); wrong {
			r.AddBreach(j.entriesOfAttempt(a), "the result of "+a.Kind+": "+what, part.Want, got+" in "+printed(a.Result))
		}
	}
	return r.OpenUnlessJudged(verdict.Undecided("no invocation was answered by a result: see CHP-5-01"))
}

// CorrelationMade judges CHP-7-02. The host must accept at least one form of a missing id. For
// each form that it accepts, the result must contain an id, and a replay of that id must find
// the events.
func (j correlations) CorrelationMade() verdict.Verdict {
	r := &verdict.Verdict{}
	all := j.withForm(history.NoCorrelation)
	for _, a := range all {
		if !a.Processed() || !succeededWithForm(all, a) {
			continue
		}
		r.Judged++
		made, e := a.ResultCorrelation(), j.Evidence(a)
		if made == "" {
			r.AddBreach(j.entriesOfAttempt(a), "the host generates no correlation id for "+a.Kind,
				"a correlation id in the result",
				printed(a.Result["correlation"]))
			continue
		}
		if e.LastReplay != nil && e.LastReplay.Arrived() && len(e.Events) == 0 && j.usuallyShown(a) {
			r.AddBreach(j.entriesOfAttempt(a), "the generated correlation id is not that of the evidence",
				"the events of the invocation in a replay of "+made, e.LastReplay.Got)
		}
		for _, ev := range e.Shown {
			if ev.Correlation != "" && ev.Correlation != made {
				r.AddBreach(j.entriesOfAttempt(a), "the generated correlation id is not that of the evidence", made, ev.Correlation)
				break
			}
		}
	}
	if r.Judged == 0 && len(all) > 0 && j.lost(all) == nil {
		const message = "the host accepts no invocation without a correlation id"
		if all[0].DeniedOrSkipped() && all[0].ResultCorrelation() != "" { // the id was made, so it is not missed
			return r.OpenUnlessJudged(ruledOut(message, all[0]))
		}
		j.judgeRefused(r, all[0], message)
	}
	return r.OpenUnlessJudged(j.reason(all, history.NoCorrelation))
}

// judgeRefused reports an invocation that is refused, if it is refused again when it is repeated: a
// capability that works before and after it may have been unavailable for that call.
func (j correlations) judgeRefused(r *verdict.Verdict, a *history.Attempt, message string) {
	const want = "a result with an id that the host generated"
	asked := false
	for _, again := range j.Of(history.Again) {
		if again.Confirms(a.Entry) {
			asked = true
			if again.Outcome() == history.Success {
				r.Judged++
				return
			}
		}
	}
	if asked {
		r.AddBreach(j.entriesOfAttempt(a), message, want, a.Got)
		return
	}
	r.AddDoubt(verdict.Settle{Stimulus: history.Again, Of: a.Entry}, j.entriesOfAttempt(a), message, want, a.Got)
}

// withForm returns the attempts of a stimulus whose correlation has a special form. It omits
// the attempts that only test whether a capability serves.
func (j correlations) withForm(stimulus string) []*history.Attempt {
	return slices.DeleteFunc(j.Of(stimulus), func(a *history.Attempt) bool { return a.Form() == "" })
}

// FormsAccepted only advises: the text does not define when an id is missing.
func (j correlations) FormsAccepted() verdict.Verdict {
	r := &verdict.Verdict{}
	all := j.withForm(history.NoCorrelation)
	for _, a := range all {
		made := a.DeniedOrSkipped() && a.ResultCorrelation() != "" // a denial for another reason
		if j.descriptor(a) == nil || a.About[history.AboutEnding] != "" || a.Lost != nil || made {
			continue
		}
		if succeededWithForm(all, a) {
			r.Judged++
			continue
		}
		j.judgeRefused(r, a, "the host does not accept "+a.Kind)
	}
	return r.OpenUnlessJudged(j.reason(all, history.NoCorrelation))
}

// MadeIDsDiffer judges a part of CHP-7-02: the host makes a different id for each invocation.
func (j correlations) MadeIDsDiffer() verdict.Verdict {
	r := &verdict.Verdict{}
	seen := map[string]*history.Attempt{}
	for _, a := range j.Attempts() {
		id := a.ResultCorrelation()
		if a.Supplied != "" || id == "" {
			continue
		}
		if before := seen[id]; before != nil {
			r.AddBreach([]record.Tick{a.Entry, before.Entry}, "two invocations get the same generated correlation id",
				"a different id for each", id+" twice")
		}
		seen[id] = a
	}
	return r.Holds()
}

// NoneReplaced judges CHP-7-05: the host returns each unusual or shared id as it was sent, or
// openly refuses it. Only a silent replacement is a violation; a refusal of an unusual id
// passes.
func (j correlations) NoneReplaced() verdict.Verdict {
	r := &verdict.Verdict{}
	all := j.Attempts()
	var these []*history.Attempt
	for _, a := range all {
		if a.Supplied == "" || !a.HasUncommonID() {
			continue
		}
		these = append(these, a)
		refusable := a.Outcome() != history.Success && !succeededWithForm(all, a) // the reason of a denial may be the id
		if !a.Processed() || refusable {
			continue
		}
		r.Judged++
		if !j.keptUsually(a) {
			continue // CHP-7-01 judges that
		}
		context, _ := a.Result["correlation"].(history.Object)
		if got := context["correlation_id"]; got != nil && got != "" && got != a.Supplied {
			r.AddBreach(j.entriesOfAttempt(a), "the correlation id of "+a.Kind+" is replaced without notice", a.Supplied,
				printed(got))
		}
		for _, ev := range j.Evidence(a).Shown {
			if ev.JudgedAsCore() && ev.Correlation != "" && ev.Correlation != a.Supplied {
				r.AddBreach(j.entriesOfAttempt(a), "the correlation id of "+a.Kind+" is replaced in the evidence", a.Supplied,
					ev.Correlation)
			}
		}
	}
	if err := j.reason(these, history.Unusual); err != nil {
		r.Open = err
	}
	return r.OpenUnlessJudged(verdict.Undecided("no such invocation succeeded"))
}

// ContextKept judges CHP-7-06: the host returns the other members of each context.
func (j correlations) ContextKept() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, a := range j.Attempts() {
		sent, _ := a.Correlation.(history.Object)
		if a.Outcome() != history.Success || len(sent) < 2 {
			continue
		}
		contexts := map[string]history.Object{}
		contexts["the result"], _ = a.Result["correlation"].(history.Object)
		for _, ev := range j.Evidence(a).Shown {
			contexts["the event "+ev.Kind], _ = ev.Members()["correlation"].(history.Object)
		}
		for _, where := range slices.Sorted(maps.Keys(contexts)) {
			for _, name := range slices.Sorted(maps.Keys(sent)) {
				if got := contexts[where][name]; contexts[where] != nil && !jsonvalue.Equal(got, sent[name]) {
					r.AddBreach(j.entriesOfAttempt(a), "the member "+name+" of the correlation context is lost", printed(sent[name]),
						printed(got)+" in "+where)
				}
			}
		}
	}
	return r.Holds()
}

// NoEmptyID judges CHP-7-07: the host uses no empty id. CHP-7-02 judges a host that makes no
// ids at all.
func (j correlations) NoEmptyID() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, a := range j.Of(history.NoCorrelation) {
		whole := a.Form() == history.FormAbsent || a.Form() == history.FormEmpty
		if whole && a.Outcome() == history.Success && a.ResultCorrelation() == "" {
			return r.OpenUnlessJudged(verdict.Undecided("the host generates no correlation id if none is supplied: see CHP-7-02"))
		}
	}
	all := j.withForm(history.EmptyID)
	for _, a := range all {
		r.Judged++
		if a.Outcome() == history.Success && a.ResultCorrelation() == "" {
			r.AddBreach(j.entriesOfAttempt(a), "an empty correlation id is used", "an id that the host generated, or a refusal",
				printed(a.Result["correlation"]))
		}
	}
	if err := j.reason(all, history.EmptyID); err != nil {
		r.Open = err
	}
	return *r
}
