// Package judge decides about the requirements of ACP by what a run did and saw (DESIGN
// section 5). It calls nothing: the same history gives the same verdicts.
package judge

import (
	"sync"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/signature"
)

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

// Blocked says why no package can be installed, or none is reached by messages.
func (j *evidence) Blocked() error {
	if err := j.Conclusion(history.Installs); err != nil {
		return err
	}
	return j.Conclusion(history.Reaches)
}
