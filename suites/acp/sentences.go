package acpsuite

import (
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/judge"
	"github.com/capconform/capconform/suites/driver"
)

// judgement is a sentence that names a judgement.
type judgement = suites.Sentence[*judge.Judge]

// decide makes a sentence of a judgement.
func decide(expression string, by func(*judge.Judge) suites.Verdict) judgement {
	return suites.Say(expression, func(j *judge.Judge) suites.Verdict { return withinLimits(j, by(j)) })
}

// about makes a sentence of a judgement about one member, binding or kind of object.
func about(expression string, by func(*judge.Judge, string) suites.Verdict) judgement {
	return suites.SayOf(expression,
		func(j *judge.Judge, name string) suites.Verdict { return withinLimits(j, by(j, name)) })
}

// withinLimits gives a verdict, unless the subject asked more than is kept.
func withinLimits(j *judge.Judge, v suites.Verdict) suites.Verdict {
	if !j.Full() {
		return v
	}
	return suites.Verdict{Open: &driver.CallError{Kind: driver.ErrTooLarge,
		Detail: "the subject asks more of what is played to it than is kept"}}
}

// judgements are the sentences that judge everything that a run saw, by actor: a file for
// each.
var judgements = slices.Concat(routerJudgements, registryJudgements, indexJudgements, publisherJudgements)
