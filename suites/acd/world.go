package acdsuite

import (
	"context"
	"regexp"
	"slices"

	"github.com/capconform/capconform/suites"
)

// world is what one scenario knows. Nobody shares it.
type world struct {
	*examination
	sc       *suites.Scenario
	template template
	probes   []string // ids that were registered and are to be deleted
}

// sentence is one step of the vocabulary.
type sentence struct {
	expression func() *regexp.Regexp
	bind       func(*world) any
}

// Steps implements suites.Examination.
func (e *examination) Steps(voc suites.Vocabulary, sc *suites.Scenario) {
	w := &world{examination: e, sc: sc}
	for _, s := range sentences {
		voc.Step(s.expression(), s.bind(w))
	}
}

func say(expression string, bind func(*world) any) sentence {
	return sentence{suites.Expression(expression), bind}
}

// try is a sentence whose step registers copies, which are deleted when it is over.
func try(expression string, step func(*world, context.Context) error) sentence {
	return say(expression, func(w *world) any {
		return func(ctx context.Context) error {
			defer w.clean(ctx)
			return step(w, ctx)
		}
	})
}

// tryWord is a try with a word in it.
func tryWord(expression string, step func(*world, context.Context, string) error) sentence {
	return say(expression, func(w *world) any {
		return func(ctx context.Context, word string) error {
			defer w.clean(ctx)
			return step(w, ctx, word)
		}
	})
}

// sentences is the vocabulary of the live half, by file of nouns.
var sentences = slices.Concat(descriptorSentences, manifestSentences, registrySentences, querySentences, engineSentences, defaultSentences, auditSentences,
	hookSentences, channelSentences, creationSentences, shellSentences, mutabilitySentences, exemplarSentences)
