package judge

import (
	"regexp"
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

var roleSentences = []verdict.Sentence[invocations]{
	verdict.Say(`each listed reference identifies its capability`, invocations.ReferencesTaken),
	verdict.Say(`each invocation of an unlisted pair is answered with NOT_FOUND`, invocations.UnlistedNotFound),
	verdict.SayOfTwo(`each answer of the role ([a-z]+) has the code ([A-Z_]+)`, invocations.AnswerHasCode),
	verdict.SayOf(`the source continues to serve after the role ([a-z]+)`, invocations.StillServes),
	verdict.SayOf(`each answer of the role ([a-z]+) is an InvokeResult, as for a tool`, invocations.SkillTakenUp),
	verdict.SayOf(`no answer of the role ([a-z]+) is a success`, invocations.NoSuccess),
}

// UnlistedNotFound judges CAP-ERR-01: each invocation of an unlisted pair is answered with
// NOT_FOUND.
func (j invocations) UnlistedNotFound() verdict.Verdict {
	r := j.newVerdict()
	all := j.Of(history.UnlistedInvoked, history.Hidden)
	var unreadable error
	for _, a := range all {
		form, random := unlistedForm(&a.Call)
		switch {
		case form == "" || a.JudgedElsewhere() || !j.unlistedAround(a.Asked, &a.Call):
			continue
		case a.FailedWith(history.NotFound):
			r.Judged++
			continue
		case a.Misshapen(history.NotFound):
			unreadable = misshapen()
			continue
		}
		b := verdict.Breach{
			Message: "an invocation is not answered with NOT_FOUND for " + form,
			Want:    "ok false and error.code NOT_FOUND, for " + a.Asked.String(), Got: a.Got, Entries: []record.Tick{a.Entry},
		}
		notFound := func(again *history.Attempt) bool { return again.FailedWith(history.NotFound) }
		if a.HasResult() && !random { // another user may have registered it since the list
			again := j.Confirming(a.Entry)
			if len(again) == 0 {
				r.addDoubt(b, history.InvokeAgain)
				continue
			}
			if slices.ContainsFunc(again, notFound) {
				continue
			}
		}
		if !a.MayBeLimit() || r.unexplainedByLimit(b, a, notFound) {
			r.Breaches = append(r.Breaches, b)
		}
	}
	if err := firstLost(all); err != nil {
		r.open = err
	}
	return r.conclude(firstOf(j.listed(), j.Conclusion(history.UnlistedInvoked), unreadable))
}

// ReferencesTaken judges CAP-REF-01: a reference of exactly two members identifies the listed
// capability. CAP-GRAN-04 judges a skill that cannot be invoked, and CAP-INV-01 other refusals as
// long as references work elsewhere.
func (j invocations) ReferencesTaken() verdict.Verdict {
	r := j.newVerdict()
	works := j.someSuccess() != nil
	for _, a := range j.Of(history.Valid) {
		if works {
			r.Judged++
		}
		unknown := a.FailedWith(history.NotFound)
		s := j.rawManifest(a.Asked, a.Entry)
		if a.Settles() || s == nil || s.Kind == history.KindSkill || !unknown && (works || !a.Call.Refused) {
			continue
		}
		if j.describedAs(a.Asked) {
			r.addSuspected(suspectedBreach{
				attempt: a, message: "a listed capability is not found by its reference",
				want: "an invocation of " + a.Asked.String() + " by capability_id and version",
			})
		}
	}
	return r.conclude(j.noSuccess())
}

func (j invocations) describedAs(ref history.Ref) bool {
	return slices.ContainsFunc(j.Lookups(), func(l *history.Lookup) bool { return l.Asked == ref && l.Own() })
}

// inRole returns the attempts that test a role: those of its capability, or those of ordinary
// capabilities with the answer that the role requires.
func (j invocations) inRole(role string) ([]*history.Attempt, error) {
	missing := j.MissingRole(role)
	if missing == nil {
		all := slices.DeleteFunc(j.Of(history.InRole), func(a *history.Attempt) bool {
			return a.About[history.AboutRole] != role || a.About[history.AboutStep] != ""
		})
		return all, j.Conclusion(history.InRole)
	}
	code := map[string]string{roleFails: history.ExecutionFailed, roleRestricted: history.PermissionDenied}[role]
	if code == "" || j.First().Empty() {
		return nil, missing
	}
	needs := func(s *history.RawManifest) bool { return s.Manifest().NeedsPermission() }
	if role == roleRestricted && !slices.ContainsFunc(j.First().Capabilities, needs) {
		return nil, verdict.Inapplicable("no capability declares a permission that a caller could lack")
	}
	all := slices.DeleteFunc(j.Of(history.Valid), func(a *history.Attempt) bool {
		s := j.rawManifest(a.Asked, a.Entry)
		edge := a.About[history.AboutEdge] != "" // its answer may be a refusal
		return !a.FailedWith(code) || edge || s == nil || role == roleRestricted && !needs(s)
	})
	if len(all) == 0 {
		return nil, missing
	}
	return all, nil
}

// AnswerHasCode judges the code of the answer to a valid input of the capability of a role.
func (j invocations) AnswerHasCode(role, code string) verdict.Verdict {
	r := j.newVerdict()
	all, err := j.inRole(role)
	for _, a := range all {
		switch {
		case a.Unanswered():
			r.open = a.Lost
		case a.JudgedElsewhere() && !a.Pending():
			r.open = verdict.Undecided("the answer is not an InvokeResult: see CAP-DIS-03")
		case a.FailedWith(code):
			r.Judged++
		case a.RefusedWithDoubt():
			r.open = doubted(a)
		case j.someSuccess() == nil:
			r.open = j.noSuccess()
		default:
			r.addSuspected(suspectedBreach{
				attempt: a, message: "a capability that " + j.Purpose(role) + " is not answered with " + code,
				want:      "ok false and error.code " + code + " from " + a.Asked.String(),
				permitted: func(again *history.Attempt) bool { return again.FailedWith(code) },
			})
		}
	}
	return r.conclude(firstOf(err, j.MissingRole(role), verdict.Undecided("no valid input can be made for the role %s",
		role)))
}

func doubted(a *history.Attempt) error {
	return verdict.Undecided("the input was made from the schema, and the source may check more than the schema states: %s",
		a.About[history.AboutDoubt])
}

// NoSuccess judges that a capability does not succeed.
func (j invocations) NoSuccess(role string) verdict.Verdict {
	r := j.newVerdict()
	all, err := j.inRole(role)
	for _, a := range all {
		r.Judged++
		if a.Unanswered() {
			r.open = a.Lost
		}
		if a.Succeeded() {
			r.addSuspected(suspectedBreach{
				attempt: a, message: "a capability that " + j.Purpose(role) + " comes back ok",
				want: "no success from " + a.Asked.String() + ", since its output breaks its output schema",
			})
		}
	}
	return r.conclude(firstOf(err, j.MissingRole(role)))
}

// StillServes judges the answer of an ordinary capability after another one failed.
func (j invocations) StillServes(role string) verdict.Verdict {
	r := j.newVerdict()
	_, err := j.inRole(role)
	for _, a := range j.Of(history.InRole) {
		if a.About[history.AboutRole] != role || a.About[history.AboutStep] != history.StepServes || a.Settles() {
			continue
		}
		closed := a.Before != nil // the connection was closed at first
		if a.Succeeded() && !closed {
			r.Judged++
			continue
		}
		j.judgeNotServing(r, a, role)
	}
	return r.conclude(firstOf(err, j.Conclusion(history.InRole), j.noSuccess()))
}

// judgeNotServing judges a capability that worked before the failure and did not work after it. A
// closed connection may be coincidence once, but not twice after the same invocation. A short
// limit passes within the calls of StepWaits.
func (j invocations) judgeNotServing(r *pendingVerdict, a *history.Attempt, role string) {
	b := verdict.Breach{
		Message: "the source no longer serves after a capability that " + j.Purpose(role),
		Want:    "the success that " + a.Asked.String() + " gave before",
		Got:     a.Got, Entries: []record.Tick{a.Entry},
	}
	if !a.Closed && a.Before == nil && a.Unanswered() {
		r.open = a.Lost
		return
	}
	standing := j.contractAround(a.Asked, &a.Call, contractMembers)
	if standing == contractChanged {
		r.open = changed(a.Asked)
		return
	}
	limited, closed := a.MayBeLimit(), a.Before != nil || a.Closed
	if !limited && !closed {
		r.Breaches = append(r.Breaches, b)
		return
	}
	again := j.Confirming(a.Entry)
	recovered, last := false, (*history.Attempt)(nil)
	for _, c := range again {
		switch c.About[history.AboutStep] {
		case history.StepWaits:
			recovered = recovered || c.Succeeded()
		case history.StepServes:
			last = c
		}
	}
	switch {
	case limited && !recovered && j.quotaExplains(a):
		r.open = limitedHint(a)
	case last == nil, limited && !recovered:
		r.Breaches = append(r.Breaches, b)
	case limited && last.Succeeded():
		r.open = limitedHint(a)
	case last.Succeeded() && last.Before == nil:
		r.Judged++
	default:
		b.Got, b.Entries = last.Got, append(b.Entries, last.Entry)
		if last.Before != nil {
			b.Got = last.Before.Got
		}
		r.Breaches = append(r.Breaches, b)
	}
}

// quotaWords are the words of a refusal by which a source reports that it was called too often.
var quotaWords = regexp.MustCompile(`(?i)\b(quota|rate|limit(s|ed|ing)?|too many|throttl\w*|try again|retry|exceeded|exhausted|budget|credits?)\b`)

// quotaExplains reports whether a source that no longer serves may have exhausted a quota: the
// refusal says so, or the source gave the same answer before the failure, or as the failure. The
// answer of the capability of the role is expected, so it proves nothing.
func (j invocations) quotaExplains(a *history.Attempt) bool {
	if quotaWords.MatchString(a.Message()) || !a.HasResult() && quotaWords.MatchString(a.Got) {
		return true
	}
	return slices.ContainsFunc(j.Attempts(), func(b *history.Attempt) bool {
		return b.Entry < a.Entry && !j.mustNotSucceed(b) && b.MayBeLimit() && sameRefusal(a, b)
	})
}

// sameRefusal reports whether two attempts were refused with the same words.
func sameRefusal(a, b *history.Attempt) bool {
	if a.HasResult() && b.HasResult() {
		return a.Result.Code() == b.Result.Code() && a.Message() == b.Message()
	}
	return a.HasResult() == b.HasResult() && a.Got == b.Got
}

func limitedHint(a *history.Attempt) error {
	return limited(a.Asked, "was refused once, and not the next time")
}

// SkillTakenUp judges CAP-GRAN-04: each answer of the role is an InvokeResult, as for a tool. If
// no tool gets a better answer, the fault does not concern skills.
func (j invocations) SkillTakenUp(role string) verdict.Verdict {
	r := j.newVerdict()
	all, err := j.inRole(role)
	for _, a := range all {
		switch {
		case a.Unanswered():
			r.open = a.Lost
		case a.RefusedWithDoubt():
			r.open = doubted(a)
		case a.FailedWith(history.InvalidInput):
			r.open = verdict.Undecided("the valid input of the skill is refused as INVALID_INPUT: see CAP-ERR-02")
		case a.Absent:
			r.open = verdict.Undecided("the source does not provide capability.invoke: see CAP-DIS-03")
		case a.Accepted():
			r.Judged++
		case j.noToolSucceeds():
			r.open = verdict.Undecided("no tool is answered correctly either: see CAP-INV-01, CAP-INV-05 and CAP-REF-01")
		default:
			r.addSuspected(suspectedBreach{
				attempt: a, message: "a skill cannot be invoked like a tool",
				want:      "an InvokeResult for a valid input of " + a.Asked.String(),
				permitted: (*history.Attempt).Accepted,
			})
		}
	}
	return r.conclude(firstOf(err, j.MissingRole(role)))
}

// noToolSucceeds reports whether there are tools, and none accepted a valid input.
func (j invocations) noToolSucceeds() bool {
	tools := 0
	for _, a := range j.Of(history.Valid) {
		s := j.rawManifest(a.Asked, a.Entry)
		if s == nil || s.Kind != history.KindTool || j.mustNotSucceed(a) {
			continue
		}
		if a.Accepted() {
			return false
		}
		tools++
	}
	return tools > 0
}
