package chp2host

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Capability is a capability with its descriptor and what it does.
type Capability struct {
	Descriptor object
	Disabled   bool
	// Invariant reports whether a payload keeps the invariant of the descriptor; nil for none.
	Invariant func(payload object) bool
	Unsafe    bool // a guardrail blocks it
	Run       func(payload object) (data any, err error)
	Chunks    []any // of its stream, if it has the mode stream
}

func (c *Capability) id() string { return c.Descriptor["id"].(string) }

// allows reports whether an actor may invoke the capability.
func (c *Capability) allows(actor string) bool {
	policy, _ := c.Descriptor["policy"].(object)
	allowed, _ := policy["allowed_actors"].([]any)
	return len(allowed) == 0 || slices.Contains(allowed, any(actor))
}

// limit returns a member of the autonomy of the descriptor.
func (c *Capability) limit(name string) any {
	autonomy, _ := c.Descriptor["autonomy"].(object)
	return autonomy[name]
}

// flawIn returns why a value breaks a schema of the descriptor, "" if it does not or if there is none.
func (c *Capability) flawIn(member string, value any) string {
	described, is := c.Descriptor[member]
	if !is {
		return ""
	}
	text, _ := json.Marshal(described)
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		return err.Error()
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return err.Error()
	}
	if err := resolved.Validate(value); err != nil {
		return err.Error()
	}
	return ""
}

var lifecycle = []any{"execution_started", "execution_completed", "execution_failed", "execution_denied"}

// Described returns a descriptor of the version 1.0.0 with further members.
func Described(id, description string, members object) object {
	all := object{"id": id, "version": "1.0.0", "description": description, "modes": []any{"sync"}, "emits": lifecycle,
		"risk": "low"}
	for name, value := range members {
		all[name] = value
	}
	return all
}

func echo(payload object) (any, error) { return payload, nil }

// texts is a schema of objects with a text.
func texts() object {
	return object{"type": "object", "properties": object{"text": object{"type": "string"}}}
}

// Fixtures returns the capabilities of the profile that the binding proposes, and some more: each outcome, and each
// gate that a caller can meet.
func Fixtures() []*Capability {
	echoed := Described("conformance.echo", "Returns its payload.", object{"input_schema": texts(), "output_schema": texts()})
	next := Described("conformance.twice", "Returns its payload.", object{"version": "2.1.0"})
	return []*Capability{
		{Descriptor: echoed, Run: echo},
		{Descriptor: Described("conformance.twice", "Returns its payload.", nil), Run: echo},
		{Descriptor: next, Run: echo},
		{Descriptor: Described("conformance.shaped", "Returns a payload with a text.", object{"input_schema": object{
			"type": "object", "properties": object{"text": object{"type": "string"}}, "required": []any{"text"}}}), Run: echo},
		{Descriptor: Described("conformance.fail", "Fails.", nil), Run: func(object) (any, error) {
			return nil, errors.New("it fails on purpose")
		}},
		{Descriptor: Described("conformance.guarded", "Needs a payload with a pass.", object{"invariants": []any{object{
			"id": "pass-present", "kind": "payload", "enforcement": "host", "failure_behavior": "deny"}}}),
			Invariant: func(payload object) bool { return payload["pass"] == true }, Run: echo},
		{Descriptor: Described("conformance.approval", "Needs the approval of a person.", object{
			"autonomy": object{"tier": "approval_required"}}), Run: echo},
		{Descriptor: Described("conformance.budgeted", "Runs once for each correlation.", object{
			"autonomy": object{"action_limit": 1}}), Run: echo},
		{Descriptor: Described("conformance.risky", "Has a risk above the limit.", object{"risk": "critical"}), Run: echo},
		{Descriptor: Described("conformance.unsafe", "Is blocked by a guardrail.", nil), Unsafe: true, Run: echo},
		{Descriptor: Described("conformance.disabled", "Is disabled.", nil), Disabled: true, Run: echo},
		{Descriptor: Described("conformance.restricted", "Is for one caller.", object{
			"policy": object{"allowed_actors": []any{"somebody"}}}), Run: echo},
		{Descriptor: Described("conformance.stream", "Streams three chunks.", object{"modes": []any{"sync", "stream"}}),
			Run: echo, Chunks: []any{"one", object{"é": "two"}, []any{3}}},
		{Descriptor: Described("conformance.misshapen", "Returns what its output schema does not permit.", object{
			"output_schema": texts()}), Run: func(object) (any, error) { return object{"text": 7}, nil }},
	}
}

// risks is the order of the tiers of risk.
var risks = []string{"low", "medium", "high", "critical"}

// isTooRisky reports whether a capability is above the limit of the host, high.
func (c *Capability) isTooRisky() bool {
	risk, _ := c.Descriptor["risk"].(string)
	return slices.Index(risks, risk) > slices.Index(risks, "high")
}

// fits reports whether a version is in a range: a version, or ^ or ~ before one.
func fits(version, in string) bool {
	bare := strings.TrimLeft(in, "^~=")
	parts := strings.SplitN(bare, ".", 3)
	switch {
	case strings.HasPrefix(in, "^"):
		return strings.HasPrefix(version, parts[0]+".")
	case strings.HasPrefix(in, "~") && len(parts) > 1:
		return strings.HasPrefix(version, parts[0]+"."+parts[1]+".")
	}
	return version == bare
}
