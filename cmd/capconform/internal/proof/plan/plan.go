// Package plan decides which trials a selftest runs: each host and document of the population,
// in which settings, in which order, and how its statuses must differ from those of the
// reference (DESIGN section 5). It runs nothing.
package plan

import "fmt"

// New lists every trial that the options select.
func New(o Options) (Stages, error) {
	var all Stages
	for _, s := range o.Suites {
		for _, over := range o.Over() {
			for _, at := range o.settings(s, over) {
				all.add(hosts{o, s, at}.stages())
			}
		}
		all.add(o.nulls(s))
		all.add(o.documents(s))
		all.add(o.plains(s))
	}
	if len(all.References)+len(all.Trials) == 0 {
		return all, fmt.Errorf("plan: nothing to examine")
	}
	return all, nil
}

func (all *Stages) add(more Stages) {
	all.References = append(all.References, more.References...)
	all.Canaries = append(all.Canaries, more.Canaries...)
	all.Trials = append(all.Trials, more.Trials...)
}
