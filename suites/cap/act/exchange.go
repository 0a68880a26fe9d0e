package act

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/verdict"
)

// exchanges make the source replace a pair.
type exchanges struct{ bench }

// exchange invokes the instrument that replaces a pair. It reads the effect from the lists, so
// that the output of the instrument may have any form. Two lists before and two after show what
// other users add and remove during this time. Then exchange invokes the removed and the new
// pairs.
func (c exchanges) exchange(ctx context.Context) error {
	if c.player(Replace) == nil {
		return nil // the condition of its scenario states why
	}
	i, err := c.inRole(Replace)
	if err != nil {
		return err
	}
	var before, after [2]*history.Listing
	for n := range before {
		if before[n] = c.list(ctx, step(history.StepBefore)); before[n].Lost != nil {
			return before[n].Lost
		}
	}
	a := c.invoke(ctx, i)
	for n := range after {
		if after[n] = c.list(ctx, step(history.StepAfter)); after[n].Lost != nil {
			return after[n].Lost
		}
	}
	old, come := replacedPairs(before, after), replacedPairs(after, before)
	if len(old) == 0 || len(come) == 0 {
		return verdict.Undecided("the role replace exchanged no pair for another: %s", a.Got())
	}
	for _, s := range come {
		c.OfferManifest(s.Ref(), s.Manifest())
	}
	c.invokeOld(ctx, old)
	for _, s := range come {
		c.invokeNew(ctx, c.capability(s), old)
	}
	return nil
}

// replacedPairs returns the pairs that both lists of there contain and no list of elsewhere
// contains.
func replacedPairs(there, elsewhere [2]*history.Listing) []*history.RawManifest {
	return slices.DeleteFunc(slices.Clone(there[0].Capabilities), func(s *history.RawManifest) bool {
		r := s.Ref()
		return there[1].Find(r) == nil || elsewhere[0].Find(r) != nil || elsewhere[1].Find(r) != nil
	})
}

// invokeOld invokes the removed pairs, and a version of their ids that does not exist.
func (c exchanges) invokeOld(ctx context.Context, old []*history.RawManifest) {
	for _, s := range old {
		foreign := history.Ref{ID: s.ID, Version: freshVersion()}
		for _, input := range c.ValidInputs(c.capability(s)) {
			i := invocation{asked: s.Ref(), input: input.Text, about: step(history.StepOld)}
			if a := c.invoke(ctx, i); a.Succeeded() {
				i.asked, i.about = foreign, step(history.StepForeign)
				c.invoke(ctx, i)
				c.list(ctx, step(history.StepControl))
			}
		}
	}
}

// invokeNew invokes a new pair with inputs that its manifest permits, and with inputs that only
// an old manifest permits.
func (c exchanges) invokeNew(ctx context.Context, of *Capability, old []*history.RawManifest) {
	for _, input := range c.ValidInputs(of) {
		c.invoke(ctx, of.of(input).with(history.AboutStep, history.StepNew))
	}
	if of.Input() == nil {
		return
	}
	for _, s := range old {
		for _, input := range c.ValidInputs(c.capability(s)) {
			if !isInvalid(of.Input().Validate(history.Value(input.Text))) {
				continue
			}
			i := invocation{asked: of.Ref(), input: input.Text}.with(history.AboutStep, history.StepOldWith)
			c.invoke(ctx, i.with(history.AboutBreaks, "the new manifest"))
		}
	}
	c.list(ctx, step(history.StepControl))
}
