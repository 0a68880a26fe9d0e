package format

import "github.com/capconform/capconform/spec"

// Options say how a format reads a report.
type Options struct {
	Strict bool // a failed SHOULD is a failure; also where Run.Strict is set
	// Catalogues are those of the report's suites, by name, where they are at hand;
	// others are loaded.
	Catalogues map[string]*spec.Catalogue
}

// catalogue returns the catalogue of a suite; an empty one where this build has none.
func (o Options) catalogue(suite string) *spec.Catalogue {
	if c := o.Catalogues[suite]; c != nil {
		return c
	}
	c, err := spec.Load(suite)
	if err != nil {
		return &spec.Catalogue{}
	}
	return c
}
