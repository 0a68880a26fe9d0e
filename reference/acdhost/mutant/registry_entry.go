package acdmutant

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
)

// keepsOld keeps one member of the old descriptor in an update.
func keepsOld(name string) defect {
	return func(h *acdhost.Host) {
		changesParams(acdhost.OpUpdate, func(params object) {
			if old := h.Find(acdhost.Text(params, "descriptor.capability_id")); old != nil {
				acdhost.Set(params, "descriptor."+name, old[name])
			}
		})(h)
	}
}

// keptEntries returns agents that store entries differently from the given ones.
func keptEntries() []mutant.Mutant {
	all := []mutant.Mutant{
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
		newMutant("deleted-comes-back", "ACD-SDK1-11", "Restores a deleted descriptor when its id is registered again.",
			comesBack),
	}
	for _, name := range []string{"permissions", "execution", "lifecycle", "audit", "dependencies"} {
		all = append(all, newMutant("update-keeps-"+name, "ACD-SDK1-10", "Does not update "+name+".", keepsOld(name)))
	}
	return all
}

func childrenOf(h *acdhost.Host, id string) []object {
	return slices.DeleteFunc(h.Entries(),
		func(e map[string]any) bool { return !strings.HasPrefix(acdhost.Text(e, "capability_id"), id+".") })
}

// comesBack restores a deleted descriptor when its id is created again.
func comesBack(h *acdhost.Host) {
	gone := newValueMap()
	changesParams(acdhost.OpDelete, func(params object) {
		id := acdhost.Text(params, "capability_id")
		if entry := h.Find(id); entry != nil {
			gone.put(id, entry)
		}
	})(h)
	changesParams(acdhost.OpCreate, func(params object) {
		if entry, has := gone.get(acdhost.Text(params, "descriptor.capability_id")); has {
			params["descriptor"] = entry
		}
	})(h)
}
