package act

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// step gives the parameters of a part of a stimulus.
func step(name string) map[string]string { return map[string]string{history.AboutStep: name} }

// listAgain takes three more lists: a source may change while it is looked at, but a
// reference that comes and goes is not stable.
func (c *Caller) listAgain(ctx context.Context, l *suites.Laboratory) error {
	if err := c.needList(); err != nil {
		return err
	}
	for range 3 {
		if now := c.list(ctx, l, nil); now.Lost != nil {
			return now.Lost
		}
	}
	return nil
}

// describeChanged describes what was listed at first and is no more, and what came.
func (c *Caller) describeChanged(ctx context.Context, l *suites.Laboratory) error {
	lists := c.History.ListsOf(history.ListedAgain)
	if len(lists) == 0 || !lists[len(lists)-1].Readable() {
		return nil
	}
	first, last := c.History.First(), lists[len(lists)-1]
	for _, change := range [][2]*history.Listing{{first, last}, {last, first}} {
		asked := 0
		for _, of := range change[0].Capabilities {
			if change[1].Find(of.Ref()) == nil && asked < againAtMost {
				asked++
				c.describe(ctx, l, of.Ref(), nil)
			}
		}
	}
	return nil
}

// restart starts the source again and lists its capabilities before and behind it, and once
// more where a pair is missing then.
func (c *Caller) restart(ctx context.Context, l *suites.Laboratory) error {
	if !c.Subject.Restartable() {
		return suites.NotObserved("a restart; name the command in the target file: restart: [COMMAND, ARGS...]")
	}
	if err := c.needList(); err != nil {
		return err
	}
	before := c.list(ctx, l, step(history.StepBefore))
	if before.Lost != nil {
		return before.Lost
	}
	if err := l.Restart(ctx); err != nil {
		return err
	}
	after := c.list(ctx, l, step(history.StepAfter))
	gone := func(s *history.Sheet) bool { return after.Find(s.Ref()) == nil }
	if after.Lost == nil && slices.ContainsFunc(before.Capabilities, gone) {
		c.list(ctx, l, step(history.StepAfter))
	}
	return after.Lost
}

// exchange invokes the instrument that exchanges a pair for another, and sees from the lists
// what it did, so that its own output may have any form. Two lists before and two after show
// what others bring and take away meanwhile. Then it invokes what is gone and what came.
func (c *Caller) exchange(ctx context.Context, l *suites.Laboratory) error {
	if c.player(Replace) == nil {
		return nil // the condition of its scenario says why
	}
	i, err := c.inRole(Replace)
	if err != nil {
		return err
	}
	var before, after [2]*history.Listing
	for n := range before {
		if before[n] = c.list(ctx, l, step(history.StepBefore)); before[n].Lost != nil {
			return before[n].Lost
		}
	}
	a := c.invoke(ctx, l, i)
	for n := range after {
		if after[n] = c.list(ctx, l, step(history.StepAfter)); after[n].Lost != nil {
			return after[n].Lost
		}
	}
	old, come := exchanged(before, after), exchanged(after, before)
	if len(old) == 0 || len(come) == 0 {
		return suites.Undecided("the role replace exchanged no pair for another: %s", a.Got)
	}
	for _, s := range come {
		c.Offer(s.Ref(), s.Manifest())
	}
	c.invokeOld(ctx, l, old)
	for _, s := range come {
		c.invokeNew(ctx, l, c.capability(s), old)
	}
	return nil
}

// exchanged are the pairs that both lists of one time have and none of the other.
func exchanged(there, elsewhere [2]*history.Listing) []*history.Sheet {
	return slices.DeleteFunc(slices.Clone(there[0].Capabilities), func(s *history.Sheet) bool {
		r := s.Ref()
		return there[1].Find(r) == nil || elsewhere[0].Find(r) != nil || elsewhere[1].Find(r) != nil
	})
}

