package reports

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGroupsListSumsLastOfTheirKind(t *testing.T) {
	failed := func(id, reason string) Requirement {
		return Requirement{ID: id, Level: "MUST", Status: Failed, Reason: reason}
	}
	r := &Report{Suites: []Suite{{Requirements: []Requirement{
		failed("A-1", ReasonOfSum), failed("A-2", ReasonOfSum), failed("A-3", "the answer is wrong"),
		{ID: "A-4", Level: "MUST", Status: Inconclusive, Reason: "no role"},
	}}}}
	var order []string
	for _, g := range r.Groups(false) {
		order = append(order, g.Requirements[0].ID+": "+g.Message)
	}
	require.Equal(t, []string{"A-3: the answer is wrong",
		"A-1: the worst of its parts", "A-4: no role"}, order)
}
