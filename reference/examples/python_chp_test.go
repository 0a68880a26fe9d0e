package examples_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestPythonCHP requires the Python host, which is conforming in another style than the built-in reference, to have
// the statuses of the reference over the same binding: conformant, without warnings, and with no requirement
// undecided. It is conformant in the other editions, too.
func TestPythonCHP(t *testing.T) {
	if testing.Short() {
		t.Skip("make check examines the host")
	}
	python, capconform := tools(t, "python-chp")
	want := examine(t, capconform, "chp", serve(t, capconform, "serve", "--suite", "chp", "--listen", "127.0.0.1:0"))
	require.Equal(t, "conformant", want.Verdict)
	require.NotEmpty(t, want.Statuses)

	for name, key := range map[string]string{"open": "", "with a key": "sesame"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("CHP_KEY", key)
			target := serve(t, python, filepath.Join("python-chp", "host.py"), "--listen", "127.0.0.1:0")
			if diff := cmp.Diff(want, examine(t, capconform, "chp", "--edition", "0.1-draft", "--header", "X-CHP-Key: ${CHP_KEY}", target)); diff != "" {
				t.Errorf("the host in Python (-reference +python):\n%s", diff)
			}
			released := examine(t, capconform, "chp", "--edition", "0.1", "--header", "X-CHP-Key: ${CHP_KEY}", target)
			require.Equal(t, "conformant", released.Verdict)
			require.Equal(t, "passed", released.Statuses["CHP-7-11"])
			for id, status := range released.Statuses {
				require.NotContains(t, []string{"failed", "inconclusive", "error"}, status, id)
			}
			preferred := examine(t, capconform, "chp", "--header", "X-CHP-Key: ${CHP_KEY}", target)
			require.Equal(t, "conformant", preferred.Verdict)
			passed := 0
			for id, status := range preferred.Statuses {
				if status == "passed" {
					passed++
				}
				require.NotContains(t, []string{"failed", "inconclusive", "error"}, status, id)
			}
			require.Greater(t, passed, 80, "of the edition 0.2")
		})
	}
	t.Run("without the key", func(t *testing.T) {
		t.Setenv("CHP_KEY", "sesame")
		target := serve(t, python, filepath.Join("python-chp", "host.py"), "--listen", "127.0.0.1:0")
		command := exec.CommandContext(t.Context(), capconform, "run", "--suite", "chp", target)
		output, err := command.CombinedOutput()
		require.Error(t, err)
		if got := command.ProcessState.ExitCode(); got != 2 {
			t.Errorf("exit status %d, want 2", got)
		}
		if line := string(output); strings.Count(line, "\n") != 1 || !strings.Contains(line, "401") ||
			!strings.Contains(line, "--header") {
			t.Errorf("want one line with the status and the remedy, got:\n%s", line)
		}
	})
}
