package acdsuite

import (
	"context"

	"github.com/capconform/capconform/suites/acd/history"
)

// needing registers a copy that needs permissions of our own.
func (w *world) needing(ctx context.Context, granted any, permissions ...string) (*capability, error) {
	return w.register(ctx, func(d object) {
		history.Put(d, "permissions.required", anys(permissions...))
		if granted == nil {
			drop(d, "permissions.granted_by_default")
		} else {
			history.Put(d, "permissions.granted_by_default", granted)
		}
	})
}

// The permissions that copies need.
const (
	firstPermission  = "conformance.first"
	secondPermission = "conformance.second"
)

const unrefused = "a caller who lacks a required permission is not refused"

// permissionNeeded wants callers refused who have nothing, a part, or something else: in
// every mode and through channels, before and after a call that is allowed, and by what
// an update requires.
func (w *world) permissionNeeded(ctx context.Context) error {
	both := []string{firstPermission, secondPermission}
	c, err := w.permissionsNeeded(ctx, false, nil,
		[]string{firstPermission}, []string{secondPermission}, []string{"conformance.other"}, []string{"conformance.other", "conformance.more"},
		[]string{firstPermission, firstPermission}, []string{firstPermission, "conformance.other"}, []string{firstPermission, secondPermission + ".more"},
		[]string{firstPermission, secondPermission[:len(secondPermission)-1]}, append(w.known(), firstPermission))
	if err != nil {
		return err
	}
	calls := append(w.onChannels(w.calling(c, w.template.mode)), w.calling(c, w.template.mode))
	for _, mode := range w.template.modes {
		calls = append(calls, w.calling(c, mode, firstPermission))
	}
	if err := w.refusedAgain(ctx, unrefused, calls...); err != nil {
		return err
	}
	history.Put(c.members, "permissions.required", anys(firstPermission, secondPermission, "conformance.third"))
	if w.updates(ctx, c) { // else ACD-SDK1-10
		if err := w.refusedAgain(ctx, "a caller who lacks what an update requires is not refused", w.calling(c, w.template.mode, both...)); err != nil {
			return err
		}
	}
	if err := w.hookNeedsPermission(ctx); err != nil {
		return err
	}
	return w.entriesNeedTheirs(ctx)
}

// permissionsNeeded refuses callers who have not all that is required, and accepts one
// with all of it.
func (w *world) permissionsNeeded(ctx context.Context, granted any, lacking ...[]string) (*capability, error) {
	both := []string{firstPermission, secondPermission}
	c, err := w.needing(ctx, granted, both...)
	if err != nil {
		return nil, err
	}
	var calls []invocation
	for _, held := range lacking {
		calls = append(calls, w.calling(c, w.template.mode, held...))
	}
	if err := w.refusals(ctx, unrefused, calls...); err != nil {
		return nil, err
	}
	return c, w.control(w.use(ctx, c, w.template.mode, both), "a copy does not run for a caller who has what it requires")
}

// guarded tells whether a capability asks for permissions.
func guarded(c *capability) bool {
	return len(c.required()) > 0 && !flag(c.members, "permissions.granted_by_default", false)
}

// entriesNeedTheirs calls the entries that ran without what they require.
func (w *world) entriesNeedTheirs(ctx context.Context) error {
	for _, t := range w.tried(ctx) {
		if !t.ran() || !guarded(t.of) {
			continue
		}
		if err := w.entryRefuses(ctx, unrefused, invocation{id: t.of.id, mode: t.accepted()[0], input: t.input}, guarded); err != nil {
			return err
		}
	}
	for _, name := range []string{"create", "enable", "bind"} {
		c := w.meta(name)
		if c == nil || len(c.modes()) == 0 || !guarded(c) || w.reasonAgainst(c) != "" {
			continue
		}
		made := w.copyOf(w.template.of, nil)
		id := text(made, "capability_id")
		w.probes = append(w.probes, id)
		input := object{"descriptor": made, "capability_id": id, "command_alias": "capconform-alias"}
		if err := w.entryRefuses(ctx, unrefused, invocation{id: c.id, mode: c.modes()[0], input: input}, guarded); err != nil {
			return err
		}
	}
	return nil
}
