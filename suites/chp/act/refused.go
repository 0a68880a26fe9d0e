package act

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/instance"
)

// unknownID is the id of a capability that nobody has.
func unknownID() string { return "capconform.unknown." + uuid.NewString()[:8] }

// unknown asks twice for a capability that nobody has, so that the code can be compared, and
// once for one whose id begins like that of a known one.
func (c *Caller) unknown(ctx context.Context, l *suites.Laboratory) error {
	v := envelope{capability: unknownID(), mode: Sync, payload: history.Object{}}
	c.try(ctx, l, v.under(caller()))
	c.try(ctx, l, v.under(caller()))
	if len(c.Pool) == 0 {
		return nil
	}
	v.capability = c.Pool[0].ID + "." + history.Sender + uuid.NewString()[:8]
	if payloads := c.Payloads(c.Pool[0]); len(payloads) > 0 {
		v.payload = payloads[0]
	}
	c.try(ctx, l, v.under(caller()))
	return nil
}

// modesListed are the modes of the protocol; a nonsense word would test less.
var modesListed = []string{"async", "fire_and_forget", "stream"}

// modesOf is how many capabilities are asked in each mode that they do not list.
const modesOf = 2

// unlisted asks two capabilities that succeed in sync in each mode that they do not list, and
// for one mode twice, so that the code can be compared. Where one is not denied, the same
// capability is asked in sync behind it: one that was switched off meanwhile need not look at
// the mode any more, so that it shows nothing.
func (c *Caller) unlisted(ctx context.Context, l *suites.Laboratory) error {
	foreign := c.foreignModes()
	asked := 0
	for _, v := range foreign {
		if asked == modesOf {
			break
		}
		these := []envelope{v}
		if asked == 0 {
			these = append(these, v)
		}
		denied := true
		for _, other := range append(these, inOtherModes(v)...) {
			denied = c.try(ctx, l, other.under(caller())).Outcome() == history.Denied && denied
		}
		inSync := v
		inSync.mode, inSync.retries = Sync, whereRetryable
		if denied || c.serves(ctx, l, inSync) {
			asked++
		}
	}
	switch {
	case len(c.Pool) > 0 && len(foreign) == 0:
		return suites.Inapplicable("every capability that may be invoked lists every mode")
	case asked == 0:
		return suites.Undecided("no capability that may be invoked leaves a mode out and succeeds in sync")
	}
	return nil
}

// foreignModes makes envelopes in a mode that their capability does not list, of those that
// succeed in sync before others.
func (c *Caller) foreignModes() []envelope {
	var all []envelope
	add := func(of *Capability, payload any) {
		i := slices.IndexFunc(modesListed, func(mode string) bool { return !slices.Contains(of.Modes, mode) })
		if i < 0 || len(all) == candidatesAtMost || slices.ContainsFunc(all, func(v envelope) bool { return v.of == of }) {
			return
		}
		v := c.of(of, payload)
		v.mode, v.retries = modesListed[i], never
		all = append(all, v)
	}
	for _, a := range c.successes() {
		if of := c.declared(a); of != nil {
			add(of, a.Payload)
		}
	}
	for _, of := range c.Pool {
		if payloads := c.Payloads(of); len(all) == 0 && len(payloads) > 0 {
			add(of, payloads[0])
		}
	}
	return all
}

// inOtherModes asks the same capability in each further mode that it does not list.
func inOtherModes(v envelope) []envelope {
	var all []envelope
	for _, mode := range modesListed {
		if mode != v.mode && !slices.Contains(v.of.Modes, mode) {
			other := v
			other.mode = mode
			all = append(all, other)
		}
	}
	return all
}

// unsoundEach bounds how many payloads that break its input schema a capability gets.
const unsoundEach = 6

// unsound sends payloads that each break one keyword of an input schema, after one that the
// capability took. The evidence is fetched for each outcome of a capability that was not seen
// before.
func (c *Caller) unsound(ctx context.Context, l *suites.Laboratory) error {
	for _, of := range c.Pool {
		seen := map[string]bool{history.Success: true}
		for _, fault := range c.breaking(of) {
			v := c.of(of, fault.Text).with(history.AboutBreaks, fault.Keyword)
			v.retries = never
			a := c.invoke(ctx, l, v)
			if !seen[a.Outcome()] {
				c.look(ctx, l, a)
			}
			seen[a.Outcome()] = true
		}
	}
	return nil
}

// breaking makes payloads that each break one keyword from one that the capability took.
func (c *Caller) breaking(of *Capability) []instance.Sample {
	successes := c.successes()
	i := slices.IndexFunc(successes, func(a *history.Attempt) bool { return c.declared(a) == of })
	if of.Input == nil || i < 0 {
		return nil
	}
	return of.Input.Unsound(c.Running, suites.Encode(successes[i].Payload),
		instance.Options{Seed: c.Subject.Seed, Limit: unsoundEach})
}

// notANumber stands for a token that JSON does not have.
const notANumber = "not a number"

// absent stands for a member that is left out.
type absent struct{}

// noEnvelope sends what lacks the id of a capability, and, where the wire has bodies of their
// own, what is no JSON object at all. Then it asks whether the host goes on serving.
func (c *Caller) noEnvelope(ctx context.Context, l *suites.Laboratory) error {
	candidates, err := c.candidates()
	if err != nil {
		return err
	}
	v := candidates[0].under(caller())
	v.id = fresh()
	whole := schemas.ReadObject(v.params())
	forms := map[string]json.RawMessage{"nothing but braces": json.RawMessage("{}")}
	for name, value := range map[string]any{
		"no capability_id": absent{}, "a number as capability_id": 7, "null as capability_id": nil,
		history.EmptyCapability: "",
	} {
		edited := maps.Clone(whole)
		edited["capability_id"], edited["invocation_id"] = value, fresh()
		if value == (absent{}) {
			delete(edited, "capability_id")
		}
		forms[name] = suites.Encode(edited)
	}
	for _, name := range slices.Sorted(maps.Keys(forms)) {
		c.odd(ctx, l, name, driver.Operation{Name: history.OpInvoke, Params: forms[name]})
	}
	if c.Bodies {
		c.oddBodies(ctx, l, whole)
	}
	for _, v := range candidates {
		a := c.invoke(ctx, l, v.under(caller()))
		if a.Outcome() != history.Denied && a.Outcome() != history.Skipped {
			break // what is refused in a result may have been taken away or switched off
		}
	}
	return nil
}

func (c *Caller) oddBodies(ctx context.Context, l *suites.Laboratory, whole history.Object) {
	bodies := map[string]string{
		"broken JSON": `{"invocation_id": `, "an empty body": " ", "a list": "[]", "a text": `"capconform"`, "a number": "7",
	}
	for name, token := range map[string]string{"a bare NaN in an envelope": "NaN",
		"a bare Infinity in an envelope": "-Infinity"} {
		odd := maps.Clone(whole)
		odd["invocation_id"], odd["subject"] = fresh(), history.Object{"id": "capconform", "type": "service",
			"rank": notANumber}
		bodies[name] = strings.Replace(string(suites.Encode(odd)), `"`+notANumber+`"`, token, 1)
	}
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		c.odd(ctx, l, name, driver.Operation{Name: history.OpInvoke, Body: []byte(bodies[name])})
	}
}

// odd sends what is no envelope.
func (c *Caller) odd(ctx context.Context, l *suites.Laboratory, form string, op driver.Operation) {
	// the entry says what came of it
	_, _, _ = c.ask(ctx, l, suites.Call{About: map[string]string{history.AboutForm: form}, Operation: op})
}
