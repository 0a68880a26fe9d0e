package examples_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestPythonACD requires the Python agent to have the statuses of the built-in reference, except for the members of
// descriptors that it never returns.
func TestPythonACD(t *testing.T) {
	if testing.Short() {
		t.Skip("make check examines the agent")
	}
	python, capconform := tools(t, "python-acd")
	want := examine(t, capconform, "acd", "reference")
	require.Equal(t, "conformant", want.Verdict)
	for _, id := range []string{"ACD-DESC-11", "ACD-DESC-13", "ACD-DESC-16", "ACD-DESC-17"} {
		require.Equal(t, "passed", want.Statuses[id])
		want.Statuses[id] = "not_applicable"
	}
	want.Statuses["ACD-DEF-02"] = "not_applicable" // the agent does not implement CAP
	got := examine(t, capconform, "acd", "--", python, filepath.Join("python-acd", "agent.py"))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the agent in Python (-want +got):\n%s", diff)
	}
}
