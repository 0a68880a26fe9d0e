package act

import (
	"context"

	"github.com/capconform/capconform/suites/cap/history"
)

// maxDescribed limits how many capabilities are described. It is enough for any real source,
// and bounds the calls to a source that lists 10,000. maxDescribedAgain limits how many of them are
// described twice.
const (
	maxDescribed      = 2000
	maxDescribedAgain = 30
)

// descriptions describe the pairs of the source.
type descriptions struct{ bench }

// describeAll describes each listed pair, and the first ones twice: a cached answer may differ
// from the first one.
func (c descriptions) describeAll(ctx context.Context) error {
	if err := c.needList(); err != nil {
		return err
	}
	for i, of := range c.List.Capabilities[:min(len(c.List.Capabilities), maxDescribed)] {
		if ctx.Err() != nil {
			break
		}
		c.describe(ctx, of.Ref(), nil)
		if i < maxDescribedAgain {
			c.describe(ctx, of.Ref(), map[string]string{history.AboutStep: history.StepAgain})
		}
	}
	return nil
}

// describeReduced describes each tool that a skill is reduced to.
func (c descriptions) describeReduced(ctx context.Context) error {
	asked := map[history.Ref]bool{}
	for _, of := range c.List.Capabilities {
		if of.Kind != history.KindSkill {
			continue
		}
		for _, tool := range of.Manifest().ReducedTo() {
			if !asked[tool] {
				asked[tool] = true
				c.describe(ctx, tool, nil)
			}
		}
	}
	return nil
}

// describeChanged describes the pairs that are no longer listed, and those that were added.
func (c descriptions) describeChanged(ctx context.Context) error {
	lists := c.History.ListsOf(history.ListedAgain)
	if len(lists) == 0 || !lists[len(lists)-1].Readable() {
		return nil
	}
	first, last := c.History.First(), lists[len(lists)-1]
	for _, change := range [][2]*history.Listing{{first, last}, {last, first}} {
		asked := 0
		for _, of := range change[0].Capabilities {
			if change[1].Find(of.Ref()) == nil && asked < maxDescribedAgain {
				asked++
				c.describe(ctx, of.Ref(), nil)
			}
		}
	}
	return nil
}
