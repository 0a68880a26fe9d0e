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

// absent represents an omitted member.
type absent struct{}

// malformations sends messages that are not envelopes.
type malformations struct{ bench }

// noEnvelope sends messages without a capability id and, if the binding can send raw bodies,
// messages that are not JSON objects. Then it checks that the host continues to serve, and requests its
// descriptor again.
func (c malformations) noEnvelope(ctx context.Context) error {
	candidates, err := c.candidates()
	if err != nil {
		return err
	}
	v := candidates[0].under(caller())
	v.id = newInvocationID()
	whole := schemas.ReadObject(v.params())
	forms := map[string]json.RawMessage{"nothing but braces": json.RawMessage("{}")}
	for name, value := range map[string]any{
		"no capability_id": absent{}, "a number as capability_id": 7, "null as capability_id": nil,
		history.EmptyCapability: "",
	} {
		edited := maps.Clone(whole)
		edited["capability_id"], edited["invocation_id"] = value, newInvocationID()
		if value == (absent{}) {
			delete(edited, "capability_id")
		}
		forms[name] = jsonvalue.Encode(edited)
	}
	for _, name := range slices.Sorted(maps.Keys(forms)) {
		c.malformed(ctx, name, driver.Operation{Name: history.OpInvoke, Params: forms[name]})
	}
	if c.Bodies {
		c.malformedBodies(ctx, whole)
	}
	for _, v := range candidates {
		a := c.invoke(ctx, v.under(caller()))
		if a.Outcome() != history.Denied && a.Outcome() != history.Skipped {
			break // a capability that a result refuses may have been removed or disabled
		}
	}
	c.describe(ctx, history.OpHost)
	return nil
}

func (c malformations) malformedBodies(ctx context.Context, whole history.Object) {
	bodies := map[string]string{
		"broken JSON": `{"invocation_id": `, "an empty body": " ", "a list": "[]", "a text": `"capconform"`, "a number": "7",
		"a list with an envelope":     "[" + withNewID(whole) + "]",
		"a text with an envelope":     string(jsonvalue.Encode(withNewID(whole))),
		"an envelope without its end": strings.TrimSuffix(withNewID(whole), "}"),
	}
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		c.malformed(ctx, name, driver.Operation{Name: history.OpInvoke, Body: []byte(bodies[name])})
	}
}

// withNewID returns an envelope with a new invocation id.
func withNewID(envelope history.Object) string {
	edited := maps.Clone(envelope)
	edited["invocation_id"] = newInvocationID()
	return string(jsonvalue.Encode(edited))
}

// malformed sends a message that is not an envelope.
func (c malformations) malformed(ctx context.Context, form string, op driver.Operation) {
	// the entry contains the answer
	_, _, _ = c.ask(ctx, suites.Call{About: map[string]string{history.AboutForm: form}, Operation: op})
}
