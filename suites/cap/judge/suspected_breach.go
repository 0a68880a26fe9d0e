package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// maxLimits limits how many calls are repeated for one judgement.
const maxLimits = 6

// suspectedBreach is an attempt that breaks a requirement, unless the source changed during the call
// or a limit explains the answer.
type suspectedBreach struct {
	attempt   *history.Attempt
	with      []record.Tick               // further entries that prove it
	permitted func(*history.Attempt) bool // the answer that the text requires, nil: no limit explains the answer
	message   string
	want      string
	worse     int
}

// addSuspected adds an accusation.
func (r *pendingVerdict) addSuspected(x suspectedBreach) {
	a := x.attempt
	b := verdict.Breach{
		Message: x.message, Want: x.want, Got: a.Got, Entries: append([]record.Tick{a.Entry}, x.with...), Worse: x.worse,
	}
	if attaching(&a.Call) {
		return // other judgements cover what is attached
	}
	if r.judge.Adapted && a.BrokenKeyword() != "" {
		b.Hint = hintPassedOn
	}
	if r.judge.rawManifest(a.Asked, a.Entry) != nil {
		switch r.judge.contractAround(a.Asked, &a.Call, contractMembers) {
		case contractChanged:
			if a.About[history.AboutRole] != "" { // other attempts prove the same
				r.open = changed(a.Asked)
			}
			return
		case contractUnknown:
			r.addDoubt(b, history.ListNow)
			return
		}
	}
	if x.permitted != nil && a.MayBeLimit() && !r.unexplainedByLimit(b, a, x.permitted) {
		return
	}
	r.Breaches = append(r.Breaches, b)
}

// hintPassedOn is the hint that a plain MCP server, and not the adapter, is examined.
const hintPassedOn = "the adapter passes every input on to the server, valid or not, so the server gave this answer"

// addDoubt adds a breach that another stimulus must confirm.
func (r *pendingVerdict) addDoubt(b verdict.Breach, settle string) {
	r.Doubts = append(r.Doubts, verdict.Doubt{Breach: b, Settle: verdict.Settle{Stimulus: settle, Of: b.Entries[0]}})
}

// unexplainedByLimit reports whether no limit and no state of the source explains an answer: the same
// invocation gets the same answer again, and an input that was accepted before still is. A source
// may limit how often it is called, and CAP defines no code for that.
func (r *pendingVerdict) unexplainedByLimit(b verdict.Breach, a *history.Attempt,
	valid func(*history.Attempt) bool) bool {
	again, controls := r.judge.Confirming(a.Entry), r.judge.Controls(a.Entry)
	refused := func(c *history.Attempt) bool { return !c.Succeeded() }
	r.limits++
	switch {
	case r.limits > maxLimits:
		r.open = limited(a.Asked, "is refused in too many ways to repeat each")
	case len(again) == 0:
		r.addDoubt(b, history.InvokeAgain)
	case slices.ContainsFunc(again, valid):
		r.open = limited(a.Asked, "is answered differently when the harness asks again")
	case slices.ContainsFunc(controls, refused):
		r.open = limited(controls[0].Asked, "by now refuses an input that it accepted before")
	case len(controls) == 0:
		r.open = r.judge.noSuccess()
	default:
		return true
	}
	return false
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
