// Package judge decides about the requirements of CAP by what a run did and observed (DESIGN
// section 5). It makes no calls: the same history gives the same verdicts. Its rules for
// manifests also apply to manifests in files.
package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/verdict"
)

// Judge decides about one history. Each subject has a type with its judgements; these types share
// only the evidence.
type Judge struct {
	*evidence
	attachments
	lists
	manifests
	invocations
}

// Sentences returns the sentences of the scenarios for live sources. Each names a judgement and
// is defined in the file of that judgement.
func Sentences() []verdict.Sentence[*Judge] {
	return slices.Concat(
		verdict.Of(func(j *Judge) *evidence { return j.evidence },
			controlSentences),
		verdict.Of(func(j *Judge) attachments { return j.attachments },
			attachmentSentences),
		verdict.Of(func(j *Judge) invocations { return j.invocations },
			concurrentSentences, resultSentences, roleSentences),
		verdict.Of(func(j *Judge) lists { return j.lists },
			listingSentences, stabilitySentences),
		verdict.Of(func(j *Judge) manifests { return j.manifests },
			descriptionSentences, leakSentences, manifestSentences, skillSentences),
	)
}

// New makes a judge of a history. The caller sets the other fields.
func New(h *history.History) *Judge {
	e := &evidence{History: h}
	return &Judge{e, attachments{e}, lists{e}, manifests{e}, invocations{e}}
}
