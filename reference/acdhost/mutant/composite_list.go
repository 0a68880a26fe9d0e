package acdmutant

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
)

// compositeDefects returns agents whose lists of composites do not follow the registry.
func compositeDefects() []mutant.Mutant {
	skills := func(params object) bool { return params["endpoint"] == "/listSkills" }
	composites := func(params object) bool { return len(params) == 1 && params["kind"] == "composite" }
	without := func(operation string, asked func(object) bool, which func(item any) bool) defect {
		return changesResult(operation, func(params, result object) {
			if asked(params) {
				result["capabilities"] = slices.DeleteFunc(itemsOf(result), func(item any) bool {
					return strings.HasPrefix(acdhost.Text(item, "capability_id"), probes) && which(item)
				})
			}
		})
	}
	every := func(any) bool { return true }
	disabled := func(item any) bool { return !acdhost.Flag(item, "status.enabled", true) }
	return []mutant.Mutant{
		newMutant("skills-late", "ACD-LEG-01", "Does not list by /listSkills what was created at runtime.",
			without(acdhost.OpLegacy, skills, every)).WithFixtures(),
		newMutant("skills-hide-disabled", "ACD-LEG-01", "Omits from /listSkills what an update disabled.",
			without(acdhost.OpLegacy, skills, disabled)).WithFixtures(),
		newMutant("skills-remember-deleted", "ACD-LEG-01", "Still lists deleted composites by /listSkills.",
			keepsShowing(acdhost.OpLegacy, skills, true)).WithFixtures(),
		newMutant("query-late-composites", "ACD-LEG-05",
			"Does not find by kind composites that were created at runtime.",
			without(acdhost.OpQuery, composites, every)).WithFixtures(),
	}
}
