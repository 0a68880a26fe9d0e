package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/verdict"
)

// describes reports whether the source described a listed capability: the positive control of
// every refusal of describe.
func (j *evidence) describes() bool {
	return slices.ContainsFunc(j.Lookups(), (*history.Lookup).Own)
}

func (j *evidence) undescribed() error {
	if err := j.listed(); err != nil {
		return err
	}
	for _, l := range j.LookupsOf(history.Described) {
		if l.Unanswered() {
			return l.Lost
		}
	}
	return verdict.Undecided("the source describes no listed capability, so a refusal shows nothing: see CAP-DIS-02 and CAP-DIS-03")
}

// unlistedAround reports whether neither the list before a call nor the one after it contains a
// reference, and no listed capability declares compatibility with it.
func (j *evidence) unlistedAround(ref history.Ref, c *history.Call) bool {
	before, after := j.before(c.Entry), j.after(c.Done)
	return before != nil && before.Find(ref) == nil && (after == nil || after.Find(ref) == nil) &&
		!before.DeclaresCompatible(ref)
}

// nothingRefused returns the reason why there was no refusal to examine.
func (j *evidence) nothingRefused() error {
	all := j.unsoundAttempts()
	if err := firstOf(j.listed(), j.Ready()); err != nil {
		return err
	}
	switch {
	case len(all) == 0:
		return &verdict.Inconclusive{
			Reason: "no capability accepted a valid input and has an input schema that an input can break",
			Supply: nameWorking,
		}
	case slices.ContainsFunc(all, (*history.Attempt).Succeeded):
		return verdict.Undecided("every invalid input was accepted, so no refusal shows its code: see CAP-INV-02")
	}
	if !slices.ContainsFunc(all, func(a *history.Attempt) bool { return !a.OutsideContract() }) {
		return &verdict.Inconclusive{
			Reason: "no capability that accepted a valid input can be sent an object that breaks its input schema",
			Supply: nameWorking,
		}
	}
	return verdict.Undecided("no invalid input was answered with an InvokeResult: see CAP-INV-01")
}

// supported reports whether the source declares that its Skills system has a member.
func (j *evidence) supported(member string) bool { return slices.Contains(j.Supports, member) }

// unsoundAttempts returns the attempts with an input that breaks a keyword on purpose.
func (j *evidence) unsoundAttempts() []*history.Attempt {
	return slices.DeleteFunc(j.Attempts(), func(a *history.Attempt) bool {
		return a.Breaks() == "" || a.Settles() || a.Stimulus == history.AttachedTools || a.Stimulus == history.Replaced
	})
}
