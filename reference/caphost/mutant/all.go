package capmutant

import (
	"slices"

	"github.com/capconform/capconform/reference/mutant"
)

// All returns the live mutants of CAP: those that are data, and then the behaviours in the order of the text.
func All() []mutant.Mutant {
	return slices.Concat(rows(), operations(), replacements(), admissions(), refusals(), rareInputs(), attachments())
}
