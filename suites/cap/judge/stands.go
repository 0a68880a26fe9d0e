package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// maxLimits limits how many calls of a stimulus are repeated.
const maxLimits = 6

// What a source that reached a limit, or is in another state, answers the next time, unless it is a code.
const (
	aResult    = "result"
	acceptance = "acceptance"
)

// stands reports whether an answer shows how the source handles such an invocation. It is false if the capability
// was changed during the call. A source may limit how often it is called, and CAP defines no code for that: if the
// answer may mean that, it stands only if the wanted answer does not come the next time. If no answer is wanted, no
// limit explains it.
func stands(a attempt, wanted string) any {
	if attaching(&a.Call) {
		return false // other rules cover what is attached
	}
	if a.IsListed() {
		switch a.in.contractAround(a.Asked, &a.Call, contractMembers) {
		case contractChanged:
			if a.About[history.AboutRole] != "" { // other attempts prove the same
				return blocked(changed(a.Asked))
			}
			return false
		case contractUnknown:
			return settledBy(history.ListNow, a.Entry)
		}
	}
	if wanted == "" || !a.MayBeLimit() {
		return true
	}
	return a.in.unexplainedByLimit(a.Attempt, permitted(wanted))
}

func permitted(wanted string) func(*history.Attempt) bool {
	switch wanted {
	case aResult:
		return (*history.Attempt).HasResult
	case acceptance:
		return (*history.Attempt).Accepted
	}
	return func(a *history.Attempt) bool { return a.FailedWith(wanted) }
}

// unexplainedByLimit is true if no limit and no state of the source explains an answer: the same invocation gets the
// same answer again, and an input that was accepted before still is.
func (j *evidence) unexplainedByLimit(a *history.Attempt, valid func(*history.Attempt) bool) any {
	controls := j.Controls(a.Entry)
	alike := slices.DeleteFunc(j.Of(a.Stimulus), func(b *history.Attempt) bool {
		return b.Entry >= a.Entry || !b.MayBeLimit() || valid(b) || b.About[history.AboutRole] != a.About[history.AboutRole]
	})
	is := lasts(a.Asked, len(alike), settledBy(history.InvokeAgain, a.Entry), j.Confirming(a.Entry), valid, controls,
		(*history.Attempt).Succeeded)
	if is == true && len(controls) == 0 {
		return blocked(j.noSuccess())
	}
	return is
}

// lasts is true if the answer to a call about a reference is not valid when the call is made again either, while the
// controls still work. The gap is closed by these calls; they are not made if many answers are alike.
func lasts[T any](of history.Ref, alike int, gap *rule.Gap, again []T, valid func(T) bool, controls []T,
	works func(T) bool) any {
	switch {
	case alike >= maxLimits:
		return blocked(limited(of, "is refused in too many ways to repeat each"))
	case len(again) == 0:
		return gap
	case slices.ContainsFunc(again, valid):
		return blocked(limited(of, "is answered differently when the harness asks again"))
	case slices.ContainsFunc(controls, func(c T) bool { return !works(c) }):
		return blocked(limited(of, "is refused, and what was accepted before is refused now too"))
	}
	return true
}

func limited(r history.Ref, what string) error {
	return &verdict.Inconclusive{
		Reason: r.String() + " " + what + ": a limit or a state of the source may explain it",
		Supply: "lift limits on calls for the examination, or run it more slowly with --concurrency 1",
	}
}

// changed returns the reason that a capability could not be judged because it was changed.
func changed(r history.Ref) error {
	return verdict.Undecided("%s was changed or removed during the examination", r)
}

// showsCode is true unless the answer is an InvokeResult of a wrong shape, which has the code only in an invalid form,
// or no code that can be read.
func showsCode(a attempt, code string) any {
	if a.Misshapen(code) {
		return &rule.Gap{Reason: misshapen()}
	}
	return true
}

// isKnown reports whether a source answers an unlisted reference otherwise than with NOT_FOUND. Another user may have
// registered it since the list, unless it is random.
func isKnown(a attempt) any {
	_, random := unlistedForm(&a.Call)
	notFound := permitted(history.NotFound)
	if a.HasResult() && !random {
		again := a.in.Confirming(a.Entry)
		if len(again) == 0 {
			return settledBy(history.InvokeAgain, a.Entry)
		}
		if slices.ContainsFunc(again, notFound) {
			return false
		}
	}
	if !a.MayBeLimit() {
		return true
	}
	return a.in.unexplainedByLimit(a.Attempt, notFound)
}

// not returns the opposite of a value that may be a gap.
func not(x any) any {
	if is, known := x.(bool); known {
		return !is
	}
	return x
}
