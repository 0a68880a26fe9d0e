package judge

import (
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

var denialSentences = []verdict.Sentence[denials]{
	verdict.Say(`each rejection at the boundary has the outcome denied`, denials.RejectionIsDenial),
	verdict.Say(`each failure contains an error and each denial a denial record`, denials.ErrorsAndDenials),
	verdict.Say(`each invocation of an unknown capability is denied`, denials.UnknownDenied),
	verdict.Say(`each invocation in an unlisted mode is denied`, denials.ModeDenied),
	verdict.Say(`each invocation of a disabled capability is skipped or denied`, denials.SkippedOrDenied),
	verdict.Say(`each invocation without the entitlement is denied`, denials.EntitlementDenied),
	verdict.Say(`each denied result contains a denial record`, denials.DenialRecords),
	verdict.SayOf(`each denial record has its ([a-z_]+)`, denials.DenialsHave),
	verdict.Say(`each denial record that names an invariant names it by its id`,
		func(j denials) verdict.Verdict { return j.DenialsHave("invariant_id") }),
	verdict.Say(`the same denial has the same code`, denials.CodesStable),
}

const wantDenied = "an InvocationResult with the outcome denied"

// RejectionIsDenial judges CHP-8-06: each rejection at the boundary has the outcome denied. It
// judges the capability that is known to refuse a payload, otherwise everything that the host
// rejected.
func (j denials) RejectionIsDenial() verdict.Verdict {
	r := &verdict.Verdict{}
	skipped := false
	for _, a := range j.Attempts() {
		if a.Outcome() == history.Denied && a.MatchesEnvelope() {
			r.Judged++
		}
		if a.Role() != "guarded" || a.Stimulus != history.InRole || !j.answered(a) || a.Outcome() == history.Denied ||
			a.Outcome() == history.Indeterminate {
			continue
		}
		if a.Outcome() == history.Skipped {
			works, asked := j.guardedWorks(a)
			if !asked {
				r.AddDoubt(verdict.Settle{Stimulus: history.ValidForRole, Of: a.Entry}, j.entriesOfAttempt(a),
					a.Kind+" does not have the outcome denied", wantDenied, hidden(a))
			}
			if !works {
				skipped = true
				continue
			}
		}
		r.AddBreach(j.entriesOfAttempt(a), a.Kind+" does not have the outcome denied", wantDenied, hidden(a))
	}
	if err := j.lost(j.inRole("guarded")); err != nil {
		r.Open = err
	}
	switch {
	case skipped:
		r.Open = j.notShown("guarded", "the capability that refuses a payload is skipped")
	case r.Judged == 0:
		return r.OpenUnlessJudged(j.notShown("guarded", "no invocation was denied"))
	}
	return *r
}

// guardedWorks reports whether the capability accepts a payload that it need not refuse, so
// that it is not disabled, and whether it was called with such a payload.
func (j denials) guardedWorks(a *history.Attempt) (works, asked bool) {
	for _, valid := range j.Of(history.ValidForRole) {
		if valid.Confirms(a.Entry) {
			asked, works = true, works || valid.Outcome() == history.Success
		}
	}
	return works, asked
}

// UnknownDenied judges CHP-9-02: each invocation of an unknown capability is denied. A host
// cannot begin to execute a capability that it does not have. An answer that is not a result
// hides the denial.
func (j denials) UnknownDenied() verdict.Verdict {
	return j.outcomeDenied(history.Unknown, func(a *history.Attempt) bool {
		unknown := a.Stimulus == history.Unknown || a.About[history.AboutEnding] == history.Unknown
		return unknown && !j.refusable(a) && !j.tooLong(a)
	})
}

// tooLong reports whether a host may refuse an invocation for the length of its payload: no other one with a
// long payload is answered by a result.
func (j denials) tooLong(a *history.Attempt) bool {
	return a.Stimulus == history.LongPayload && !a.IsResult() &&
		!slices.ContainsFunc(j.Of(history.LongPayload), (*history.Attempt).IsResult)
}

// refusable reports whether a host may refuse an invocation for its correlation id.
func (j denials) refusable(a *history.Attempt) bool {
	return a.HasUncommonID() && (a.Result == nil || !succeededWithForm(j.Attempts(), a))
}

// EntitlementDenied judges CHP-9-05: each invocation without the entitlement is denied.
func (j denials) EntitlementDenied() verdict.Verdict {
	return j.outcomeDenied(history.InRole, func(a *history.Attempt) bool { return a.Role() == "restricted" })
}

func (j denials) outcomeDenied(stimulus string, about func(*history.Attempt) bool) verdict.Verdict {
	r := &verdict.Verdict{}
	these := slices.DeleteFunc(j.Attempts(), func(a *history.Attempt) bool { return !about(a) })
	for _, a := range these {
		if !j.answered(a) {
			continue
		}
		r.Judged++
		if a.Outcome() != history.Denied {
			r.AddBreach(j.entriesOfAttempt(a), a.Kind+" does not have the outcome denied", wantDenied, hidden(a))
		}
	}
	if err := j.reason(these, stimulus); err != nil {
		r.Open = err
	}
	return *r
}

// ModeDenied only advises: the text requires evidence of a denial or of an unsupported action.
// The capability must succeed in sync afterwards, since it may have been removed.
func (j denials) ModeDenied() verdict.Verdict {
	r := &verdict.Verdict{}
	all := j.Attempts()
	for i, a := range all {
		if a.Stimulus != history.Unlisted && a.About[history.AboutEnding] != history.Unlisted || a.Mode == "sync" ||
			!j.answered(a) {
			continue
		}
		if a.Outcome() == history.Denied || a.Outcome() == history.Indeterminate {
			r.Judged++
			continue
		}
		next := slices.IndexFunc(all[i:], func(b *history.Attempt) bool {
			return b.Capability == a.Capability && b.Mode == "sync" && b.Entry > a.Done
		})
		if next >= 0 && all[i+next].Outcome() == history.Success {
			r.Judged++
			r.AddBreach(j.entriesOfAttempt(a), a.Kind+" does not have the outcome denied", wantDenied, hidden(a))
		}
	}
	if err := j.reason(j.Of(history.Unlisted), history.Unlisted); err != nil {
		r.Open = err
	}
	return r.OpenUnlessJudged(j.noSuccess())
}

// SkippedOrDenied judges CHP-9-04: each invocation of a disabled capability is skipped or
// denied.
func (j denials) SkippedOrDenied() verdict.Verdict {
	r := &verdict.Verdict{}
	these := j.inRole("disabled")
	for _, a := range these {
		refusable := a.Stimulus != history.InRole && !a.IsResult() // the reason may also be its correlation
		if !j.answered(a) || refusable {
			continue
		}
		r.Judged++
		if a.Outcome() != history.Skipped && a.Outcome() != history.Denied && a.Outcome() != history.Indeterminate {
			r.AddBreach(j.entriesOfAttempt(a), a.Kind+" is neither skipped nor denied", "the outcome skipped or denied",
				hidden(a))
		}
	}
	if err := j.reason(these, history.InRole); err != nil {
		r.Open = err
	}
	return *r
}

// ErrorsAndDenials only advises: the text contains only a definition.
func (j denials) ErrorsAndDenials() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, a := range j.results() {
		switch {
		case a.Outcome() == history.Failure && a.Result["denial"] != nil:
			r.AddBreach(j.entriesOfAttempt(a), "a failure contains a denial", "an error", printed(a.Result["denial"]))
		case a.Outcome() == history.Denied && a.Result["denial"] == nil && a.Result["error"] != nil:
			r.AddBreach(j.entriesOfAttempt(a), "a denial has only an error", "a denial", printed(a.Result["error"]))
		}
	}
	return r.Holds()
}

