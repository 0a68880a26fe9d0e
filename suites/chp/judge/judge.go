// Package judge decides about the requirements of CHP from what a run did and observed (DESIGN
// section 5). It makes no calls: the same history gives the same verdicts.
package judge

import (
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/rule"
)

// Judge decides about one history. Its fields are set before the first judgement.
type Judge struct {
	*evidence
	view   *rule.View
	viewed int // the size of the history then
}

// New makes a judge of a history. The caller sets the other fields.
func New(h *history.History) *Judge { return &Judge{evidence: &evidence{History: h}} }
