package suites

import (
	"errors"
	"sync"

	"github.com/capconform/capconform/suites/driver"
)

// health observes whether the target is still alive, so that its death is reported once and not by
// every scenario that follows.
type health struct {
	mu      sync.Mutex
	misses  int
	refused int
	closed  int
	dead    func(cause error)
}

// The numbers of consecutive failed calls after which the target may be dead. A single lost call
// may be the defect that a scenario looks for.
const (
	missesAllowed  = 4
	refusalsBefore = 2
	closedAllowed  = 8
)

// note counts the result of a call and reports whether the target may be dead.
func (h *health) note(err error) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case errors.Is(err, driver.ErrTimeout):
		h.misses++
	case errors.Is(err, driver.ErrUnreachable):
		h.refused++
	case errors.Is(err, driver.ErrClosed):
		h.closed++
	case errors.Is(err, driver.ErrCancelled):
		return false
	default:
		h.misses, h.refused, h.closed = 0, 0, 0
		return false
	}
	return h.misses >= missesAllowed || h.refused >= refusalsBefore || h.closed >= closedAllowed
}

func (h *health) revive() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.misses, h.refused, h.closed = 0, 0, 0
}
