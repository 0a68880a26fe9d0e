package acdsuite

import (
	"context"
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
)

var hookSentences = []sentence{
	try(`hooks before an invocation run before it`, (*world).hooksBefore),
	try(`hooks after an invocation run after it`, (*world).hooksAfter),
	try(`hooks on an error run after a failure and only then`, (*world).hooksOnError),
}

// hooksOfAKind is how many hooks a copy has.
const hooksOfAKind = 2

// hooked registers copies of the template as hooks, and one copy that has them.
func (w *world) hooked(ctx context.Context, of *capability, kind string) (main *capability, hooks []string, err error) {
	for range hooksOfAKind {
		h, err := w.register(ctx, nil)
		if err != nil {
			return nil, nil, err
		}
		hooks = append(hooks, h.id)
	}
	main, a, err := w.offerCopy(ctx, of, func(d object) { history.Put(d, "lifecycle.hooks."+kind, anys(hooks...)) })
	if err != nil {
		return nil, nil, err
	}
	if a.refused() && w.takesPlain(ctx, of) {
		return nil, nil, broken("a descriptor with hooks is not taken", "the registry creates it, as it does without hooks", a.received())
	}
	if err := taken(of, a); err != nil {
		return nil, nil, err
	}
	w.switchOn(ctx, main, a)
	return main, hooks, nil
}

// takesPlain tells whether a copy without hooks is taken.
func (w *world) takesPlain(ctx context.Context, of *capability) bool {
	_, err := w.registerCopy(ctx, of, nil)
	return err == nil
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

// orderSoon is order once all of them ran, or a while after the answer: hooks that come
// after the capability may run a moment later. Where none is to run, it looks at once.
func (w *world) orderSoon(ctx context.Context, wanted bool, ids ...string) (places []int, err error) {
	soon(ctx, func() bool {
		places, err = w.order(ctx, ids...)
		return err != nil || !wanted || !slices.Contains(places, -1)
	})
	return places, err
}

// ran is where a copy and its hooks stand in the log.
type ran struct {
	main  int
	hooks []int
}

// ranWith invokes a copy that has hooks of a kind, in a mode, and gives the places.
func (w *world) ranWith(ctx context.Context, kind, mode string) (ran, *capability, error) {
	c, hooks, err := w.hooked(ctx, w.template.of, kind)
	if err != nil {
		return ran{}, nil, err
	}
	if err := w.control(w.use(ctx, c, mode, c.required()), "a copy with a hook does not run"); err != nil {
		return ran{}, nil, err
	}
	places, err := w.orderSoon(ctx, kind != "on_error", append([]string{c.id}, hooks...)...)
	if err != nil {
		return ran{}, nil, err
	}
	if places[0] < 0 {
		return ran{}, nil, suites.Undecided("the log of executions does not show what ran")
	}
	return ran{places[0], places[1:]}, c, nil
}

// inEveryMode wants hooks in their place in each mode, as often as the capability runs, and
// after an update that names another hook.
func (w *world) inEveryMode(ctx context.Context, kind, message, want string, misplaced func(main, hook int) bool) error {
	var last *capability
	for _, mode := range w.template.modes {
		r, c, err := w.ranWith(ctx, kind, mode)
		if err != nil {
			return err
		}
		for _, hook := range r.hooks {
			if misplaced(r.main, hook) {
				return broken(message, want, placed(r.main, hook))
			}
		}
		last = c
	}
	ran, again := 1, w.calling(last, w.template.mode, last.required()...)
	for _, i := range append(w.onDeclaring(ctx, again), again) {
		if w.invoke(ctx, i).accepted() {
			ran++
		}
	}
	if err := w.asOften(ctx, ran, suites.Texts(member(last.members, "lifecycle.hooks."+kind))); err != nil {
		return err
	}
	next, err := w.register(ctx, nil)
	if err != nil {
		return err
	}
	history.Put(last.members, "lifecycle.hooks."+kind, anys(next.id))
	if !w.updates(ctx, last) {
		return nil // ACD-SDK1-10
	}
	if a := w.use(ctx, last, w.template.mode, last.required()); a.accepted() && !soon(ctx, func() bool { return w.runs(ctx, next.id) > 0 }) {
		return broken("a hook that an update names does not run", "an entry of the new hook in the log of executions", "none")
	}
	return nil
}

// asOften wants each hook in the log once for each call of what it belongs to.
func (w *world) asOften(ctx context.Context, calls int, hooks []string) error {
	for _, hook := range hooks {
		ran := 0
		soon(ctx, func() bool { ran = w.runs(ctx, hook); return ran >= calls })
		if ran != calls {
			return broken("a hook does not run once for each call", fmt.Sprint(calls, " entries of the hook in the log of executions"), fmt.Sprint(ran))
		}
	}
	return nil
}

func (w *world) hooksBefore(ctx context.Context) error {
	return w.inEveryMode(ctx, "pre_invoke", "a hook does not run before the invocation", "each hook of pre_invoke before the capability",
		func(main, hook int) bool { return hook < 0 || hook > main })
}

func placed(main, hook int) object {
	if hook < 0 {
		return object{"capability": main, "hook": "did not run"}
	}
	return object{"capability": main, "hook": hook}
}

func (w *world) hooksAfter(ctx context.Context) error {
	return w.inEveryMode(ctx, "post_invoke", "a hook does not run after the invocation", "each hook of post_invoke behind the capability",
		func(main, hook int) bool { return hook < main })
}

func (w *world) hooksOnError(ctx context.Context) error {
	r, _, err := w.ranWith(ctx, "on_error", w.template.mode)
	if err != nil {
		return err
	}
	for _, hook := range r.hooks {
		if hook >= 0 {
			return broken("a hook on an error runs without one", "no hook of on_error behind a success", placed(r.main, hook))
		}
	}
	fails := w.players[roleFails].Capability
	if len(fails.modes()) == 0 {
		return suites.Undecided("%s has no mode", fails.id)
	}
	for _, mode := range fails.modes() {
		if err := w.hooksOnFailure(ctx, fails, mode); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) hooksOnFailure(ctx context.Context, fails *capability, mode string) error {
	c, hooks, err := w.hooked(ctx, fails, "on_error")
	if err != nil {
		return err
	}
	input, _ := w.input(fails)
	call := invocation{id: c.id, mode: mode, permissions: append(c.required(), w.template.of.required()...), input: input} // the hooks need theirs
	if a := w.invoke(ctx, call); a.accepted() {
		return suites.Undecided("a copy of %s does not fail: %s", fails.id, a.received())
	}
	places, err := w.orderSoon(ctx, true, append([]string{c.id}, hooks...)...)
	if err != nil {
		return err
	}
	if places[0] < 0 {
		return suites.Undecided("the log of executions does not show that a copy of %s ran", fails.id)
	}
	for _, hook := range places[1:] {
		if hook < places[0] {
			return broken("a hook on an error does not run after a failure", "each hook of on_error behind the capability", placed(places[0], hook))
		}
	}
	const twice = 2
	w.invoke(ctx, call)
	return w.asOften(ctx, twice, hooks)
}
