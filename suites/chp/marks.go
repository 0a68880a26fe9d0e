package chpsuite

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
)

var markSentences = []sentence{
	say(`payloads with a mark of their own are invoked`, func(w *world) any { return w.invokeMarked }),
	say(`no mark is found in the evidence that the host writes`, func(w *world) any { return w.marksAbsent }),
}

// markedOnes are attempts whose payloads hold marks, and the marks.
type markedOnes struct {
	attempts []*attempt
	marks    []string
}

// mark is a text that nobody else has.
func mark() string { return fmt.Sprintf("capconform-mark-%s", uuid.NewString()) }

func (w *world) invokeMarked(ctx context.Context) error {
	if err := w.needSuccess(ctx); err != nil {
		return err
	}
	some := w.withMarks(ctx, w.sc)
	w.attempts, w.marks = append(w.attempts, withRepeated(some.attempts)...), some.marks
	return lost(w.attempts)
}

// withMarks plants a mark as value and as member name where the capability takes it, and where a
// payload breaks the input schema: on success, failure, denial and skip.
func (e *examination) withMarks(ctx context.Context, sc *suites.Scenario) markedOnes {
	return e.done.marked.Get(ctx, func() (markedOnes, bool) {
		var some markedOnes
		for _, v := range e.toBeMarked(ctx, sc) {
			value, name := mark(), mark()
			some.marks = append(some.marks, value, name)
			switch given, ok := v.payload.(object); {
			case v.insists == breaksSchema:
				v.payload = replaced(given, value)
				v.insists = takesRefusals
			case ok:
				v.payload = marked(given, value)
			default:
				v.payload = object{"value": value, name: true, "more": []any{object{"deep": value}}}
			}
			some.attempts = append(some.attempts, e.try(ctx, sc, v))
		}
		return some, ctx.Err() == nil
	})
}

// toBeMarked are the envelopes that get a mark. A payload that is no object is made from nothing.
func (e *examination) toBeMarked(ctx context.Context, sc *suites.Scenario) []envelope {
	var all []envelope
	for _, role := range []string{roleEcho, roleFails, roleGuarded, roleDisabled} {
		if p, cast := e.players[role]; cast && e.reasonAgainst(p.Capability) == "" {
			all = append(all, e.of("an invocation of the role "+role, p.Capability, nil))
		}
	}
	for _, c := range e.pool {
		if c.input == nil {
			all = append(all, e.of("an invocation", c, nil))
		}
	}
	all = append(all, envelope{kind: "an invocation of an unknown capability", capability: "capconform.unknown." + uuid.NewString()[:8], mode: modeSync, correlation: caller()})
	all = append(append(all, e.textual(ctx, sc)...), e.misfits(ctx, sc)...)
	if foreign := e.foreignModes(ctx, sc); len(foreign) > 0 {
		foreign[0].payload = nil
		all = append(all, foreign[0])
	}
	return all
}

// misfits are payloads that succeeded, to put a mark where the input schema allows none: hosts quote
// the value that they refuse.
func (e *examination) misfits(ctx context.Context, sc *suites.Scenario) []envelope {
	var all []envelope
	for _, a := range e.succeeding(ctx, sc) {
		payload, ok := a.payload.(object)
		if !ok || a.outcome() != outcomeSuccess || a.of.input == nil || len(all) == modesOf {
			continue
		}
		v := a.envelope
		if a.of.input.Validate(replaced(payload, "\x00")) != nil && (len(all) == 0 || all[0].of != a.of) {
			v.id, v.correlation, v.kind, v.insists = "", caller(), "an invocation whose payload breaks the input schema", breaksSchema
			all = append(all, v)
		}
	}
	return all
}

// replaced puts a mark in the place of each member of a payload that is no text.
func replaced(payload object, value string) object {
	edited := object{}
	for name, v := range payload {
		if _, text := v.(string); text {
			edited[name] = v
			continue
		}
		edited[name] = value
	}
	return edited
}

// marked replaces the texts of a payload by a mark, however deep they stand.
func marked(payload any, value string) any {
	switch p := payload.(type) {
	case string:
		return value
	case object:
		edited := object{}
		for name, v := range p {
			edited[name] = marked(v, value)
		}
		return edited
	case []any:
		edited := make([]any, len(p))
		for i, v := range p {
			edited[i] = marked(v, value)
		}
		return edited
	}
	return payload
}

// marksAbsent is CHP-5-09. Events that a capability emits on its own are explicit.
func (w *world) marksAbsent() error {
	judged := 0
	for _, a := range w.attempts {
		for _, ev := range a.replayed.events {
			if !coreEvents(ev) {
				continue
			}
			judged++
			for _, m := range w.marks {
				if strings.Contains(string(ev.raw), m) {
					return w.blame(a, "a raw payload is found in the evidence of "+a.kind, "no payload in an event that the host writes", m+" in "+suites.Clip(string(ev.raw)))
				}
			}
		}
	}
	if judged == 0 {
		return suites.Undecided("no evidence was replayed: see CHP-6-01 and CHP-10-01")
	}
	return nil
}
