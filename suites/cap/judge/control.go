package judge

import (
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/verdict"
)

var controlSentences = []verdict.Sentence[*evidence]{
	verdict.Say(`some invocation succeeded`, (*evidence).SomeSucceeded),
}

// SomeSucceeded judges whether some invocation succeeded: the positive control of the source as
// a whole.
func (j *evidence) SomeSucceeded() verdict.Verdict {
	r := j.newVerdict()
	if j.someSuccess() != nil {
		r.Judged++
	}
	return r.conclude(j.noSuccess())
}

func (j *evidence) noSuccess() error {
	if err := j.NotReady(); err != nil {
		return err
	}
	if err := firstLost(j.Of(history.Valid)); err != nil {
		return err
	}
	return &verdict.Inconclusive{
		Reason: "no invocation with a valid input succeeded",
		Supply: nameWorking,
	}
}
