package judge

import (
	"fmt"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/shape"
)

// Forms contains the objects of CHP, as schemas/chp defines them. Live answers and documents
// are judged by the same schemas.
type Forms struct {
	Descriptor, Host, Envelope, Event, Result, Query, Replay, Denial *shape.Shape
}

// CompileForms compiles the schemas. An error means that one of them is broken.
func CompileForms() (*Forms, error) {
	f := &Forms{}
	for name, form := range map[string]**shape.Shape{
		"capability-descriptor": &f.Descriptor, "host-descriptor": &f.Host, "invocation-envelope": &f.Envelope,
		"evidence-event":    &f.Event,
		"invocation-result": &f.Result, "replay-query": &f.Query, "replay-result": &f.Replay, "denial": &f.Denial,
	} {
		var err error
		if *form, err = shape.Compile("chp/" + name + ".schema.json"); err != nil {
			return nil, fmt.Errorf("judge: %w", err)
		}
	}
	return f, nil
}

// part is the part of a form that describes one member.
type part struct{ shape.Part }

// member returns the part of a form for a member. The features name no members other than those
// of the forms.
func member(of *shape.Shape, name string) part {
	p, _ := of.Named(name)
	return part{p}
}

// broken returns what is wrong with the member of an object.
func (p part) broken(of history.Object) (what, got string, wrong bool) {
	switch missing, wrong := p.Breaks(of); {
	case missing:
		return p.Member + " is missing", "no such member", true
	case wrong:
		return p.Member + " is not " + p.Want, jsonvalue.Print(of[p.Member]), true
	}
	return "", "", false
}
