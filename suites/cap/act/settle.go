package act

import (
	"context"
	"errors"
	"slices"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/record"
)

// The bounds of what settles a doubt.
const (
	waitsAtMost   = 40 // calls that a short limit leaves out
	hiddenAtMost  = 6
	hiddenEnough  = 2
	customPlaces  = 3
	withoutCustom = 2 // a source that only warmed up accepts one of them
)

// Settle performs what settles doubts.
func (c *Caller) Settle(ctx context.Context, sc *suites.Scenario, what []suites.Settle) {
	listed := false
	for _, s := range what {
		l := sc.Laboratory(s.Stimulus)
		confirms := record.Link{Relation: record.Confirms, To: s.Of}
		a, lookup := c.History.Attempt(s.Of), c.History.Lookup(s.Of)
		switch {
		case s.Stimulus == history.ListNow && !listed:
			listed = true // one list serves all
			c.list(ctx, l, nil)
		case s.Stimulus == history.DescribeAgain && lookup != nil:
			c.describeAgain(ctx, l, lookup, confirms)
		case s.Stimulus == history.InvokeAgain && a != nil:
			c.invokeAgain(ctx, l, a, confirms)
		case s.Stimulus == history.Hidden && (a != nil || lookup != nil):
			c.between(ctx, l, a, lookup, confirms)
		case s.Stimulus == history.Flickering:
			c.flickering(ctx, l, history.Ref{ID: s.About["id"], Version: s.About["version"]}, s.About)
		case s.Stimulus == history.WithCustom && a != nil:
			c.withCustom(ctx, l, a)
		}
	}
}

// describeAgain describes a pair again, and one that was described well before.
func (c *Caller) describeAgain(ctx context.Context, l *suites.Laboratory, of *history.Lookup, confirms record.Link) {
	for range askedAgain {
		c.describe(ctx, l, of.Asked, of.About, confirms)
	}
	for _, well := range c.History.LookupsOf(history.Described) {
		if well.Own() && well.Asked != of.Asked {
			c.describe(ctx, l, well.Asked, nil, record.Link{Relation: record.ControlOf, To: of.Entry})
			return
		}
	}
}

// invokeAgain makes an invocation again, and one that succeeded before.
func (c *Caller) invokeAgain(ctx context.Context, l *suites.Laboratory, of *history.Attempt, confirms record.Link) {
	again := c.like(of)
	again.links = []record.Link{confirms}
	for range askedAgain {
		c.invoke(ctx, l, again)
	}
	control := firstSuccess(c.tried(of.Asked))
	if control == nil {
		control = c.working()
	}
	if control != nil {
		i := c.like(control)
		i.links = []record.Link{{Relation: record.ControlOf, To: of.Entry}}
		c.invoke(ctx, l, i)
	}
}

// between asks for a pair between two lists, and for a version of its id that nobody has.
func (c *Caller) between(ctx context.Context, l *suites.Laboratory, a *history.Attempt, lookup *history.Lookup,
	confirms record.Link) {
	c.list(ctx, l, nil, confirms)
	if a != nil {
		i := c.like(a)
		i.links = []record.Link{confirms}
		c.invoke(ctx, l, i)
	} else {
		c.describe(ctx, l, lookup.Asked, nil, confirms)
		c.describe(ctx, l, history.Ref{ID: lookup.Asked.ID, Version: freshVersion()}, step(history.StepControl), confirms)
	}
	c.list(ctx, l, nil, confirms)
}

// flickering lists until the source knows a pair twice just when a list lacks it.
func (c *Caller) flickering(ctx context.Context, l *suites.Laboratory, r history.Ref, about map[string]string) {
	seen := 0
	for range hiddenAtMost {
		if now := c.list(ctx, l, about); !now.Readable() || now.Find(r) != nil {
			continue
		}
		if c.describe(ctx, l, r, nil).Own() {
			seen++
		}
		if seen == hiddenEnough {
			return
		}
	}
}

// servesAgain waits until a capability that worked before is accepted again, then makes the
// source fail once more and asks whether it serves behind that.
func (c *Caller) servesAgain(ctx context.Context, l *suites.Laboratory, of *history.Attempt, confirms record.Link) {
	i := c.like(of)
	i.links = []record.Link{confirms}
	if of.MayBeLimit() {
		for range waitsAtMost {
			if a := c.invoke(ctx, l, i.with(history.AboutStep, history.StepWaits)); a.Succeeded() || a.Lost != nil {
				break
			}
		}
	}
	role := of.About[history.AboutRole]
	if c.player(role) != nil {
		if failing, err := c.inRole(role); err == nil {
			failing.links = []record.Link{confirms}
			c.invoke(ctx, l, failing.with(history.AboutStep, history.StepFails))
		}
	}
	c.invoke(ctx, l, i)
}

// withCustom finds out whether a refusal is due to a custom member of the manifest: whether
// it goes away once the members are sent along, beside the reference and the input or in one
// of them, and comes back without them. What the error says proves nothing, since a member
// may be named by any word; nor does what comes and goes with every call.
func (c *Caller) withCustom(ctx context.Context, l *suites.Laboratory, of *history.Attempt) {
	done := func(a *history.Attempt) bool { return a.Asked == of.Asked }
	listed := c.List.Find(of.Asked)
	if listed == nil || slices.ContainsFunc(c.History.Of(history.WithCustom), done) {
		return
	}
	m := listed.Manifest()
	params := func(place int) []byte {
		ref := map[string]any{history.MemberID: of.Asked.ID, history.MemberVersion: of.Asked.Version}
		input := map[string]any{}
		if given, ok := history.Value(of.Input).(map[string]any); ok {
			input = given
		}
		all := map[string]any{history.MemberRef: ref, history.MemberInvoked: input}
		for _, name := range m.Custom() {
			if place < customPlaces {
				[]map[string]any{all, ref, input}[place][name] = m[name]
			}
		}
		return suites.Encode(all)
	}
	accepted := func(place int, name string) bool {
		return c.send(ctx, l, invocation{asked: of.Asked, about: step(name)}, params(place)).Succeeded()
	}
	for place := range customPlaces {
		if !accepted(place, history.StepWith) {
			continue
		}
		for range withoutCustom {
			if accepted(customPlaces, history.StepWithout) {
				return
			}
		}
		accepted(place, history.StepWith)
		return
	}
}

func breaks(err error) bool {
	var found *schemas.Invalidity
	return errors.As(err, &found)
}
