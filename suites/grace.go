package suites

import (
	"context"
	"time"

	"github.com/capconform/capconform/suites/driver"
)

// graceTime is how long work may continue after its context has ended. Computations do not always
// check their context, and a run must end nevertheless (DESIGN section 13: within 2 s, with the
// children ended and the report written).
const graceTime = 500 * time.Millisecond

// grace signals when work whose context has ended must be abandoned.
type grace struct{ over chan struct{} }

// newGrace returns the grace of a context, and a function that releases its resources.
func newGrace(ctx context.Context) (g grace, stop func()) {
	g = grace{over: make(chan struct{})}
	timer := make(chan *time.Timer, 1)
	stopped := context.AfterFunc(ctx, func() { timer <- time.AfterFunc(graceTime, func() { close(g.over) }) })
	return g, func() {
		if !stopped() {
			(<-timer).Stop()
		}
	}
}

// wait runs work and reports whether it completed. If the grace ends first, the work continues in
// its goroutine and its result is discarded.
func (g grace) wait(work func()) bool {
	select {
	case <-g.over:
		return false
	default:
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	select {
	case <-done:
		return true
	case <-g.over:
		return false
	}
}

// within returns the result of begin, or an error that wraps driver.ErrCancelled if the run ends
// first.
func within[T any](ctx context.Context, g grace, begin func() (T, error)) (T, error) {
	type made struct {
		value T
		err   error
	}
	result := make(chan made, 1)
	if g.wait(func() {
		value, err := begin()
		result <- made{value, err}
	}) {
		m := <-result
		return m.value, m.err
	}
	var none T
	detail := "the run ended"
	if cause := context.Cause(ctx); cause != nil {
		detail = cause.Error()
	}
	return none, &driver.CallError{Kind: driver.ErrCancelled, Detail: detail}
}
