package format

import (
	messages "github.com/cucumber/messages/go/v21"

	"github.com/capconform/capconform/features"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/verification"
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
	// Proof says which requirements anybody has seen fail; nil if the run did not find out. Only the page shows it.
	Proof *Proof
}

// OptionsOf returns the options with the catalogues and features of those texts that a report is about, by their
// digests.
func OptionsOf(r *reports.Report, texts []verification.Text) Options {
	o := Options{Catalogues: map[string]*spec.Catalogue{}, Features: map[string][]features.File{}}
	for _, s := range r.Suites {
		for _, t := range texts {
			if s.TextDigest != "" && s.TextDigest == t.Digest {
				o.Catalogues[s.Suite], o.Features[s.Suite] = t.Catalogue, t.Features
			}
		}
	}
	return o
}

// Proof says which requirements of a text of one's own anybody has seen fail (capconform prove).
type Proof struct {
	Sentence string // the result in one line
	Rows     []ProofRow
	Lists    []ProofList
}

// ProofRow is one requirement: what broke it, and whether it must have been broken and was not.
type ProofRow struct {
	ID, Level, Shown string
	Open             bool
}

// ProofList is a list with a title, such as the places that no requirement reads.
type ProofList struct {
	Title string
	Lines []string
}

// featureSet returns the features of a suite.
func (o Options) featureSet(suite string, ids *messages.Incrementing) (*reports.FeatureSet, error) {
	if files := o.Features[suite]; files != nil {
		return reports.FeatureSetOf(files, ids)
	}
	return reports.ReadFeatureSet(suite, ids)
}

// Catalogue returns the catalogue of a suite, or an empty one if this build has none.
func (o Options) Catalogue(suite string) *spec.Catalogue {
	if c := o.Catalogues[suite]; c != nil {
		return c
	}
	c, err := spec.Load(suite)
	if err != nil {
		return &spec.Catalogue{}
	}
	return c
}
