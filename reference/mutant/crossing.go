package mutant

import (
	"context"
	"time"
)

// exchange carries an output to another invoke and gives a place for that one's own.
type exchange struct {
	output any
	back   chan any
}

// patience is how long an invoke waits for another one to swap outputs with.
const patience = 5 * time.Millisecond

// swap gives the output of another invoke that is under way, its own if there is none.
func swap(ctx context.Context, meet chan exchange, output any) any {
	alone := time.NewTimer(patience)
	defer alone.Stop()
	mine := exchange{output: output, back: make(chan any, 1)}
	select {
	case meet <- mine:
		return <-mine.back
	case other := <-meet:
		other.back <- output
		return other.output
	case <-alone.C:
	case <-ctx.Done():
	}
	return output
}
