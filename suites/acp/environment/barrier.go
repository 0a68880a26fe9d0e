package environment

import (
	"context"
	"sync"
	"time"
)

// Barrier makes the first answers of several turns wait for each other, so that the turns overlap. If a
// subject processes one message at a time, each wait ends after maxBarrierWait.
type Barrier struct {
	mu       sync.Mutex
	missing  int
	released chan struct{}
}

// maxBarrierWait is the longest time that an answer waits for the others.
const maxBarrierWait = 300 * time.Millisecond

// NewBarrier returns a barrier for a number of turns.
func NewBarrier(turns int) *Barrier { return &Barrier{missing: turns, released: make(chan struct{})} }

// wait waits until all turns have arrived, at most for maxBarrierWait. A nil barrier does not wait.
func (m *Barrier) wait(ctx context.Context) {
	if m == nil {
		return
	}
	m.mu.Lock()
	if m.missing--; m.missing == 0 {
		close(m.released)
	}
	m.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, maxBarrierWait)
	defer cancel()
	select {
	case <-m.released:
	case <-ctx.Done():
	}
}
