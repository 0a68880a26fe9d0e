package acdsuite

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// references are the places where a descriptor names others.
var references = [][]string{
	{"dependencies", "capabilities"}, {"lifecycle", "hooks", "pre_invoke"}, {"lifecycle", "hooks", "post_invoke"},
	{"lifecycle", "hooks", "on_error"},
}

// named returns the ids to which a descriptor refers, with their places.
func (e entry) named() []*document.Node {
	var all []*document.Node
	for _, path := range references {
		if list := e.node.Get(path...); list.Is(document.Array) {
			for _, item := range list.Items {
				if item.Str() != "" {
					all = append(all, item)
				}
			}
		}
	}
	return all
}

// judgeRegistry judges the references between descriptors.
func (r *fileReading) judgeRegistry() {
	if len(r.entries) < 2 {
		return
	}
	r.AddKind(kindSeveral)
	for _, e := range r.entries {
		for _, item := range e.named() {
			if _, known := r.byID[item.Str()]; !known {
				r.Breach(idReferences, e.file, item, "%s is not among the descriptors", jsonvalue.Print(item.Str()))
			}
		}
	}
	r.judgeCycles()
	r.judgeAliases()
	r.judgeDuplicates()
}

// judgeCycles reports each cycle once, at the reference that closes it.
func (r *fileReading) judgeCycles() {
	const under, done = 1, 2
	state := map[string]int{}
	var path []string
	var visit func(e entry)
	visit = func(e entry) {
		state[e.id] = under
		path = append(path, e.id)
		for _, item := range e.named() {
			next, known := r.byID[item.Str()]
			switch {
			case !known || state[next.id] == done:
			case state[next.id] == under:
				circle := append(slices.Clone(path[slices.Index(path, next.id):]), next.id)
				r.Breach(idCycles, e.file, item, "it is part of a cycle: %s", jsonvalue.Clip(strings.Join(circle, ", ")))
			default:
				visit(next)
			}
		}
		path = path[:len(path)-1]
		state[e.id] = done
	}
	for _, e := range r.entries {
		if e.id != "" && state[e.id] == 0 {
			visit(r.byID[e.id])
		}
	}
}

func (r *fileReading) judgeAliases() {
	first := map[string]entry{}
	for _, e := range r.entries {
		aliases := e.node.Get("invocation", "command_aliases")
		if !aliases.Is(document.Array) || len(aliases.Items) == 0 {
			continue
		}
		if !slices.Contains(jsonvalue.Texts(history.Member(e.node.Value(), "invocation.modes")), modeCommand) {
			r.Breach(idAliases, e.file, aliases, "it has command aliases, but its modes do not include command")
		}
		for _, item := range aliases.Items {
			before, taken := first[item.Str()]
			switch {
			case item.Str() == "":
			case taken && before.id != e.id:
				r.Breach(idAliases, e.file, item, "the alias %s also belongs to %s, at %s", jsonvalue.Print(item.Str()),
					jsonvalue.Print(before.id), before.at(before.node))
			default:
				first[item.Str()] = e
			}
		}
	}
}

// judgeDuplicates finds two different descriptors of one id and version.
func (r *fileReading) judgeDuplicates() {
	type pair struct{ id, version string }
	first := map[pair]entry{}
	for _, e := range r.entries {
		key := pair{e.id, e.node.Get("version").Str()}
		before, twice := first[key]
		switch {
		case key.id == "" || key.version == "":
		case !twice:
			first[key] = e
		case !jsonvalue.Equal(before.node.Value(), e.node.Value()):
			r.Breach(idDuplicates, e.file, e.node, "%s %s is described differently at %s", jsonvalue.Print(key.id),
				jsonvalue.Print(key.version), before.at(before.node))
		}
	}
}
