package act

import (
	"context"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/live"
)

// composite requests an old list and the query that replaces it while a composite is created, disabled, made internal
// and deleted. The suite simulates the language model that its creation needs. The whole list, before and after these
// requests, shows whether the agent created a composite.
func (b queries) composite(ctx context.Context, l history.Legacy, filters object) error {
	if b.Subject.Invoke == live.InvokeNone {
		return nil
	}
	c := creations(b)
	run, configured, err := c.playModel(ctx)
	if err != nil {
		return err
	}
	defer c.endModel(ctx, run)
	if !configured {
		return nil
	}
	between := func() {
		b.readWhole(ctx)
		b.bothWays(ctx, l, filters)
		b.readWhole(ctx)
	}
	made, err := b.register(ctx, b.first(), ofKind("composite"))
	if err != nil {
		return nil // the registry may create no composite
	}
	between()
	history.Set(made.Members, "status.enabled", false)
	history.Set(made.Members, "exposure.scope", "internal")
	if b.updates(ctx, made) {
		between()
	}
	if b.deletes(ctx, made) {
		between()
	}
	return nil
}

// readWhole reads the whole registry, and the path of the text without a filter if it is served.
func (b queries) readWhole(ctx context.Context) {
	b.readRegistry(ctx)
	if b.History.Registry().Operation != history.OpPath {
		b.call(ctx, history.OpPath, object{})
	}
}
