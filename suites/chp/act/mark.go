package act

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// marks are texts in payloads by which what came of one is found again.
type marks struct{ bench }

// longPayloads invokes two capabilities that take text, and one that nobody has, with a
// payload that is longer than usual.
func (c marks) longPayloads(ctx context.Context) error {
	long := history.Object{"value": longText()}
	c.try(ctx, envelope{capability: unknownID(), mode: Sync, payload: long,
		correlation: caller()}.with(history.AboutEnding, history.Unknown))
	textual := c.textual()
	for _, v := range textual[:min(len(textual), modesOf)] {
		v.payload, v.retries = replacedTexts(v.payload, longText()), never
		c.try(ctx, v.under(caller()))
	}
	return nil
}

// textual gives envelopes whose payload holds a text and succeeded.
func (c marks) textual() []envelope {
	var all []envelope
	for _, a := range c.successes() {
		payload, ok := a.Payload.(history.Object)
		if ok && !jsonvalue.Equal(replacedTexts(payload, "\x00"), payload) {
			all = append(all, c.like(a).under(caller()))
		}
	}
	return all
}

// mark is a text that nobody else has.
func mark() string { return history.Mark + uuid.NewString() }

// marked plants a mark as a value and as the name of a member where the capability takes it,
// and where a payload breaks the input schema: on success, failure, denial and skip.
func (c marks) marked(ctx context.Context) error {
	if err := c.Ready(); err != nil {
		return err
	}
	for _, v := range c.toBeMarked() {
		value, name := mark(), mark()
		switch given, ok := v.payload.(history.Object); {
		case v.about[history.AboutBreaks] != "":
			v.payload = replacedOthers(given, value)
		case ok:
			v.payload = replacedTexts(given, value)
		default:
			v.payload = history.Object{"value": value, name: true, "more": []any{history.Object{"deep": value}}}
		}
		c.try(ctx, v.under(caller()))
	}
	return nil
}

// toBeMarked are the envelopes that get a mark. A payload that is no object is made from
// nothing.
func (c marks) toBeMarked() []envelope {
	var all []envelope
	for _, role := range []string{Echo, Fails, Guarded, Disabled} {
		if p, cast := c.Players[role]; cast && c.admits(p.Capability) {
			all = append(all, c.of(p.Capability, nil).with(history.AboutRole, role))
		}
	}
	for _, of := range c.Pool {
		if of.Input == nil {
			all = append(all, c.of(of, nil))
		}
	}
	all = append(all, envelope{capability: unknownID(), mode: Sync}.with(history.AboutEnding, history.Unknown))
	all = append(append(all, c.textual()...), c.misfits()...)
	foreign := refusals(c).foreignModes()
	if len(foreign) > 0 {
		v := foreign[0].with(history.AboutEnding, history.Unlisted)
		v.payload = nil
		all = append(all, v)
	}
	return all
}

// misfits are payloads that succeeded, to put a mark where the input schema allows none:
// hosts quote the value that they refuse.
func (c marks) misfits() []envelope {
	var all []envelope
	for _, a := range c.successes() {
		payload, ok := a.Payload.(history.Object)
		v := c.like(a).with(history.AboutBreaks, "schema")
		if !ok || v.of == nil || v.of.Input == nil || len(all) == modesOf {
			continue
		}
		if v.of.Input.Validate(replacedOthers(payload, "\x00")) != nil &&
			!slices.ContainsFunc(all, func(known envelope) bool { return known.of == v.of }) {
			v.retries = never
			all = append(all, v)
		}
	}
	return all
}
