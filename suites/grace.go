package suites

import (
	"context"
	"time"

	"github.com/capconform/capconform/suites/driver"
)

// graceTime is how long work may go on after its context has ended. What computes
// does not always look at its context, and a run must end all the same (DESIGN section
// 13: within 2 s, with the children ended and the report written).
const graceTime = 500 * time.Millisecond

// grace says when work whose context has ended is left behind.
type grace struct{ over chan struct{} }

// newGrace gives the grace of a context. stop frees what it holds.
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

// wait does work, and tells whether it came to its end. Otherwise it goes on by itself,
// and nobody looks at what comes of it.
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

// within gives what begin makes, or an error where the run ends before.
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
