package verdict

import (
	"context"
	"regexp"
	"sync"
)

// Sentence is a step of a feature. It names a judgement of J, and nothing else. Expression
// matches the whole step.
type Sentence[J any] struct {
	Expression func() *regexp.Regexp
	handler    func(J, Judging) any
}

// Judging runs a judgement and keeps its verdict. The error is nil but for a defect of the
// harness.
type Judging func(ctx context.Context, judgement func() Verdict) error

// Handler returns the function that the step calls.
func (s Sentence[J]) Handler(by J, judging Judging) any { return s.handler(by, judging) }

// Expression returns the expression of a step, which matches its whole sentence. It is
// compiled when it is first used: most commands run few suites or none.
func Expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^" + text + "$") })
}

// Say makes the sentence of a judgement.
func Say[J any](expression string, decide func(J) Verdict) Sentence[J] {
	return Sentence[J]{Expression(expression), func(by J, judging Judging) any {
		return func(ctx context.Context) error {
			return judging(ctx, func() Verdict { return decide(by) })
		}
	}}
}

// SayOf makes the sentence of a judgement about what one word of it names.
func SayOf[J any](expression string, decide func(J, string) Verdict) Sentence[J] {
	return Sentence[J]{Expression(expression), func(by J, judging Judging) any {
		return func(ctx context.Context, word string) error {
			return judging(ctx, func() Verdict { return decide(by, word) })
		}
	}}
}

// SayOfTwo makes the sentence of a judgement about what two words of it name.
func SayOfTwo[J any](expression string, decide func(J, string, string) Verdict) Sentence[J] {
	return Sentence[J]{Expression(expression), func(by J, judging Judging) any {
		return func(ctx context.Context, first, second string) error {
			return judging(ctx, func() Verdict { return decide(by, first, second) })
		}
	}}
}

// SayOfThree makes the sentence of a judgement about what three words of it name.
func SayOfThree[J any](expression string, decide func(J, string, string, string) Verdict) Sentence[J] {
	return Sentence[J]{Expression(expression), func(by J, judging Judging) any {
		return func(ctx context.Context, first, second, third string) error {
			return judging(ctx, func() Verdict { return decide(by, first, second, third) })
		}
	}}
}
