package act

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/record"
)

// settledAtOnce is how many doubts of one judgement are settled before it judges again.
const settledAtOnce = 4

// reading is one call of a look.
type reading struct {
	operation string
	params    history.Object
}

// Settle performs what settles doubts: it looks again and again.
func (c *Caller) Settle(ctx context.Context, sc *suites.Scenario, what []suites.Settle) {
	for _, s := range what[:min(len(what), settledAtOnce)] {
		if len(c.History.Looks(s)) == 0 {
			c.look(ctx, sc.Laboratory(s.Stimulus), s, c.readings(s))
		}
	}
}

// look makes the calls of a doubt several times. The looks don't alternate strictly: what
// comes and goes with every second call would always be seen by the same.
func (c *Caller) look(ctx context.Context, l *suites.Laboratory, s suites.Settle, readings []reading) {
	whole := c.History.Registry().Operation
	for n := range history.LooksAtMost {
		for range n % 2 {
			_, _, _ = l.Do(ctx, suites.Call{Operation: driver.Operation{Name: whole, List: true}})
		}
		for _, one := range readings {
			op := driver.Operation{Name: one.operation, Params: suites.Encode(one.params)}
			op.List = one.operation != history.OpManifest
			links := []record.Link{{Relation: record.Confirms, To: s.Of}}
			// The entry says what came of it.
			_, _, _ = l.Do(ctx, suites.Call{About: history.About(s, n), Links: links, Operation: op})
		}
	}
}

// readings are the calls by which one look settles a doubt: who names an id, and whether the
// registry has it; or both protocols.
func (c *Caller) readings(s suites.Settle) []reading {
	whole := reading{c.History.Registry().Operation, history.Object{}}
	if s.Stimulus == history.BothAgain {
		return []reading{whole, {history.OpCapabilityList, history.Object{}}, whole}
	}
	naming := map[string]reading{
		history.ByManifest:    {history.OpManifest, history.Object{}},
		history.ByDeclaration: {history.OpDeclare, history.Object{"channel_id": s.About[history.AboutChannel]}},
		history.ByHook:        whole,
	}[s.About[history.AboutBy]]
	return []reading{naming, {history.OpGet, history.Object{"capability_id": s.About[history.AboutID]}}, whole}
}
