package lint

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/verdict"
)

// Only the first findings of one kind are shown; the others are counted.
func TestFindingsOfAKindAreCounted(t *testing.T) {
	f := NewFindings()
	for line := range 25 {
		f.Breach("A-1-01", "a.yaml", &document.Node{Line: line + 1, Column: 1}, "wrong")
	}
	f.Breach("A-1-01", "b.yaml", &document.Node{Line: 1, Column: 1}, "wrong")
	for range 2 { // judging again has the same result
		var broken *verdict.Violation
		require.ErrorAs(t, f.Judge(Rule{ID: "A-1-01", Broken: "broken"}), &broken)
		require.Equal(t, "26 places; the first is a.yaml:1:1: wrong", broken.Got)
		require.Len(t, broken.Findings, MaxShownPerFile+1)
		want := []reports.Finding{
			{File: "a.yaml", Line: 10, Column: 1, Message: "wrong (and 15 more of this kind in this file)"},
			{File: "b.yaml", Line: 1, Column: 1, Message: "wrong"},
		}
		if diff := cmp.Diff(want, broken.Findings[MaxShownPerFile-1:]); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestRemarksDoNotChangeStatus(t *testing.T) {
	f := NewFindings()
	f.Remark(reports.Notice, "A-1-01", "a.yaml", &document.Node{Line: 1, Column: 2}, "look at %d", 7)
	require.NoError(t, f.Judge(Rule{ID: "A-1-01"}))
	want := []reports.Remark{
		{Finding: reports.Finding{File: "a.yaml", Line: 1, Column: 2, Message: "look at 7"}, Weight: reports.Notice},
	}
	if diff := cmp.Diff(want, f.Remarks("A-1-01")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The first reason is reported, with its remedy; a breach takes precedence.
func TestInconclusiveReportsFirstReason(t *testing.T) {
	f := NewFindings()
	f.LeaveOpenFor("A-1-01", "give it", "%s is not known", "x")
	f.LeaveOpen("A-1-01", "not known")
	var open *verdict.Inconclusive
	require.ErrorAs(t, f.Judge(Rule{ID: "A-1-01"}), &open)
	if diff := cmp.Diff(&verdict.Inconclusive{Reason: "x is not known", Supply: "give it"}, open); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	f.Breach("A-1-01", "a.yaml", NameOf(&document.Member{Line: 3, Column: 4}), "wrong")
	var broken *verdict.Violation
	require.ErrorAs(t, f.Judge(Rule{ID: "A-1-01"}), &broken)
	require.Equal(t, "a.yaml:3:4: wrong", broken.Got)
}
