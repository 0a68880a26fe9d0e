package suites

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
)

func TestSelection(t *testing.T) {
	toy := newToy()
	levels := []spec.Level{spec.Must, spec.Should, spec.May}
	for _, tt := range []struct {
		name string
		sel  Selection
		want []string
	}{
		{"requirement", Selection{Requirements: []string{"TOY-A-02"}}, []string{"TOY-A-02"}},
		{"level must", Selection{Level: "must"}, []string{"TOY-A-01"}},
		{"level should", Selection{Level: "should"}, []string{"TOY-A-01", "TOY-A-02"}},
		{"tags", Selection{Tags: "@TOY-A-01 or @TOY-A-03"}, []string{"TOY-A-01", "TOY-A-03"}},
		{"not", Selection{Tags: "not (@TOY-A-01 or @TOY-A-03)"}, []string{"TOY-A-02"}},
		{"shard", Selection{Shard: Shard{Index: 2, Count: 2}}, []string{"TOY-A-02"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			suite := toy.suite(t, scenarios("nothing", "nothing", "nothing"), levels...)
			report, err := Run(t.Context(), []*Suite{suite}, alive(), Options{Explicit: true, Selection: tt.sel})
			require.NoError(t, err)
			var got []string
			for _, q := range report.Suites[0].Requirements {
				if q.Status == reports.Passed {
					got = append(got, q.ID)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("passed (-want +got):\n%s", diff)
			}
			if !report.Run.Partial || report.Verdict == reports.Conformant {
				t.Errorf(
					"partial = %v, verdict = %s: a selection is never conformant",
					report.Run.Partial,
					report.Verdict,
				)
			}
		})
	}
}

// Selecting a sum also selects its parts.
func TestSelectedSumIncludesParts(t *testing.T) {
	toy := newToy()
	suite := toy.suite(t, scenarios("nothing", "violation", "violation"))
	suite.Catalogue.Requirements = append(suite.Catalogue.Requirements, spec.Requirement{
		ID: "TOY-B-01", Level: spec.Must, Actor: "host", Check: spec.Live, SumOf: []string{"TOY-A-01", "TOY-A-02"},
	})
	chosen := []string{"TOY-B-01"}
	report, err := Run(
		t.Context(),
		[]*Suite{suite},
		alive(),
		Options{Explicit: true, Selection: Selection{Requirements: chosen}},
	)
	require.NoError(t, err)
	want := map[string]reports.Status{
		"TOY-A-01": reports.Passed, "TOY-A-02": reports.Failed, "TOY-A-03": reports.NotApplicable, "TOY-B-01": reports.Failed,
	}
	if diff := cmp.Diff(want, statusesOf(report)); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"TOY-B-01"}, chosen); diff != "" {
		t.Errorf("the selection itself changed:\n%s", diff)
	}
}

func TestInvalidSelectionIsUsageError(t *testing.T) {
	toy := newToy()
	for _, sel := range []Selection{
		{Requirements: []string{"TOY-Z-99"}}, {Tags: "@nobody"}, {Tags: "@TOY-A-01 and"}, {Tags: "(@TOY-A-01"}, {Tags: " "},
		{Level: "perhaps"}, {Without: []string{"nogroup"}},
	} {
		_, err := Run(t.Context(), []*Suite{toy.suite(t, scenarios("nothing"))}, alive(), Options{Selection: sel})
		var wrong *UsageError
		if !errors.As(err, &wrong) {
			t.Errorf("selection %+v: error %v, want a UsageError", sel, err)
		}
	}
}
