package capsuite

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// A capability may take long by design. Its first invocation is given more time than the
// deadline of one call, and one that needs it is invoked no further than a run needs.

// patience is how many deadlines of one call the first invocation of a capability is given.
const patience = 3

// pace is how fast a capability has answered so far.
type pace struct {
	known atomic.Bool // it was invoked
	slow  atomic.Bool // an answer took about the deadline of one call, or more
}

// limitOf gives the time for an invocation. Once a capability has used up the longer time
// without an answer, no other is given it: the source may have stopped answering.
func (e *examination) limitOf(i invocation) time.Duration {
	call := e.subject.Deadlines.Call
	switch {
	case i.slow:
		return e.subject.Deadlines.Slow
	case i.of == nil || i.of.done().pace.known.Swap(true) && !i.of.done().pace.slow.Load() || e.impatient.Load():
		return call
	default:
		return min(patience*call, max(call, e.subject.Deadlines.Slow))
	}
}

// notePace notes how long an invocation took.
func (e *examination) notePace(ctx context.Context, i invocation, took time.Duration, err error) {
	call := e.subject.Deadlines.Call
	if errors.Is(err, driver.ErrTimeout) && took > call && ctx.Err() == nil {
		e.impatient.Store(true)
	}
	if i.of != nil && !i.slow && err == nil && took >= call*3/4 {
		i.of.done().pace.slow.Store(true)
	}
}

// slow lists the ordinary capabilities that answered slowly.
func (e *examination) slow() []string {
	var ids []string
	for _, c := range e.pool {
		if c.done().pace.slow.Load() && !slices.Contains(ids, c.id) {
			ids = append(ids, c.id)
		}
	}
	return ids
}

// invokeFirst gives the answers to sound inputs, up to the first that was slow.
func (e *examination) invokeFirst(ctx context.Context, sc *suites.Scenario, c *capability) []attempt {
	var all []attempt
	for _, input := range e.soundInputs(c) {
		if c.done().pace.slow.Load() {
			break
		}
		all = append(all, e.invoke(ctx, sc, invocation{asked: c.ref(), of: c, input: input.Text, doubt: input.Doubt}))
	}
	return all
}
