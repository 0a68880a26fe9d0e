package history

import (
	"slices"
	"strings"
)

// Legacy is an old list, and the query that replaces it (ACD 2.2).
type Legacy struct{ Endpoint, Filter, Value string }

// Legacies are the old lists of the text.
var Legacies = []Legacy{
	{"/listSkills", "kind", "composite"}, {"/listCommands", "invocation", "command"},
	{"/listSubAgents", "execution", "agent"},
	{"/listChannels", "execution", "transport"},
}

// PathOf returns the operation on the path of an old list.
func (l Legacy) PathOf() string { return OpPath + "." + strings.TrimPrefix(l.Endpoint, "/") }

// View is an answer that shows a part of the registry.
type View struct {
	*Call
	Filters  Object // the filters that define the part
	Endpoint string // of an old list, "" for a query
	ByPath   bool   // it was requested by a path of the text, which may show less than the registry
}

// Queries returns the answers of queries that are served.
func (h *agent) Queries() []*View {
	var all []*View
	for _, c := range h.Of(OpQuery) {
		all = append(all, &View{Call: c, Filters: c.Params})
	}
	for _, c := range h.Of(OpPath) {
		if len(c.Params) > 0 {
			all = append(all, &View{Call: c, Filters: c.Params, ByPath: true})
		}
	}
	return slices.DeleteFunc(all, unserved)
}

// OldLists returns the answers of old lists that are served.
func (h *agent) OldLists() []*View {
	var all []*View
	for _, l := range Legacies {
		filters := Object{l.Filter: l.Value}
		for _, c := range h.Of(OpLegacy) {
			if Text(c.Params, "endpoint") == l.Endpoint {
				all = append(all, &View{Call: c, Filters: filters, Endpoint: l.Endpoint})
			}
		}
		for _, c := range h.Of(l.PathOf()) {
			all = append(all, &View{Call: c, Filters: filters, Endpoint: l.Endpoint, ByPath: true})
		}
	}
	return slices.DeleteFunc(all, unserved)
}

func unserved(v *View) bool { return !v.Served() || v.Lost != nil && !v.Malformed() }

// Whole returns the first answer that shows the list of which a view shows a part. The paths of the text may show a
// caller fewer entries than the registry contains.
func (h *agent) Whole(v *View) *Call {
	registry := h.Registry()
	if !v.ByPath || registry.Operation == OpPath {
		return registry
	}
	for _, c := range h.Of(OpPath) {
		ids := slices.ContainsFunc(c.Items, func(i *Item) bool { return i.Members == nil })
		if len(c.Params) == 0 && c.Listed && !ids {
			return c
		}
	}
	return registry
}
