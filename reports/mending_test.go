package reports

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestCausesAreOrderedByWhatTheyBlock builds a report of three causes. CHP-4-05 concerns most requirements, CHP-6-01 blocks
// most, and CHP-8-11 waits for two causes. What needs a role, has a part that nothing
// blocks, or failed for another exchange waits for none.
func TestCausesAreOrderedByWhatTheyBlock(t *testing.T) {
	result := func(id string, status Status, reason string, at int64) Requirement {
		sc := Scenario{Name: "one", Status: status, Reason: reason}
		if status == Failed {
			sc.Failure = &Failure{Message: reason, Exchanges: []Exchange{{Operation: "chp.invoke", AtMS: at}}}
		}
		return Requirement{ID: id, Level: "MUST", Status: status, Reason: reason, Scenarios: []Scenario{sc}}
	}
	sum := func(id string, status Status, parts string) Requirement {
		return Requirement{ID: id, Level: "MUST", Status: status, Reason: ReasonOfSum + ": " + parts + " " + string(status)}
	}
	r := &Report{Suites: []Suite{{Suite: "chp", Requirements: []Requirement{
		result("CHP-4-05", Failed, "a member is missing", 1),
		result("CHP-4-06", Failed, "a member is missing", 2),
		result("CHP-4-08", Inconclusive, "no capability plays x, see the manual", 0),
		result("CHP-6-01", Failed, "no evidence", 3),
		result("CHP-6-02", Inconclusive, "what was observed belongs to CHP-8-07", 0),
		result("CHP-8-07", Inconclusive, "no replay", 0),
		result("CHP-8-09", Inconclusive, "no replay", 0),
		result("CHP-8-11", Inconclusive, "no replay", 0),
		result("CHP-9-01", Failed, "a denial has only an error", 5),
		result("CHP-9-04", Failed, "it is executed", 4),
		result("CHP-9-07", Failed, "it has no record", 5),
		result("CHP-5-14", Failed, "it has another id", 6),
		result("CHP-6-05", Failed, "an event has another id", 7),
		sum("CHP-11-01", Failed, "CHP-6-01"),
		sum("CHP-11-02", Inconclusive, "CHP-8-09"),
		sum("CHP-11-03", Inconclusive, "CHP-8-09, CHP-4-08"),
	}}}}
	var got []string
	for _, g := range r.Groups(false) {
		if g.Mark == FailedMark && !g.Requirements[0].IsSum() {
			got = append(got, g.Requirements[0].ID+" blocks "+g.Blocks())
		}
	}
	assert.Equal(t, []string{
		"CHP-6-01 blocks 1 inconclusive requirement, 2 sums: CHP-8-09, CHP-11-01, CHP-11-02",
		"CHP-9-04 blocks 3 inconclusive requirements: CHP-6-02, CHP-8-07, CHP-8-11",
		"CHP-4-05 blocks ",
		"CHP-9-01 blocks 1 failed requirement: CHP-9-07",
		"CHP-9-07 blocks ",
		"CHP-5-14 blocks ",
		"CHP-6-05 blocks ",
	}, got)
}

// TestLongChainsOfReasonsAreBounded builds a report in which each reason names all other requirements.
func TestLongChainsOfReasonsAreBounded(t *testing.T) {
	all, reason := []Requirement{}, ""
	for _, letter := range "ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		reason += " " + string(letter)
	}
	for i, letter := range "ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		status := map[bool]Status{true: Failed, false: Inconclusive}[i < 20]
		all = append(all, Requirement{ID: string(letter), Level: "MUST", Status: status, Reason: reason,
			Scenarios: []Scenario{{Status: status, Reason: reason}}})
	}
	groups := (&Report{Suites: []Suite{{Requirements: all}}}).Groups(false)
	assert.Len(t, groups, 2)
	assert.Empty(t, groups[0].Blocked, "more than %d causes", maxBlockers)
}
