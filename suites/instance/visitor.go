package instance

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/capconform/capconform/schemas"
)

// place is one value of the instance with all schemas that judge it.
type place struct {
	*demand
	path  []string
	value any
	top   bool // type, enum and const may not be broken here
}

// visitor walks through a valid instance and passes on each of its values, with the schemas that
// apply.
type visitor struct {
	schema *schemas.Schema
	top    bool // the top level may be of another type
	at     func(place)
}

const (
	visitDepth = 8 // levels of the instance that are visited
	visitItems = 3 // items of one array that are visited
)

// visit passes on a value and then its parts.
func (v visitor) visit(roots []*jsonschema.Schema, value any, path []string) {
	if len(path) > visitDepth {
		return
	}
	p := place{demand: v.applying(roots, value), path: path, value: value}
	p.top = len(path) == 0 && !v.top
	v.at(p)
	switch whole := value.(type) {
	case map[string]any:
		for _, name := range sortedNames(whole) {
			v.visit(p.member(name), whole[name], append(slices.Clone(path), name))
		}
	case []any:
		plan := p.items()
		for i, item := range whole[:min(len(whole), max(visitItems, plan.places))] {
			v.visit(plan.at(i), item, append(slices.Clone(path), index(i)))
		}
	}
}

// applying collects the subschemas that hold for a value: of anyOf, oneOf and if, the branches that
// accept it.
func (v visitor) applying(roots []*jsonschema.Schema, value any) *demand {
	d := &demand{}
	var collect func(s *jsonschema.Schema)
	holds := func(s *jsonschema.Schema) bool { return s != nil && v.schema.ValidateAs(s, value) == nil }
	collect = func(s *jsonschema.Schema) {
		if s == nil || s.Bool != nil || slices.Contains(d.facets, s) {
			return
		}
		if v.schema.Spend(d.steps()) != nil {
			return
		}
		d.facets = append(d.facets, s)
		subs := append([]*jsonschema.Schema{s.Ref, s.RecursiveRef}, s.AllOf...)
		if s.DynamicRef != nil {
			subs = append(subs, s.DynamicRef.Ref)
		}
		for _, branch := range append(slices.Clone(s.AnyOf), s.OneOf...) {
			if holds(branch) {
				subs = append(subs, branch)
			}
		}
		if s.If != nil && holds(s.If) {
			subs = append(subs, s.Then)
		} else if s.If != nil {
			subs = append(subs, s.Else)
		}
		for _, name := range memberNames(value) {
			subs = append(subs, s.DependentSchemas[name])
			if sub, ok := s.Dependencies[name].(*jsonschema.Schema); ok {
				subs = append(subs, sub)
			}
		}
		for _, sub := range subs {
			collect(sub)
		}
	}
	for _, root := range roots {
		collect(root)
	}
	return d
}
