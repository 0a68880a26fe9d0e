package mutant

import (
	"github.com/capconform/capconform/reference/acphost"
)

// unserved takes operations away.
func unserved(operations ...string) acpDefect {
	return func(h *acphost.Host) {
		for _, name := range operations {
			delete(h.Provided, name)
		}
	}
}

// acpRouterDuties are routers without an operation that they cannot do without.
func acpRouterDuties() []Mutant {
	return []Mutant{
		acpMutant("no-install", "ACP-MOT-01", "Installs nothing.", unserved(acphost.OpInstall)),
		acpMutant("no-uninstall", "ACP-ABS-02", "Uninstalls nothing.", unserved(acphost.OpUninstall)),
		acpMutant("no-message", "ACP-EXEC-01", "Takes no messages.", unserved(acphost.OpMessage)),
	}
}

// acpRegistryDuties are registries that take no publication.
func acpRegistryDuties() []Mutant {
	return []Mutant{
		acpMutant("no-publish", "ACP-CHAIN-01", "Takes no publications.", unserved(acphost.OpPublish)),
	}
}

// acpPublisherDuties are publishers that publish nothing.
func acpPublisherDuties() []Mutant {
	return []Mutant{
		acpMutant("no-author", "ACP-PUB-05", "Publishes nothing.", unserved(acphost.OpAuthor)),
	}
}
