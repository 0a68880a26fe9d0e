package acdmutant

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
)

// keptEntries returns agents that store entries differently from the given ones.
func keptEntries() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("update-renames-children", "ACD-SDK1-10",
			"Gives the name of an updated entry to entries whose ids begin with its id.", func(h *acdhost.Host) {
				changesParams(acdhost.OpUpdate, func(params object) {
					for _, child := range childrenOf(h, acdhost.Text(params, "descriptor.capability_id")) {
						child["name"] = acdhost.Text(params, "descriptor.name")
						h.Put(child)
					}
				})(h)
			}),
		newMutant("delete-takes-children", "ACD-SDK1-11", "Deletes entries whose ids begin with the id of a deleted one.",
			func(h *acdhost.Host) {
				changesResult(acdhost.OpDelete, func(params, _ object) {
					for _, child := range childrenOf(h, acdhost.Text(params, "capability_id")) {
						h.Delete(acdhost.Text(child, "capability_id"))
					}
				})(h)
			}),
	}
}

func childrenOf(h *acdhost.Host, id string) []object {
	return slices.DeleteFunc(h.Entries(),
		func(e map[string]any) bool { return !strings.HasPrefix(acdhost.Text(e, "capability_id"), id+".") })
}
