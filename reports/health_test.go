package reports_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
)

func TestHealthInOneSentence(t *testing.T) {
	var h reports.Health
	require.Empty(t, h.Sentence())
	for range 4 {
		h.Dropped.Add("chp.invoke (no-envelope)")
	}
	h.Timeouts.Add("chp.replay (replay-queries)")
	h.ServerErrors.Add("chp.host (probe)")
	h.Restarts, h.Ending = 2, "the child ended (exit status 3)"
	require.Equal(t, "health: 4 dropped connections (chp.invoke (no-envelope)); 1 answer with status 5xx (chp.host (probe)); "+
		"1 timeout (chp.replay (replay-queries)); the target ended 2 times during calls, and was opened again; the last time: "+
		"the child ended (exit status 3)", h.Sentence())
}

func TestHealthKeepsTheSlowestAnswers(t *testing.T) {
	var h, other reports.Health
	for _, ms := range []int64{5, 40, 7} {
		h.AddSlow(reports.Slow{Request: "a", TookMS: ms})
	}
	other.AddSlow(reports.Slow{Request: "b", TookMS: 30})
	other.Dropped.Add("b")
	h.Merge(&other)
	require.Equal(t, []reports.Slow{{"a", 40}, {"b", 30}, {"a", 7}}, h.Slowest)
	require.Equal(t, reports.Trouble{Times: 1, Requests: []string{"b"}}, h.Dropped)
}

// TestNoiseFailsStrictRuns: lines on stdout that are no messages are a failure of a strict run alone.
func TestNoiseFailsStrictRuns(t *testing.T) {
	for _, strict := range []bool{false, true} {
		r := &reports.Report{Suites: []reports.Suite{{
			Suite: "cap", Plan: reports.Plan{Planned: 1, Executed: 1},
			Requirements: []reports.Requirement{{ID: "CAP-1", Level: "MUST", Status: reports.Passed}},
		}}}
		r.Run.Strict, r.Run.Health = strict, &reports.Health{Noise: reports.Noise{Lines: 1, First: "up"}}
		r.Settle()
		want := map[bool]reports.Verdict{false: reports.Conformant, true: reports.Nonconformant}[strict]
		require.Equal(t, want, r.Verdict)
		require.Equal(t, want == reports.Nonconformant, reports.ExitStatus(r, reports.Policy{Strict: strict}) == 1)
	}
}
