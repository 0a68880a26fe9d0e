package acdsuite

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
)

var hookSentences = []sentence{
	try(`hooks before an invocation run before it`, (*world).hooksBefore),
	try(`hooks after an invocation run after it`, (*world).hooksAfter),
	try(`hooks on an error run after a failure and only then`, (*world).hooksOnError),
}

// hookKinds are the hooks of a lifecycle (ACD 1.2).
var hookKinds = []string{"pre_invoke", "post_invoke", "on_error"}

// hooked registers copies of the template as hooks, and one copy that has them.
func (w *world) hooked(ctx context.Context, of *capability, kinds ...string) (main *capability, hooks []string, err error) {
	for range kinds {
		h, err := w.register(ctx, nil)
		if err != nil {
			return nil, nil, err
		}
		hooks = append(hooks, h.id)
	}
	main, err = w.registerCopy(ctx, of, func(d object) {
		for i, kind := range kinds {
			put(d, "lifecycle.hooks."+kind, anys(hooks[i]))
		}
	})
	return main, hooks, err
}

// order gives where ids stand in the log of executions, -1 for one that did not run.
func (w *world) order(ctx context.Context, ids ...string) ([]int, error) {
	a := w.call(ctx, opExecLog, object{})
	if err := a.missing(); err != nil {
		return nil, err
	}
	log := entriesOf(a)
	places := make([]int, len(ids))
	for i, id := range ids {
		places[i] = slices.IndexFunc(log, func(e object) bool { return e["capability_id"] == id })
	}
	return places, nil
}

// ranWith invokes a copy that has hooks and gives the places of it and of one hook.
func (w *world) ranWith(ctx context.Context, kind string) (main, hook int, err error) {
	c, hooks, err := w.hooked(ctx, w.template.of, kind)
	if err != nil {
		return 0, 0, err
	}
	if err := w.control(w.use(ctx, c, w.template.mode, c.required()), "a copy with a hook does not run"); err != nil {
		return 0, 0, err
	}
	places, err := w.order(ctx, c.id, hooks[0])
	if err != nil {
		return 0, 0, err
	}
	if places[0] < 0 {
		return 0, 0, suites.Undecided("the log of executions does not show what ran")
	}
	return places[0], places[1], nil
}

func (w *world) hooksBefore(ctx context.Context) error {
	main, hook, err := w.ranWith(ctx, "pre_invoke")
	if err != nil {
		return err
	}
	if hook < 0 || hook > main {
		return broken("a hook does not run before the invocation", "the hook of pre_invoke before the capability", placed(main, hook))
	}
	return nil
}

func placed(main, hook int) object {
	if hook < 0 {
		return object{"capability": main, "hook": "did not run"}
	}
	return object{"capability": main, "hook": hook}
}

func (w *world) hooksAfter(ctx context.Context) error {
	main, hook, err := w.ranWith(ctx, "post_invoke")
	if err != nil {
		return err
	}
	if hook < main {
		return broken("a hook does not run after the invocation", "the hook of post_invoke behind the capability", placed(main, hook))
	}
	return nil
}

func (w *world) hooksOnError(ctx context.Context) error {
	main, hook, err := w.ranWith(ctx, "on_error")
	if err != nil {
		return err
	}
	if hook >= 0 {
		return broken("a hook on an error runs without one", "no hook of on_error behind a success", placed(main, hook))
	}
	fails := w.players[roleFails].Capability
	c, hooks, err := w.hooked(ctx, fails, "on_error")
	if err != nil {
		return err
	}
	if len(fails.modes()) == 0 {
		return suites.Undecided("%s has no mode", fails.id)
	}
	input, _ := w.input(fails)
	if a := w.invoke(ctx, invocation{id: c.id, mode: fails.modes()[0], permissions: c.required(), input: input}); a.accepted() {
		return suites.Undecided("a copy of %s does not fail: %s", fails.id, a.received())
	}
	places, err := w.order(ctx, c.id, hooks[0])
	if err != nil {
		return err
	}
	switch {
	case places[0] < 0:
		return suites.Undecided("the log of executions does not show that a copy of %s ran", fails.id)
	case places[1] < places[0]:
		return broken("a hook on an error does not run after a failure", "the hook of on_error behind the capability", placed(places[0], places[1]))
	}
	return nil
}
