package format

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
)

// TestSentenceCountsUnobserved: the verdict on the console and on the badge includes the number of unobserved
// requirements.
func TestSentenceCountsUnobserved(t *testing.T) {
	passed := reports.Requirement{
		ID:        "T-1",
		Level:     "MUST",
		Status:    reports.Passed,
		Scenarios: []reports.Scenario{{Status: reports.Passed}},
	}
	other := reports.Requirement{
		ID:        "T-2",
		Level:     "MUST",
		Status:    reports.NotApplicable,
		Scenarios: []reports.Scenario{{Status: reports.NotApplicable}},
	}
	unobserved := other
	unobserved.Reason = reports.NotObserved + "nothing was restarted"
	r := &reports.Report{Subject: reports.Subject{Name: "host"}, Suites: []reports.Suite{{Suite: "cap",
		Requirements: []reports.Requirement{passed, passed, unobserved, other}, Plan: reports.Plan{Planned: 4, Executed: 4}}}}
	r.Settle()
	require.Equal(t, reports.Conformant, r.Verdict)
	require.Equal(t, "2 judged MUSTs kept, 1 not observed", r.Suites[0].Sentence(false))
	require.Contains(t, write(t, "badge", r, Options{}), `2 of 2 MUSTs kept, 1 not observed"`)
	require.Contains(t, write(t, "markdown", r, Options{}), "2 judged MUSTs kept, 1 not observed")
	require.Contains(t, write(t, "html", r, Options{}), "2 judged MUSTs kept, 1 not observed")
	again := &reports.Report{Suites: []reports.Suite{{Counts: r.Totals().Plus(r.Totals())}}}
	require.Equal(t, 2, again.Suites[0].Counts.Must.NotObserved)
}
