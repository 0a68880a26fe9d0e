package acdmutant

import (
	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
)

// compositeDefects returns agents whose lists of composites do not follow the registry.
func compositeDefects() []mutant.Mutant {
	skills := func(params object) bool { return params["endpoint"] == "/listSkills" }
	return []mutant.Mutant{
		newMutant("skills-remember-deleted", "ACD-LEG-01", "Still lists deleted composites by /listSkills.",
			keepsShowing(acdhost.OpLegacy, skills, true)).WithFixtures(),
	}
}
