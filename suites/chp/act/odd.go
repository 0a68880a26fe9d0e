package act

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// notANumber stands for a token that JSON does not have.
const notANumber = "not a number"

// absent stands for a member that is left out.
type absent struct{}

// oddities are no envelopes at all.
type oddities struct{ bench }

// noEnvelope sends what lacks the id of a capability, and, where the wire has bodies of their
// own, what is no JSON object at all. Then it asks whether the host goes on serving.
func (c oddities) noEnvelope(ctx context.Context) error {
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
		forms[name] = jsonvalue.Encode(edited)
	}
	for _, name := range slices.Sorted(maps.Keys(forms)) {
		c.odd(ctx, name, driver.Operation{Name: history.OpInvoke, Params: forms[name]})
	}
	if c.Bodies {
		c.oddBodies(ctx, whole)
	}
	for _, v := range candidates {
		a := c.invoke(ctx, v.under(caller()))
		if a.Outcome() != history.Denied && a.Outcome() != history.Skipped {
			break // what is refused in a result may have been taken away or switched off
		}
	}
	return nil
}

func (c oddities) oddBodies(ctx context.Context, whole history.Object) {
	bodies := map[string]string{
		"broken JSON": `{"invocation_id": `, "an empty body": " ", "a list": "[]", "a text": `"capconform"`, "a number": "7",
	}
	for name, token := range map[string]string{"a bare NaN in an envelope": "NaN",
		"a bare Infinity in an envelope": "-Infinity"} {
		odd := maps.Clone(whole)
		odd["invocation_id"], odd["subject"] = fresh(), history.Object{"id": "capconform", "type": "service",
			"rank": notANumber}
		bodies[name] = strings.Replace(string(jsonvalue.Encode(odd)), `"`+notANumber+`"`, token, 1)
	}
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		c.odd(ctx, name, driver.Operation{Name: history.OpInvoke, Body: []byte(bodies[name])})
	}
}

// odd sends what is no envelope.
func (c oddities) odd(ctx context.Context, form string, op driver.Operation) {
	// the entry says what came of it
	_, _, _ = c.ask(ctx, suites.Call{About: map[string]string{history.AboutForm: form}, Operation: op})
}
