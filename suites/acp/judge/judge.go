// Package judge decides about the requirements of ACP by what a run did and saw (DESIGN
// section 5). It calls nothing: the same history gives the same verdicts.
package judge

import (
	"sync"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/signature"
)

// Judge decides about one history.
type Judge struct {
	*history.History
	Offer   Offer              // what the subject showed before the first call
	Profile signature.Profile  // by which the subject is known to take signatures; empty: it is not known
	Known   []*history.Release // what the target file says that an index lists

	mu     sync.Mutex
	kept   *ledger
	keptOf int // the number of calls that it was made of
}

// Blocked says why no package can be installed, or none is reached by messages.
func (j *Judge) Blocked() error {
	if err := j.Conclusion(history.Installs); err != nil {
		return err
	}
	return j.Conclusion(history.Reaches)
}
