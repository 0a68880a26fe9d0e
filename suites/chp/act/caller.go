// Package act provokes what a capability host does: it holds the stimuli of the suite
// (DESIGN section 5). It calls, and judges nothing.
package act

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/record"
)

// The roles of the fixture profile (DESIGN section 10).
const (
	Echo       = "echo"
	Fails      = "fails"
	Guarded    = "guarded"
	Disabled   = "disabled"
	Observe    = "observe"
	Typed      = "typed"
	Restricted = "restricted"
)

// Sync is the mode that every capability supports.
const Sync = "sync"

// Capability is one CapabilityDescriptor that can be referred to.
type Capability struct {
	ID, Version string
	Members     history.Object
	Modes       []string
	Input       *instance.Template // nil: not declared, or not decidable
}

// Caller performs the stimuli on one host. Its fields are set before the first call.
type Caller struct {
	History      *history.History
	Subject      *suites.Subject
	Running      context.Context // of the run: no more payloads are made when it ends
	Capabilities []*Capability
	Players      map[string]suites.Cast[*Capability]
	Pool         []*Capability                    // ordinary capabilities that may be invoked
	Read         func(history.Object) *Capability // reads a further descriptor
	Offer        func(*Capability) string         // enters a capability, and says why it must not be invoked
	Bodies       bool                             // the body of an operation can be sent as it is

	ahead instance.Ahead
	wait  sync.Mutex
	spent time.Duration
}

// stimuli are all of the suite in the order in which they are performed. Some need what
// earlier ones brought. Those that may disturb the host come last.
var stimuli = []suites.Act[*Caller]{
	{Name: history.Ordinary, Perform: (*Caller).ordinary},
	{Name: history.InRole, Perform: (*Caller).inRoles},
	{Name: history.Unknown, Perform: (*Caller).unknown},
	{Name: history.Unlisted, Perform: (*Caller).unlisted},
	{Name: history.Unsound, Perform: (*Caller).unsound},
	{Name: history.NoCorrelation, Perform: (*Caller).withoutCorrelation},
	{Name: history.Unusual, Perform: (*Caller).unusual},
	{Name: history.EmptyID, Perform: (*Caller).emptyIDs},
	{Name: history.UsedAgain, Perform: (*Caller).usedAgain},
	{Name: history.AtOnce, Perform: (*Caller).atOnce},
	{Name: history.Shared, Perform: (*Caller).shared},
	{Name: history.Queries, Perform: (*Caller).queries},
	{Name: history.Alike, Perform: (*Caller).sideBySide},
	{Name: history.LongPayload, Perform: (*Caller).longPayloads},
	{Name: history.Often, Perform: (*Caller).often},
	{Name: history.Marked, Perform: (*Caller).marked},
	{Name: history.UnusedID, Perform: (*Caller).unusedID},
	{Name: history.Payloads, Perform: (*Caller).payloadsOf},
	{Name: history.Later, Perform: (*Caller).later},
	{Name: history.ListedAgain, Perform: (*Caller).listedAgain},
	{Name: history.NoEnvelope, Perform: (*Caller).noEnvelope},
	{Name: history.Restart, Perform: (*Caller).restart},
}

// PerformAll performs every stimulus once.
func (c *Caller) PerformAll(ctx context.Context, sc *suites.Scenario) {
	suites.PerformEach(ctx, sc, c, stimuli)
}

// Close implements io.Closer: nothing is made any more.
func (c *Caller) Close() error { return c.ahead.Close() }

// Plays tells whether a capability plays a role.
func (c *Caller) Plays(of *Capability, role string) bool {
	p, cast := c.Players[role]
	return cast && p.Capability == of
}

// Admits tells whether a capability may be invoked.
func (c *Caller) admits(of *Capability) bool { return c.Offer(of) == "" }

// Payloads are inputs that should be taken: the target file's, else made from the schema,
// else the empty object.
func (c *Caller) Payloads(of *Capability) []any {
	for role, p := range c.Players {
		if p.Capability != of {
			continue
		}
		if p.Input != nil {
			return []any{p.Input}
		}
		if role == Echo {
			return []any{history.Object{"value": "capconform"}}
		}
	}
	if of.Input == nil {
		return []any{history.Object{}}
	}
	made, err := of.Input.Sound(c.Running, c.Subject.Seed)
	if err != nil {
		return nil
	}
	var all []any
	for _, m := range made {
		all = append(all, schemas.ReadValue(m.Text))
	}
	return all
}

// throttledAtMost is how often a request is sent again that is answered by 429 or 503.
const throttledAtMost = 4

// The wait for evidence that a host writes behind its answer: short, and once a run for all
// attempts together.
const (
	settleAtMost = 500 * time.Millisecond
	settlePoll   = 25 * time.Millisecond
)

// ask asks, and asks again where the host says that it has too much to do. The driver waits
// out Retry-After. Without it a host may refuse a request by its own rules as well: an answer
// that stays away shows nothing.
func (c *Caller) ask(ctx context.Context, l *suites.Laboratory, call suites.Call) (record.Entry, driver.Answer, error) {
	wait := settlePoll
	for try := 0; ; try++ {
		entry, answer, err := l.Do(ctx, call)
		if err != nil || entry.Status != 429 && entry.Status != 503 || try == throttledAtMost {
			return entry, answer, err
		}
		call.Links = append(slices.Clone(call.Links), record.Link{Relation: record.RetryOf, To: entry.Begun})
		select {
		case <-ctx.Done():
			return entry, answer, err
		case <-time.After(wait):
			wait *= 2
		}
	}
}

// patience spends the time that a run may wait for late evidence: no longer than for an
// answer.
func (c *Caller) patience(step time.Duration) bool {
	c.wait.Lock()
	defer c.wait.Unlock()
	c.spent += step
	return c.spent <= min(settleAtMost, c.Subject.Deadlines.Call)
}

// successes are the invocations of ordinary capabilities that succeeded.
func (c *Caller) successes() []*history.Attempt {
	return slices.DeleteFunc(c.History.Of(history.Ordinary),
		func(a *history.Attempt) bool { return a.Outcome() != history.Success })
}

// declared gives the capability of an attempt, nil where none is declared.
func (c *Caller) declared(a *history.Attempt) *Capability {
	for _, of := range c.Capabilities {
		if of.ID == a.Capability && (a.Version == "" || a.Version == of.Version) {
			return of
		}
	}
	return nil
}

// Ready says why nothing can be invoked, nil if something can.
func (c *Caller) Ready() error {
	switch {
	case len(c.Capabilities) == 0:
		return suites.Undecided("no capability is declared, so nothing can be invoked")
	case len(c.Pool) == 0:
		return &suites.Inconclusive{
			Reason: "no declared capability may be invoked",
			Supply: "--invoke all invokes every one; or name one under roles in the target file",
		}
	}
	return nil
}

// Unserved says that nothing came back with success.
func Unserved() error {
	return &suites.Inconclusive{
		Reason: "no capability came back with success",
		Supply: fmt.Sprintf("name one with an input that works in the target file: roles: {chp: {%s: {capability: ID, input: {...}}}}", Echo),
	}
}
