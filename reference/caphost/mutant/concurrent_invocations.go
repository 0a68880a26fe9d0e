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

const (
	meetingTime = 60 * time.Millisecond
	swapTime    = 3 * meetingTime // for callers that must meet even on a loaded machine
)

// wait waits for a short time, or until the context ends, so that another caller can arrive.
func wait(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(meetingTime):
	}
}

// answersSwapped swaps the outcomes of two concurrent callers of the echo.
func answersSwapped(h *caphost.Host) { swapsAnswers(h, "conformance.echo") }

// swapsAnswers swaps the outcomes of two concurrent callers of a capability. A single caller gets its
// own outcome.
func swapsAnswers(h *caphost.Host, id string) {
	meeting, original := make(chan caller), h.Perform
	h.Perform = func(ctx context.Context, c *caphost.Capability, input any) caphost.Outcome {
		own := caller{original(ctx, c, input), make(chan caphost.Outcome, 1)}
		if c.ID != id {
			return own.outcome
		}
		select {
		case other := <-meeting:
			other.swapped <- own.outcome
			return other.outcome
		case meeting <- own:
			return <-own.swapped
		case <-time.After(swapTime):
			return own.outcome
		}
	}
}
