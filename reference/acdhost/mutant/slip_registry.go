package acdmutant

import (
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// slips are right for almost everything that is asked of them: what they slip on is one
// member, one neighbour, or one filter behind a change.
func slips() []mutant.Mutant {
	return slices.Concat(keepers(), answerSlips(), indexSlips(), engineSlips(), permissionSlips(), creationSlips(), immutableSlips(), recordSlips(), hookSlips(), channelSlips())
}

// shortened cuts a list to its first item.
func shortened(path string) defect {
	return asksOtherwise(acdhost.OpCreate, func(params object) {
		if all := acdhost.Texts(params, "descriptor."+path); len(all) > 1 {
			acdhost.Set(params, "descriptor."+path, []any{all[0]})
		}
	})
}

// clings keeps a member of the old descriptor in an update.
func clings(name string) defect {
	return func(h *acdhost.Host) {
		asksOtherwise(acdhost.OpUpdate, func(params object) {
			if old := h.Find(acdhost.Text(params, "descriptor.capability_id")); old != nil {
				acdhost.Set(params, "descriptor."+name, old[name])
			}
		})(h)
	}
}

// keepers keep entries not quite as they were given.
func keepers() []mutant.Mutant {
	all := []mutant.Mutant{
		newMutant("create-cuts-long", "ACD-SDK1-08", "Cuts long descriptions.", asksOtherwise(acdhost.OpCreate, func(params object) {
			if said := acdhost.Text(params, "descriptor.description"); len(said) > 100 {
				acdhost.Set(params, "descriptor.description", said[:100])
			}
		})),
		newMutant("create-first-resource", "ACD-SDK1-08", "Keeps the first of several resources.", shortened("dependencies.resources")),
		newMutant("create-first-input", "ACD-SDK1-08", "Keeps the first of several required inputs.", shortened("inputs.required")),
		newMutant("list-hides-disabled-copies", "ACD-SDK1-08", "Does not list what was created disabled.", answers(acdhost.OpList, func(_, result object) {
			result["capabilities"] = slices.DeleteFunc(itemsOf(result), func(item any) bool {
				return strings.HasPrefix(acdhost.Text(item, "capability_id"), probes) && !acdhost.Flag(item, "status.enabled", true)
			})
		})),
		newMutant("list-created-twice", "ACD-SDK1-08", "Lists what was created at runtime twice.", answers(acdhost.OpList, func(_, result object) {
			for _, item := range itemsOf(result) {
				if strings.HasPrefix(acdhost.Text(item, "capability_id"), probes) {
					result["capabilities"] = append(itemsOf(result), item)
				}
			}
		})),
		newMutant("update-renames-children", "ACD-SDK1-10", "Gives entries whose id begins like that of an updated one its name.", func(h *acdhost.Host) {
			asksOtherwise(acdhost.OpUpdate, func(params object) {
				for _, child := range childrenOf(h, acdhost.Text(params, "descriptor.capability_id")) {
					child["name"] = acdhost.Text(params, "descriptor.name")
					h.Put(child)
				}
			})(h)
		}),
		newMutant("delete-takes-children", "ACD-SDK1-11", "Deletes entries whose id begins like that of a deleted one.", func(h *acdhost.Host) {
			answers(acdhost.OpDelete, func(params, _ object) {
				for _, child := range childrenOf(h, acdhost.Text(params, "capability_id")) {
					h.Drop(acdhost.Text(child, "capability_id"))
				}
			})(h)
		}),
		newMutant("deleted-comes-back", "ACD-SDK1-11", "Restores what was deleted when its id is taken again.", comesBack),
	}
	for _, name := range []string{"permissions", "execution", "lifecycle", "audit", "dependencies"} {
		all = append(all, newMutant("update-keeps-"+name, "ACD-SDK1-10", "Does not update "+name+".", clings(name)))
	}
	return all
}

func childrenOf(h *acdhost.Host, id string) []object {
	return slices.DeleteFunc(h.Entries(), func(e map[string]any) bool { return !strings.HasPrefix(acdhost.Text(e, "capability_id"), id+".") })
}

// comesBack keeps what was deleted for the next one of its id.
func comesBack(h *acdhost.Host) {
	gone := newShelf()
	asksOtherwise(acdhost.OpDelete, func(params object) {
		id := acdhost.Text(params, "capability_id")
		if entry := h.Find(id); entry != nil {
			gone.put(id, entry)
		}
	})(h)
	asksOtherwise(acdhost.OpCreate, func(params object) {
		if entry, has := gone.get(acdhost.Text(params, "descriptor.capability_id")); has {
			params["descriptor"] = entry
		}
	})(h)
}

// answerSlips show entries twice, or say something else of them.
func answerSlips() []mutant.Mutant {
	again := func(operation string, which func(params object) bool) defect {
		return answers(operation, func(params, result object) {
			if all := itemsOf(result); len(all) > 0 && which(params) {
				result["capabilities"] = append(all, all[len(all)-1])
			}
		})
	}
	freed := func(operation string) defect {
		return answers(operation, func(_, result object) {
			for _, item := range itemsOf(result) {
				if entry, is := item.(object); is {
					acdhost.Set(entry, "permissions.required", []any{})
				}
			}
		})
	}
	like := func(match func(id, asked string) bool) defect {
		return func(h *acdhost.Host) {
			operates(acdhost.OpGet, func(sound rpc.Operation) rpc.Operation {
				return func(ctx context.Context, params map[string]any) (any, error) {
					result, err := sound(ctx, params)
					at := slices.IndexFunc(h.Entries(), func(e map[string]any) bool {
						return match(acdhost.Text(e, "capability_id"), acdhost.Text(params, "capability_id"))
					})
					if err != nil && at >= 0 {
						return h.Entries()[at], nil
					}
					return result, err
				}
			})(h)
		}
	}
	return []mutant.Mutant{
		newMutant("query-last-twice", "ACD-SDK1-03", "Gives the last entry of a query by substrate twice.", again(acdhost.OpQuery, asksFor("execution"))),
		newMutant("skills-last-twice", "ACD-LEG-01", "Gives the last entry of /listSkills twice.", again(acdhost.OpLegacy, func(params object) bool { return params["endpoint"] == "/listSkills" })),
		newMutant("query-without-permissions", "ACD-SDK1-01", "Leaves the permissions out of what a query shows.", freed(acdhost.OpQuery)),
		newMutant("lists-without-permissions", "ACD-SDK1-01", "Leaves the permissions out of what old lists show.", freed(acdhost.OpLegacy)),
		newMutant("get-by-parent", "ACD-SDK1-09", "Gives the entry whose id an unknown one begins with.", like(func(id, asked string) bool { return strings.HasPrefix(asked, id+".") })),
		newMutant("get-any-for-none", "ACD-SDK1-09", "Gives the first entry for an empty id.", like(func(id, asked string) bool { return asked == "" && id != "" })),
	}
}

// asksFor tells queries by one filter alone.
func asksFor(name string) func(params object) bool {
	return func(params object) bool { return len(params) == 1 && params[name] != nil }
}

// indexSlips answer from an index that does not follow.
func indexSlips() []mutant.Mutant {
	var all []mutant.Mutant
	for _, of := range []struct{ name, id string }{{"kind", "ACD-LEG-05"}, {"execution", "ACD-SDK1-03"}, {"invocation", "ACD-SDK1-04"}} {
		all = append(all,
			newMutant("query-late-"+of.name, of.id, "Has an index by "+of.name+" from its start.", func(h *acdhost.Host) {
				first := newSet()
				for _, entry := range h.Entries() {
					first.add(acdhost.Text(entry, "capability_id"))
				}
				answers(acdhost.OpQuery, func(params, result object) {
					if asksFor(of.name)(params) {
						result["capabilities"] = slices.DeleteFunc(itemsOf(result), func(item any) bool { return !first.has(acdhost.Text(item, "capability_id")) })
					}
				})(h)
			}),
			newMutant("query-remembers-"+of.name, of.id, "Goes on finding by "+of.name+" what was deleted.", keepsShowing(acdhost.OpQuery, asksFor(of.name), true)))
	}
	commands := func(params object) bool { return params["endpoint"] == "/listCommands" }
	return append(all,
		newMutant("commands-remember-deleted", "ACD-LEG-02", "Goes on listing commands that were deleted.", keepsShowing(acdhost.OpLegacy, commands, true)),
		newMutant("commands-remember-updated", "ACD-LEG-02", "Goes on listing what is no command any more.", keepsShowing(acdhost.OpLegacy, commands, false)),
		newMutant("query-by-beginning", "ACD-SDK1-03", "Finds substrates by the beginning of their names.", func(h *acdhost.Host) {
			asksOtherwise(acdhost.OpQuery, func(params object) {
				asked := acdhost.Text(params, "execution")
				for _, entry := range h.Entries() {
					if substrate := acdhost.Text(entry, "execution.substrate"); asked != "" && strings.HasPrefix(substrate, asked) {
						params["execution"] = substrate
					}
				}
			})(h)
		}))
}

// keepsShowing goes on showing what an answer once held and was deleted since, or was updated.
func keepsShowing(operation string, which func(params object) bool, deleted bool) defect {
	return func(h *acdhost.Host) {
		had := newShelf()
		answers(operation, func(params, result object) {
			if !which(params) {
				return
			}
			key := acdhost.Text(params, "endpoint")
			for _, value := range params {
				if said, is := value.(string); is {
					key = said + " "
				}
			}
			now := newSet()
			for _, item := range itemsOf(result) {
				id := acdhost.Text(item, "capability_id")
				now.add(id)
				had.put(key+id, item)
			}
			for at, item := range had.all() {
				id := acdhost.Text(item, "capability_id")
				if at == key+id && !now.has(id) && (h.Find(id) == nil) == deleted {
					result["capabilities"] = append(itemsOf(result), item)
				}
			}
		})(h)
	}
}
