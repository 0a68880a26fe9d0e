package format

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/reporttest"
)

// A remark is shown with the findings and changes no status.
func TestRemarks(t *testing.T) {
	valid := reports.Requirement{
		ID:      "CAP-4-09",
		Level:   "MUST",
		Section: "4",
		Summary: "Names are known",
		Status:  reports.Passed,
		Scenarios: []reports.Scenario{
			{Name: "The names", Status: reports.Passed, Remarks: []reports.Remark{
				{Finding: reports.Finding{File: "b.yaml", Line: 2, Column: 1, Message: "an unknown key"}, Weight: reports.Warning},
				{Finding: reports.Finding{File: "a.yaml", Line: 1, Column: 4, Message: "no block"}, Weight: reports.Notice},
			}},
		},
	}
	r := reporttest.Base(reporttest.CAP(valid))
	r.Subject = reports.Subject{Name: "acme", Driver: "documents", Target: "."}
	reporttest.Settled(r)
	var got bytes.Buffer
	n, err := Findings(&got, r, false)
	require.NoError(t, err)
	if diff := cmp.Diff("a.yaml:1:4: notice: no block [CAP-4-09]\nb.yaml:2:1: warning: an unknown key [CAP-4-09]\n",
		got.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(FindingCount{Warnings: 1, Advice: 1}, n); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	require.Equal(t, reports.ExitConformant, reports.ExitStatus(r, reports.Policy{}))
	var written bytes.Buffer
	require.NoError(t, reports.WriteJSON(&written, r))
	back, err := reports.Read(&written)
	require.NoError(t, err)
	if diff := cmp.Diff(r.Suites[0].Requirements, back.Suites[0].Requirements); diff != "" {
		t.Errorf("read back (-want +got)\n%s", diff)
	}
}

// Formats with places, or with texts of several lines, contain the remarks.
func TestRemarksInOtherFormats(t *testing.T) {
	valid := reports.Requirement{
		ID:      "CAP-4-09",
		Level:   "MUST",
		Section: "4",
		Summary: "Names are known",
		Status:  reports.Passed,
		Scenarios: []reports.Scenario{
			{Name: "The names", Status: reports.Passed,
				Remarks: []reports.Remark{
					{Finding: reports.Finding{File: "b.yaml", Line: 2, Column: 1, Message: "an unknown key"}, Weight: reports.Warning},
				}},
		},
	}
	r := reporttest.Base(reporttest.CAP(valid))
	r.Notes = []string{"one thing was left out"}
	reporttest.Settled(r)
	for name, want := range map[string][]string{
		"sarif": {`"level": "warning"`, `"text": "an unknown key"`, `"uri": "b.yaml"`, "one thing was left out"},
		"ctrf":  {"warning at b.yaml:2:1: an unknown key", "one thing was left out"},
		"junit": {"<system-out>warning at b.yaml:2:1: an unknown key",
			`<property name="note" value="one thing was left out">`},
		"tap":      {"    # warning at b.yaml:2:1: an unknown key\n", "# note: one thing was left out\n"},
		"markdown": {"an unknown key (b.yaml:2:1, CAP-4-09)", "- one thing was left out"},
		"github": {"::warning file=b.yaml,line=2,col=1,title=CAP-4-09 MUST warning::remark: an unknown key\n",
			"::notice title=capconform::note: one thing was left out\n"},
		"html": {"b.yaml:2:1", "an unknown key", "one thing was left out"},
	} {
		f, ok := Find(name)
		require.True(t, ok)
		var got strings.Builder
		require.NoError(t, f.Write(&got, r, Options{}))
		for _, text := range want {
			if !strings.Contains(got.String(), text) {
				t.Errorf("%s: want %s in %s", name, text, got.String())
			}
		}
	}
}

// A sum has no separate place: a failure of its parts is reported once.
func TestFindingsOmitSums(t *testing.T) {
	r := reporttest.Documents()
	var parts bytes.Buffer
	want, err := Findings(&parts, r, false)
	require.NoError(t, err)
	r.Suites[0].Requirements = append(r.Suites[0].Requirements,
		reports.Requirement{ID: "CAP-4-09", Level: "MUST", Section: "4", Summary: "All is valid", Status: reports.Failed,
			Reason: "the worst of its parts"})
	var all bytes.Buffer
	got, err := Findings(&all, r, false)
	require.NoError(t, err)
	if diff := cmp.Diff(parts.String(), all.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	require.Equal(t, want, got)
}
