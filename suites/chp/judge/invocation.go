package judge

import (
	"errors"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

var invocationSentences = []verdict.Sentence[invocations]{
	verdict.Say(`no payload that breaks the input schema succeeds`, invocations.NoneSucceeds),
	verdict.Say(`the data of each success satisfies the output schema`, invocations.DataKeepsSchema),
	verdict.Say(`the host answers each envelope with its own result`, invocations.AnsweredByResult),
	verdict.Say(`no result contains the ids of another envelope`, invocations.OwnIDs),
	verdict.Say(`each result contains the ids of its envelope as they were sent`, invocations.IDsAsSent),
	verdict.Say(`the host continues to serve`, invocations.StillServes),
}

// AnsweredByResult is CHP-5-01. Ordinary capabilities must answer with a result, and so must every other
// invocation whose execution completed according to its evidence.
func (j invocations) AnsweredByResult() verdict.Verdict {
	r := &verdict.Verdict{}
	var lost error
	for _, a := range j.Of(history.Ordinary) {
		var open *verdict.Inconclusive
		switch {
		case a.Throttled, errors.As(a.Lost, &open):
			lost = a.Lost
		case a.Lost != nil && !j.ClosedInsteadOfAnswer(&a.Call):
			r.Open = a.Lost
		case !a.IsResult():
			r.AddBreach(j.entriesOfAttempt(a), "an envelope is not answered by an InvocationResult",
				"an InvocationResult for "+a.Capability,
				a.Got)
		default:
			r.Judged++
		}
	}
	for _, a := range j.Attempts() {
		if a.Stimulus != history.Ordinary && a.Form() == "" && a.Lost == nil && !a.IsResult() && a.Mode == "sync" &&
			j.Evidence(a).Has(history.EventCompleted) {
			r.AddBreach(j.entriesOfAttempt(a), "an execution completes, and the answer is not an InvocationResult",
				"an InvocationResult for "+a.Kind, a.Got)
		}
	}
	if lost == nil {
		lost = j.noSuccess()
	}
	return r.OpenUnlessJudged(lost)
}

// OwnIDs judges CHP-5-01 for every result, whatever its outcome and stimulus. A result must not
// contain the id of another envelope of the harness, or of another capability. CHP-5-14 judges
// whether a result contains ids at all.
func (j invocations) OwnIDs() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, a := range j.results() {
		for _, one := range ids(a) {
			if j.ofAnother(a, one.got) {
				r.AddBreach(j.entriesOfAttempt(a), "a result has the "+one.name+" of another envelope", printed(one.own),
					printed(one.got))
			}
		}
	}
	return j.ofResults(r)
}

// idMember is an id that a result copies from its envelope.
type idMember struct {
	name, own string
	got       any
}

func ids(a *history.Attempt) []idMember {
	return []idMember{{"invocation_id", a.ID, a.Result["invocation_id"]},
		{"capability_id", a.Capability, a.Result["capability_id"]}}
}

// ofAnother reports whether an id in a result is that of another envelope of the harness, or of
// another declared capability.
func (j invocations) ofAnother(a *history.Attempt, got any) bool {
	id, _ := got.(string)
	declared := slices.ContainsFunc(j.declared(), func(members history.Object) bool { return members["id"] == id })
	return declared && !history.SameName(id, a.Capability) || id != a.ID && strings.HasPrefix(id, history.Sender)
}

// IDsAsSent only advises: the text contains no list of the members of a result, and does not
// define how an id is spelled.
func (j invocations) IDsAsSent() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, a := range j.results() {
		for _, one := range ids(a) {
			if one.got != one.own && (one.got != nil || one.name == "invocation_id") && !j.ofAnother(a, one.got) {
				r.AddBreach(j.entriesOfAttempt(a), "a result does not have the "+one.name+" of its envelope", printed(one.own),
					printed(one.got))
			}
		}
		for _, ev := range j.Evidence(a).Events {
			if id, ok := ev.Members()["capability_id"].(string); ev.IsCore() && ok && id != a.Capability &&
				history.SameName(id, a.Capability) {
				r.AddBreach(j.entriesOfAttempt(a), "an event spells the id of the capability differently", printed(a.Capability),
					printed(id))
			}
		}
	}
	return j.ofResults(r)
}

// StillServes judges the invocations after messages that are not envelopes. A capability that a
// result refuses may have been removed or disabled.
func (j invocations) StillServes() verdict.Verdict {
	r := &verdict.Verdict{}
	var last *history.Attempt
	for _, a := range j.Of(history.NoEnvelope) {
		last = a
		if a.Outcome() == history.Success {
			r.Judged++
		}
	}
	switch {
	case last == nil:
		return r.OpenUnlessJudged(j.Conclusion(history.NoEnvelope))
	case r.Judged > 0:
	case last.Lost != nil && !j.ClosedInsteadOfAnswer(&last.Call):
		r.Open = last.Lost
	case last.DeniedOrSkipped() && last.MatchesEnvelope():
		r.Open = ruledOut("no invocation succeeded after a message that is not an envelope", last)
	default:
		r.AddBreach([]record.Tick{last.Entry}, "the host no longer serves",
			"the success that "+last.Capability+" returned before",
			last.Got)
	}
	return *r
}

// NoneSucceeds judges CHP-3-17: no payload that breaks the input schema succeeds.
func (j invocations) NoneSucceeds() verdict.Verdict {
	r := &verdict.Verdict{}
	invalid := j.Of(history.Invalid)
	for _, a := range invalid {
		r.Judged++
		if a.Outcome() == history.Success {
			r.AddBreach(j.entriesOfAttempt(a), "a payload that breaks the input schema succeeds",
				"no success for "+printed(a.Payload), a.Got)
		}
	}
	if err := j.lost(invalid); err != nil {
		r.Open = err
	}
	return r.OpenUnlessJudged(verdict.Undecided("no capability that succeeds has an input schema that a payload could break"))
}

// DataKeepsSchema judges CHP-3-18, for payloads that satisfy the input schema and modes that are
// listed: the data satisfies the output schema. CHP-3-17 and CHP-9-03 judge whether other
// invocations succeed.
func (j invocations) DataKeepsSchema() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, a := range j.Attempts() {
		schema, declared := j.descriptor(a)["output_schema"].(history.Object)
		refusable := a.About[history.AboutBreaks] != "" || a.Mode != "sync"
		if !declared || refusable || a.Outcome() != history.Success || a.Result["data"] == nil {
			continue
		}
		compiled, err := j.Cache.Template(schema)
		if err != nil {
			continue // CHP-3-09 judges the schema, or it cannot be decided
		}
		var broken *schemas.Invalidity
		if err := compiled.Validate(a.Result["data"]); errors.As(err, &broken) {
			r.AddBreach(j.entriesOfAttempt(a), "the data of a success breaks the output schema", printed(schema),
				printed(a.Result["data"])+"; "+broken.Summary())
		}
	}
	return r.Holds()
}
