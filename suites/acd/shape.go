package acdsuite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
)

// object is a JSON object of the text.
type object = map[string]any

// part is one requirement on the members of an object. Its name is that of the part
// below $defs of the schema, so that the place in the schema says which one is broken.
type part struct {
	name, id string
	member   string   // for sentences: "kind", "permissions.required"
	want     string   // what the member has to be
	given    []string // the members for which it is judged where they are given; nil: it is required
}

// descriptorParts are those of a capability descriptor (ACD 1.2).
var descriptorParts = []part{
	{"capability_id", "ACD-DESC-03", "capability_id", aText, nil},
	{"name", "ACD-DESC-04", "name", aText, nil},
	{"version", "ACD-DESC-05", "version", aText, nil},
	{"description", "ACD-DESC-06", "description", "a string", nil},
	{"kind", "ACD-DESC-07", "kind", "atomic, composite, proxy or template", nil},
	{"substrate", "ACD-DESC-08", "execution.substrate", "symbolic, llm, shell, agent, external_service or transport", nil},
	{"execution", "ACD-DESC-09", "runtime and entrypoint", "strings", []string{"execution.runtime", "execution.entrypoint"}},
	{"modes", "ACD-DESC-10", "invocation.modes", "a list of direct, command, message, event and ui_action", nil},
	{"command_aliases", "ACD-DESC-11", "command_aliases", someTexts, []string{"invocation.command_aliases"}},
	{"scope", "ACD-DESC-12", "exposure.scope", "internal, agent, channel, human or public", nil},
	{"channels", "ACD-DESC-13", "exposure.channels", someTexts, []string{"exposure.channels"}},
	{"permissions", "ACD-DESC-14", "permissions", "an object", nil},
	{"permissions_required", "ACD-DESC-15", "permissions.required", someTexts, []string{"permissions.required"}},
	{"granted_by_default", "ACD-DESC-16", "granted_by_default", "a boolean", []string{"permissions.granted_by_default"}},
	{"danger_level", "ACD-DESC-17", "danger_level", "low, medium, high or critical", []string{"permissions.danger_level"}},
	{"inputs_schema", idInputs, "inputs.schema", aSchema, []string{"inputs"}},
	{"inputs_required", "ACD-DESC-19", "inputs.required", someTexts, []string{"inputs.required"}},
	{"outputs_schema", idOutputs, "outputs.schema", aSchema, []string{"outputs"}},
	{"dependencies_capabilities", "ACD-DESC-21", "dependencies.capabilities", someIDs, []string{"dependencies"}},
	{"dependencies_resources", "ACD-DESC-22", "dependencies.resources", someTexts, []string{"dependencies.resources"}},
	{"hooks", "ACD-DESC-23", "lifecycle.hooks", "pre_invoke, post_invoke and on_error, lists of ids", []string{"lifecycle"}},
	{"delegation", "ACD-DESC-24", "delegation", "allowed and creates_subagent, booleans", []string{"delegation"}},
	{"audit", "ACD-DESC-25", "audit", "log_invocation, log_inputs and log_outputs, booleans", []string{"audit"}},
	{"status", "ACD-DESC-26", "status", "enabled, mutable and signed, booleans", []string{"status"}},
}

// manifestParts are those of an agent manifest (ACD 2.1).
var manifestParts = []part{
	{"agent_id", "ACD-MAN-03", "agent_id", aText, nil},
	{"name", "ACD-MAN-04", "name", aText, nil},
	{"version", "ACD-MAN-05", "version", aText, nil},
	{"registry", "ACD-MAN-06", "capabilities.registry", "inline or external", nil},
	{"list", "ACD-MAN-07", "capabilities.list", "a list of capability ids", nil},
	{"channel_id", "ACD-MAN-08", "channel_id of each channel", aText, []string{"channels"}},
	{"channel_capabilities", "ACD-MAN-09", "capabilities of each channel", someIDs, []string{"channels"}},
	{"policies", "ACD-MAN-10", "policies", "strings, and a list of strings in llm_required_for", []string{"policies"}},
}

const (
	aText     = "a string that is not empty"
	someTexts = "a list of strings"
	someIDs   = "a list of capability ids"
	aSchema   = "a JSON Schema, or a string that refers to one"

	idInputs  = "ACD-DESC-18"
	idOutputs = "ACD-DESC-20"
)

// shape is the core reading of an object, and the closed one, which advises.
type shape struct {
	parts  []part
	core   *schemas.Schema
	closed *suites.Memo[closedReading] // compiled where it is asked for
	name   string
}

// closedReading is a schema, or why there is none.
type closedReading struct {
	schema *schemas.Schema
	err    error
}

func compileShape(name string, parts []part) (shape, error) {
	core, err := schemas.Own("acd/" + name + ".schema.json")
	if err != nil {
		return shape{}, fmt.Errorf("acdsuite: %w", err)
	}
	return shape{parts: parts, core: core, closed: &suites.Memo[closedReading]{}, name: name}, nil
}

func (s shape) closedSchema() (*schemas.Schema, error) {
	c := s.closed.Get(context.Background(), func() (closedReading, bool) {
		schema, err := schemas.Own("acd/" + s.name + ".closed.schema.json")
		return closedReading{schema, err}, true
	})
	return c.schema, c.err
}

// shapes are the readings of descriptors and of manifests. They are compiled once for
// all runs of a suite.
type shapes struct {
	descriptor, manifest shape
	err                  error
}

func compileShapes(kept *suites.Memo[shapes]) (shapes, error) {
	s := kept.Get(context.Background(), func() (shapes, bool) {
		var s shapes
		if s.descriptor, s.err = compileShape("capability-descriptor", descriptorParts); s.err == nil {
			s.manifest, s.err = compileShape("agent-manifest", manifestParts)
		}
		return s, true
	})
	return s, s.err
}

// flaw is a member that is not what the text asks for.
type flaw struct {
	part
	pointer string // to the value, or to the object that lacks it
	message string
	missing bool
}

// flaws judges a value by the core reading. The error is of a value that can't be decided.
func (s shape) flaws(value any) ([]flaw, error) {
	err := s.core.Validate(value)
	var invalid *schemas.Invalidity
	if err == nil || !errors.As(err, &invalid) {
		return nil, err
	}
	var all []flaw
	for _, cause := range invalid.Causes {
		name, _, _ := strings.Cut(strings.TrimPrefix(cause.SchemaPointer, "/$defs/"), "/")
		at := slices.IndexFunc(s.parts, func(p part) bool { return p.name == name })
		switch {
		case cause.SchemaPointer == "/type": // no object at all: every member is missing
			for _, p := range s.parts {
				if p.given == nil {
					all = append(all, flaw{p, "", cause.Message, true})
				}
			}
		case at >= 0:
			all = append(all, flaw{s.parts[at], cause.InstancePointer, cause.Message, cause.Keyword == "required"})
		}
	}
	return all, nil
}

// member gives the value that a path of names joined by full stops leads to, nil
// where there is none.
func member(of any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		members, _ := of.(object)
		of = members[name]
	}
	return of
}

// text gives a string member, "" where it is none.
func text(of any, path string) string {
	s, _ := member(of, path).(string)
	return s
}

// flag gives a boolean member, or what the text prints as its default.
func flag(of any, path string, printed bool) bool {
	if b, is := member(of, path).(bool); is {
		return b
	}
	return printed
}
