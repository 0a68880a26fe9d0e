// Package judge decides about the requirements of ACD by what a run did and observed (DESIGN section 5). It makes no
// calls: the same history gives the same verdicts.
package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/shape"
	"github.com/capconform/capconform/suites/verdict"
)

// Judge decides about one history. Each subject has a type with its judgements. The types share only the evidence.
type Judge struct {
	*evidence
	documents
	channels
	changes
	executions
	creations
}

// Sentences returns the sentences of the scenarios for live agents. Each names a judgement and is defined in the
// file of that judgement.
func Sentences() []verdict.Sentence[*Judge] {
	return slices.Concat(
		verdict.Of(func(j *Judge) refusing { return j.channels.refusing },
			refusalSentences),
		verdict.Of(func(j *Judge) changes { return j.changes },
			crudSentences, deletionSentences, immutableSentences, listSentences),
		verdict.Of(func(j *Judge) channels { return j.channels },
			channelSentences, exposureSentences),
		verdict.Of(func(j *Judge) documents { return j.documents },
			bothSentences, descriptorSentences, docsSentences, exemplarSentences, indexSentences, manifestSentences, nameSentences),
		verdict.Of(func(j *Judge) executions { return j.executions },
			engineSentences, shellSentences, substrateSentences),
		verdict.Of(func(j *Judge) records { return j.records },
			auditSentences, defaultSentences, hookSentences),
		verdict.Of(func(j *Judge) creations { return j.creations }, creationSentences),
		verdict.Of(func(j *Judge) views { return j.views },
			viewSentences),
	)
}

// New makes a judge of a history, which checks descriptors and manifests by these shapes.
func New(h *history.History, descriptor, manifest *shape.Shape) *Judge {
	e := &evidence{History: h, DescriptorShape: descriptor, ManifestShape: manifest}
	c := refusing{e}
	return &Judge{e, documents{c}, channels{c}, changes{views{c}}, executions{c}, creations{records{c}}}
}

// The subjects of the judgements.
type (
	// refusing judges the calls that the engine must refuse, by reason.
	refusing struct{ *evidence }
	// documents judges the manifest, the descriptors and the documentation.
	documents struct{ refusing }
	// channels judges what a channel shows and permits.
	channels struct{ refusing }
	// views judges the lists of the registry.
	views struct{ refusing }
	// changes judges the effects of changes of the registry.
	changes struct{ views }
	// executions judges how the engine runs capabilities.
	executions struct{ refusing }
	// records judges the log, the hooks and the defaults of calls.
	records struct{ refusing }
	// creations judges how meta-capabilities and the language model create entries.
	creations struct{ records }
)
