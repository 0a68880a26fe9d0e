package plan

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/suites"
)

// settings lists the settings in which the hosts of a suite are tried over one driver.
func (o Options) settings(s *suites.Suite, over string) []Setting {
	all := []Setting{{Suite: s.Name, Driver: over}}
	// Over a wire, a host without fixtures makes no difference. A suite without fixtures has none
	// to omit.
	if over == InProcess && reference.HasFixtures(s.Name) {
		all = append(all, Setting{Suite: s.Name, Driver: over, Ordinary: true})
	}
	for _, actors := range o.actorLists(s) {
		all = append(all, Setting{Suite: s.Name, Driver: over, Actors: actors})
	}
	if o.runsStrict(s, over) {
		all = append(all, Setting{Suite: s.Name, Driver: over, Strict: true})
	}
	return all
}

// runsStrict reports whether strict runs belong to the plan. Mutants that only a strict run detects
// are tried in process, where only the strictness differs.
func (o Options) runsStrict(s *suites.Suite, over string) bool {
	return over == InProcess && slices.ContainsFunc(o.Population.Mutants, func(m mutant.Mutant) bool {
		return m.Suite == s.Name && m.Strict && o.isSelected(m.Name)
	})
}

// actorList returns a list of actors in the form of settings and trials.
func actorList(actors []string) string { return strings.Join(actors, " ") }

// actorLists returns the lists of actors under which mutants and variants of a suite are tried.
func (o Options) actorLists(s *suites.Suite) []string {
	var all []string
	add := func(suite, name string, actors []string) {
		if as := actorList(actors); suite == s.Name && as != "" && o.isSelected(name) && !slices.Contains(all, as) {
			all = append(all, as)
		}
	}
	for _, m := range o.Population.Mutants {
		add(m.Suite, m.Name, m.Actors)
	}
	for _, v := range o.Population.Variants {
		add(v.Suite, v.Name, v.Actors)
	}
	return all
}
