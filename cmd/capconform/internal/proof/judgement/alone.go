package judgement

import (
	"slices"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
)

// conforms requires that a host shows no fault. A host with ordinary capabilities may break a
// SHOULD, and a role without a capability stays undecided.
func conforms(result *trial.Result, catalogue *spec.Catalogue, got trial.Statuses, ordinary bool) {
	passed := 0
	for _, id := range got.Order {
		r, _ := catalogue.Lookup(id)
		binds, wrong := r.Level.Binding(), false
		switch got.Status[id] {
		case reports.Passed:
			if binds {
				passed++
			}
		case reports.Error:
			wrong = true
		case reports.Failed:
			wrong = binds || !ordinary
		case reports.Inconclusive:
			wrong = !ordinary
		}
		if wrong {
			result.Fault("%s is %s%s", id, got.Status[id], InBrackets(got.Reason[id]))
		}
	}
	if passed == 0 {
		result.Fault("no MUST passed")
	}
}

// noFalsePositive requires that a document breaks at most its one requirement.
func noFalsePositive(result *trial.Result, got trial.Statuses) {
	for _, id := range got.Order {
		if got.Status[id] == reports.Error || got.Status[id] == reports.Failed && result.Requirement == "" {
			result.Fault("false positive: %s is %s%s", id, got.Status[id], InBrackets(got.Reason[id]))
		}
	}
}

// judgePlain requires that the server breaks its one requirement, and no other except those that
// the conforming plain server breaks too: not all tools of that server declare their output. Other
// statuses are not compared, because they depend on the tools of the server.
func judgePlain(result *trial.Result, valid, got trial.Statuses) {
	for _, id := range got.Order {
		status := got.Status[id]
		switch {
		case id == result.Requirement && status != reports.Failed:
			result.Fault("survives: %s is %s%s", id, status, InBrackets(got.Reason[id]))
		case id == result.Requirement, status == valid.Status[id]:
		case status == reports.Failed || status == reports.Error:
			result.Fault("%s is also %s%s", id, status, InBrackets(got.Reason[id]))
		}
	}
}

// Null requires that no MUST is passed or provided on a null host, and that the exit status is not
// 0 even if the report is read leniently.
func Null(result *trial.Result, how string, report *reports.Report) {
	for i := range report.Suites {
		for _, q := range report.Suites[i].Requirements {
			kept := q.Status == reports.Passed || q.Status == reports.Provided
			if kept && !slices.Contains([]string{"MAY", "ADVICE", "SHOULD", "SHOULD NOT"}, q.Level) {
				result.Fault("%s is %s%s", q.ID, q.Status, how)
			}
		}
	}
	for _, policy := range []reports.Policy{{}, {AllowIncomplete: true}} {
		if reports.ExitStatus(report, policy) == reports.ExitConformant {
			lenient := ""
			if policy.AllowIncomplete {
				lenient = " and --allow-incomplete"
			}
			result.Fault("exit status 0%s%s", how, lenient)
		}
	}
}
