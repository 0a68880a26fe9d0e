package acpmutant

import (
	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
)

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
