package suites

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
)

// A remark of a step is in the report, even if the scenario passed.
func TestRemarks(t *testing.T) {
	remark := reports.Remark{
		Finding: reports.Finding{File: "a.yaml", Line: 1, Column: 2, Message: "look here"},
		Weight:  reports.Warning,
	}
	toy := newToy()
	toy.ends["remark"] = func(_ context.Context, sc *Scenario) error {
		sc.Remark(remark)
		return nil
	}
	s := toy.suite(
		t,
		"Feature: Remarks\n  @document @TOY-1-01\n  Scenario: One\n    Then it ends with remark\n",
		spec.Must,
	)
	s.Catalogue.Requirements[0].Check = spec.Document
	s.Inspect = func(*Subject) (Examination, error) { return toy, nil }
	report, err := Lint(t.Context(), []*Suite{s}, &Subject{}, Options{})
	require.NoError(t, err)
	q := report.Suites[0].Requirements[0]
	require.Equal(t, reports.Passed, q.Status)
	if diff := cmp.Diff([]reports.Remark{remark}, q.Scenarios[0].Remarks); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
