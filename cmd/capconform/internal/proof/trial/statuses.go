package trial

import (
	"errors"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
)

// Statuses contains the status of each requirement of one suite after a run, in the order of
// its catalogue.
type Statuses struct {
	Order  []string
	Status map[string]reports.Status
	Reason map[string]string
	Sums   map[string][]string
	Passed []string // the scenarios, named by ScenarioKey
	Failed []string
}

// ScenarioKey identifies a scenario within its suite.
func ScenarioKey(requirement, name string) string { return requirement + ": " + name }

var errNoStatus = errors.New("trial: the run gave no status")

// Read returns the statuses of a report.
func Read(s *suites.Suite, report *reports.Report) (Statuses, error) {
	for i := range report.Suites {
		if report.Suites[i].Suite != s.Name || report.Suites[i].Plan.Executed == 0 {
			continue
		}
		got := Statuses{Status: map[string]reports.Status{}, Reason: map[string]string{}, Sums: map[string][]string{}}
		for _, q := range report.Suites[i].Requirements {
			got.Order = append(got.Order, q.ID)
			got.Status[q.ID], got.Reason[q.ID] = q.Status, q.Reason
			for _, scenario := range q.Scenarios {
				switch key := ScenarioKey(q.ID, scenario.Name); scenario.Status {
				case reports.Passed:
					got.Passed = append(got.Passed, key)
				case reports.Failed:
					got.Failed = append(got.Failed, key)
				}
			}
			if r, known := s.Catalogue.Lookup(q.ID); known && len(r.SumOf) > 0 {
				got.Sums[q.ID] = r.SumOf
			}
		}
		return got, nil
	}
	return Statuses{}, errNoStatus
}
