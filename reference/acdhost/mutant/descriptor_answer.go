package acdmutant

import (
	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
)

// descriptorAnswers returns agents that show invalid descriptors in answers other than the whole list.
func descriptorAnswers() []mutant.Mutant {
	sets := func(operation, path string, value any) defect {
		return changesResult(operation, func(_, result object) {
			if result["capability_id"] != nil {
				acdhost.Set(result, path, value)
			}
		})
	}
	first := func(operation, path string, value any) defect {
		return changesResult(operation, func(_, result object) {
			if all := itemsOf(result); len(all) > 0 {
				entry, _ := all[0].(object)
				acdhost.Set(entry, path, value)
			}
		})
	}
	return []mutant.Mutant{
		newMutant("create-answers-kind", "ACD-DESC-07",
			"Answers a creation with a kind that the text does not define.",
			sets(acdhost.OpCreate, "kind", "tool")),
		newMutant("update-answers-scope", "ACD-DESC-12",
			"Answers an update with a scope that the text does not define.",
			sets(acdhost.OpUpdate, "exposure.scope", "everyone")),
		newMutant("query-shows-resources", "ACD-DESC-22",
			"Shows a string as the resources of the first capability in queries.",
			first(acdhost.OpQuery, "dependencies.resources", "gpu")),
		newMutant("lists-show-delegation", "ACD-DESC-24",
			"Shows a string as delegation.allowed of the first capability in the old lists.",
			first(acdhost.OpLegacy, "delegation.allowed", "yes")),
	}
}
