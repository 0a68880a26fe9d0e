package acdsuite

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
)

// hookKeepsOut hooks a capability that the caller may not run into a copy that the caller
// may, and wants that the hook never ran: who may not run a capability gets it run by no
// hook either. Whether the call itself is refused then is not said. That the registry does
// not take the hook, or that no log shows what ran, shows nothing.
func (w *world) hookKeepsOut(ctx context.Context, hook *capability, message string) error {
	if !w.execLog.accepted() {
		return nil
	}
	main, err := w.register(ctx, func(d object) { history.Put(d, "lifecycle.hooks.pre_invoke", anys(hook.id)) })
	if err != nil {
		return nil //nolint:nilerr // see ACD-SDK6-02
	}
	a := w.use(ctx, main, w.template.mode, main.required())
	if w.runs(ctx, hook.id) > 0 {
		return broken(message, "no entry of "+hook.id+" in the log of executions", a.received())
	}
	return nil
}

// hookNeedsPermission hooks in what needs a permission that the caller lacks.
func (w *world) hookNeedsPermission(ctx context.Context) error {
	hook, err := w.needing(ctx, false, append(w.template.of.required(), firstPermission)...)
	if err != nil {
		return nil //nolint:nilerr // the first copies were taken
	}
	return w.hookKeepsOut(ctx, hook, "a hook runs that needs a permission which the caller lacks")
}

// hookStaysDisabled hooks in what is switched off.
func (w *world) hookStaysDisabled(ctx context.Context) error {
	hook, err := w.register(ctx, func(d object) { history.Put(d, "status.enabled", false) })
	if err != nil {
		return nil //nolint:nilerr // the first copies were taken
	}
	return w.hookKeepsOut(ctx, hook, "a disabled capability runs as a hook")
}

// hookNeedsShell hooks in a copy of the shell, for a caller who lacks its permission. The
// input of the call holds no script.
func (w *world) hookNeedsShell(ctx context.Context, shell *capability) error {
	if w.needTemplate(ctx) != nil || len(shell.required()) == 0 {
		return nil
	}
	held := w.template.of.required()
	if !slices.ContainsFunc(shell.required(), func(needed string) bool { return !slices.Contains(held, needed) }) {
		return nil
	}
	hook, err := w.registerCopy(ctx, shell, nil)
	if err != nil {
		return nil //nolint:nilerr // the shell itself was looked at
	}
	return w.hookKeepsOut(ctx, hook, "a shell runs as a hook for a caller who lacks its permission")
}
