// Package judge decides about the requirements of ACP from what a run did and observed (DESIGN section
// 5). It makes no calls: the same history gives the same verdicts.
package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/verdict"
)

// Sentences returns the sentences of all judgements. Each file lists the sentences of its judgements.
func Sentences() []verdict.Sentence[*Judge] {
	return slices.Concat(
		verdict.Of(func(j *Judge) executions { return j.executions },
			executionSentences),
		verdict.Of(func(j *Judge) indexes { return j.indexes },
			indexSentences, searchSentences),
		verdict.Of(func(j *Judge) installations { return j.installations },
			shownSentences, stateSentences),
		verdict.Of(func(j *Judge) publishers { return j.publishers },
			publisherSentences),
		verdict.Of(func(j *Judge) registries { return j.registries },
			authorSentences, eventSentences, registrySentences),
		verdict.Of(func(j *Judge) routes { return j.routes },
			dutySentences, refusalSentences, removalSentences, routeSentences),
	)
}

// Judge decides about one history. Each subject of judgement has its own type; they share only the
// evidence.
type Judge struct {
	*evidence
	installations
	routes
	executions
	registries
	indexes
	publishers
}

// New returns a judge of a history. The caller sets the other fields.
func New(h *history.History) *Judge {
	e := &evidence{History: h}
	return &Judge{e, installations{e}, routes{e}, executions{e}, registries{e}, indexes{e}, publishers{e}}
}
