package acpmutant

import (
	"slices"

	"github.com/capconform/capconform/reference/mutant"
)

// All lists the live mutants of ACP.
func All() []mutant.Mutant {
	router, runtime := []string{"router", "runtime"}, []string{"runtime"}
	return slices.Concat(
		as(router, installations(), signatures(), routes(), stacks(), requestDefects(), offers(), modelDefects(),
			uncheckedPackages(),
			conversationDefects(), occasions(), upgradeDefects(), lenientChecks(), acceptedPackages(), missingOfRouter(), selections(),
			modelTexts(), laterTurns()),
		as(runtime, resolutions(), reaches(), bindings(), stores(), queries(), permissions(), callDefects(), objectChanges(),
			bindingValues(), objectValues()),
		as([]string{"registry"}, chains(), eventDefects(), sequels(), sequences(), laterAuthorDefects(), missingOfRegistry()),
		as([]string{"publisher"}, publishers(), authorDefects(), laterIssues(), missingOfPublisher()),
		as([]string{"index"}, indexes(), searches(), filterDefects(), lookups(), indexesLater()),
	)
}
