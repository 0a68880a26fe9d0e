package act

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/driver"
)

// A capability may take long by design. Its first invocation gets more time than the deadline of
// one call. A capability that needs this time is not invoked more often than a run requires.

// settlingRounds is how many deadlines of one call the first invocation of a capability gets.
const settlingRounds = 3

// paceOf returns the pace of an ordinary capability, nil for any other.
func (c *Caller) paceOf(r history.Ref) *pace {
	for _, of := range c.Pool {
		if of.Ref() == r {
			return &of.pace
		}
	}
	return nil
}

// limitOf returns the time limit of an invocation. After a capability has used the longer time
// without an answer, no other capability gets it: the source may have stopped answering.
func (c *Caller) limitOf(i invocation) time.Duration {
	call, p := c.Subject.Deadlines.Call, c.paceOf(i.asked)
	switch {
	case i.slow:
		return c.Subject.Deadlines.Slow
	case p == nil || p.known.Swap(true) && !p.slow.Load() || c.noLongWait.Load():
		return call
	default:
		return min(settlingRounds*call, max(call, c.Subject.Deadlines.Slow))
	}
}

// notePace records how long an invocation took.
func (c *Caller) notePace(ctx context.Context, i invocation, took time.Duration, err error) {
	call := c.Subject.Deadlines.Call
	if errors.Is(err, driver.ErrTimeout) && took > call && ctx.Err() == nil {
		c.noLongWait.Store(true)
	}
	p := c.paceOf(i.asked)
	if p == nil || i.slow || err != nil {
		return
	}
	p.most.Store(max(p.most.Load(), int64(took)))
	if took >= call*3/4 {
		p.slow.Store(true)
	}
}

// Slow lists the ordinary capabilities that answered slowly.
func (c *Caller) Slow() []string {
	var ids []string
	for _, of := range c.Pool {
		if of.pace.slow.Load() && !slices.Contains(ids, of.ID) {
			ids = append(ids, of.ID)
		}
	}
	return ids
}
