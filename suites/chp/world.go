package chpsuite

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// world is what one scenario knows. Nobody shares it.
type world struct {
	*examination
	sc       *suites.Scenario
	attempts []*attempt
	usual    []*attempt // under ids of their own, to compare with
	objects  []shown
	replays  []replay
	marks    []string
}

// shown is an object of the protocol and the answer that showed it.
type shown struct {
	object
	what   string // for messages: "a capability descriptor"
	answer driver.Answer
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

// sentences is the vocabulary of the live half, by file of nouns.
var sentences = slices.Concat(descriptorSentences, invocationSentences, correlationSentences, evidenceSentences, markSentences, outcomeSentences, endingSentences, replaySentences, querySentences, adviceSentences)

// violated reports a breach with the exchange that shows it.
func (w *world) violated(a driver.Answer, err error, message, want, got string) error {
	w.sc.Cite(a, err)
	return suites.Violated(message, want, got)
}

// blame reports a breach by an attempt: the invocation and, where it matters, the
// replay.
func (w *world) blame(a *attempt, message, want, got string) error {
	w.sc.Cite(a.answer, a.err)
	if a.replayed.query != nil {
		w.sc.Cite(a.replayed.answer, a.replayed.err)
	}
	return suites.Violated(message, want, got)
}

// lost gives the first error of an attempt that brought no answer at all. A host that turns some
// attempts away, since it has too much to do, leaves enough others.
func lost(all []*attempt) error {
	turnedAway, others := error(nil), false
	for _, a := range all {
		for _, err := range []error{a.err, a.replayed.err} {
			switch {
			case err == nil || suites.ClosedInFace(err):
				others = true
			case errors.Is(err, driver.ErrThrottled), isOpen(err):
				turnedAway = fmt.Errorf("no answer for %s: %w", a.kind, err)
			default:
				return fmt.Errorf("no answer for %s: %w", a.kind, err)
			}
		}
	}
	if others {
		return nil
	}
	return turnedAway
}

// isOpen tells the error of an invocation that the policy did not let through.
func isOpen(err error) bool {
	var open *suites.Inconclusive
	return errors.As(err, &open)
}

// needSuccess is the positive control of the host as a whole: an invocation that
// came back with success and left evidence.
func (w *world) needSuccess(ctx context.Context) error {
	if len(w.capabilities) == 0 {
		return suites.Undecided("no capability is declared, so nothing can be invoked")
	}
	if len(w.pool) == 0 {
		return &suites.Inconclusive{
			Reason: "no declared capability may be invoked",
			Supply: "--invoke all invokes every one; or name one under roles in the target file",
		}
	}
	_, err := w.simplest(ctx, w.sc)
	return err
}

// lacksState answers the tag @when:name.
func (e *examination) lacksState(name string) error {
	members := map[string][]string{
		"input-schema": {"input_schema"}, "output-schema": {"output_schema"}, "invariants": {"invariants"}, "risk": {"risk"},
		"assurance": {"assurance"}, "owner-tags-metadata": {"owner", "tags", "metadata"}, "capability-uri": {"capability_uri"},
	}[name]
	for _, c := range e.capabilities {
		for _, m := range members {
			if c.members[m] != nil {
				return nil
			}
		}
	}
	switch {
	case len(members) > 0 && len(e.capabilities) == 0:
		return suites.Undecided("no capability is declared, so it is not known whether one declares %s", members[0])
	case len(members) > 0:
		return suites.Inapplicable("no capability declares %s", members[0])
	case name == "disabled-capability":
		return e.lacks("with", roleDisabled)
	case name == "restricted-capability":
		return e.lacks("with", roleRestricted)
	}
	return nil
}
