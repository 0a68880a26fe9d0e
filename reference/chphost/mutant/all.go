package chpmutant

import (
	"slices"

	"github.com/capconform/capconform/reference/mutant"
)

// All returns the live mutants of CHP, in the order of the requirements' sections.
func All() []mutant.Mutant {
	return slices.Concat(
		rows(),
		identities(),
		discoveries(),
		contradictoryDescriptors(),
		boundaries(),
		payloads(),
		eventDefects(),
		histories(),
		correlations(),
		contexts(),
		outcomes(),
		evidenceMatches(),
		refusals(),
		denials(),
		replays(),
		queries(),
		concurrentDefects(),
		replaysCut(),
		replayPages(),
		confusedIDs(),
		unknownReplays(),
		refusalDetails(),
		payloadDefects(),
		identifierDefects(),
		correlationsInRareCases(),
		repetitions(),
		combinations(),
		unusualPayloads(),
		ordinaryEndings(),
		rareCases(),
	)
}
