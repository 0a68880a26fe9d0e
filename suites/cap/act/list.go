package act

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/verdict"
)

// lists list during the run.
type lists struct{ bench }

// listAgain lists three more times: a source may change during the run, but a reference that
// disappears and returns is not stable.
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

// restart restarts the source and lists before and after it, and once more if a pair is missing
// afterwards.
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
	gone := func(s *history.RawManifest) bool { return after.Find(s.Ref()) == nil }
	if after.Lost == nil && slices.ContainsFunc(before.Capabilities, gone) {
		c.list(ctx, step(history.StepAfter))
	}
	return after.Lost
}
