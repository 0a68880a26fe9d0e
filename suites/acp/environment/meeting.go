package environment

import (
	"context"
	"sync"
	"time"
)

// Meeting makes the first answers of several turns wait for each other, so that the turns overlap. If a
// subject processes one message at a time, each wait ends after longestMeeting.
type Meeting struct {
	mu      sync.Mutex
	missing int
	all     chan struct{}
}

// longestMeeting is the longest time that an answer waits for the others.
const longestMeeting = 300 * time.Millisecond

// NewMeeting returns a meeting of a number of turns.
func NewMeeting(turns int) *Meeting { return &Meeting{missing: turns, all: make(chan struct{})} }

// arrive waits until all turns have arrived, at most for longestMeeting. A nil meeting does not wait.
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
