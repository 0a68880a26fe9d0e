package judge

import (
	"regexp"
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// trial is an attempt that tests a role.
type trial struct {
	attempt
	Role string
}

// Purpose returns what the capability of the role does, for messages.
func (t trial) Purpose() string { return t.in.Purpose(t.Role) }

func (j *evidence) trials() []trial {
	var all []trial
	for _, role := range []string{roleFails, roleSlow, roleRestricted, roleMalformed, roleSkill} {
		of, _ := j.inRole(role)
		all = append(all, each(of, func(a *history.Attempt) trial { return trial{attempt{a, j}, role} })...)
	}
	return all
}

// inRole returns the attempts that test a role: those of its capability, or those of ordinary
// capabilities with the answer that the role requires.
func (j *evidence) inRole(role string) ([]*history.Attempt, error) {
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

// ShowsCode is true if the answer shows the code of the role.
func (t trial) ShowsCode() any {
	switch {
	case t.Unanswered():
		return blocked(t.Lost)
	case t.JudgedElsewhere() && !t.Pending():
		return blocked(verdict.Undecided("the answer is not an InvokeResult: see CAP-DIS-03"))
	case t.RefusedWithDoubt():
		return blocked(doubted(t.Attempt))
	case t.in.someSuccess() == nil:
		return blocked(t.in.noSuccess())
	}
	return true
}

func doubted(a *history.Attempt) error {
	return verdict.Undecided("the input was made from the schema, and the source may check more than the schema states: %s",
		a.About[history.AboutDoubt])
}

// ShowsAcceptance is true if the answer shows whether the source accepts an invocation of a skill. If no tool gets a
// better answer, the fault does not concern skills.
func (t trial) ShowsAcceptance() any {
	switch {
	case t.Unanswered():
		return blocked(t.Lost)
	case t.RefusedWithDoubt():
		return blocked(doubted(t.Attempt))
	case t.FailedWith(history.InvalidInput):
		return blocked(verdict.Undecided("the valid input of the skill is refused as INVALID_INPUT: see CAP-ERR-02"))
	case t.Absent:
		return blocked(verdict.Undecided("the source does not provide capability.invoke: see CAP-DIS-03"))
	case t.in.noToolSucceeds():
		return blocked(verdict.Undecided("no tool is answered correctly either: see CAP-INV-01, CAP-INV-05 and CAP-REF-01"))
	}
	return true
}

// ShowsOutcome is true if there is an answer.
func (t trial) ShowsOutcome() any {
	if t.Unanswered() {
		return blocked(t.Lost)
	}
	return true
}

// noToolSucceeds reports whether there are tools, and none accepted a valid input.
func (j *evidence) noToolSucceeds() bool {
	tools := slices.DeleteFunc(j.Of(history.Valid), func(a *history.Attempt) bool {
		s := j.rawManifest(a.Asked, a.Entry)
		return s == nil || s.Kind != history.KindTool || j.mustNotSucceed(a)
	})
	return len(tools) > 0 && !slices.ContainsFunc(tools, (*history.Attempt).Accepted)
}

// sequel is an attempt that repeats a success after the capability of a role failed.
type sequel struct {
	*history.Attempt
	in *evidence
}

func (j *evidence) sequels() []sequel {
	all := slices.DeleteFunc(j.Of(history.InRole), func(a *history.Attempt) bool {
		return a.About[history.AboutStep] != history.StepServes || a.Settles()
	})
	return each(all, func(a *history.Attempt) sequel { return sequel{a, j} })
}

// Role is that of the capability that failed.
func (s sequel) Role() string { return s.About[history.AboutRole] }

// Purpose returns what that capability does, for messages.
func (s sequel) Purpose() string { return s.in.Purpose(s.Role()) }

// last returns the last attempt with the same input, nil if there is none.
func (s sequel) last() (last *history.Attempt) {
	for _, c := range s.in.Confirming(s.Entry) {
		if c.About[history.AboutStep] == history.StepServes {
			last = c
		}
	}
	return last
}

func (s sequel) closed() bool { return s.Before != nil || s.Closed }

func (s sequel) Entries() []record.Tick {
	if last := s.last(); last != nil && s.closed() {
		return []record.Tick{s.Entry, last.Entry}
	}
	return []record.Tick{s.Entry}
}

// Answer returns the last answer that shows it.
func (s sequel) Answer() string {
	last := s.last()
	switch {
	case last == nil || !s.closed():
		return s.Got()
	case last.Before != nil:
		return last.Before.Got()
	}
	return last.Got()
}

// Serves reports whether a capability that worked before the failure works after it. A
// closed connection may be coincidence once, but not twice after the same invocation. A short
// limit passes within the calls of StepWaits.
func (s sequel) Serves() any {
	switch {
	case s.Succeeded() && s.Before == nil:
		return true
	case !s.closed() && s.Unanswered():
		return blocked(s.Lost)
	case s.in.contractAround(s.Asked, &s.Call, contractMembers) == contractChanged:
		return blocked(changed(s.Asked))
	case !s.MayBeLimit() && !s.closed():
		return false
	}
	recovered := slices.ContainsFunc(s.in.Confirming(s.Entry), func(c *history.Attempt) bool {
		return c.About[history.AboutStep] == history.StepWaits && c.Succeeded()
	})
	last, limit := s.last(), limited(s.Asked, "was refused once, and not the next time")
	switch {
	case s.MayBeLimit() && !recovered && s.in.quotaExplains(s.Attempt):
		return blocked(limit)
	case last == nil, s.MayBeLimit() && !recovered:
		return false
	case s.MayBeLimit() && last.Succeeded():
		return blocked(limit)
	}
	return last.Succeeded() && last.Before == nil
}

// quotaWords are the words of a refusal by which a source reports that it was called too often.
var quotaWords = regexp.MustCompile(`(?i)\b(quota|rate|limit(s|ed|ing)?|too many|throttl\w*|try again|retry|exceeded|exhausted|budget|credits?)\b`)

// quotaExplains reports whether a source that no longer serves may have exhausted a quota: the
// refusal says so, or the source gave the same answer before the failure, or as the failure. The
// answer of the capability of the role is expected, so it proves nothing.
func (j *evidence) quotaExplains(a *history.Attempt) bool {
	if quotaWords.MatchString(a.Message()) || !a.HasResult() && quotaWords.MatchString(a.Got()) {
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
	return a.HasResult() == b.HasResult() && a.Got() == b.Got()
}
