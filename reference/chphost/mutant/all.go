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
		eventDefects(),
		histories(),
		correlations(),
		contexts(),
		replays(),
		queries(),
		concurrentDefects(),
		replaysCut(),
		replayPages(),
		confusedIDs(),
		unknownReplays(),
		identifierDefects(),
		correlationsInRareCases(),
		repetitions(),
		combinations(),
		bodies(),
		statuses(),
		rareCases(),
	)
}