// invokeOld invokes the pairs that are gone, and a version of their ids that nobody has.
func (c *Caller) invokeOld(ctx context.Context, l *suites.Laboratory, old []*history.Sheet) {
	for _, s := range old {
		foreign := history.Ref{ID: s.ID, Version: freshVersion()}
		for _, input := range c.Sound(c.capability(s)) {
			i := invocation{asked: s.Ref(), input: input.Text, about: step(history.StepOld)}
			if a := c.invoke(ctx, l, i); a.Succeeded() {
				i.asked, i.about = foreign, step(history.StepForeign)
				c.invoke(ctx, l, i)
				c.list(ctx, l, step(history.StepControl))
			}
		}
	}
}

// invokeNew invokes a new pair with what its own manifest takes, and with what only an old
// one took.
func (c *Caller) invokeNew(ctx context.Context, l *suites.Laboratory, of *Capability, old []*history.Sheet) {
	for _, input := range c.Sound(of) {
		c.invoke(ctx, l, of.of(input).with(history.AboutStep, history.StepNew))
	}
	if of.Input() == nil {
		return
	}
	for _, s := range old {
		for _, input := range c.Sound(c.capability(s)) {
			if !breaks(of.Input().Validate(history.Value(input.Text))) {
				continue
			}
			i := invocation{asked: of.Ref(), input: input.Text}.with(history.AboutStep, history.StepOldWith)
			c.invoke(ctx, l, i.with(history.AboutBreaks, "the new manifest"))
		}
	}
	c.list(ctx, l, step(history.StepControl))
}

// The rounds of count, and how many unsound inputs a round takes.
const (
	roundsAtMost = 4
	countedEach  = 2
	countedAll   = 12
)

// count repeats unsound inputs between readings of the counter, until a round shows that
// none of them is executed.
func (c *Caller) count(ctx context.Context, l *suites.Laboratory) error {
	if c.player(Counter) == nil {
		return nil // the condition of its scenario says why
	}
	some := c.countable()
	if len(some) == 0 {
		return nil // see nothingRefused in the judgements
	}
	reading, err := c.inRole(Counter)
	if err != nil {
		return err
	}
	found := false
	for n := range roundsAtMost {
		round := strconv.Itoa(n)
		if ctx.Err() != nil || c.round(ctx, l, reading, round, some, found) {
			break
		}
		found = true
	}
	return nil
}

// round reads the counter five times: twice at once, then behind nothing, behind the unsound
// inputs, and behind a sound one. With quiet, the second pause is as long as the inputs take.
// It tells whether nothing was executed.
func (c *Caller) round(ctx context.Context, l *suites.Laboratory, reading invocation, round string,
	some []*history.Attempt, quiet bool) bool {
	var all []*history.Attempt
	read := func() {
		all = append(all, c.invoke(ctx, l, reading.with(history.AboutRound, round).with(history.AboutStep, history.StepRead)))
	}
	read()
	read()
	for range some {
		if quiet {
			c.describe(ctx, l, some[0].Asked, map[string]string{history.AboutRound: round})
		}
	}
	read()
	for _, a := range some {
		all = append(all, c.invoke(ctx, l, c.like(a).with(history.AboutRound, round).with(history.AboutStep,
			history.StepRepeat)))
	}
	read()
	if control := firstSuccess(c.tried(some[0].Asked)); control != nil {
		all = append(all, c.invoke(ctx, l, c.like(control).with(history.AboutRound, round).with(history.AboutStep,
			history.StepControl)))
	}
	read()
	n, err := history.Executions(all)
	return err == nil && n == 0
}

// countable are a few refusals of each capability.
func (c *Caller) countable() []*history.Attempt {
	taken := map[history.Ref]int{}
	gone := map[history.Ref]bool{}
	// one that was exchanged executes nothing, whatever it is asked
	for _, l := range c.History.ListsOf(history.Replaced) {
		for _, of := range c.List.Capabilities {
			gone[of.Ref()] = gone[of.Ref()] || l.Readable() && l.Find(of.Ref()) == nil
		}
	}
	var some []*history.Attempt
	for _, a := range c.History.Of(history.Unsound) {
		if a.With(history.InvalidInput) && !gone[a.Asked] && taken[a.Asked] < countedEach &&
			(taken[a.Asked] == 0 || len(some) < countedAll) {
			taken[a.Asked]++
			some = append(some, a)
		}
	}
	return some
}