// denied returns the attempts with the outcome denied.
func (j denials) denied() []*history.Attempt {
	return slices.DeleteFunc(j.Attempts(), func(a *history.Attempt) bool { return a.Outcome() != history.Denied })
}

func noDenial() error { return verdict.Undecided("no invocation was denied: see CHP-9-02") }

// DenialRecords judges CHP-9-07: each denied result contains a denial record.
func (j denials) DenialRecords() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, a := range j.denied() {
		r.Judged++
		if _, is := a.Result["denial"].(history.Object); !is {
			r.AddBreach(j.entriesOfAttempt(a), "a denied result has no denial record", "a denial record",
				printed(a.Result["denial"])+" in "+printed(a.Result))
		}
	}
	return r.OpenUnlessJudged(noDenial())
}

// denial is a denial record and its place: the result, or an event of a type.
type denial struct {
	place  string
	of     *history.Attempt
	record history.Object
}

// records returns the denial records of results, and those of events that have one.
func (j denials) records() []denial {
	var all []denial
	for _, a := range j.denied() {
		if d, ok := a.Result["denial"].(history.Object); ok {
			all = append(all, denial{"result", a, d})
		}
		for _, ev := range j.Evidence(a).Events {
			if d, ok := ev.Members()["denial"].(history.Object); ok {
				all = append(all, denial{ev.Kind, a, d})
			}
		}
	}
	return all
}

