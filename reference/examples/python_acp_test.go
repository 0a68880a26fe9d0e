package examples_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestPythonACP requires the Python router to have the statuses of the built-in reference, except for a list of
// omitted features, and requires that its faults are found.
func TestPythonACP(t *testing.T) {
	if testing.Short() {
		t.Skip("make check examines the router")
	}
	python, capconform := tools(t, "python-acp")
	reference, status := examineACP(t, capconform, "reference")
	require.Equal(t, 0, status)

	adapter := filepath.Join("python-acp", "adapter.py")
	for _, test := range []struct {
		name         string
		faults       []string
		verdict      string
		status       int
		failed, open []string
	}{
		{name: "without faults", verdict: "incomplete", status: 6},
		{
			name: "with faults", faults: []string{"--fault", "unsigned-packages", "--fault", "ignores-back", "--fault",
				"unchecked-objects"},
			// the sum of ACP-SEC-01
			verdict: "nonconformant", status: 1, failed: []string{"ACP-EXEC-04", "ACP-ROUTE-01", "ACP-SEC-01", "ACP-INST-02"},
			open: []string{"ACP-ABS-04"}, // the router stores no schema, so it cannot retain that of a newer version
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, status := examineACP(t, capconform, append([]string{"--", python, adapter}, test.faults...)...)
			if got.Verdict != test.verdict || status != test.status {
				t.Errorf("%s with exit status %d, want %s with %d", got.Verdict, status, test.verdict, test.status)
			}
			want := map[string]string{}
			for id, s := range reference.Statuses {
				want[id] = s
				switch {
				case slices.Contains(test.failed, id):
					want[id] = "failed"
				// the router has no timeouts and stores nothing
				case slices.Contains(test.open, id), slices.Contains([]string{"ACP-DONE-02", "ACP-EXEC-08"}, id):
					want[id] = "inconclusive"
				case id == "ACP-SEC-02":
					want[id] = "not_applicable" // the router runs no tools itself
				case s == "passed" && got.Statuses[id] == "not_applicable" && !slices.Contains(reference.Routers, id):
					want[id] = "not_applicable" // the target is not a registry, index or publisher
				}
			}
			if diff := cmp.Diff(want, got.Statuses); diff != "" {
				t.Errorf("the router in Python (-want +got):\n%s", diff)
			}
		})
	}
}

// examined is an outcome with the requirements of a router and its runtime.
type examined struct {
	outcome
	Routers []string
}

// examineACP runs the suite on a target and returns the outcome and the exit status.
func examineACP(t *testing.T, capconform string, target ...string) (examined, int) {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report.json")
	command := exec.CommandContext(t.Context(), capconform,
		append([]string{"run", "--quiet", "--suite", "acp", "--report", "json=" + report}, target...)...)
	output, err := command.CombinedOutput()
	if command.ProcessState == nil {
		t.Fatalf("%v\n%s", err, output)
	}
	raw, err := os.ReadFile(report)
	require.NoError(t, err, string(output))
	var document struct {
		Verdict string
		Suites  []struct {
			Requirements []struct{ ID, Status string }
		}
	}
	require.NoError(t, json.Unmarshal(raw, &document))
	got := examined{outcome: outcome{document.Verdict, map[string]string{}},
		Routers: ofActors(t, capconform, "router", "runtime")}
	for _, s := range document.Suites {
		for _, q := range s.Requirements {
			got.Statuses[q.ID] = q.Status
		}
	}
	return got, command.ProcessState.ExitCode()
}

// ofActors returns the requirements of some actors.
func ofActors(t *testing.T, capconform string, actors ...string) []string {
	t.Helper()
	listed, err := exec.CommandContext(t.Context(), capconform, "list", "requirements", "--suite", "acp",
		"--json").Output()
	require.NoError(t, err)
	var all []struct{ ID, Actor string }
	require.NoError(t, json.Unmarshal(listed, &all))
	var ids []string
	for _, r := range all {
		if slices.Contains(actors, r.Actor) {
			ids = append(ids, r.ID)
		}
	}
	require.NotEmpty(t, ids)
	return ids
}
