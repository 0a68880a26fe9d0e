package acdmutant

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// ofEndpoint changes one old list.
func ofEndpoint(endpoint string, change func(h *acdhost.Host, list []any) []any) defect {
	return func(h *acdhost.Host) {
		changesResult(acdhost.OpLegacy, func(params, result object) {
			if params["endpoint"] == endpoint {
				result["capabilities"] = change(h, itemsOf(result))
			}
		})(h)
	}
}

// lists returns agents with wrong old lists (ACD 2.2).
func lists() []mutant.Mutant {
	everything := func(h *acdhost.Host, _ []any) []any {
		all := []any{}
		for _, entry := range h.Entries() {
			all = append(all, entry)
		}
		return all
	}
	fewer := func(_ *acdhost.Host, list []any) []any { return list[1:] }
	var broken []mutant.Mutant
	for _, l := range []struct{ id, endpoint, what, filter string }{
		{"ACD-LEG-01", "/listSkills", "skills", "kind"}, {"ACD-LEG-02", "/listCommands", "commands", "invocation"},
		{"ACD-LEG-03", "/listSubAgents", "sub-agents", "execution"},
		{"ACD-LEG-04", "/listChannels", "channels", ""},
	} {
		broken = append(broken,
			newMutant(l.what+"-everything", l.id, "Lists every capability by "+l.endpoint+".",
				ofEndpoint(l.endpoint, everything)),
			newMutant(l.what+"-fewer", l.id, "Leaves one out of "+l.endpoint+".", ofEndpoint(l.endpoint, fewer)),
			newMutant(l.what+"-path-everything", l.id, "Lists every capability on the path "+l.endpoint+" alone.",
				onPath(l.endpoint, func(object) (string, object) {
					return acdhost.OpList, object{}
				})).OverHTTP(),
		)
		if l.filter == "" {
			continue
		}
		ignoring := newMutant(l.filter+"-path-ignored", l.id, "Does not know the parameter "+l.filter+" on its path.",
			onPath(acdhost.ListCapabilities, func(params object) (string, object) {
				delete(params, l.filter)
				return acdhost.OpQuery, params
			})).OverHTTP()
		if l.filter == "execution" {
			ignoring = ignoring.AlsoBreaks("ACD-LEG-04", "channels are queried by the same parameter")
		}
		broken = append(broken, ignoring)
	}
	return append(broken, newMutant("skills-with-ghost", "ACD-SDK1-01", "Lists a skill that is not in the registry.",
		ofEndpoint("/listSkills", func(_ *acdhost.Host, list []any) []any {
			return append(list, "cap.ghost.skill")
		})).AlsoBreaks("ACD-LEG-01", "a list with an unregistered id is not equal to the query"))
}

// onPath changes the operation of a path that the text defines.
func onPath(path string, to func(params object) (string, object)) defect {
	return func(h *acdhost.Host) {
		original := h.Path
		h.Path = func(asked string, params map[string]any) (string, map[string]any) {
			if asked == path {
				return to(params)
			}
			return original(asked, params)
		}
	}
}

// queries returns agents that answer queries with wrong entries (ACD 2.2, FR-SDK-1).
func queries() []mutant.Mutant {
	alone := func(filter string) defect {
		return changesParams(acdhost.OpQuery, func(params object) {
			if len(params) == 1 {
				delete(params, filter)
			}
		})
	}
	never := func(filter string, value any) defect {
		return changesResult(acdhost.OpQuery, func(params, result object) {
			if params[filter] == value && len(params) == 1 {
				result["capabilities"] = []any{}
			}
		})
	}
	// Over HTTP, a query by the parameters of the old lists is one of these lists, so a defect
	// of one is a defect of the other.
	return []mutant.Mutant{
		newMutant("query-kind-ignored", "ACD-LEG-05", "Ignores kind in queries.", alone("kind")).ExceptOver("http"),
		newMutant("query-execution-ignored", "ACD-SDK1-03", "Ignores execution in queries.",
			alone("execution")).ExceptOver("http"),
		newMutant("query-execution-none", "ACD-SDK1-03", "Finds no capability with the substrate agent.",
			never("execution", "agent")).ExceptOver("http"),
		newMutant("query-invocation-ignored", "ACD-SDK1-04", "Ignores invocation in queries.",
			alone("invocation")).ExceptOver("http"),
		newMutant("query-first-mode", "ACD-SDK1-04", "Finds capabilities only by their first mode.",
			changesResult(acdhost.OpQuery, func(params, result object) {
				if params["invocation"] != nil && len(params) == 1 {
					result["capabilities"] = slices.DeleteFunc(itemsOf(result),
						func(item any) bool { return acdhost.Texts(item, "invocation.modes")[0] != params["invocation"] })
				}
			})).ExceptOver("http"),
		newMutant("query-exposure-ignored", "ACD-SDK1-05", "Ignores exposure in queries.", alone("exposure")),
		newMutant("query-enabled-ignored", "ACD-SDK1-06", "Ignores enabled in queries.", alone("enabled")),
		newMutant("query-disabled-none", "ACD-SDK1-06", "Never finds disabled capabilities.", never("enabled", false)),
	}
}

