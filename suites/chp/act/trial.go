package act

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/verdict"
)

// trialOutcomes are the outcomes by which a role is recognised.
var trialOutcomes = map[string]string{
	Echo: history.Success, Fails: history.Failure, Guarded: history.Denied, Disabled: history.Skipped,
	Restricted: history.Denied, Typed: history.Success,
}

// Try invokes a capability as a role is invoked in a run, and returns the reason why it does not
// have the role, or nil. It is not part of a run, and no record contains it.
func (c *Caller) Try(ctx context.Context, sc *suites.Scenario, role live.Role, id string) error {
	i := slices.IndexFunc(c.Capabilities, func(of *Capability) bool { return of.ID == id })
	if i < 0 {
		return errors.New("it is not listed")
	}
	of := c.Capabilities[i]
	want, shows := trialOutcomes[role.Name]
	switch {
	case role.Name == Typed && of.Input == nil:
		return errors.New("it declares no input_schema")
	case !shows:
		return verdict.Undecided("one answer does not show whether it %s", role.Purpose)
	case !slices.Contains(of.Modes, Sync):
		return errors.New("it does not support the mode sync")
	}
	value := longText() // as in a run: a capability that returns only short texts is not an echo
	var payload any = history.Object{}
	if made := c.Payloads(of); role.Name == Echo {
		payload = history.Object{"value": value}
	} else if role.Name != Guarded && len(made) > 0 {
		payload = made[0]
	}
	v := c.of(of, payload)
	v.id = newInvocationID()
	answer, err := sc.Ask(ctx, driver.Operation{Name: history.OpInvoke, Params: v.params()}, c.Subject.Deadlines.Call)
	if err != nil {
		return errors.New("it gave no answer")
	}
	result := schemas.ReadObject(answer.Result)
	outcome, _ := result["outcome"].(string)
	switch {
	case outcome != want:
		return fmt.Errorf("the outcome was %s, not %s", jsonvalue.Clip(outcome), want)
	case role.Name == Echo && !history.Contains(result["data"], value):
		return errors.New("the value of its payload did not come back in data")
	}
	return nil
}
