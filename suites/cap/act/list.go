package act

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/verdict"
)

// lists are what the source lists while the run goes on.
type lists struct{ bench }

// listAgain takes three more lists: a source may change while it is looked at, but a
// reference that comes and goes is not stable.
func (c lists) listAgain(ctx context.Context) error {
	if err := c.needList(); err != nil {
		return err
	}
	for range 3 {
		if now := c.list(ctx, nil); now.Lost != nil {
			return now.Lost
		}
	}
	return nil
}

// restart starts the source again and lists its capabilities before and behind it, and once
// more where a pair is missing then.
func (c lists) restart(ctx context.Context) error {
	if !c.Subject.Restartable() {
		return verdict.NotObserved("a restart; name the command in the target file: restart: [COMMAND, ARGS...]")
	}
	if err := c.needList(); err != nil {
		return err
	}
	before := c.list(ctx, step(history.StepBefore))
	if before.Lost != nil {
		return before.Lost
	}
	if err := c.lab.Restart(ctx); err != nil {
		return err
	}
	after := c.list(ctx, step(history.StepAfter))
	gone := func(s *history.Sheet) bool { return after.Find(s.Ref()) == nil }
	if after.Lost == nil && slices.ContainsFunc(before.Capabilities, gone) {
		c.list(ctx, step(history.StepAfter))
	}
	return after.Lost
}
