package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// limitsAtMost bounds how many answers of one judgement are asked for again.
const limitsAtMost = 6

// accusation is a place that breaks a requirement unless the source changed meanwhile or a
// limit explains it.
type accusation struct {
	of      *history.Attempt
	with    []record.Tick               // further entries that show it
	sound   func(*history.Attempt) bool // the answer that the text demands, nil: no limit explains the place
	message string
	want    string
	worse   int
}

// accuse adds a place.
func (r *ruling) accuse(x accusation) {
	a := x.of
	b := verdict.Breach{
		Message: x.message, Want: x.want, Got: a.Got, Entries: append([]record.Tick{a.Entry}, x.with...), Worse: x.worse,
	}
	if attaching(&a.Call) {
		return // what is attached is judged by itself
	}
	if r.judge.Adapted && a.Breaks() != "" {
		b.Hint = passedOn
	}
	if r.judge.sheet(a.Asked, a.Entry) != nil {
		switch r.judge.around(a.Asked, &a.Call, contractMembers) {
		case shifted:
			if a.About[history.AboutRole] != "" { // others show the same
				r.open = changed(a.Asked)
			}
			return
		case untested:
			r.suspect(b, history.ListNow)
			return
		}
	}
	if x.sound != nil && a.MayBeLimit() && !r.beyondLimits(b, a, x.sound) {
		return
	}
	r.Breaches = append(r.Breaches, b)
}

// passedOn explains who is examined where a plain MCP server is.
const passedOn = "the adapter passes every input on to the server, sound or not, so it is the server that answered this one"

// suspect adds a place that another stimulus has to decide.
func (r *ruling) suspect(b verdict.Breach, settle string) {
	r.Doubts = append(r.Doubts, verdict.Doubt{Breach: b, Settle: verdict.Settle{Stimulus: settle, Of: b.Entries[0]}})
}

// beyondLimits tells whether no limit and no state of the source explains an answer: the
// same invocation is answered in the same way again, and what was accepted before still is.
// A source may limit how often it is called, and CAP has no word for that.
func (r *ruling) beyondLimits(b verdict.Breach, a *history.Attempt, sound func(*history.Attempt) bool) bool {
	again, controls := r.judge.Confirming(a.Entry), r.judge.Controls(a.Entry)
	refused := func(c *history.Attempt) bool { return !c.Succeeded() }
	r.limits++
	switch {
	case r.limits > limitsAtMost:
		r.open = limited(a.Asked, "is refused in too many ways to ask for each again")
	case len(again) == 0:
		r.suspect(b, history.InvokeAgain)
	case slices.ContainsFunc(again, sound):
		r.open = limited(a.Asked, "is answered in another way when it is asked again")
	case slices.ContainsFunc(controls, refused):
		r.open = limited(controls[0].Asked, "is refused by now with an input that was accepted before")
	case len(controls) == 0:
		r.open = r.judge.unserved()
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

// changed says that a capability could not be judged because it was changed.
func changed(r history.Ref) error {
	return verdict.Undecided("%s was changed or taken away while it was looked at", r)
}
