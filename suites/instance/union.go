package instance

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/capconform/capconform/schemas"
)

// maxAlternatives bounds the offsets of the choices of a schema.
const maxAlternatives = 6

// Alternatives makes valid objects that ValidObject does not make: each uses another alternative
// wherever the schema permits a choice of types or branches. They are for a capability that accepts
// only one of its declared alternatives.
func Alternatives(s *schemas.Schema, seed int64) []Input {
	s = bounded(s)
	seen := map[string]bool{}
	plain, err := ValidObject(s, seed)
	if err != nil {
		return nil
	}
	for _, input := range plain {
		seen[textOf(input.Value)] = true
	}
	var others []Input
	for _, full := range []bool{false, true} {
		for turn, turns := 0, 1; turn < turns; turn++ {
			m := newMaker(s, seed, full)
			m.turn = turn
			value, err := m.top(true)
			turns = min(max(turns, m.most), maxAlternatives+1)
			text := textOf(value)
			if err != nil || len(text) > maxBytes || seen[text] || s.Validate(value) != nil {
				continue
			}
			seen[text] = true
			others = append(others, Input{Value: value, Note: "alternative", Doubt: m.doubt})
		}
	}
	return others
}

// anyType reports whether nothing limits the type of a place, and no keyword suggests one.
func (p place) anyType() bool {
	limits := func(f *jsonschema.Schema) bool {
		return f.Types != nil || f.Const != nil || f.Enum != nil || f.Not != nil || len(f.AnyOf)+len(f.OneOf) > 0
	}
	return len(p.path) > 0 && !slices.ContainsFunc(p.facets, limits) &&
		!slices.ContainsFunc(allTypes, func(t string) bool { return p.hints(t) > 0 })
}

// others makes a value of each further type that an explicit union of types permits at a place, or
// that a place of any type permits, and returns the place with that value.
func (p place) others(m *maker) []place {
	union := slices.ContainsFunc(p.facets,
		func(f *jsonschema.Schema) bool { return f.Types != nil && len(f.Types.ToStrings()) > 1 })
	if !union && !p.anyType() {
		return nil
	}
	if _, closed := p.closedValues(); closed {
		return nil
	}
	var all []place
	met := []string{TypeName(p.value)}
	for _, t := range p.types() {
		value, err := m.value(p.facets, request{depth: len(p.path), types: []string{t}, structured: true})
		if err != nil || slices.Contains(met, TypeName(value)) {
			continue
		}
		met = append(met, TypeName(value))
		other := p
		other.value = value
		all = append(all, other)
	}
	return all
}
