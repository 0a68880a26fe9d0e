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
	listedAtMost = 3 // where the two lists differ
	trialRounds  = 4 // where a pair came or went
)

// descriptions are what the host says of itself while the run goes on.
type descriptions struct{ bench }

// listedAgain asks for both lists again, more often where they differ: other people may
// register and remove capabilities meanwhile. The order of the two calls changes, so that a
// host that moves with every call is not taken for one that shows two things. Where the same
// pairs are not declared again it invokes those that came or went.
func (c descriptions) listedAgain(ctx context.Context) error {
	first := lastOf(c.History.Lists()[:min(1, len(c.History.Lists()))])
	order := []string{history.OpCapabilities, history.OpHost}
	gone := false
	for round := range listedAtMost {
		if round >= listedRounds && samePairs(lastOf(c.History.Hosts()), lastOf(c.History.Lists())) {
			break
		}
		for _, op := range order {
			d := c.describe(ctx, op)
			gone = gone || op == history.OpCapabilities && len(d.Listing().Lacking(first.Listing().Pairs())) > 0
		}
		slices.Reverse(order)
	}
	if !gone {
		return nil
	}
	for range trialRounds {
		now := c.describe(ctx, history.OpCapabilities).Listing()
		before := first.Listing()
		for _, p := range some(now.Lacking(before.Pairs())) {
			c.tryPair(ctx, before[p], history.StepUnlisted)
		}
		for _, p := range some(now.Twins(before)) {
			c.tryPair(ctx, now[p], history.StepTwin)
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

// some of many pairs are enough.
func some(pairs []string) []string { return pairs[:min(len(pairs), candidatesAtMost)] }

// tryPair invokes a capability under its name, where it may be invoked.
func (c descriptions) tryPair(ctx context.Context, descriptor history.Object, step string) {
	of := c.Read(descriptor)
	if of == nil || !c.admits(of) || !slices.Contains(of.Modes, Sync) {
		return
	}
	if payloads := c.Payloads(of); len(payloads) > 0 {
		c.invoke(ctx, c.of(of, payloads[0]).with(history.AboutStep, step))
	}
}

// restart starts the host again and asks who it is.
func (c descriptions) restart(ctx context.Context) error {
	if !c.Subject.Restartable() {
		return verdict.NotObserved("a restart; the target file names no command under restart")
	}
	if lastOf(c.History.Hosts()).Result["id"] == nil {
		return verdict.Undecided("the host tells no id: see CHP-4-01")
	}
	if err := c.lab.Restart(ctx); err != nil {
		return err
	}
	for range 2 {
		c.describe(ctx, history.OpHost)
	}
	return nil
}
