// Package chprules contains the rules of CHP: what its text demands, as data (see package rule).
package chprules

import (
	"embed"
	"errors"
	"io/fs"

	"github.com/capconform/capconform/suites/rule"
)

//go:embed *.yaml
var files embed.FS

// The files of the rules: those of descriptors judge answers and documents, those of documents judge documents alone,
// and all others judge the record of a run.
const (
	descriptors = "descriptors.yaml"
	documents   = "documents.yaml"
)

// OfRuns returns the rules that judge the record of a run. An error means that a file is broken.
func OfRuns(v *rule.Vocabulary) (*rule.Set, error) {
	return load(v, func(name string) bool { return name != documents })
}

// OfDocuments returns the rules that judge documents. An error means that a file is broken.
func OfDocuments(v *rule.Vocabulary) (*rule.Set, error) {
	return load(v, func(name string) bool { return name == documents || name == descriptors })
}

func load(v *rule.Vocabulary, wanted func(name string) bool) (*rule.Set, error) {
	var all rule.Set
	names, err := fs.Glob(files, "*.yaml")
	errs := []error{err}
	for _, name := range names {
		if !wanted(name) {
			continue
		}
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		set, err := rule.Load("suites/chp/rules/"+name, data, v)
		errs = append(errs, err)
		if set != nil {
			all.Rules = append(all.Rules, set.Rules...)
		}
	}
	return &all, errors.Join(errs...)
}
