// Package judge decides about the requirements of ACP by what a run did and saw (DESIGN
// section 5). It calls nothing: the same history gives the same verdicts.
package judge

import (
	"sync"

	"github.com/capconform/capconform/suites/acp/history"
)

// Judge decides about one history.
type Judge struct {
	*history.History
	Blocked func() error // why no package can be installed, or none is reached by messages

	mu     sync.Mutex
	kept   *ledger
	keptOf int // the number of calls that it was made of
}
