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
	Players      map[string]live.Assignment[*Capability]
	Pool         []*Capability                    // ordinary capabilities that may be invoked
	Read         func(history.Object) *Capability // reads a further descriptor
	// registers a capability, and returns the reason why it must not be invoked
	Offer  func(*Capability) string
	Bodies bool // the binding can send a raw body
	Stable bool // also performs what only the edition 0.1 asks for

	prefetcher  instance.Prefetcher
	wait        sync.Mutex
	waited      time.Duration
	lateSince   time.Time // when evidence first was late
	arrivesLate bool      // evidence arrived after that
}

// Close implements io.Closer: it stops the generation of payloads.
func (c *Caller) Close() error { return c.prefetcher.Close() }

// Plays reports whether a capability has a role.
func (c *Caller) Plays(of *Capability, role string) bool {
	p, assigned := c.Players[role]
	return assigned && p.Capability == of
}

// admits reports whether a capability may be invoked.
func (c *Caller) admits(of *Capability) bool { return c.Offer(of) == "" }

// The waiting time for evidence that a host writes after its answer. It is short, and all
// attempts of a run share it.
const (
	maxSettle  = 500 * time.Millisecond
	settlePoll = 25 * time.Millisecond
)

// spendWait uses up the time that a run may wait for late evidence, which is at most the deadline
// of an answer.
func (c *Caller) spendWait(step time.Duration) bool {
	c.wait.Lock()
	defer c.wait.Unlock()
	c.waited += step
	enough := c.waited <= min(maxSettle, c.Subject.Deadlines.Call)
	if !enough && c.lateSince.IsZero() {
		c.lateSince = time.Now()
	}
	return enough
}

// successes returns the invocations of ordinary capabilities that succeeded.
func (c *Caller) successes() []*history.Attempt {
	return slices.DeleteFunc(c.History.Of(history.Ordinary),
		func(a *history.Attempt) bool { return a.Outcome() != history.Success })
}

// lastSharedReplay returns the last plain replay of the shared correlation, or nil.
func (c *Caller) lastSharedReplay() *history.Replay {
	all := c.History.Of(history.Shared)
	if len(all) == 0 {
		return nil
	}
	for _, a := range slices.Backward(all) {
		if e := c.History.Evidence(a); e.LastReplay != nil && e.LastReplay.Readable() {
			return e.LastReplay
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

// NotReady returns the reason why nothing can be invoked, or nil.
func (c *Caller) NotReady() error {
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

// NoSuccess returns the reason that nothing succeeded.
func NoSuccess() error {
	return &verdict.Inconclusive{
		Reason: "no capability succeeded",
		Supply: fmt.Sprintf("name one with an input that works in the target file: roles: {chp: {%s: {capability: ID, input: {...}}}}", Echo),
	}
}
