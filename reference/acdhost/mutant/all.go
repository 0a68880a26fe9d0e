package acdmutant

import (
	"slices"

	"github.com/capconform/capconform/reference/mutant"
)

// All lists the live mutants of ACD.
func All() []mutant.Mutant {
	return slices.Concat(
		rows(),
		descriptors(), filteredMembers(), defaults(), lists(), joins(), registries(), engines(),
		creations(), shells(),
		audits(), hookDefects(), immutables(), exemplars(), partial(),
		keptEntries(),
		executionDefects(), permissionDefects(), creationDefects(), immutableDefects(), logDefects(),
		hookCounts(), channelAnswers(), unheardCalls(), places(), guards(),
		channelGuards(), entryExposures(), concurrencyDefects(), orthogonalDefects(), hookOrthogonals(),
		updateDefects(), deletionDefects(), memberDefects(), echoDefects(),
		entryLogDefects(), narrowDefects(),
	)
}
