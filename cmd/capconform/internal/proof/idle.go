package proof

import (
	"fmt"
	"slices"
)

// keyOf identifies a scenario within its suite.
func keyOf(requirement, name string) string { return requirement + ": " + name }

// idle lists the scenarios that may show nothing: those that the reference passes and no trial
// makes fail, and, if every setting was tried, those that no trial passes.
func (p *proving) idle() []string {
	passed, failed := map[string]bool{}, map[string]bool{}
	for at, got := range p.baselines {
		for _, key := range got.passed {
			passed[at.suite+" "+key] = true
		}
	}
	for _, t := range p.matrix.Trials {
		for _, key := range t.failed {
			failed[t.Suite+" "+key] = true
		}
	}
	everywhere := !slices.ContainsFunc(Drivers(), func(name string) bool { return !slices.Contains(p.drivers(), name) })
	var idle []string
	for _, s := range p.options.Suites {
		for _, c := range s.Scenarios() {
			key := s.Name + " " + keyOf(c.Requirement, c.Name)
			if (passed[key] || everywhere) && !failed[key] {
				idle = append(idle, fmt.Sprintf("features/%s:%d: %s", c.Feature, c.Line, keyOf(c.Requirement, c.Name)))
			}
		}
	}
	return idle
}