// noDenialRecord returns the reason why no denial record could be judged.
func (j denials) noDenialRecord() error {
	if len(j.denied()) == 0 {
		return noDenial()
	}
	return verdict.Undecided("no denial record was seen: see CHP-9-07")
}

// DenialsHave judges a member of each denial record.
func (j denials) DenialsHave(name string) verdict.Verdict {
	r := &verdict.Verdict{}
	part := member(j.Forms.Denial, name)
	for _, d := range j.records() {
		r.Judged++
		if what, got, wrong := part.broken(d.record); wrong {
			r.AddBreach(j.entriesOfAttempt(d.of), "a denial record: "+what, part.Want, got+" in "+printed(d.record))
		}
	}
	return r.OpenUnlessJudged(j.noDenialRecord())
}

// stableCodes is the number of answers with the same code that proves that a code is stable: a
// host may deny some of the calls for another reason.
const stableCodes = 4

// CodesStable compares the codes of a denial that was caused twice. The result and the event of
// one denial may have different codes.
func (j denials) CodesStable() verdict.Verdict {
	r := &verdict.Verdict{}
	before := map[string]denial{}
	for _, d := range j.records() {
		a, code := d.of, d.record["code"]
		if a.HasUncommonID() || code == nil || a.Stimulus == history.CodeAgain {
			continue
		}
		what := fmt.Sprint(d.place, " ", a.Kind, " ", a.Capability, " ", a.Mode, " ", string(jsonvalue.Encode(a.Payload)))
		first, twice := before[what]
		if !twice {
			before[what] = d
			continue
		}
		r.Judged++
		if known := first.record["code"]; known != code {
			j.unstable(r, d, known)
		}
	}
	if len(before) == 0 {
		return r.OpenUnlessJudged(j.noDenialRecord())
	}
	return r.OpenUnlessJudged(verdict.Undecided("no denial was requested twice"))
}

// unstable reports a denial whose code differs from an earlier one, if the code continues to
// change. A capability that is added and removed repeatedly is denied for one of two reasons,
// each of which always has the same code.
func (j denials) unstable(r *verdict.Verdict, d denial, before any) {
	const message = "the same denial has another code when it is requested again"
	code := d.record["code"]
	counts := map[string]int{printed(before): 1}
	counts[printed(code)]++
	asked := false
	for _, again := range j.Of(history.CodeAgain) {
		if !again.Confirms(d.of.Entry) {
			continue
		}
		asked = true
		record := again.Denial()
		for _, ev := range j.Evidence(again).Events {
			if ev.Kind == d.place {
				record, _ = ev.Members()["denial"].(history.Object)
			}
		}
		counts[printed(record["code"])]++
	}
	if !asked {
		r.AddDoubt(verdict.Settle{Stimulus: history.CodeAgain, Of: d.of.Entry}, j.entriesOfAttempt(d.of), message,
			printed(before),
			printed(code))
		return
	}
	most, recurring := 0, true
	for _, n := range counts {
		most, recurring = max(most, n), recurring && n > 1
	}
	if most < stableCodes && (j.descriptor(d.of) == nil || !recurring || len(counts) != 2) {
		r.AddBreach(j.entriesOfAttempt(d.of), message, printed(before), printed(code))
	}
}
