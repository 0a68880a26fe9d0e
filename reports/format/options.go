package format

import (
	messages "github.com/cucumber/messages/go/v21"

	"github.com/capconform/capconform/features"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
)

// Options are the options of a format.
type Options struct {
	Strict bool // a failed SHOULD is a failure; also if Run.Strict is set
	// Catalogues are the catalogues of the suites of the report, by name, if they are already
	// loaded. Missing ones are loaded.
	Catalogues map[string]*spec.Catalogue
	// Features are the features of texts of one's own, by the name of the suite.
	Features map[string][]features.File
}

// featureSet returns the features of a suite.
func (o Options) featureSet(suite string, ids *messages.Incrementing) (*reports.FeatureSet, error) {
	if files := o.Features[suite]; files != nil {
		return reports.FeatureSetOf(files, ids)
	}
	return reports.ReadFeatureSet(suite, ids)
}

// catalogue returns the catalogue of a suite, or an empty one if this build has none.
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
