// Package judge decides about the requirements of ACD by what a run did and saw (DESIGN
// section 5). It calls nothing: the same history gives the same verdicts.
package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/shape"
	"github.com/capconform/capconform/suites/verdict"
)

// Judge decides about one history. Each subject has a type with its judgements; they share
// the evidence and nothing else.
type Judge struct {
	*evidence
	documents
	channels
	changes
	executions
	records
}

// The subjects: the manifest, the descriptors and the documentation; what a channel shows and
// lets through; what a list of the registry shows; what a change of the registry does; how the
// engine runs a capability; what the log, the hooks and the defaults make of it.
type (
	documents  struct{ *evidence }
	channels   struct{ *evidence }
	views      struct{ *evidence }
	changes    struct{ views }
	executions struct{ *evidence }
	records    struct{ *evidence }
)

// Sentences returns the sentences of the scenarios for live agents. Each names a judgement and stands in
// the file of that judgement.
func Sentences() []verdict.Sentence[*Judge] {
	return slices.Concat(auditSentences, bothSentences, channelSentences, creationSentences, crudSentences,
		defaultSentences, deletionSentences, descriptorSentences, docsSentences, engineSentences,
		exemplarSentences, exposureSentences, hookSentences, immutableSentences, indexSentences, listSentences,
		manifestSentences, nameSentences, refusalSentences, shellSentences, viewSentences)
}

// New makes a judge of a history, which checks descriptors and manifests by these shapes.
func New(h *history.History, descriptor, manifest *shape.Shape) *Judge {
	e := &evidence{History: h, DescriptorShape: descriptor, ManifestShape: manifest}
	return &Judge{e, documents{e}, channels{e}, changes{views{e}}, executions{e}, records{e}}
}
