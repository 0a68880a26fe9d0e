package chpsuite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
)

// trialOutcomes are the outcomes that show a role.
var trialOutcomes = map[string]string{
	roleEcho: outcomeSuccess, roleFails: outcomeFailure, roleGuarded: outcomeDenied, roleDisabled: outcomeSkipped, roleRestricted: outcomeDenied,
}

// Try implements suites.Tryer.
func (e *examination) Try(ctx context.Context, sc *suites.Scenario, role suites.Role, id string) error {
	i := slices.IndexFunc(e.capabilities, func(c *capability) bool { return c.id == id })
	if i < 0 {
		return errors.New("it is not listed")
	}
	c := e.capabilities[i]
	want, shows := trialOutcomes[role.Name]
	switch {
	case role.Name == roleTyped && c.input == nil:
		return errors.New("it declares no input_schema")
	case role.Name == roleTyped:
		return nil
	case !shows:
		return suites.Undecided("one answer does not show whether it %s", role.Purpose)
	case !slices.Contains(c.modes, modeSync):
		return errors.New("it does not support the mode sync")
	}
	value := longText() // as in a run: what gives back short texts alone is no echo
	var payload any = object{}
	if made := e.payloads(c); role.Name == roleEcho {
		payload = object{"value": value}
	} else if role.Name != roleGuarded && len(made) > 0 {
		payload = made[0]
	}
	a := e.invoke(ctx, sc, e.of("an invocation", c, payload))
	switch {
	case a.err != nil:
		return errors.New("it gave no answer")
	case a.outcome() != want:
		return fmt.Errorf("the outcome was %s, not %s", suites.Clip(a.outcome()), want)
	case role.Name == roleEcho && !comesBack(value, a.result["data"]):
		return errors.New("the value of its payload did not come back in data")
	}
	return nil
}

// comesBack says whether a text occurs somewhere in data.
func comesBack(text string, data any) bool {
	encoded := string(suites.Encode(text))
	return strings.Contains(string(suites.Encode(data)), encoded[1:len(encoded)-1])
}
