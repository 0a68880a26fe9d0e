package plan

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/suites"
)

// documents plans the valid documents first, because each broken document is judged against the
// valid one from which it was made.
func (o Options) documents(s *suites.Suite) Stages {
	var all Stages
	for _, d := range o.Population.Documents {
		if d.Suite != s.Name {
			continue
		}
		switch valid := d.Name == ValidName(d); {
		case valid:
			for _, strict := range o.Population.strictnesses(d) {
				all.References = append(all.References, o.documentJob(s, d, strict))
			}
		case o.isSelected(d.Name):
			all.Trials = append(all.Trials, o.documentJob(s, d, d.Strict))
		}
	}
	return all
}

// strictnesses returns the ways to examine a valid document with which others are compared: not
// strict, or also strict.
func (p Population) strictnesses(valid mutant.Document) []bool {
	if slices.ContainsFunc(p.Documents,
		func(d mutant.Document) bool { return d.Strict && ValidName(d) == valid.Name }) {
		return []bool{false, true}
	}
	return []bool{false}
}

func (o Options) documentJob(s *suites.Suite, d mutant.Document, strict bool) Job {
	at := Setting{Suite: s.Name, Document: ValidName(d), Strict: strict}
	trial := at.trial(KindDocument, d.Name)
	trial.Requirement = d.Requirement
	return Job{Trial: trial, Suite: s, Document: d, Baseline: at, Valid: d.Name == ValidName(d),
		Expected: o.OfDocument(d)}
}

// ValidName returns the name of the document from which another was made, in the same notation. It
// ignores the name of the file, because the file name may be the broken part.
func ValidName(d mutant.Document) string {
	return d.Suite + "-" + d.Base + "-sound" + d.Name[strings.LastIndexByte(d.Name, '-'):]
}
