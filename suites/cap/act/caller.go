// Package act contains the stimuli of the suite (DESIGN section 5). It calls the source and
// judges nothing.
package act

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/verdict"
)

// Caller performs the stimuli on one source. Its fields are set before the first call.
type Caller struct {
	History       *history.History
	Subject       *suites.Subject
	Gate          *live.Gate
	Cache         *instance.Cache
	Running       context.Context // of the run: no more inputs are made when it ends
	List          *history.List   // the first list of the run
	Players       map[string]*Player
	Pool          []*Capability                       // ordinary capabilities that may be invoked
	Fixtures      []history.Ref                       // of the fixture profile and the target file, possibly unlisted
	OfferManifest func(history.Ref, history.Manifest) // offers a further manifest to the gate
	NotReady      func() error                        // why nothing may be invoked
	Adapted       bool                                // a plain MCP server

	prefetcher instance.Prefetcher
	noLongWait atomic.Bool    // see limitOf
	kinds      map[string]int // of inputs that were tried, see isRare
}

// Close implements io.Closer: no more inputs are made.
func (c *Caller) Close() error { return c.prefetcher.Close() }

// NeverSucceeded returns the ordinary capabilities that answered, but never with ok.
func (c *Caller) NeverSucceeded() []string {
	var never []string
	all := c.History.Of(history.Valid)
	for _, of := range c.Pool {
		answered := func(a *history.Attempt) bool { return a.Asked == of.Ref() && a.Lost == nil }
		accepted := func(a *history.Attempt) bool { return a.Asked == of.Ref() && a.Succeeded() }
		if slices.ContainsFunc(all, answered) && !slices.ContainsFunc(all, accepted) {
			never = append(never, of.ID)
		}
	}
	return never
}

// needList returns the reason why there is no list, nil if there is one.
func (c *Caller) needList() error {
	first := c.History.First()
	if first.Lost != nil {
		return first.Lost
	}
	if c.List.Empty() {
		return verdict.Undecided("no capability is listed, so there is nothing to examine")
	}
	return nil
}

// validAttempts returns the attempts with valid inputs of a capability, without inputs at a limit of its
// schema.
func (c *Caller) validAttempts(r history.Ref) []*history.Attempt {
	return slices.DeleteFunc(c.History.Of(history.Valid), func(a *history.Attempt) bool {
		return a.Asked != r || a.About[history.AboutEdge] != ""
	})
}

// someSuccess returns one success of an ordinary capability, nil if there is none.
func (c *Caller) someSuccess() *history.Attempt {
	for _, of := range c.Pool {
		if a := firstSuccess(c.validAttempts(of.Ref())); a != nil {
			return a
		}
	}
	return nil
}

// Plays reports whether a capability plays a role.
func (c *Caller) Plays(r history.Ref, role string) bool {
	p := c.Players[role]
	return p != nil && p.Ref() == r
}

// admits reports whether a capability may be invoked.
func (c *Caller) admits(of *history.RawManifest) bool {
	return c.Gate.ReasonAgainst(of.ID, of.Version) == ""
}

// player returns the capability of a role, nil if there is none or it may not be invoked.
func (c *Caller) player(role string) *Player {
	if p := c.Players[role]; p != nil && c.admits(p.RawManifest) {
		return p
	}
	return nil
}

// capability returns a sheet as a capability that can be invoked.
func (c *Caller) capability(s *history.RawManifest) *Capability {
	for _, of := range c.Pool {
		if of.RawManifest == s {
			return of
		}
	}
	for _, p := range c.Players {
		if p.RawManifest == s {
			return p.Capability
		}
	}
	return &Capability{RawManifest: s, Cache: c.Cache}
}

// given returns the input that the target file gives for a capability, nil if it gives none. It is the
// only input that the capability is known to accept. The input of a role that must not succeed is known
// to fail, and shows nothing about others.
func (c *Caller) given(r history.Ref) json.RawMessage {
	for _, role := range slices.Sorted(maps.Keys(c.Players)) {
		p := c.Players[role]
		if p.Ref() == r && p.Given != nil && !slices.Contains(failing, role) {
			return p.Given
		}
	}
	return nil
}

// ValidInputs returns inputs that satisfy the schema. The schema library verifies them before they are
// sent. It returns none if the schema cannot be read.
func (c *Caller) ValidInputs(of *Capability) []instance.Sample {
	if given := c.given(of.Ref()); given != nil {
		return []instance.Sample{{Text: given}}
	}
	if of.Input() == nil {
		return nil
	}
	made, err := of.Input().Valid(c.Running, c.Subject.Seed)
	if err != nil {
		return nil
	}
	return made
}

// InvokeOnce invokes a capability as a role is invoked in a run. It is not part of a run and leaves
// nothing in a record.
func (c *Caller) InvokeOnce(ctx context.Context, sc *suites.Scenario, r history.Ref, input json.RawMessage,
	role string) (history.Result, error) {
	limit := c.Subject.Deadlines.Call
	if role == Slow {
		limit = c.Subject.Deadlines.Slow
	}
	op := driver.Operation{Name: history.OpInvoke, Params: invocation{asked: r, input: input}.params()}
	answer, err := sc.Ask(ctx, op, limit)
	if err != nil || answer.Outcome != driver.Returned {
		return history.Result{}, err
	}
	return history.ReadResult(answer.Result), nil
}
