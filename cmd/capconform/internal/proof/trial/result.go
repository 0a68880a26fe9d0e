// Package trial runs a suite on one host or document of the plan, and returns the statuses. It
// judges only whether the run was possible.
package trial

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/driver"
)

// Result is a trial with its result.
type Result struct {
	plan.Trial
	// Killed reports whether its requirement failed.
	Killed     bool  `json:"killed"`
	DurationMS int64 `json:"duration_ms"`
	// Faults are the deviations from the expected result of the trial, one per line.
	Faults []string `json:"faults,omitempty"`
	// Repeated reports whether the trial was run twice, because an answer was late in the first run.
	Repeated bool `json:"repeated,omitempty"`
	// Failed are the scenarios that failed, as ScenarioKey names them.
	Failed []string `json:"-"`
	// Observed is empty if the host could not be examined.
	Observed Observed `json:"-"`
}

// OK reports whether the trial had the expected result.
func (r Result) OK() bool { return len(r.Faults) == 0 }

// Late reports whether the trial has a fault because an answer came too late: it then shows nothing of the host.
func (r Result) Late() bool {
	return slices.ContainsFunc(r.Faults,
		func(fault string) bool { return strings.Contains(fault, driver.ErrTimeout.Error()) })
}

// Fault adds a fault.
func (r *Result) Fault(format string, args ...any) {
	r.Faults = append(r.Faults, fmt.Sprintf(format, args...))
}

// Observed contains the requirements that a trial leaves undecided, and those that it decides
// like the reference.
type Observed struct {
	Lost map[string]reports.Status
	Kept map[string]bool
}

// Add adds the status of one requirement. Declared contains the statuses that the rule permits
// if no golden file lists the requirement.
func (o *Observed) Add(id string, status reports.Status, declared []reports.Status) {
	if o.Lost == nil {
		o.Lost, o.Kept = map[string]reports.Status{}, map[string]bool{}
	}
	switch {
	case status == reports.Passed && len(declared) == 1 && declared[0] == reports.Passed:
		o.Kept[id] = true
	case slices.Contains(declared, status):
	case Undecided(status):
		o.Lost[id] = status
	}
}

// Undecided reports whether a status decides nothing.
func Undecided(status reports.Status) bool {
	return status == reports.Inconclusive || status == reports.NotApplicable
}
