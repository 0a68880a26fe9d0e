// Package chprules contains the rules of CHP: what its text demands, as data (see package rule).
package chprules

import (
	"embed"

	"github.com/capconform/capconform/suites/rule"
)

//go:embed *.yaml
var files embed.FS

// folder is where the files are.
const folder = "suites/chp/rules"

// The files of the rules: those of descriptors judge answers and documents, those of documents judge documents alone,
// and all others judge the record of a run.
const (
	descriptors = "descriptors.yaml"
	documents   = "documents.yaml"
)

// OfRuns returns the rules that judge the record of a run. An error means that a file is broken.
func OfRuns(v *rule.Vocabulary) (*rule.Set, error) {
	return rule.LoadFiles(files, folder, v, func(name string) bool { return name != documents })
}

// OfDocuments returns the rules that judge documents. An error means that a file is broken.
func OfDocuments(v *rule.Vocabulary) (*rule.Set, error) {
	return rule.LoadFiles(files, folder, v, func(name string) bool { return name == documents || name == descriptors })
}
