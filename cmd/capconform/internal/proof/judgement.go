package proof

import (
	"fmt"
	"slices"

	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/variant"
	"github.com/capconform/capconform/reports"
)

// statuses are what a run gave to each requirement of one suite, in the order of
// its catalogue.
type statuses struct {
	order   []string
	status  map[string]reports.Status
	reason  map[string]string
	binding map[string]bool // MUST, MUST NOT and DECLARED
	sums    map[string][]string
}

// expectation is how the statuses of a host differ from those of the reference.
type expectation struct {
	failed        []string
	inconclusive  []string
	notApplicable []string
}

func ofMutant(m mutant.Mutant) expectation {
	e := expectation{failed: []string{m.Requirement}, inconclusive: m.Inconclusive}
	for _, also := range m.Also {
		e.failed = append(e.failed, also.ID)
	}
	return e
}

func ofVariant(v variant.Variant) expectation {
	return expectation{inconclusive: v.Inconclusive, notApplicable: v.NotApplicable}
}

// on gives the whole map that the rule of DESIGN section 5 wants. What loses its
// control does so only where the reference had it.
func (e expectation) on(reference statuses) map[string]reports.Status {
	want := make(map[string]reports.Status, len(reference.status))
	for id, status := range reference.status {
		want[id] = status
		if status != reports.Passed {
			continue
		}
		switch {
		case slices.Contains(e.inconclusive, id):
			want[id] = reports.Inconclusive
		case slices.Contains(e.notApplicable, id):
			want[id] = reports.NotApplicable
		}
	}
	for _, id := range e.failed {
		want[id] = reports.Failed
	}
	for id, parts := range reference.sums {
		var worst []reports.Status
		for _, part := range parts {
			worst = append(worst, want[part])
		}
		want[id] = reports.Worst(worst...)
	}
	return want
}

// compare says where a run differs from what was wanted, in the order of the catalogue.
func compare(trial *Trial, reference statuses, want map[string]reports.Status, got statuses) {
	for _, id := range reference.order {
		if want[id] == got.status[id] {
			continue
		}
		switch {
		case id == trial.Requirement:
			trial.fault("survives: %s is %s%s", id, got.status[id], because(got.reason[id]))
		case got.status[id] == reports.Failed:
			trial.fault("%s fails as well%s", id, because(got.reason[id]))
		default:
			trial.fault("%s: want %s, got %s%s", id, want[id], got.status[id], because(got.reason[id]))
		}
	}
}

// compareStyle judges a lawful style: nothing fails, nothing warns, nothing that
// the reference shows is lost but what the style can't help losing.
func compareStyle(trial *Trial, reference statuses, style expectation, got statuses) {
	want := style.on(reference)
	for _, id := range reference.order {
		status := got.status[id]
		switch {
		case status == want[id]:
		case status == reports.Failed:
			trial.fault("accuses wrongly: %s fails%s", id, because(got.reason[id]))
		case status == reports.Error:
			trial.fault("%s is %s%s", id, status, because(got.reason[id]))
		case reference.status[id] == reports.Passed:
			trial.fault("%s: want %s, got %s%s", id, want[id], status, because(got.reason[id]))
		}
	}
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", reason)
}
