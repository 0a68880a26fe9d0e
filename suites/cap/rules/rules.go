// Package caprules contains the rules of CAP: what its text demands of a source, as data (see package rule).
package caprules

import (
	"embed"

	"github.com/capconform/capconform/suites/rule"
)

//go:embed *.yaml
var files embed.FS

// OfRuns returns the rules that judge the record of a run. An error means that a file is broken.
func OfRuns(v *rule.Vocabulary) (*rule.Set, error) {
	return rule.LoadFiles(files, "suites/cap/rules", v, func(string) bool { return true })
}
