// Package judge decides about the requirements of ACP by what a run did and saw (DESIGN
// section 5). It calls nothing: the same history gives the same verdicts.
package judge

import (
	"slices"
	"sync"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/signature"
	"github.com/capconform/capconform/suites/verdict"
)

// Sentence is a step of a feature that names a judgement.
type Sentence = verdict.Sentence[*Judge]

// Sentences returns the sentences of all judgements. Each file lists the sentences of its judgements.
func Sentences() []Sentence {
	return slices.Concat(dutySentences, refusalSentences, routeSentences, removalSentences, shownSentences,
		executionSentences, stateSentences, registrySentences, eventSentences, authorSentences, indexSentences,
		searchSentences, publisherSentences)
}

// decide returns the sentence of a judgement.
func decide(expression string, by func(*Judge) verdict.Verdict) Sentence {
	return verdict.Say(expression, func(j *Judge) verdict.Verdict { return withinLimits(j, by(j)) })
}

// about returns the sentence of a judgement about one member, binding or kind of object.
func about(expression string, by func(*Judge, string) verdict.Verdict) Sentence {
	return verdict.SayOf(expression, func(j *Judge, name string) verdict.Verdict { return withinLimits(j, by(j, name)) })
}

// withinLimits returns a verdict unless the history reached its limits.
func withinLimits(j *Judge, v verdict.Verdict) verdict.Verdict {
	if !j.Full() {
		return v
	}
	return verdict.Verdict{Open: &verdict.LimitError{
		Reason: "the subject sends more requests to the test doubles than the harness keeps"}}
}

// Judge decides about one history. Each subject has a type with its judgements; they share
// the evidence and nothing else.
type Judge struct {
	*evidence
	installations
	routes
	executions
	registries
	indexes
	publishers
}

// The subjects: the state of installed packages; which package a message reaches; what a
// package may do as it runs; the registry on the chain; the indexing service; the publisher.
type (
	installations struct{ *evidence }
	routes        struct{ *evidence }
	executions    struct{ *evidence }
	registries    struct{ *evidence }
	indexes       struct{ *evidence }
	publishers    struct{ *evidence }
)

// evidence is the history, and what the judgements of several subjects conclude from it.
type evidence struct {
	*history.History
	Offer   Offer              // what the subject showed before the first call
	Profile signature.Profile  // by which the subject is known to take signatures; empty: it is not known
	Known   []*history.Release // what the target file says that an index lists

	mu     sync.Mutex
	kept   *ledger
	keptOf int // the number of calls that it was made of
}

// New makes a judge of a history. The caller sets the other fields.
func New(h *history.History) *Judge {
	e := &evidence{History: h}
	return &Judge{e, installations{e}, routes{e}, executions{e}, registries{e}, indexes{e}, publishers{e}}
}

// Blocked returns the reason why no package can be installed, or none is reached by messages.
func (j *evidence) Blocked() error {
	if err := j.Conclusion(history.Installs); err != nil {
		return err
	}
	return j.Conclusion(history.Reaches)
}
