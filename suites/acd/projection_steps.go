package acdsuite

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
)

// projector is a channel that projects something that it declares, and the modes that it
// supports, fewer than five.
type projector struct {
	channel   string
	supported []string
}

// projecting finds the channels that project something.
func (w *world) projecting(ctx context.Context) ([]projector, error) {
	if err := w.needChannels(); err != nil {
		return nil, err
	}
	var all []projector
	for _, c := range w.channels() {
		a := w.declared(ctx, channelID(c))
		told := suites.Texts(member(a.value, "modes"))
		for _, id := range append(suites.Texts(member(a.value, "capabilities")), suites.Texts(c["capabilities"])...) {
			p := w.project(ctx, channelID(c), id)
			if err := p.missing(); err != nil {
				return nil, err
			}
			if otherID(p, id) {
				continue // ACD-SDK5-01
			}
			if p.accepted() && len(told) > 0 && len(told) < len(modes) && !slices.ContainsFunc(told, unknownMode) { // ACD-SDK5-02
				all = append(all, projector{channelID(c), told})
				break
			}
		}
	}
	if len(all) == 0 {
		return nil, suites.Undecided("no channel with fewer than five modes projects what it declares")
	}
	return all, nil
}

func unknownMode(mode string) bool { return !slices.Contains(modes, mode) }

// channelRejects asks each channel that projects something for what it must not project.
func (w *world) channelRejects(ctx context.Context, what string) error {
	all, err := w.projecting(ctx)
	if err != nil {
		return err
	}
	rejects := map[string]func(context.Context, projector) error{
		"it has no mode for": w.rejectsModes, "leaves it out": w.rejectsOthers, "is not registered": w.rejectsUnknown,
	}[what]
	for _, p := range all {
		if err := rejects(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// rejected wants a projection refused, and the capability not declared.
func (w *world) rejected(ctx context.Context, channel, id, message string) error {
	a := w.project(ctx, channel, id)
	if err := a.missing(); err != nil {
		return err
	}
	if a.accepted() {
		return broken(message, "an error for "+id+" on "+channel, a.received())
	}
	if shown := suites.Texts(member(w.declared(ctx, channel).value, "capabilities")); slices.Contains(shown, id) {
		return broken("a channel declares what it does not project", "a declaration without "+id, fmt.Sprint(len(shown), " ids with it"))
	}
	return nil
}

// rejectsModes registers a copy for each mode that the channel lacks, which names the
// channel, so that the mode alone is the reason.
func (w *world) rejectsModes(ctx context.Context, p projector) error {
	for _, mode := range modes {
		if slices.Contains(p.supported, mode) {
			continue
		}
		for _, named := range []bool{true, false} {
			c, err := w.registerCopy(ctx, w.first(), func(d object) {
				showing(p.channel, mode)(d)
				if !named {
					drop(d, "exposure.channels")
				}
			})
			if err != nil {
				return err
			}
			if err := w.rejected(ctx, p.channel, c.id, "a channel projects what it has no mode for"); err != nil {
				return err
			}
		}
	}
	return w.modesThrough(ctx, p)
}

// rejectsOthers registers copies for other channels, and moves one there by an update.
func (w *world) rejectsOthers(ctx context.Context, p projector) error {
	const message = "a channel projects what leaves the channel out"
	elsewhere := []string{"capconform-elsewhere"}
	for _, c := range w.channels() {
		if id := channelID(c); id != p.channel {
			elsewhere = append(elsewhere, id)
		}
	}
	for _, other := range elsewhere {
		c, err := w.registerCopy(ctx, w.first(), showing(other, p.supported...))
		if err != nil {
			return err
		}
		if err := w.rejected(ctx, p.channel, c.id, message); err != nil {
			return err
		}
	}
	if err := w.rejectsInternal(ctx, p); err != nil {
		return err
	}
	if err := w.leftOutThrough(ctx, p, elsewhere[0]); err != nil {
		return err
	}
	c, err := w.registerCopy(ctx, w.first(), showing(p.channel, p.supported...))
	if err != nil {
		return nil //nolint:nilerr // the channel may be full; the others were taken
	}
	history.Put(c.members, "exposure.channels", anys(elsewhere[0]))
	if !w.updates(ctx, c) {
		return nil // ACD-SDK1-10
	}
	return w.rejected(ctx, p.channel, c.id, message)
}

// rejectsUnknown asks for an id that nobody has, and for one that nobody has any more.
func (w *world) rejectsUnknown(ctx context.Context, p projector) error {
	const message = "a channel projects what is not registered"
	if err := w.rejected(ctx, p.channel, "conformance.none."+uuid.NewString()[:8], message); err != nil {
		return err
	}
	c, err := w.registerCopy(ctx, w.first(), showing(p.channel, p.supported...))
	if err != nil {
		return nil //nolint:nilerr // nothing can be deleted then
	}
	w.project(ctx, p.channel, c.id)
	if !w.deletes(ctx, c) {
		return nil // ACD-SDK1-11
	}
	return w.rejected(ctx, p.channel, c.id, message)
}
