// Package judge decides about the requirements of CHP from what a run did and observed (DESIGN
// section 5). It makes no calls: the same history gives the same verdicts.
package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// Judge decides about one history. Each subject has a type with its judgements; these types share only
// the evidence.
type Judge struct {
	*evidence
	view   *rule.View
	viewed int // the size of the history then

	descriptors
}

// Sentences returns the sentences of the scenarios for live hosts. Each names a judgement and is
// defined in the file of that judgement.
func Sentences() []verdict.Sentence[*Judge] {
	return slices.Concat(
		verdict.Of(func(j *Judge) descriptors { return j.descriptors }, descriptorSentences),
	)
}

// New makes a judge of a history. The caller sets the other fields.
func New(h *history.History) *Judge {
	e := &evidence{History: h}
	return &Judge{evidence: e, descriptors: descriptors{e}}
}
