package acdsuite

import (
	"context"
	"regexp"
	"slices"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
)

// world is what one scenario knows. Nobody shares it.
type world struct {
	*examination
	sc       *suites.Scenario
	template template
	probes   []string // ids that were registered and are to be deleted
}

// demanded is missing for an operation that the text demands of an SDK: a subject that
// plays one and does not serve it breaks the requirement.
func (w *world) demanded(ctx context.Context, a answered) error {
	if a.served() || !w.playsSDK(ctx) {
		return a.missing()
	}
	return broken("the SDK does not serve "+a.operation, "an answer to "+a.operation, a.received())
}

// playsSDK tells whether the target file says that the subject is an SDK, or the subject
// serves a change of its registry. Deleting what nobody registered changes nothing.
func (w *world) playsSDK(ctx context.Context) bool {
	if slices.Contains(w.subject.Actors, actorSDK) {
		return true
	}
	if w.subject.Invoke == suites.InvokeNone {
		return false
	}
	return w.done.manages.Get(ctx, func() (bool, bool) {
		id := probePrefix + uuid.NewString()[:8]
		w.gate.Invent(id)
		a := w.call(ctx, opDelete, object{"capability_id": id})
		return a.err == nil && a.served(), a.err == nil
	})
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
	for _, s := range judgements {
		voc.Step(s.expression(), s.bind(e.judge, sc))
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
