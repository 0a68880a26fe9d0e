package capmutant

import (
	"context"
	"time"

	"github.com/capconform/capconform/reference/caphost"
)

// caller waits with its outcome for another caller to exchange outcomes with.
type caller struct {
	outcome caphost.Outcome
	swapped chan caphost.Outcome
}

// callersCrossed gives two concurrent callers of the echo each other's outcome. A single caller
// keeps its own.
func callersCrossed(h *caphost.Host) {
	const meetingTime = 60 * time.Millisecond
	meeting, sound := make(chan caller), h.Perform
	h.Perform = func(ctx context.Context, c *caphost.Capability, input any) caphost.Outcome {
		own := caller{sound(ctx, c, input), make(chan caphost.Outcome, 1)}
		if c.ID != "conformance.echo" {
			return own.outcome
		}
		select {
		case other := <-meeting:
			other.swapped <- own.outcome
			return other.outcome
		case meeting <- own:
			return <-own.swapped
		case <-time.After(meetingTime):
			return own.outcome
		}
	}
}
