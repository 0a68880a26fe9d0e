package acpmutant

import (
	"slices"

	"github.com/capconform/capconform/reference/mutant"
)

// All returns the live mutants of ACP.
func All() []mutant.Mutant {
	router, runtime := []string{"router", "runtime"}, []string{"runtime"}
	return slices.Concat(
		rows(),
		as(router, installations(), acceptances(), signatures(), routes(), switches(), stacks(), patience(), requestDefects(),
			offers(), modelDefects(), uncheckedPackages(), conversationDefects(), occasions(), upgradeDefects(),
			lenientChecks(), acceptedPackages(), routersWithoutOperation(), selections(), modelTexts(), laterTurns(),
			bindingsInRareCases(), textOccasions(), routerExtents(), routerForms()),
		as(runtime, resolutions(), reaches(), bindings(), payloads(), stores(), patchDefects(), queries(),
			permissions(), callDefects(), objectChanges(), queryChanges(), bindingValues(), objectValues(),
			objectQueries(), valueOccasions(), patchOccasions(), unusualObjects(), unusualQueries(),
			callsOfOneMessage(), emptyValues(), partialFilters()),
		as([]string{"registry"}, chains(), sequences(), laterAuthorDefects(),
			laterVersionDefects(), registryOccasions(), registriesWithoutOperation()),
		as([]string{"publisher"}, publishers(), authorDefects(), laterIssues(), publisherOccasions(),
			publishersWithoutOperation()),
		as([]string{"index"}, indexes(), resolutionDefects(), searches(), indexOccasions()),
	)
}
