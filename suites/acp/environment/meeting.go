package environment

import (
	"context"
	"sync"
	"time"
)

// Meeting makes the first answers of several turns wait for each other, so that the turns overlap. A
// subject that answers one message after the other is not kept: nobody waits longer than a moment.
type Meeting struct {
	mu      sync.Mutex
	missing int
	all     chan struct{}
}

// longestMeeting is how long an answer waits for the others.
const longestMeeting = 300 * time.Millisecond

// NewMeeting returns a meeting of so many turns.
func NewMeeting(turns int) *Meeting { return &Meeting{missing: turns, all: make(chan struct{})} }

// arrive waits until all turns have arrived, or for the longest time.
func (m *Meeting) arrive(ctx context.Context) {
	if m == nil {
		return
	}
	m.mu.Lock()
	if m.missing--; m.missing == 0 {
		close(m.all)
	}
	m.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, longestMeeting)
	defer cancel()
	select {
	case <-m.all:
	case <-ctx.Done():
	}
}
