package proof

import (
	"fmt"
	"slices"

	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/variant"
	"github.com/capconform/capconform/reports"
)

// statuses contains what a run gave to each requirement of one suite, in the order of its
// catalogue.
type statuses struct {
	order  []string
	status map[string]reports.Status
	reason map[string]string
	sums   map[string][]string
	passed []string // the scenarios, as keyOf names them
	failed []string
}

// expectation describes how the statuses of a host differ from those of the reference.
type expectation struct {
	failed []string
	passed []string // although the reference may not show it
	hinted []string // advice that is not followed
	lost   Loss     // of the golden file
	// unlisted permits what is inconclusive or not applicable beyond the golden file, which is being written.
	unlisted bool
}

func (p *proving) ofMutant(m mutant.Mutant) expectation {
	return p.expects(m.Suite, m.Name, expectation{failed: append([]string{m.Requirement}, idsOf(m.Also)...)})
}

func (p *proving) ofVariant(v variant.Variant) expectation {
	return p.expects(v.Suite, v.Name, expectation{hinted: v.Hinted})
}

func (p *proving) ofDocument(d mutant.Document) expectation {
	return p.expects(d.Suite, d.Name, expectation{failed: append([]string{d.Requirement}, idsOf(d.Also)...)})
}

func idsOf(also []mutant.Also) []string {
	var ids []string
	for _, a := range also {
		ids = append(ids, a.ID)
	}
	return ids
}

// expects adds what the golden file lists.
func (p *proving) expects(suite, name string, e expectation) expectation {
	if p.options.Golden {
		e.unlisted = true
		return e
	}
	e.lost = p.options.Population.Undecided[suite][name]
	return e
}

// want returns the statuses that the rule of DESIGN section 5 permits for one requirement. If the
// reference shows nothing, the requirements that the host is expected to lose may be lost in either
// way, and a defect may show what the reference does not.
func (e expectation) want(id string, reference reports.Status) []reports.Status {
	changed := reference
	lost, isLost := e.lost.status(id)
	switch {
	case len(e.failed) > 0 && id == e.failed[0]:
		return []reports.Status{reports.Failed}
	case slices.Contains(e.failed, id):
		changed = reports.Failed
	case slices.Contains(e.hinted, id):
		changed = reports.Failed
	case isLost:
		changed = lost
	case slices.Contains(e.passed, id):
		changed = reports.Passed
	}
	if reference == reports.Passed {
		return []reports.Status{changed}
	}
	return []reports.Status{reference, changed, reports.Passed}
}

// declared returns the permitted statuses if no golden file lists the requirement.
func (e expectation) declared(id string, reference reports.Status) []reports.Status {
	e.lost = Loss{}
	return e.want(id, reference)
}

func undecided(status reports.Status) bool {
	return status == reports.Inconclusive || status == reports.NotApplicable
}

// compare adds a fault for each difference between a run and the expectation, in the order of the
// catalogue.
func compare(trial *Trial, reference statuses, e expectation, got statuses) {
	for _, id := range reference.order {
		if len(reference.sums[id]) > 0 {
			continue // its parts are looked at, and the engine takes the worst
		}
		want, status := e.want(id, reference.status[id]), got.status[id]
		trial.observed.observe(id, status, e.declared(id, reference.status[id]))
		switch {
		case slices.Contains(want, status), e.unlisted && id != trial.Requirement && undecided(status):
		case id == trial.Requirement:
			trial.fault("survives: %s is %s%s", id, status, because(got.reason[id]))
		case status == reports.Failed:
			trial.fault("%s also fails%s", id, because(got.reason[id]))
		default:
			trial.fault("%s: want %s, got %s%s", id, want[len(want)-1], status, because(got.reason[id]))
		}
	}
}

// compareStyle judges a lawful style: nothing fails, nothing warns, and nothing that the reference
// shows is lost except what the style necessarily loses.
func compareStyle(trial *Trial, reference statuses, style expectation, got statuses) {
	for _, id := range reference.order {
		if len(reference.sums[id]) > 0 {
			continue // as in compare
		}
		want, status := style.want(id, reference.status[id]), got.status[id]
		if reference.status[id] == reports.Passed {
			trial.observed.observe(id, status, style.declared(id, reports.Passed))
		}
		switch {
		case slices.Contains(want, status), style.unlisted && undecided(status):
		case status == reports.Failed:
			trial.fault("false positive: %s fails%s", id, because(got.reason[id]))
		case status == reports.Error:
			trial.fault("%s is %s%s", id, status, because(got.reason[id]))
		case reference.status[id] == reports.Passed:
			trial.fault("%s: want %s, got %s%s", id, want[0], status, because(got.reason[id]))
		}
	}
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", reason)
}
