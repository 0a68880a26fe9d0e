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
	r := j.ruling()
	if j.worked() != nil {
		r.Judged++
	}
	return r.concludes(j.unserved())
}

func (j *evidence) unserved() error {
	if err := j.Ready(); err != nil {
		return err
	}
	if err := lost(j.Of(history.Valid)); err != nil {
		return err
	}
	return &verdict.Inconclusive{
		Reason: "no invocation with a valid input succeeded",
		Supply: nameWorking,
	}
}
