package acpsuite

import (
	"context"
	"regexp"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// world is what one scenario knows. Nobody shares it.
type world struct {
	party
	sc *suites.Scenario

	it           *specimen // the package that the scenario is about
	others       []*specimen
	pair         pair
	active       *specimen
	conversation string
	elsewhere    string // another conversation
	turns        []turn
	objects      []object // as they were given to the model
}

// sentence is one step of the vocabulary.
type sentence struct {
	expression func() *regexp.Regexp
	bind       func(*world) any
}

// Steps implements suites.Examination.
func (e *examination) Steps(voc suites.Vocabulary, sc *suites.Scenario) {
	w := &world{sc: sc, conversation: newConversation()}
	w.party = party{e, func(ctx context.Context, op driver.Operation) (driver.Answer, error) { return sc.Call(ctx, op) }}
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

// sentences is the vocabulary of the live half, by file of nouns.
var sentences = slices.Concat(installationSentences, routingSentences, doneSentences)

// experiments are done once a run, by the first scenario that needs one.
type experiments struct {
	pairs [pairKinds]suites.Memo[pair]
}

// needPackages leaves the question open where no package can be installed, or
// where none is reached by messages.
func (p party) needPackages() error {
	if p.blocked != nil {
		return p.blocked
	}
	return p.deaf
}

// mounted publishes and installs a package. That the subject refuses it leaves
// the question open.
func (p party) mounted(ctx context.Context, s *specimen) error {
	if p.blocked != nil {
		return p.blocked
	}
	if err := p.publish(ctx, s); err != nil {
		return err
	}
	answer, err := p.install(ctx, s.ID, s.CID)
	if err != nil {
		return err
	}
	if answer.Outcome != driver.Returned {
		return suites.Undecided("a sound package is not installed: %s", suites.Received(answer, nil))
	}
	return nil
}
