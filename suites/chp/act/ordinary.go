package act

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/history"
)

// ordinary invokes the ordinary capabilities with payloads that they take.
func (c *Caller) ordinary(ctx context.Context, l *suites.Laboratory) error {
	if err := c.Ready(); err != nil {
		return err
	}
	for _, of := range c.Pool {
		for _, payload := range c.Payloads(of) {
			c.try(ctx, l, c.of(of, payload))
		}
	}
	c.ahead.Begin(c.unsoundAhead())
	return nil
}

// unsoundAhead are the payloads that unsound wants.
func (c *Caller) unsoundAhead() iter.Seq[func()] {
	return func(yield func(func()) bool) {
		for _, of := range c.Pool {
			if !yield(func() { c.breaking(of) }) {
				return
			}
		}
	}
}

// inRoles invokes the capability of each role.
func (c *Caller) inRoles(ctx context.Context, l *suites.Laboratory) error {
	for _, role := range []string{Echo, Fails, Guarded, Disabled, Observe, Restricted} {
		p, cast := c.Players[role]
		if !cast || !c.admits(p.Capability) {
			continue
		}
		payloads := c.Payloads(p.Capability)
		switch {
		case role == Guarded && p.Input == nil:
			payloads = []any{history.Object{}, history.Object{}} // twice, so that the code can be compared
		case role == Echo && p.Input == nil:
			payloads = append(payloads, history.Object{"value": longText()})
		}
		for _, payload := range payloads {
			v := c.of(p.Capability, payload).with(history.AboutRole, role)
			if role != Guarded && role != Disabled && role != Restricted {
				v.retries = expectsToBeDone
			}
			c.try(ctx, l, v)
		}
	}
	return nil
}

// candidatesAtMost bounds how many capabilities a stimulus is tried with.
const candidatesAtMost = 3

// candidates are envelopes that came back with success, one a capability, for stimuli about
// what surrounds an invocation.
func (c *Caller) candidates() ([]envelope, error) {
	var all []envelope
	for _, a := range c.successes() {
		v := c.like(a)
		if v.of != nil && len(all) < candidatesAtMost && !slices.ContainsFunc(all,
			func(known envelope) bool { return known.of == v.of }) {
			all = append(all, v.under(caller()))
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	if err := c.Ready(); err != nil {
		return nil, err
	}
	return nil, Unserved()
}

// serves tells whether an envelope is answered with success now.
func (c *Caller) serves(ctx context.Context, l *suites.Laboratory, v envelope) bool {
	return c.invoke(ctx, l, v.under(caller()).with(history.AboutStep, history.StepBetween)).Outcome() == history.Success
}

// withOne does something with an envelope that succeeds. A capability that was taken away or
// switched off meanwhile shows nothing, and another stands in for it.
func (c *Caller) withOne(ctx context.Context, l *suites.Laboratory, do func(v envelope) []*history.Attempt) error {
	candidates, err := c.candidates()
	if err != nil {
		return err
	}
	for _, v := range candidates {
		all := do(v)
		switch well := succeeded(all); {
		case well == len(all) || unanswered(all):
			return nil
		case !c.serves(ctx, l, v):
			continue
		case well == 0: // it may have been away just then
			do(v)
		}
		return nil
	}
	return suites.Undecided("no capability that succeeded goes on doing so")
}

func succeeded(all []*history.Attempt) int {
	n := 0
	for _, a := range all {
		if a.Outcome() == history.Success {
			n++
		}
	}
	return n
}

func unanswered(all []*history.Attempt) bool {
	return slices.ContainsFunc(all, func(a *history.Attempt) bool { return !a.Answered() && !a.Closed })
}

// aroundOne is withOne for envelopes that are each sent and replayed.
func (c *Caller) aroundOne(ctx context.Context, l *suites.Laboratory, make func(v envelope) []envelope) error {
	return c.withOne(ctx, l, func(v envelope) []*history.Attempt {
		var all []*history.Attempt
		for _, made := range make(v) {
			all = append(all, c.try(ctx, l, made))
		}
		return all
	})
}

// How long a payload is that is longer than usual.
const longPayload = 4 << 10

// longText is a text in several scripts.
func longText() string {
	text := "capconform \u00fc \u6f22\u5b57"
	return text + strings.Repeat(" and on", (longPayload-len(text))/7)
}
