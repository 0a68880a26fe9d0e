package acdsuite

import (
	"context"
	"time"
)

// pauses lie between the looks at what may be written a moment after the answer, such
// as a record: the text does not say when. They are a second together, as
// suites/acd/ADAPTER.md says.
var pauses = []time.Duration{20, 60, 120, 300, 500}

// soon looks until something is so, or the last pause is over.
func soon(ctx context.Context, isSo func() bool) bool {
	for _, pause := range pauses {
		if isSo() {
			return true
		}
		timer := time.NewTimer(pause * time.Millisecond)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return isSo()
		}
	}
	return isSo()
}
