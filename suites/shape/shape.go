// Package shape checks a value against an annotated schema of this project and returns the
// requirements that it breaks. It is the only check of "is this member valid?": run, lint and judge
// share it (DESIGN section 3).
//
// A schema consists of parts below $defs, which its allOf lists. Each part is annotated with one
// requirement:
//
//	"kind": {
//	  "x-requirement": {"id": "ACD-DESC-07", "member": "kind", "want": "atomic, composite, proxy or template"},
//	  "required": ["kind"], "properties": {"kind": {"enum": ["atomic", "composite", "proxy", "template"]}}
//	}
package shape

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
)

// Part is one requirement on the members of an object.
type Part struct {
	Name        string `json:"-"` // below $defs
	Requirement string `json:"id"`
	Member      string `json:"member"` // the name in sentences: "permissions.required"
	Want        string `json:"want"`   // what the member must be
	// Given contains paths of members. The requirement is judged if they are present. If Given is empty, the
	// member is required.
	Given []string `json:"given,omitempty"`
	// Beside names further members of the object on which this one depends.
	Beside []string `json:"beside,omitempty"`

	plain    plain // set by Compile, like validate
	validate func(value any) error
}

// Breaks reports whether an object breaks the part, and whether it does so because the member is
// missing. Null counts as missing. It is for parts on a member of the object itself.
func (p Part) Breaks(object map[string]any) (missing, wrong bool) {
	if object[p.Member] == nil {
		return p.Given == nil, p.Given == nil
	}
	if p.plain.accepts(object[p.Member]) {
		return false, false
	}
	some := map[string]any{}
	for _, name := range append([]string{p.Member}, p.Beside...) {
		if value, given := object[name]; given {
			some[name] = value
		}
	}
	var invalid *schemas.Invalidity
	return false, errors.As(p.validate(some), &invalid)
}

// Fits reports whether a value is valid for the member.
func (p Part) Fits(value any) bool {
	if p.plain.accepts(value) {
		return true
	}
	_, wrong := p.Breaks(map[string]any{p.Member: value})
	return !wrong
}

// Shape is a compiled schema with its parts. It is safe for concurrent use.
type Shape struct {
	Parts  []Part
	schema *schemas.Schema
}

// Flaw is a place where a value breaks a part.
type Flaw struct {
	Part
	Pointer string // to the value, or to the object that lacks it
	Message string // what the schema wants
	Missing bool   // the member is missing
}

// annotated is the part of a schema that Compile reads.
type annotated struct {
	AllOf []struct {
		Ref string `json:"$ref"`
	} `json:"allOf"`
	Defs map[string]struct {
		Requirement *Part `json:"x-requirement"`
	} `json:"$defs"`
}

const definitionsPath = "#/$defs/"

// Parts returns the parts of a schema of this project, such as "acd/agent-manifest.schema.json", in
// their order. An error means that the file is broken: for example, a part of its allOf is not
// annotated.
func Parts(name string) ([]Part, error) {
	raw, err := schemas.Read(name)
	if err != nil {
		return nil, err
	}
	var read annotated
	if err := json.Unmarshal(raw, &read); err != nil {
		return nil, fmt.Errorf("shape: %s: %w", name, err)
	}
	var all []Part
	for _, listed := range read.AllOf {
		partName, found := strings.CutPrefix(listed.Ref, definitionsPath)
		def := read.Defs[partName].Requirement
		if !found || def == nil || def.Requirement == "" || def.Member == "" || def.Want == "" {
			return nil, fmt.Errorf("shape: %s: %s is not annotated by x-requirement with id, member and want", name, listed.Ref)
		}
		p := *def
		p.Name = partName
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("shape: %s: its allOf lists no part", name)
	}
	return all, nil
}

// Compile compiles a schema of this project with its parts. Errors are those of Parts.
func Compile(name string) (*Shape, error) {
	parts, err := Parts(name)
	if err != nil {
		return nil, err
	}
	compiled, err := schemas.Own(name)
	if err != nil {
		return nil, err
	}
	raw, err := schemas.Read(name)
	if err != nil {
		return nil, err
	}
	var read struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(raw, &read); err != nil {
		return nil, fmt.Errorf("shape: %s: %w", name, err)
	}
	for i, sub := range compiled.Compiled().AllOf {
		parts[i].validate = func(value any) error { return compiled.ValidateAs(sub, value) }
		parts[i].plain = plainOf(read.Defs[parts[i].Name], parts[i].Member)
	}
	return &Shape{Parts: parts, schema: compiled}, nil
}

// Part returns the part for a member.
func (s *Shape) Part(member string) (Part, bool) {
	i := slices.IndexFunc(s.Parts, func(p Part) bool { return p.Member == member })
	if i < 0 {
		return Part{}, false
	}
	return s.Parts[i], true
}

// Named returns the part with this name below $defs.
func (s *Shape) Named(name string) (Part, bool) {
	i := slices.IndexFunc(s.Parts, func(p Part) bool { return p.Name == name })
	if i < 0 {
		return Part{}, false
	}
	return s.Parts[i], true
}

// Flaws judges a value. It ignores members that the schema does not mention. In a value that is not
// an object, every required member is missing. The error means that the value cannot be decided.
func (s *Shape) Flaws(value any) ([]Flaw, error) {
	err := s.schema.Validate(value)
	var invalid *schemas.Invalidity
	if err == nil || !errors.As(err, &invalid) {
		return nil, err
	}
	var all []Flaw
	for _, cause := range invalid.Causes {
		name, _, _ := strings.Cut(strings.TrimPrefix(cause.SchemaPointer, "/$defs/"), "/")
		at := slices.IndexFunc(s.Parts, func(p Part) bool { return p.Name == name })
		switch {
		case cause.SchemaPointer == "/type":
			for _, p := range s.Parts {
				if p.Given == nil {
					all = append(all, Flaw{p, "", cause.Message, true})
				}
			}
		case at >= 0:
			all = append(all, Flaw{s.Parts[at], cause.InstancePointer, cause.Message, cause.Keyword == "required"})
		}
	}
	return all, nil
}
