package act

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/verdict"
)

// silencesAtMost is how many capabilities may give no answer before no further one is invoked.
const silencesAtMost = 3

// faults are invocations with what has to be refused.
type faults struct{ bench }

// invokeUnsound invokes each capability with inputs that each break one keyword. It is asked
// only after it accepted a sound one: without that control a refusal shows nothing. The first
// that gets no answer at all ends it, and a few end it for the source: each costs a deadline
// or a connection, and a source that serves everything else must not be lost over them.
func (c faults) invokeUnsound(ctx context.Context) error {
	if err := c.Ready(); err != nil {
		return err
	}
	silences := 0
	for _, of := range c.Pool {
		sound := c.tried(of.Ref())
		if firstSuccess(sound) == nil || of.pace.slow.Load() || silences >= silencesAtMost {
			continue
		}
		for _, fault := range c.inputs().faultsOf(of, sound) {
			if c.invoke(ctx, of.breaking(fault)).Lost != nil {
				silences++
				break // a source that gives no answer once gives none the next time
			}
		}
	}
	return nil
}

// invokeFailing invokes what fails on a sound input with inputs that each break one
// keyword: they are refused before anything fails. The control is that the sound input was
// taken up. A denial is none, since no text puts validation before it.
func (c faults) invokeFailing(ctx context.Context) error {
	if err := c.needList(); err != nil {
		return err
	}
	invoked := 0
	for _, control := range c.failures() {
		of := c.capability(c.List.Find(control.Asked))
		left := 2
		if control.With(history.Timeout) {
			left = 1
		}
		for _, fault := range withinContractFirst(c.inputs().unsound(of, c.fullest(of, control))) {
			if left == 0 || history.OutsideContract(fault.Text) {
				break
			}
			left--
			invoked++
			c.invoke(ctx, of.breaking(fault))
		}
	}
	if invoked == 0 {
		return verdict.NotObserved("a capability that fails on a sound input and takes an input that can be broken")
	}
	return nil
}

// fullest returns the sound input with the most members for a capability that fails: each member
// can be broken, also one that the input of the control lacks.
func (c faults) fullest(of *Capability, control *history.Attempt) json.RawMessage {
	if made := c.Sound(of); len(made) > 0 {
		return made[len(made)-1].Text
	}
	return control.Input
}

// failures gives, for each capability that failed on every sound input, one answer. A tool of
// a plain MCP server that fails on everything shows nothing of validation.
func (c faults) failures() []*history.Attempt {
	var all []*history.Attempt
	for _, role := range []string{Fails, Malformed, Slow} {
		for _, a := range c.History.Of(history.InRole) {
			// else its own requirement's
			if a.About[history.AboutRole] == role && a.About[history.AboutStep] == "" && a.TakenUp() {
				all = append(all, a)
				break
			}
		}
	}
	if c.Adapted {
		return all
	}
	for _, of := range c.Pool {
		sound := c.tried(of.Ref())
		other := func(a *history.Attempt) bool { return !a.With(history.ExecutionFailed) && !a.With(history.Timeout) }
		if len(sound) > 0 && !slices.ContainsFunc(sound, other) {
			all = append(all, sound[0])
		}
	}
	return all
}
