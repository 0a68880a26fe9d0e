package acdsuite

import (
	"fmt"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/shape"
)

// object is a JSON object of the text.
type object = map[string]any

const (
	wantText = "a non-empty string"

	idInputs  = "ACD-DESC-18"
	idOutputs = "ACD-DESC-20"
)

// objectShape is the core reading of an object, and the closed one, which only advises.
type objectShape struct {
	*shape.Shape
	closed *suites.Memo[closedReading] // compiled when it is first used
	name   string
}

// closedReading is a schema, or the error of compiling it.
type closedReading struct {
	schema *schemas.Schema
	err    error
}

func compileShape(name string) (objectShape, error) {
	core, err := shape.Compile("acd/" + name + ".schema.json")
	if err != nil {
		return objectShape{}, fmt.Errorf("acdsuite: %w", err)
	}
	return objectShape{Shape: core, closed: &suites.Memo[closedReading]{}, name: name}, nil
}

func (s objectShape) closedSchema() (*schemas.Schema, error) {
	c := s.closed.Get(func() (closedReading, bool) {
		schema, err := schemas.Own("acd/" + s.name + ".closed.schema.json")
		return closedReading{schema, err}, true
	})
	return c.schema, c.err
}

// shapes are the readings of descriptors and of manifests. They are compiled once for
// all runs of a suite.
type shapes struct {
	descriptor, manifest objectShape
	err                  error
}

func compileShapes(kept *suites.Memo[shapes]) (shapes, error) {
	s := kept.Get(func() (shapes, bool) {
		var s shapes
		if s.descriptor, s.err = compileShape("capability-descriptor"); s.err == nil {
			s.manifest, s.err = compileShape("agent-manifest")
		}
		return s, true
	})
	return s, s.err
}
