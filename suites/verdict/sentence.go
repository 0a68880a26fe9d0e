package verdict

import (
	"context"
	"regexp"
	"slices"
	"sync"
)

// Sentence is a step of a feature that names a judgement of J. Expression returns an expression
// that matches the whole step.
type Sentence[J any] struct {
	Expression func() *regexp.Regexp
	handler    func(subject func() J, judging Judging) any
}

// Judging runs a judgement and keeps its verdict. The error is nil except for a defect of the
// harness.
type Judging func(ctx context.Context, judgement func() Verdict) error

// Handler returns the function that the step calls.
func (s Sentence[J]) Handler(by J, judging Judging) any {
	return s.handler(func() J { return by }, judging)
}

// Of returns the sentences about a part of a J. Their judgements need only that part.
func Of[J, P any](part func(J) P, tables ...[]Sentence[P]) []Sentence[J] {
	var all []Sentence[J]
	for _, s := range slices.Concat(tables...) {
		all = append(all, Sentence[J]{s.Expression, func(by func() J, judging Judging) any {
			return s.handler(func() P { return part(by()) }, judging)
		}})
	}
	return all
}

// Expression returns a function that returns the expression of a step, which matches the whole
// sentence. The expression is compiled at its first use, because most commands run few suites or
// none.
func Expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^" + text + "$") })
}

// Say returns the sentence of a judgement.
func Say[J any](expression string, decide func(J) Verdict) Sentence[J] {
	return Sentence[J]{Expression(expression), func(by func() J, judging Judging) any {
		return func(ctx context.Context) error {
			return judging(ctx, func() Verdict { return decide(by()) })
		}
	}}
}

// SayOf returns the sentence of a judgement whose argument is one word of the sentence.
func SayOf[J any](expression string, decide func(J, string) Verdict) Sentence[J] {
	return Sentence[J]{Expression(expression), func(by func() J, judging Judging) any {
		return func(ctx context.Context, word string) error {
			return judging(ctx, func() Verdict { return decide(by(), word) })
		}
	}}
}

// SayOfTwo returns the sentence of a judgement whose arguments are two words of the sentence.
func SayOfTwo[J any](expression string, decide func(J, string, string) Verdict) Sentence[J] {
	return Sentence[J]{Expression(expression), func(by func() J, judging Judging) any {
		return func(ctx context.Context, first, second string) error {
			return judging(ctx, func() Verdict { return decide(by(), first, second) })
		}
	}}
}

// SayOfThree returns the sentence of a judgement whose arguments are three words of the sentence.
func SayOfThree[J any](expression string, decide func(J, string, string, string) Verdict) Sentence[J] {
	return Sentence[J]{Expression(expression), func(by func() J, judging Judging) any {
		return func(ctx context.Context, first, second, third string) error {
			return judging(ctx, func() Verdict { return decide(by(), first, second, third) })
		}
	}}
}
