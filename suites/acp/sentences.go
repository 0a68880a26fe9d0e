package acpsuite

import (
	"slices"

	"github.com/capconform/capconform/suites/acp/judge"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/verdict"
)

// judgement is a sentence that names a judgement.
type judgement = verdict.Sentence[*judge.Judge]

// decide makes a sentence of a judgement.
func decide(expression string, by func(*judge.Judge) verdict.Verdict) judgement {
	return verdict.Say(expression, func(j *judge.Judge) verdict.Verdict { return withinLimits(j, by(j)) })
}

// about makes a sentence of a judgement about one member, binding or kind of object.
func about(expression string, by func(*judge.Judge, string) verdict.Verdict) judgement {
	return verdict.SayOf(expression,
		func(j *judge.Judge, name string) verdict.Verdict { return withinLimits(j, by(j, name)) })
}

// withinLimits gives a verdict, unless the subject asked more than is kept.
func withinLimits(j *judge.Judge, v verdict.Verdict) verdict.Verdict {
	if !j.Full() {
		return v
	}
	return verdict.Verdict{Open: &driver.CallError{Kind: driver.ErrTooLarge,
		Detail: "the subject asks more of what is played to it than is kept"}}
}

// judgements are the sentences that judge everything that a run saw, by actor: a file for
// each.
var judgements = slices.Concat(routerJudgements, registryJudgements, indexJudgements, publisherJudgements)
