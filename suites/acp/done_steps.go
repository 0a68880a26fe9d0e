package acpsuite

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
)

var doneSentences = []sentence{
	say(`a tool of the active one says done (in structured content|in a text|in a body)`, func(w *world) any { return w.sayDone }),
	say(`tools of the active one say what is not done`, func(w *world) any { return w.sayNotDone }),
	say(`a tool of the active one does not answer in time`, func(w *world) any { return w.dally }),
}

// finishers are the tools that say that they are done, by the place where they do.
var finishers = map[string]string{"in structured content": "finish", "in a text": "conclude", "in a body": "complete"}

// executed lets the model call a tool of the active package, which has to be
// called.
func (w *world) executed(ctx context.Context, tool string) error {
	w.it = w.active
	t, calls := w.use(ctx, w.active, tool, w.active.mark)
	if err := w.offeredTool(t); err != nil {
		return err
	}
	if len(calls) == 0 {
		return suites.Undecided("the tool that says it was not called: see ACP-BIND-07 and ACP-BIND-09")
	}
	return nil
}

func (w *world) sayDone(ctx context.Context, where string) error {
	return w.executed(ctx, finishers[where])
}

func (w *world) sayNotDone(ctx context.Context) error {
	for _, tool := range []string{"go_on", "hint"} {
		if err := w.executed(ctx, tool); err != nil {
			return err
		}
	}
	return nil
}

// How long a capability may take while one that hangs is looked at, and otherwise,
// in milliseconds.
const (
	shortly = 60
	atEase  = 60_000
)

// dally lets a tool hang until the subject gives it up. The turn may end with an
// answer or with an error.
func (w *world) dally(ctx context.Context) error {
	if _, err := w.configure(ctx, &environment.Timeouts{CapabilityMS: shortly}); err != nil {
		return err
	}
	w.it = w.active
	t, calls := w.use(ctx, w.active, "dally", w.active.mark)
	_, err := w.configure(ctx, &environment.Timeouts{CapabilityMS: atEase})
	w.env.Tools.Release(w.active.mark)
	switch {
	case t.err != nil:
		return t.ended()
	case err != nil:
		return err
	case len(calls) == 0:
		return suites.Undecided("the tool that hangs was not called: see ACP-BIND-07")
	}
	return nil
}
