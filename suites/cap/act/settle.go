package act

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// The limits on what settles a doubt.
const (
	maxHidden     = 6
	hiddenEnough  = 2
	customPlaces  = 3
	withoutCustom = 2 // a source that only needed a first call accepts one of them
)

// Settle performs what settles doubts.
func (c *Caller) Settle(ctx context.Context, sc *suites.Scenario, what []verdict.Settle) {
	listed := false
	for _, s := range what {
		d := doubts{newBench(c, sc.Laboratory(s.Stimulus))}
		confirms := record.Link{Relation: record.Confirms, To: s.Of}
		a, lookup := c.History.Attempt(s.Of), c.History.Lookup(s.Of)
		switch {
		case s.Stimulus == history.ListNow && !listed:
			listed = true // one list serves all
			d.list(ctx, nil)
		case s.Stimulus == history.DescribeAgain && lookup != nil:
			d.describeAgain(ctx, lookup, confirms)
		case s.Stimulus == history.InvokeAgain && a != nil:
			d.invokeAgain(ctx, a, confirms)
		case s.Stimulus == history.Hidden && (a != nil || lookup != nil):
			d.between(ctx, a, lookup, confirms)
		case s.Stimulus == history.Flickering:
			d.listUntilUnstable(ctx, history.Ref{ID: s.About["id"], Version: s.About["version"]}, s.About)
		case s.Stimulus == history.WithCustom && a != nil:
			d.withCustom(ctx, a)
		}
	}
}

// doubts settle what judgements could not decide.
type doubts struct{ bench }

// describeAgain describes a pair again, then one that was described correctly before, and then the
// first pair once more: the control may be the first call that a rate limit permits.
func (c doubts) describeAgain(ctx context.Context, of *history.Lookup, confirms record.Link) {
	for range askedAgain {
		c.describe(ctx, of.Asked, of.About, confirms)
	}
	for _, well := range c.History.LookupsOf(history.Described) {
		if well.Own() && well.Asked != of.Asked {
			c.describe(ctx, well.Asked, nil, record.Link{Relation: record.ControlOf, To: of.Entry})
			c.describe(ctx, of.Asked, of.About, confirms)
			return
		}
	}
}

// invokeAgain makes an invocation again, then one that succeeded before, and then the first
// invocation once more: the control may be the first call that a rate limit permits.
func (c doubts) invokeAgain(ctx context.Context, of *history.Attempt, confirms record.Link) {
	again := c.invocationOf(of)
	again.links = []record.Link{confirms}
	for range askedAgain {
		c.invoke(ctx, again)
	}
	control := firstSuccess(c.validAttempts(of.Asked))
	if control == nil {
		control = c.someSuccess()
	}
	if control != nil {
		i := c.invocationOf(control)
		i.links = []record.Link{{Relation: record.ControlOf, To: of.Entry}}
		c.invoke(ctx, i)
		c.invoke(ctx, again)
	}
}

// between describes or invokes a pair between two lists, and then a version of its id that does not
// exist.
func (c doubts) between(ctx context.Context, a *history.Attempt, lookup *history.Lookup, confirms record.Link) {
	c.list(ctx, nil, confirms)
	if a != nil {
		i := c.invocationOf(a)
		i.links = []record.Link{confirms}
		c.invoke(ctx, i)
		i.asked = history.Ref{ID: a.Asked.ID, Version: freshVersion()}
		c.invoke(ctx, i.with(history.AboutStep, history.StepControl))
	} else {
		c.describe(ctx, lookup.Asked, nil, confirms)
		c.describe(ctx, history.Ref{ID: lookup.Asked.ID, Version: freshVersion()}, step(history.StepControl), confirms)
	}
	c.list(ctx, nil, confirms)
}

// listUntilUnstable lists until the source has described a pair twice directly after a list without it.
func (c doubts) listUntilUnstable(ctx context.Context, r history.Ref, about map[string]string) {
	seen := 0
	for range maxHidden {
		if now := c.list(ctx, about); !now.Readable() || now.Find(r) != nil {
			continue
		}
		if c.describe(ctx, r, nil).Own() {
			seen++
		}
		if seen == hiddenEnough {
			return
		}
	}
}

// withCustom determines whether a custom member of the manifest causes a refusal: whether the
// refusal disappears if the members are sent, beside the reference and the input or in one of
// them, and returns without them. The message of the error proves nothing, since a member may
// have any name. A refusal that changes with every call proves nothing either.
func (c doubts) withCustom(ctx context.Context, of *history.Attempt) {
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
		return jsonvalue.Encode(all)
	}
	accepted := func(place int, name string) bool {
		return c.send(ctx, invocation{asked: of.Asked, about: step(name)}, params(place)).Succeeded()
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
