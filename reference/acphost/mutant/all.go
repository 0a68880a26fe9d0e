package acpmutant

import (
	_ "embed"
	"slices"

	"github.com/capconform/capconform/reference/acphost"
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

//go:embed defects.yaml
var rowFile []byte

// rows returns the mutants that are data.
func rows() []mutant.Mutant { return mutant.MustRows("acp", rowFile) }

// unserved removes operations.
func unserved(operations ...string) defect {
	return func(h *acphost.Host) {
		for _, name := range operations {
			delete(h.Provided, name)
		}
	}
}

// routersWithoutOperation returns routers without a required operation.
func routersWithoutOperation() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("no-install", "ACP-MOT-01", "Installs nothing.", unserved(acphost.OpInstall)),
		newMutant("no-uninstall", "ACP-ABS-02", "Uninstalls nothing.", unserved(acphost.OpUninstall)),
		newMutant("no-message", "ACP-EXEC-01", "Accepts no messages.", unserved(acphost.OpMessage)),
	}
}

// registriesWithoutOperation returns registries that accept no publication.
func registriesWithoutOperation() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("no-publish", "ACP-CHAIN-01", "Accepts no publications.", unserved(acphost.OpPublish)),
	}
}

// publishersWithoutOperation returns publishers that publish nothing.
func publishersWithoutOperation() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("no-author", "ACP-PUB-05", "Publishes nothing.", unserved(acphost.OpAuthor)),
	}
}
