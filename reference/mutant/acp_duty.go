package mutant

import (
	"slices"

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

// needsPackageBut are the requirements that can't be seen where no package is installed, but
// for the one that is broken.
func needsPackageBut(broken string) []string {
	return append(slices.DeleteFunc(needsPackage(), func(id string) bool { return id == broken }), "ACP-INST-01")
}

// acpRouterDuties are routers without an operation that they cannot do without.
func acpRouterDuties() []Mutant {
	return []Mutant{
		acpMutant("no-install", "ACP-MOT-01", "Installs nothing.", unserved(acphost.OpInstall)).starves(needsPackageBut("ACP-MOT-01")...),
		acpMutant("no-uninstall", "ACP-ABS-02", "Uninstalls nothing.", unserved(acphost.OpUninstall)).starves("ACP-MOT-01", "ACP-SEC-07"),
		acpMutant("no-message", "ACP-EXEC-01", "Takes no messages.", unserved(acphost.OpMessage)).starves(needsPackageBut("ACP-EXEC-01")...),
	}
}

// acpRegistryDuties are registries that take no publication.
func acpRegistryDuties() []Mutant {
	return []Mutant{
		acpMutant("no-publish", "ACP-CHAIN-01", "Takes no publications.", unserved(acphost.OpPublish)).starves("ACP-MOT-03", "ACP-TERM-03", "ACP-PUB-02", "ACP-PUB-03",
			"ACP-CHAIN-02", "ACP-CHAIN-03", "ACP-CHAIN-04", "ACP-CHAIN-05", "ACP-CHAIN-06", "ACP-CHAIN-07", "ACP-CHAIN-08", "ACP-CHAIN-09", "ACP-CHAIN-10"),
	}
}

// acpPublisherDuties are publishers that publish nothing.
func acpPublisherDuties() []Mutant {
	return []Mutant{
		acpMutant("no-author", "ACP-PUB-05", "Publishes nothing.", unserved(acphost.OpAuthor)).starves("ACP-PUB-01", "ACP-PUB-06", "ACP-PUB-07", "ACP-PUB-08", "ACP-PUB-09"),
	}
}
