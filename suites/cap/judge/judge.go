// Package judge describes what a run of CAP did and observed to the rules in suites/cap/rules (DESIGN section 5). It
// makes no calls: the same history gives the same verdicts. The rules on manifests also judge manifests in files.
package judge

import (
	"github.com/capconform/capconform/suites/cap/history"
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
