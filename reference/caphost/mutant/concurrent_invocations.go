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

// answersSwapped swaps the outcomes of two concurrent callers of the echo. A single caller
// keeps its own.
func answersSwapped(h *caphost.Host) {
	const meetingTime = 60 * time.Millisecond
	meeting, original := make(chan caller), h.Perform
	h.Perform = func(ctx context.Context, c *caphost.Capability, input any) caphost.Outcome {
		own := caller{original(ctx, c, input), make(chan caphost.Outcome, 1)}
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
