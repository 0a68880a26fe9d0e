package act

import (
	"context"
	"strconv"

	"github.com/capconform/capconform/suites/cap/history"
)

// counts read how many handlers were executed.
type counts struct{ bench }

// The number of rounds of count, and of invalid inputs per round.
const (
	maxRounds   = 4
	countedEach = 2
	countedAll  = 12
)

// count repeats invalid inputs between readings of the counter, until a round shows that none
// of them is executed.
func (c counts) count(ctx context.Context) error {
	if c.player(Counter) == nil {
		return nil // the condition of its scenario states why
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
	for n := range maxRounds {
		round := strconv.Itoa(n)
		if ctx.Err() != nil || c.round(ctx, reading, round, some, found) {
			break
		}
		found = true
	}
	return nil
}

// round reads the counter five times: twice at once, then after nothing, after the invalid
// inputs, and after a valid one. With quiet, the second pause is as long as the inputs take.
// It reports whether nothing was executed.
func (c counts) round(ctx context.Context, reading invocation, round string,
	some []*history.Attempt, quiet bool) bool {
	var all []*history.Attempt
	read := func() {
		all = append(all, c.invoke(ctx, reading.with(history.AboutRound, round).with(history.AboutStep, history.StepRead)))
	}
	read()
	read()
	for range some {
		if quiet {
			c.describe(ctx, some[0].Asked, map[string]string{history.AboutRound: round})
		}
	}
	read()
	for _, a := range some {
		all = append(all, c.invoke(ctx, c.invocationOf(a).with(history.AboutRound, round).with(history.AboutStep,
			history.StepRepeat)))
	}
	read()
	if control := firstSuccess(c.validAttempts(some[0].Asked)); control != nil {
		all = append(all, c.invoke(ctx, c.invocationOf(control).with(history.AboutRound, round).with(history.AboutStep,
			history.StepControl)))
	}
	read()
	n, err := history.Executions(all)
	return err == nil && n == 0
}

// countable returns a few refusals of each capability.
func (c counts) countable() []*history.Attempt {
	taken := map[history.Ref]int{}
	gone := map[history.Ref]bool{}
	// A replaced capability executes nothing, whatever the input.
	for _, l := range c.History.ListsOf(history.Replaced) {
		for _, of := range c.List.Capabilities {
			gone[of.Ref()] = gone[of.Ref()] || l.Readable() && l.Find(of.Ref()) == nil
		}
	}
	var some []*history.Attempt
	for _, a := range c.History.Of(history.Invalid) {
		if a.FailedWith(history.InvalidInput) && !gone[a.Asked] && taken[a.Asked] < countedEach &&
			(taken[a.Asked] == 0 || len(some) < countedAll) {
			taken[a.Asked]++
			some = append(some, a)
		}
	}
	return some
}
