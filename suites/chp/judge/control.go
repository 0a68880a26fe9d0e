package judge

import (
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/verdict"
)

var controlSentences = []verdict.Sentence[*evidence]{
	verdict.Say(`at least one invocation has the outcome success`, (*evidence).SomeSuccess),
}

// SomeSuccess judges whether an invocation succeeded: the positive control of the whole host.
func (j *evidence) SomeSuccess() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, a := range j.Of(history.Ordinary) {
		if a.Outcome() == history.Success {
			r.Judged++
		}
	}
	return r.OpenUnlessJudged(j.noSuccess())
}

func (j *evidence) noSuccess() error {
	if err := j.NotReady(); err != nil {
		return err
	}
	if err := j.lost(j.Of(history.Ordinary)); err != nil {
		return err
	}
	return &verdict.Inconclusive{
		Reason: "no capability succeeded",
		Supply: "name one with an input that works in the target file: roles: {chp: {echo: {capability: ID, input: {...}}}}",
	}
}
