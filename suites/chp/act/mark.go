package act

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// marks sends payloads with markers. The judgements look for these markers in the evidence.
type marks struct{ bench }

// longPayloads invokes two capabilities that accept text, and one that does not exist, with a
// payload that is longer than usual.
func (c marks) longPayloads(ctx context.Context) error {
	long := history.Object{"value": longText()}
	c.invokeAndReplay(ctx, envelope{capability: unknownID(), mode: Sync, payload: long,
		correlation: caller()}.with(history.AboutEnding, history.Unknown))
	textual := c.textual()
	for _, v := range textual[:min(len(textual), modesOf)] {
		v.payload, v.retries = replacedTexts(v.payload, longText()), never
		c.invokeAndReplay(ctx, v.under(caller()))
	}
	return nil
}

// textual returns envelopes that succeeded and whose payload contains a string.
func (c marks) textual() []envelope {
	var all []envelope
	for _, a := range c.successes() {
		payload, ok := a.Payload.(history.Object)
		if ok && !jsonvalue.Equal(replacedTexts(payload, "\x00"), payload) {
			all = append(all, c.envelopeOf(a).under(caller()))
		}
	}
	return all
}

// mark returns a unique string.
func mark() string { return history.Mark + uuid.NewString() }

// marked sends a marker as a value and as a member name where the capability accepts it, and
// where a payload breaks the input schema: on success, failure, denial and skip.
func (c marks) marked(ctx context.Context) error {
	if err := c.NotReady(); err != nil {
		return err
	}
	for _, v := range c.markedEnvelopes() {
		value, name := mark(), mark()
		switch given, ok := v.payload.(history.Object); {
		case v.about[history.AboutBreaks] != "":
			v.payload = replacedOthers(given, value)
		case ok:
			v.payload = replacedTexts(given, value)
		default:
			v.payload = history.Object{"value": value, name: true, "more": []any{history.Object{"deep": value}}}
		}
		c.invokeAndReplay(ctx, v.under(caller()))
	}
	return nil
}

// markedEnvelopes returns the envelopes that get a marker. It replaces a payload that is not an
// object.
func (c marks) markedEnvelopes() []envelope {
	var all []envelope
	for _, role := range []string{Echo, Fails, Guarded, Disabled} {
		if p, assigned := c.Players[role]; assigned && c.admits(p.Capability) {
			all = append(all, c.of(p.Capability, nil).with(history.AboutRole, role))
		}
	}
	for _, of := range c.Pool {
		if of.Input == nil {
			all = append(all, c.of(of, nil))
		}
	}
	all = append(all, envelope{capability: unknownID(), mode: Sync}.with(history.AboutEnding, history.Unknown))
	all = append(append(all, c.textual()...), c.invalidPayloads()...)
	foreign := refusals(c).foreignModes()
	if len(foreign) > 0 {
		v := foreign[0].with(history.AboutEnding, history.Unlisted)
		v.payload = nil
		all = append(all, v)
	}
	return all
}

// invalidPayloads returns payloads that succeeded although the input schema permits no text in them. A
// marker there breaks the schema, and hosts quote values that they refuse.
func (c marks) invalidPayloads() []envelope {
	var all []envelope
	for _, a := range c.successes() {
		payload, ok := a.Payload.(history.Object)
		v := c.envelopeOf(a).with(history.AboutBreaks, "schema")
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

// markedIfValid returns a payload with a marker in place of its strings, or the payload itself if the input
// schema of the capability forbids the marker.
func markedIfValid(of *Capability, payload any) any {
	marked := replacedTexts(payload, mark())
	if of.Input == nil || of.Input.Validate(marked) == nil {
		return marked
	}
	return payload
}