// joins returns agents that do not combine several filters by and.
func joins() []mutant.Mutant {
	joined := func(change func(h *acdhost.Host, params object) []any) defect {
		return func(h *acdhost.Host) {
			changesResult(acdhost.OpQuery, func(params, result object) {
				if len(params) > 1 {
					result["capabilities"] = change(h, params)
				}
			})(h)
		}
	}
	return []mutant.Mutant{
		newMutant("query-either", "ACD-SDK1-12", "Combines filters by or.",
			joined(func(h *acdhost.Host, params object) []any {
				found := []any{}
				for _, entry := range h.Entries() {
					for filter, value := range params {
						if slices.ContainsFunc(h.Query(object{filter: value}),
							func(e object) bool { return e["capability_id"] == entry["capability_id"] }) {
							found = append(found, entry)
							break
						}
					}
				}
				return found
			})),
		newMutant("query-one-of-several", "ACD-SDK1-12", "Uses one filter of several.",
			joined(func(h *acdhost.Host, params object) []any {
				names := []string{}
				for name := range params {
					names = append(names, name)
				}
				found := []any{}
				for _, entry := range h.Query(object{slices.Min(names): params[slices.Min(names)]}) {
					found = append(found, entry)
				}
				return found
			})),
	}
}

const probes = "conformance.probe."

// registries returns agents that lose or alter descriptors (FR-SDK-1).
func registries() []mutant.Mutant {
	descriptor := func(params object) object {
		d, _ := params["descriptor"].(object)
		return d
	}
	return []mutant.Mutant{
		newMutant("create-forgets", "ACD-SDK1-08", "Drops the outputs of what it creates.",
			changesParams(acdhost.OpCreate, func(params object) { delete(descriptor(params), "outputs") })),
		newMutant("get-any", "ACD-SDK1-09", "Returns a descriptor for an unknown id.",
			changesOperation(acdhost.OpGet, func(original rpc.Operation) rpc.Operation {
				return func(ctx context.Context, params map[string]any) (any, error) {
					result, err := original(ctx, params)
					id, _ := params["capability_id"].(string)
					if err != nil && !strings.HasPrefix(id, probes) {
						return map[string]any{"capability_id": id, "name": "Unknown", "version": "0"}, nil
					}
					return result, err
				}
			})),
		newMutant("get-other", "ACD-SDK1-09", "Returns another name than it lists.", func(h *acdhost.Host) {
			first := h.Entries()[0]["capability_id"]
			changesResult(acdhost.OpGet, func(params, result object) {
				if params["capability_id"] == first {
					result["name"] = "Another name"
				}
			})(h)
		}),
		newMutant("get-last-other", "ACD-SDK1-09", "Returns another name of the last entry than it lists.",
			func(h *acdhost.Host) {
				entries := h.Entries()
				last := entries[len(entries)-1]["capability_id"]
				changesResult(acdhost.OpGet, func(params, result object) {
					if params["capability_id"] == last {
						result["name"] = "Another name"
					}
				})(h)
			}),
		newMutant("update-lost", "ACD-SDK1-10", "Accepts an update and keeps the old descriptor.",
			changesOperation(acdhost.OpUpdate, func(rpc.Operation) rpc.Operation {
				return func(_ context.Context, params map[string]any) (any, error) { return params["descriptor"], nil }
			})),
		newMutant("update-unindexed", "ACD-SDK1-10", "Answers queries from the descriptors before an update.",
			unindexed()),
		newMutant("delete-lost", "ACD-SDK1-11", "Accepts a deletion and keeps the descriptor.",
			changesOperation(acdhost.OpDelete, func(rpc.Operation) rpc.Operation {
				return func(context.Context, map[string]any) (any, error) { return map[string]any{}, nil }
			})),
		newMutant("delete-listed", "ACD-SDK1-11", "Still lists deleted capabilities.", stillListed()),
	}
}

// unindexed answers queries from the first descriptor of each copy.
func unindexed() defect {
	return func(h *acdhost.Host) {
		var mutex sync.Mutex
		first := map[any]object{}
		keep := func(entry object) object {
			mutex.Lock()
			defer mutex.Unlock()
			id := entry["capability_id"]
			if first[id] == nil {
				first[id] = entry
			}
			return first[id]
		}
		changesResult(acdhost.OpCreate, func(_, result object) { keep(result) })(h)
		changesOperation(acdhost.OpQuery, func(rpc.Operation) rpc.Operation {
			return func(_ context.Context, params map[string]any) (any, error) {
				old := acdhost.New(nil)
				for _, entry := range h.Entries() {
					old.Put(keep(entry))
				}
				found := []any{}
				for _, entry := range old.Query(params) {
					found = append(found, entry)
				}
				return map[string]any{"capabilities": found}, nil
			}
		})(h)
	}
}

// stillListed lists every entry that was ever listed.
func stillListed() defect {
	return func(h *acdhost.Host) {
		var mutex sync.Mutex
		known := map[any]any{}
		changesResult(acdhost.OpList, func(_, result object) {
			mutex.Lock()
			defer mutex.Unlock()
			now := map[any]bool{}
			for _, item := range itemsOf(result) {
				entry, _ := item.(object)
				id := entry["capability_id"]
				now[id], known[id] = true, entry
			}
			for id, entry := range known {
				if !now[id] {
					result["capabilities"] = append(itemsOf(result), entry)
				}
			}
		})(h)
	}
}
