// Package grace lets work continue for a short time after its context has ended.
package grace

import (
	"context"
	"time"

	"github.com/capconform/capconform/suites/driver"
)

// length is how long work may continue after its context has ended. Computations do not always
// check their context, and a run must end nevertheless (DESIGN section 13: within 2 s, with the
// children ended and the report written).
const length = 500 * time.Millisecond

// Period signals when work whose context has ended must be abandoned.
type Period struct{ over chan struct{} }

// Begin returns the period of a context, and a function that releases its resources.
func Begin(ctx context.Context) (g Period, stop func()) {
	g = Period{over: make(chan struct{})}
	timer := make(chan *time.Timer, 1)
	stopped := context.AfterFunc(ctx, func() { timer <- time.AfterFunc(length, func() { close(g.over) }) })
	return g, func() {
		if !stopped() {
			(<-timer).Stop()
		}
	}
}

// Wait runs work and reports whether it completed. If the period ends first, the work continues in
// its goroutine and its result is discarded.
func (g Period) Wait(work func()) bool {
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

// Within returns the result of begin, or an error that wraps driver.ErrCancelled if the run ends
// first.
func Within[T any](ctx context.Context, g Period, begin func() (T, error)) (T, error) {
	type made struct {
		value T
		err   error
	}
	result := make(chan made, 1)
	if g.Wait(func() {
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
