package act

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/record"
)

// roles invoke the capabilities of roles, whose outcome is known.
type roles struct{ bench }

// roleTimes is how often a role is invoked whose outcome must be the same each time; once if it is not
// listed.
var roleTimes = map[string]int{Restricted: 3, Fails: 3, Malformed: 2}

const (
	lastTime = 2  // the repetition that takes another input
	maxWaits = 40 // calls after which a short limit has passed
)

// otherInput returns the invocation of a role with its last valid input, unless the target file gives
// the input.
func (c roles) otherInput(i invocation, role string) invocation {
	p := c.player(role)
	if made := c.ValidInputs(p.Capability); p.Given == nil && len(made) > 1 {
		return p.of(made[len(made)-1]).with(history.AboutRole, role)
	}
	return i
}

// inRoles invokes the capability of each role, and an ordinary capability after one that failed.
func (c roles) inRoles(ctx context.Context) error {
	var undone error
	for _, role := range []string{Restricted, Malformed, Skill, Fails, Slow} {
		if c.player(role) == nil {
			if role == Fails && slices.ContainsFunc(c.History.Of(history.Valid), isExecutionFailure) {
				c.serves(ctx, role)
			}
			continue
		}
		i, err := c.inRole(role)
		if err != nil {
			undone = err
			continue
		}
		for n := range max(1, roleTimes[role]) { // a repeated call is refused, or fails, again
			if n == lastTime {
				i = c.otherInput(i, role)
			}
			if c.invoke(ctx, i).Lost != nil {
				break
			}
		}
		switch role {
		case Restricted:
			c.alsoRestricted(ctx)
		case Fails, Slow:
			c.serves(ctx, role)
		}
	}
	return undone
}

// serves invokes a capability that worked before, after one that failed.
func (c roles) serves(ctx context.Context, role string) {
	control := c.someSuccess()
	if control == nil {
		return
	}
	again := c.invocationOf(control)
	again.about = map[string]string{history.AboutRole: role, history.AboutStep: history.StepServes}
	if a := c.invoke(ctx, again); !a.Succeeded() || a.Before != nil {
		c.servesAgain(ctx, a, record.Link{Relation: record.Confirms, To: a.Entry}) // now: later it may be by chance
	}
}

// servesAgain waits until a capability that worked before works again, then makes the source
// fail once more and invokes the capability after that.
func (c roles) servesAgain(ctx context.Context, of *history.Attempt, confirms record.Link) {
	i := c.invocationOf(of)
	i.links = []record.Link{confirms}
	if of.MayBeLimit() {
		for range maxWaits {
			if a := c.invoke(ctx, i.with(history.AboutStep, history.StepWaits)); a.Succeeded() || a.Lost != nil {
				break
			}
		}
	}
	role := of.About[history.AboutRole]
	if c.player(role) != nil {
		if failing, err := c.inRole(role); err == nil {
			failing.links = []record.Link{confirms}
			c.invoke(ctx, failing.with(history.AboutStep, history.StepFails))
		}
	}
	c.invoke(ctx, i)
}

// alsoRestricted invokes the other capabilities that need every permission of the restricted
// one: the caller lacks one of these permissions.
func (c roles) alsoRestricted(ctx context.Context) {
	restricted := c.Players[Restricted]
	needed := restricted.Manifest()
	if !needed.NeedsPermission() {
		return
	}
	for _, of := range c.List.Capabilities {
		if of == restricted.RawManifest || !of.Manifest().Needs(needed) || !c.admits(of) {
			continue
		}
		other := c.capability(of)
		for _, input := range c.ValidInputs(other) {
			c.invoke(ctx, other.of(input).with(history.AboutRole, Restricted))
		}
	}
}
