package chpmutant

import (
	"slices"

	"github.com/capconform/capconform/reference/mutant"
)

// All returns the live mutants of CHP, in the order of the requirements' sections.
func All() []mutant.Mutant {
	return slices.Concat(
		rows(),
		forms(),
		bodies(),
		statuses(),
		correlations(),
		concurrentDefects(),
	)
}
