package acdmutant

import (
	"context"
	"slices"
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
	var broken []mutant.Mutant
	for _, l := range []struct{ id, endpoint, what, filter string }{
		{"ACD-LEG-01", "/listSkills", "skills", "kind"}, {"ACD-LEG-02", "/listCommands", "commands", "invocation"},
		{"ACD-LEG-03", "/listSubAgents", "sub-agents", "execution"},
		{"ACD-LEG-04", "/listChannels", "channels", ""},
	} {
		broken = append(broken,
			newMutant(l.what+"-everything", l.id, "Lists every capability by "+l.endpoint+".",
				ofEndpoint(l.endpoint, everything)),
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
	return broken
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
	return []mutant.Mutant{
		newMutant("update-lost", "ACD-SDK1-10", "Accepts an update and keeps the old descriptor.",
			changesOperation(acdhost.OpUpdate, func(rpc.Operation) rpc.Operation {
				return func(_ context.Context, params map[string]any) (any, error) { return params["descriptor"], nil }
			})),
		newMutant("update-unindexed", "ACD-SDK1-10", "Answers queries from the descriptors before an update.",
			unindexed()),
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
