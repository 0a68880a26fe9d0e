package act

import (
	"iter"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// Payloads returns inputs that should be accepted: those of the target file, or generated from
// the schema, or the empty object.
func (c *Caller) Payloads(of *Capability) []any {
	for role, p := range c.Players {
		if p.Capability != of {
			continue
		}
		if p.Input != nil {
			return []any{p.Input}
		}
		if role == Echo {
			return []any{history.Object{"value": "capconform"}}
		}
	}
	if of.Input == nil {
		return []any{history.Object{}}
	}
	made, err := of.Input.Valid(c.Running, c.Subject.Seed)
	if err != nil {
		return nil
	}
	var all []any
	for _, m := range made {
		all = append(all, schemas.ReadValue(m.Text))
	}
	return all
}

// invalidEach is the greatest number of payloads per capability that break its input schema.
const invalidEach = 6

// breaking derives payloads that each break one keyword from a payload that the capability
// accepted.
func (c *Caller) breaking(of *Capability) []instance.Sample {
	successes := c.successes()
	i := slices.IndexFunc(successes, func(a *history.Attempt) bool { return c.declared(a) == of })
	if of.Input == nil || i < 0 {
		return nil
	}
	return of.Input.Invalid(c.Running, jsonvalue.Encode(successes[i].Payload),
		instance.Options{Seed: c.Subject.Seed, Limit: invalidEach})
}

// prefetchInvalid generates the payloads for invalid in advance.
func (c *Caller) prefetchInvalid() iter.Seq[func()] {
	return func(yield func(func()) bool) {
		for _, of := range c.Pool {
			if !yield(func() { c.breaking(of) }) {
				return
			}
		}
	}
}

// The length of a payload that is longer than usual: more than 4 KiB, a common limit.
const longPayload = 4500

// longText returns a text with a marker, letters of several scripts and characters that other notations
// escape.
func longText() string {
	text := mark() + " \u00fc \u6f22\u5b57 \U0001f4a1 <b> & \"'\\ \t\n  two"
	return text + strings.Repeat(" and on", (longPayload-len(text))/7)
}

// replacedOthers replaces each member of a payload that is not a string.
func replacedOthers(payload history.Object, value string) history.Object {
	edited := history.Object{}
	for name, v := range payload {
		if _, text := v.(string); text {
			edited[name] = v
			continue
		}
		edited[name] = value
	}
	return edited
}

// replacedTexts replaces the strings of a payload at every depth.
func replacedTexts(payload any, value string) any {
	switch p := payload.(type) {
	case string:
		return value
	case history.Object:
		edited := history.Object{}
		for name, v := range p {
			edited[name] = replacedTexts(v, value)
		}
		return edited
	case []any:
		edited := make([]any, len(p))
		for i, v := range p {
			edited[i] = replacedTexts(v, value)
		}
		return edited
	}
	return payload
}
