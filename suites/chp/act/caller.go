// Package act contains the stimuli of the suite (DESIGN section 5). It calls the host, and
// judges nothing.
package act

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/verdict"
)

// Caller performs the stimuli on one host. Its fields are set before the first call.
type Caller struct {
	History      *history.History
	Subject      *suites.Subject
	Running      context.Context // of the run: no payloads are generated after it ends
	Capabilities []*Capability
	Players      map[string]live.Cast[*Capability]
	Pool         []*Capability                    // ordinary capabilities that may be invoked
	Read         func(history.Object) *Capability // reads a further descriptor
	// registers a capability, and returns the reason why it must not be invoked
	Offer  func(*Capability) string
	Bodies bool // the binding can send a raw body

	ahead   instance.Ahead
	wait    sync.Mutex
	spent   time.Duration
	missed  time.Time // when evidence first was late
	batches bool      // evidence arrived after that
}

// Close implements io.Closer: it stops the generation of payloads.
func (c *Caller) Close() error { return c.ahead.Close() }

// Plays reports whether a capability has a role.
func (c *Caller) Plays(of *Capability, role string) bool {
	p, cast := c.Players[role]
	return cast && p.Capability == of
}

// admits reports whether a capability may be invoked.
func (c *Caller) admits(of *Capability) bool { return c.Offer(of) == "" }

// The waiting time for evidence that a host writes after its answer. It is short, and all
// attempts of a run share it.
const (
	settleAtMost = 500 * time.Millisecond
	settlePoll   = 25 * time.Millisecond
)

// mayWait uses up the time that a run may wait for late evidence, which is at most the deadline
// of an answer.
func (c *Caller) mayWait(step time.Duration) bool {
	c.wait.Lock()
	defer c.wait.Unlock()
	c.spent += step
	enough := c.spent <= min(settleAtMost, c.Subject.Deadlines.Call)
	if !enough && c.missed.IsZero() {
		c.missed = time.Now()
	}
	return enough
}

// successes returns the invocations of ordinary capabilities that succeeded.
func (c *Caller) successes() []*history.Attempt {
	return slices.DeleteFunc(c.History.Of(history.Ordinary),
		func(a *history.Attempt) bool { return a.Outcome() != history.Success })
}

// sharedLook returns the last plain replay of the shared correlation, or nil.
func (c *Caller) sharedLook() *history.Replay {
	all := c.History.Of(history.Shared)
	if len(all) == 0 {
		return nil
	}
	for _, a := range slices.Backward(all) {
		if e := c.History.Evidence(a); e.Look != nil && e.Look.Readable() {
			return e.Look
		}
	}
	return nil
}

// declared returns the capability of an attempt, or nil if it is not declared.
func (c *Caller) declared(a *history.Attempt) *Capability {
	for _, of := range c.Capabilities {
		if of.ID == a.Capability && (a.Version == "" || a.Version == of.Version) {
			return of
		}
	}
	return nil
}

// Ready returns the reason why nothing can be invoked, or nil.
func (c *Caller) Ready() error {
	switch {
	case len(c.Capabilities) == 0:
		return verdict.Undecided("no capability is declared, so nothing can be invoked")
	case len(c.Pool) == 0:
		return &verdict.Inconclusive{
			Reason: "no declared capability may be invoked",
			Supply: "--invoke all invokes every one; or name one under roles in the target file",
		}
	}
	return nil
}

// Unserved returns the reason that nothing succeeded.
func Unserved() error {
	return &verdict.Inconclusive{
		Reason: "no capability came back with success",
		Supply: fmt.Sprintf("name one with an input that works in the target file: roles: {chp: {%s: {capability: ID, input: {...}}}}", Echo),
	}
}
