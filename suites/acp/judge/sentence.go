package judge

import (
	"github.com/capconform/capconform/suites/verdict"
)

// limited is a subject of judgements that reports whether the history reached its limits.
type limited interface{ Full() bool }

// decide returns a sentence with its judgement.
func decide[S limited](expression string, by func(S) verdict.Verdict) verdict.Sentence[S] {
	return verdict.Say(expression, func(s S) verdict.Verdict { return withinLimits(s, by(s)) })
}

// about returns a sentence with a judgement about one member, binding or kind of object.
func about[S limited](expression string, by func(S, string) verdict.Verdict) verdict.Sentence[S] {
	return verdict.SayOf(expression, func(s S, name string) verdict.Verdict { return withinLimits(s, by(s, name)) })
}

// withinLimits returns the verdict v, or a limit error if the history reached its limits.
func withinLimits(s limited, v verdict.Verdict) verdict.Verdict {
	if !s.Full() {
		return v
	}
	return verdict.Verdict{Open: &verdict.LimitError{
		Reason: "the subject sends more requests to the test doubles than the harness keeps"}}
}
