package act

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/verdict"
)

// faultsOfFailing is the number of invalid inputs for a capability that fails on a valid one.
const faultsOfFailing = 4

// maxSilences is the number of capabilities that may leave an invocation without an answer before the
// stimulus ends.
const maxSilences = 3

// faults invoke capabilities with invalid inputs.
type faults struct{ bench }

// invokeInvalid invokes each capability with inputs that each break one keyword. The capability must
// first have accepted a valid input: without that control a refusal proves nothing. After the first input
// without an answer, invokeInvalid skips the rest of that capability. After a few such capabilities the
// stimulus ends, since each costs a deadline or a connection. The last capability gets one invalid input
// twice, and then a valid one again.
func (c faults) invokeInvalid(ctx context.Context) error {
	if err := c.NotReady(); err != nil {
		return err
	}
	silences := 0
	for i, of := range c.Pool {
		valid := c.validAttempts(of.Ref())
		if firstSuccess(valid) == nil || of.pace.slow.Load() || silences >= maxSilences {
			continue
		}
		refused, silent := c.breakInputs(ctx, of, valid)
		if refused != nil && i == len(c.Pool)-1 {
			silent = c.invoke(ctx, c.invocationOf(refused).with(history.AboutStep, history.StepAgain)).Lost != nil
			c.repeatSuccess(ctx, firstSuccess(valid))
		}
		if silent {
			silences++
		}
	}
	return nil
}

// isFirstOrLast reports whether a place in a list of n is among the first or the last ones.
func isFirstOrLast(i, n, most int) bool { return i < most || i >= n-most }

// breakInputs invokes one capability with invalid inputs. It returns the first attempt that was refused,
// nil if there is none, and reports whether an answer was missing.
func (c faults) breakInputs(ctx context.Context, of *Capability,
	valid []*history.Attempt) (refused *history.Attempt, silent bool) {
	for _, fault := range c.inputs().faultsOf(of, valid) {
		a := c.invoke(ctx, of.breaking(fault))
		if a.Lost != nil {
			return nil, true // a capability that does not answer once will not answer the next time
		}
		if refused == nil && a.Failed() && !a.OutsideContract() {
			refused = a
		}
	}
	return refused, false
}

// invokeFailing invokes capabilities that fail on a valid input with inputs that each break one
// keyword: these must be refused before anything fails. The control is that the valid input was
// accepted. A denial is not a control, since no text puts validation before it.
func (c faults) invokeFailing(ctx context.Context) error {
	if err := c.needList(); err != nil {
		return err
	}
	invoked := 0
	for _, control := range c.failures() {
		of := c.capability(c.List.Find(control.Asked))
		left := faultsOfFailing
		if control.FailedWith(history.Timeout) {
			left = 1
		}
		for _, fault := range withinContractFirst(c.inputs().invalid(of, c.fullest(of, control))) {
			if left == 0 || history.OutsideContract(fault.Text) {
				break
			}
			left--
			invoked++
			c.invoke(ctx, of.breaking(fault))
		}
	}
	if invoked == 0 {
		return verdict.NotObserved("a capability that fails on a valid input and has an input that can be made invalid")
	}
	return nil
}

// fullest returns the valid input with the most members for a capability that fails: each member
// can be broken, also one that the input of the control lacks.
func (c faults) fullest(of *Capability, control *history.Attempt) json.RawMessage {
	if made := c.ValidInputs(of); len(made) > 0 && !c.givenForRole(control) {
		return made[len(made)-1].Text
	}
	return control.Input
}

// givenForRole reports whether the target file gives the input of an attempt for a role that fails.
func (c faults) givenForRole(a *history.Attempt) bool {
	p := c.Players[a.About[history.AboutRole]]
	return p != nil && p.Given != nil
}

// failures returns one attempt for each capability that failed on every valid input. A tool of a plain
// MCP server that always fails proves nothing about validation.
func (c faults) failures() []*history.Attempt {
	var all []*history.Attempt
	for _, role := range []string{Fails, Malformed, Slow} {
		for _, a := range c.History.Of(history.InRole) {
			// otherwise another requirement judges it
			if a.About[history.AboutRole] == role && a.About[history.AboutStep] == "" && a.Accepted() {
				all = append(all, a)
				break
			}
		}
	}
	if c.Adapted {
		return all
	}
	for _, of := range c.Pool {
		valid := c.validAttempts(of.Ref())
		other := func(a *history.Attempt) bool {
			return !a.FailedWith(history.ExecutionFailed) && !a.FailedWith(history.Timeout)
		}
		if len(valid) > 0 && !slices.ContainsFunc(valid, other) {
			all = append(all, valid[0])
		}
	}
	return all
}
