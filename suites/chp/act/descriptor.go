package act

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/verdict"
)

// The rounds of listedAgain.
const (
	listedRounds = 2 // at least
	maxListed    = 3 // if the two lists differ
	trialRounds  = 4 // if a pair was added or removed
)

// descriptions requests descriptors and lists again during the run.
type descriptions struct{ bench }

// listedAgain requests both lists again, and more often if they differ: other users may
// register and remove capabilities during the run. It alternates the order of the two calls, so
// that a host whose answer changes with every call does not appear to have two different lists.
// If a pair was added or removed, listedAgain invokes that pair.
func (c descriptions) listedAgain(ctx context.Context) error {
	first := lastOf(c.History.Lists()[:min(1, len(c.History.Lists()))])
	order := []string{history.OpCapabilities, history.OpHost}
	gone := false
	for round := range maxListed {
		if round >= listedRounds && samePairs(lastOf(c.History.Hosts()), lastOf(c.History.Lists())) {
			break
		}
		for _, op := range order {
			d := c.describe(ctx, op)
			gone = gone || op == history.OpCapabilities && len(d.Listing().Missing(first.Listing().Pairs())) > 0
		}
		slices.Reverse(order)
	}
	if !gone {
		return nil
	}
	for range trialRounds {
		now := c.describe(ctx, history.OpCapabilities).Listing()
		before := first.Listing()
		for _, p := range some(now.Missing(before.Pairs())) {
			c.tryPair(ctx, before[p], history.StepUnlisted)
		}
		for _, p := range some(now.Duplicates(before)) {
			c.tryPair(ctx, now[p], history.StepDuplicate)
		}
	}
	return nil
}

func lastOf(all []*history.Description) *history.Description {
	if len(all) == 0 {
		return &history.Description{}
	}
	return all[len(all)-1]
}

func samePairs(a, b *history.Description) bool {
	return slices.Equal(a.Listing().Pairs(), b.Listing().Pairs())
}

// some returns the first pairs of a list: a few are enough.
func some(pairs []string) []string { return pairs[:min(len(pairs), maxCandidates)] }

// tryPair invokes a capability by id and version, if the policy admits it.
func (c descriptions) tryPair(ctx context.Context, descriptor history.Object, step string) {
	of := c.Read(descriptor)
	if of == nil || !c.admits(of) || !slices.Contains(of.Modes, Sync) {
		return
	}
	if payloads := c.Payloads(of); len(payloads) > 0 {
		c.invoke(ctx, c.of(of, payloads[0]).with(history.AboutStep, step))
	}
}

// restart restarts the host and requests its descriptor.
func (c descriptions) restart(ctx context.Context) error {
	if !c.Subject.Restartable() {
		return verdict.NotObserved("a restart; the target file names no command under restart")
	}
	if lastOf(c.History.Hosts()).Result["id"] == nil {
		return verdict.Undecided("the host descriptor has no id: see CHP-4-01")
	}
	if err := c.lab.Restart(ctx); err != nil {
		return err
	}
	for range 2 {
		c.describe(ctx, history.OpHost)
	}
	return nil
}
