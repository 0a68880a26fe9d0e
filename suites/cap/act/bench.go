package act

import (
	"context"
	"errors"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/verdict"
)

// bench is what the stimuli share: it also invokes the capability of a role.
type bench struct{ laboratory }

func newBench(c *Caller, l *suites.Laboratory) bench { return bench{laboratory{c, l}} }

func (c bench) inputs() inputs { return inputs{c.Caller} }

// inRole makes the invocation of a role with a valid input, or with one that the capability
// accepted before.
func (c bench) inRole(role string) (invocation, error) {
	p := c.player(role)
	if p.Given != nil {
		i := p.of(instance.Sample{Text: p.Given}).with(history.AboutRole, role)
		i.slow = role == Slow
		return i, nil
	}
	inputs := c.ValidInputs(p.Capability)
	if len(inputs) == 0 {
		return invocation{}, &verdict.Inconclusive{
			Reason: "no valid input can be made for " + p.ID,
			Supply: "give one in the target file: roles: {cap: {" + role + ": {capability: " + p.ID + ", input: {...}}}}",
		}
	}
	i := p.of(inputs[0])
	tried := c.validAttempts(p.Ref())
	if a := firstSuccess(tried); a != nil && tried[0].Failed() {
		i = c.invocationOf(a)
	}
	i.slow = role == Slow
	return i.with(history.AboutRole, role), nil
}

// repeatSuccess repeats a success after a refusal: an answer may depend on the one before it.
func (c bench) repeatSuccess(ctx context.Context, success *history.Attempt) {
	if success != nil {
		c.invoke(ctx, c.invocationOf(success).with(history.AboutStep, history.StepAfterRefusal))
	}
}

func isInvalid(err error) bool {
	var found *schemas.Invalidity
	return errors.As(err, &found)
}
