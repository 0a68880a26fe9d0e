package acdsuite

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
)

// throughChannel wants a call through a channel refused, while the same call is accepted
// otherwise: without a channel, or in a mode that the channel declares.
func (w *world) throughChannel(ctx context.Context, message string, refused, control invocation) error {
	if !w.invoke(ctx, control).accepted() {
		return nil // see ACD-SDK2-01
	}
	if a := w.invoke(ctx, refused); a.accepted() {
		return broken(message, "an error on "+refused.channel+" in the mode "+refused.mode, a.received())
	}
	return nil
}

// modesThrough calls a copy with every mode through a channel, in a mode that the channel
// does not declare. Where nothing runs, there is nothing to call.
func (w *world) modesThrough(ctx context.Context, p projector) error {
	if w.needTemplate(ctx) != nil {
		return nil
	}
	c, err := w.register(ctx, showing(p.channel, modes...))
	if err != nil {
		return nil //nolint:nilerr // projections were looked at
	}
	control := w.calling(c, p.supported[0], c.required()...)
	control.channel = p.channel
	for _, mode := range modes {
		if slices.Contains(p.supported, mode) {
			continue
		}
		refused := control
		refused.mode = mode
		if err := w.throughChannel(ctx, "a channel takes calls in a mode that it does not declare", refused, control); err != nil {
			return err
		}
	}
	return nil
}

// leftOutThrough calls a copy for another channel through a channel.
func (w *world) leftOutThrough(ctx context.Context, p projector, other string) error {
	if w.needTemplate(ctx) != nil {
		return nil
	}
	c, err := w.register(ctx, showing(other, modes...))
	if err != nil {
		return nil //nolint:nilerr // projections were looked at
	}
	control := w.calling(c, p.supported[0], c.required()...)
	refused := control
	refused.channel = p.channel
	return w.throughChannel(ctx, "a channel takes calls of what leaves the channel out", refused, control)
}

// rejectsInternal asks for what is exposed to the agent alone.
func (w *world) rejectsInternal(ctx context.Context, p projector) error {
	c, err := w.registerCopy(ctx, w.first(), func(d object) {
		showing(p.channel, p.supported...)(d)
		history.Put(d, "exposure", object{"scope": "internal"})
	})
	if err != nil {
		return nil //nolint:nilerr // the others were taken
	}
	return w.rejected(ctx, p.channel, c.id, "a channel projects what is internal")
}

// undeclared gives what the manifest lists under a channel and the channel itself does not
// declare. An adapter does not realize itself.
func (w *world) undeclared(channel object, told []string) string {
	for _, id := range suites.Texts(channel["capabilities"]) {
		c := w.find(id)
		if c != nil && c.substrate() != substrateTransport && !slices.Contains(told, id) {
			return id
		}
	}
	return ""
}
