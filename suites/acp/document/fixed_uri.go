package acpdocument

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
)

// judgeFixedURI compares the values to which a state tool fixes schema_uri with the $id.
func (m toolSection) judgeFixedURI(t tool) {
	if !strings.HasPrefix(t.name, statePrefix) || m.schema == nil || m.schema.uri.Text == "" {
		return
	}
	parameters := t.function.Get("parameters")
	e := exclusion{parameters: parameters, uri: m.schema.uri.Text, steps: maxSteps}
	value := e.find(parameters, func(n *document.Node) *document.Node {
		return e.find(n.Get("properties", "schema_uri"), e.other)
	})
	if value != nil {
		m.breach(IDFixedURI, value, "%s fixes schema_uri to %s; the $id of the schema is %s", t.name,
			lint.Described(value), jsonvalue.Print(m.schema.uri.Text))
	}
}

// maxSteps bounds how many schemas are followed: references may form a circle.
const maxSteps = 100

// exclusion finds the value by which the parameters of a tool exclude a schema URI.
type exclusion struct {
	parameters *document.Node
	uri        string
	steps      int // that are left
}

// other returns a value of const or enum if the URI is not among them.
func (e *exclusion) other(n *document.Node) *document.Node {
	fixed := elements(n.Get("enum"))
	if value := n.Get("const"); value != nil {
		fixed = []*document.Node{value}
	}
	if len(fixed) == 0 || slices.ContainsFunc(fixed, func(v *document.Node) bool { return v.Str() == e.uri }) {
		return nil
	}
	return fixed[0]
}

// find returns what excludes finds in a schema, in the part of the parameters to which it refers, in one schema of
// its allOf, or in each alternative; nil if the schema allows the URI.
func (e *exclusion) find(n *document.Node, excludes func(*document.Node) *document.Node) *document.Node {
	e.steps--
	if e.steps < 0 || !n.Is(document.Object) {
		return nil
	}
	if value := excludes(n); value != nil {
		return value
	}
	all := elements(n.Get("allOf"))
	if path, within := strings.CutPrefix(n.Get("$ref").Str(), "#/"); within && !strings.ContainsAny(path, "~%") {
		all = append(slices.Clone(all), e.parameters.Get(strings.Split(path, "/")...))
	}
	for _, item := range all {
		if value := e.find(item, excludes); value != nil {
			return value
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if value := e.inEach(elements(n.Get(keyword)), excludes); value != nil {
			return value
		}
	}
	return nil
}

// inEach returns the value in the first alternative if there is one in each of them.
func (e *exclusion) inEach(alternatives []*document.Node, excludes func(*document.Node) *document.Node) *document.Node {
	var first *document.Node
	for _, item := range alternatives {
		value := e.find(item, excludes)
		if value == nil {
			return nil
		}
		if first == nil {
			first = value
		}
	}
	return first
}
