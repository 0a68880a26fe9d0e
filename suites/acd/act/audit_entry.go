package act

import (
	"context"

	"github.com/capconform/capconform/suites/acd/history"
)

// missedAtMost is the number of entries for whose missing records the stimulus waits.
const missedAtMost = 3

// ofEntries calls each entry that ran once more, with a mark in its input if it takes a text, and reads its records
// before and after the call.
func (b audits) ofEntries(ctx context.Context) error {
	if _, _, err := b.template(); err != nil {
		return err
	}
	missed := 0
	before := b.recordsBefore(ctx)
	for _, t := range b.History.Trials() {
		ran, entry := t.Ran(), b.find(t.ID)
		if !before.Accepted() || len(ran) == 0 || !history.Flag(entry.Members, "audit.log_invocation", true) {
			continue
		}
		u := invocation{id: t.ID, mode: ran[0], held: t.Held, input: t.Input}
		var mark string
		if history.TextMember(u.input) != "" {
			u.input, mark = marked(u.input)
		}
		if !b.invoke(ctx, u).Accepted() {
			continue
		}
		wanted := before.Runs(t.ID) + 1
		if missed == missedAtMost {
			wanted = 0
		}
		if b.audit(ctx, entry, wanted, mark) < wanted {
			missed++
		}
		if records := b.History.Of(history.OpAudit); len(records) > 0 {
			before = records[len(records)-1]
		}
	}
	return nil
}

// recorded reads the records until they show one more invocation of an entry than an earlier reading, unless the
// descriptor says that its invocations are not logged.
func (b bench) recorded(ctx context.Context, of *history.Item, before *history.Call) {
	if before.Accepted() && history.Flag(of.Members, "audit.log_invocation", true) {
		b.audit(ctx, of, before.Runs(of.ID)+1)
	}
}
