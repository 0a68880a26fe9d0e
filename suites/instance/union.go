package instance

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// others makes a value of each further type that an explicit union of types takes at
// a place, and gives the place with that value in it.
func (p place) others(m *maker) []place {
	union := slices.ContainsFunc(p.facets, func(f *jsonschema.Schema) bool { return f.Types != nil && len(f.Types.ToStrings()) > 1 })
	if !union {
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
