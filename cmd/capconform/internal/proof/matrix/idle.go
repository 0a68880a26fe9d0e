package matrix

import (
	"fmt"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/suites"
)

// FindIdle lists the scenarios that may detect nothing: those that the reference passes and no
// trial makes fail, and, if every setting was tried, those that no trial passes. Passed contains
// the scenarios that the reference passes, by suite and key.
func (m *Matrix) FindIdle(of []*suites.Suite, passed map[string]bool, everywhere bool) {
	failed := map[string]bool{}
	for _, t := range m.Trials {
		for _, key := range t.Failed {
			failed[t.Suite+" "+key] = true
		}
	}
	for _, s := range of {
		for _, c := range s.Scenarios() {
			key := trial.ScenarioKey(c.Requirement, c.Name)
			if (passed[s.Name+" "+key] || everywhere) && !failed[s.Name+" "+key] {
				m.Idle = append(m.Idle, fmt.Sprintf("features/%s:%d: %s", c.Feature, c.Line, key))
			}
		}
	}
}
