package judgement

import (
	"fmt"
	"slices"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/golden"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/reports"
)

// permittedStatuses returns the statuses that the rule of DESIGN section 5 permits for one requirement. If the
// reference decides nothing, the requirements that the host is expected to lose may have either
// undecided status, and a defect may decide a requirement that the reference does not.
func permittedStatuses(e plan.Expectation, id string, reference reports.Status) []reports.Status {
	changed := reference
	lost, isLost := e.Lost.Status(id)
	switch {
	case len(e.Failed) > 0 && id == e.Failed[0]:
		return []reports.Status{reports.Failed}
	case slices.Contains(e.Failed, id):
		changed = reports.Failed
	case slices.Contains(e.Hinted, id):
		changed = reports.Failed
	case isLost:
		changed = lost
	case slices.Contains(e.Passed, id):
		changed = reports.Passed
	}
	if reference == reports.Passed {
		return []reports.Status{changed}
	}
	return []reports.Status{reference, changed, reports.Passed}
}

// permittedUnlisted returns the permitted statuses if no golden file lists the requirement.
func permittedUnlisted(e plan.Expectation, id string, reference reports.Status) []reports.Status {
	e.Lost = golden.Loss{}
	return permittedStatuses(e, id, reference)
}

// Compare adds a fault for each difference between a run and the expectation, in the order of the
// catalogue.
func Compare(result *trial.Result, reference trial.Statuses, e plan.Expectation, got trial.Statuses) {
	for _, id := range reference.Order {
		if len(reference.Sums[id]) > 0 {
			continue // its parts are compared, and the engine takes the worst
		}
		permitted, status := permittedStatuses(e, id, reference.Status[id]), got.Status[id]
		result.Observed.Add(id, status, permittedUnlisted(e, id, reference.Status[id]))
		switch {
		case slices.Contains(permitted, status), e.Unlisted && id != result.Requirement && trial.Undecided(status):
		case id == result.Requirement:
			result.Fault("survives: %s is %s%s", id, status, InBrackets(got.Reason[id]))
		case status == reports.Failed:
			result.Fault("%s also fails%s", id, InBrackets(got.Reason[id]))
		default:
			result.Fault("%s: want %s, got %s%s", id, permitted[len(permitted)-1], status, InBrackets(got.Reason[id]))
		}
	}
}

// compareStyle judges a lawful style: no requirement fails or causes a warning, and no requirement
// that the reference decides is lost, except those that the style necessarily loses.
func compareStyle(result *trial.Result, reference trial.Statuses, style plan.Expectation, got trial.Statuses) {
	for _, id := range reference.Order {
		if len(reference.Sums[id]) > 0 {
			continue // as in Compare
		}
		permitted, status := permittedStatuses(style, id, reference.Status[id]), got.Status[id]
		if reference.Status[id] == reports.Passed {
			result.Observed.Add(id, status, permittedUnlisted(style, id, reports.Passed))
		}
		switch {
		case slices.Contains(permitted, status), style.Unlisted && trial.Undecided(status):
		case status == reports.Failed:
			result.Fault("false positive: %s fails%s", id, InBrackets(got.Reason[id]))
		case status == reports.Error:
			result.Fault("%s is %s%s", id, status, InBrackets(got.Reason[id]))
		case reference.Status[id] == reports.Passed:
			result.Fault("%s: want %s, got %s%s", id, permitted[0], status, InBrackets(got.Reason[id]))
		}
	}
}

// InBrackets returns a reason in brackets, or nothing if there is none.
func InBrackets(reason string) string {
	if reason == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", reason)
}
