package suites

import (
	"context"
	"regexp"
)

// Sentence is a step of a vocabulary. It names a judgement by J, and nothing else.
type Sentence[J any] struct {
	expression func() *regexp.Regexp
	handler    func(J, *Scenario) any
}

// Register registers sentences for one scenario.
func Register[J any](voc Vocabulary, sc *Scenario, by J, all []Sentence[J]) {
	for _, s := range all {
		voc.Step(s.expression(), s.handler(by, sc))
	}
}

// Say makes the sentence of a judgement.
func Say[J any](expression string, decide func(J) Verdict) Sentence[J] {
	return Sentence[J]{Expression(expression), func(by J, sc *Scenario) any {
		return func(ctx context.Context) error {
			return sc.Judge(ctx, func() Verdict { return decide(by) })
		}
	}}
}

// SayOf makes the sentence of a judgement about what one word of it names.
func SayOf[J any](expression string, decide func(J, string) Verdict) Sentence[J] {
	return Sentence[J]{Expression(expression), func(by J, sc *Scenario) any {
		return func(ctx context.Context, word string) error {
			return sc.Judge(ctx, func() Verdict { return decide(by, word) })
		}
	}}
}

// SayOfTwo makes the sentence of a judgement about what two words of it name.
func SayOfTwo[J any](expression string, decide func(J, string, string) Verdict) Sentence[J] {
	return Sentence[J]{Expression(expression), func(by J, sc *Scenario) any {
		return func(ctx context.Context, first, second string) error {
			return sc.Judge(ctx, func() Verdict { return decide(by, first, second) })
		}
	}}
}

// SayOfThree makes the sentence of a judgement about what three words of it name.
func SayOfThree[J any](expression string, decide func(J, string, string, string) Verdict) Sentence[J] {
	return Sentence[J]{Expression(expression), func(by J, sc *Scenario) any {
		return func(ctx context.Context, first, second, third string) error {
			return sc.Judge(ctx, func() Verdict { return decide(by, first, second, third) })
		}
	}}
}
