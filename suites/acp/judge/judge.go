// Package judge decides about the requirements of ACP by what a run did and saw (DESIGN
// section 5). It calls nothing: the same history gives the same verdicts.
package judge

import (
	"github.com/capconform/capconform/suites/acp/history"
)

// Judge decides about one history.
type Judge struct {
	*history.History
}
