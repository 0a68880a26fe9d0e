// Package examples_test examines the hosts of this folder with the command as a user would: the hosts and the command
// share only the protocol.
package examples_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// outcome is the verdict and the statuses of a report.
type outcome struct {
	Verdict  string
	Statuses map[string]string // by requirement
}

// TestPython requires the Python host to have the statuses of the built-in reference: conformant, without warnings,
// and undecided only for attached sources.
func TestPython(t *testing.T) {
	python, capconform := tools(t, "python")
	want := examine(t, capconform, "cap", "reference")
	require.Equal(t, "conformant", want.Verdict)
	for _, id := range []string{"CAP-MCP-01", "CAP-SK-01"} { // the Python host attaches nothing
		require.Equal(t, "passed", want.Statuses[id])
		want.Statuses[id] = "not_applicable"
	}

	host := filepath.Join("python", "host.py")
	for name, target := range map[string][]string{
		"stdio": {"--", python, host},
		"http":  {serve(t, python, host, "--listen", "127.0.0.1:0")},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(want, examine(t, capconform, "cap", target...)); diff != "" {
				t.Errorf("the host in Python (-reference +python):\n%s", diff)
			}
		})
	}
}

// binary is the path of the command, which is built once for all tests.
var binary string

var built = sync.OnceValue(func() error {
	output, err := exec.CommandContext(context.Background(), "go", "build", "-ldflags=-s -w", "-o", binary,
		"../../cmd/capconform").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, output)
	}
	return nil
})

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "capconform-examples")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder) // a temporary folder
	binary = filepath.Join(folder, "capconform")
	m.Run()
}

// tools returns python3 and the command, built from the current sources. The test depends on the files of the host in
// the given folder.
func tools(t *testing.T, folder string) (python, capconform string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("python3 is not installed") // in CI it must exist
	}
	require.NoError(t, err)
	dependsOn(t, folder, "../../cmd", "../../features", "../../reference", "../../reports", "../../schemas", "../../spec",
		"../../suites")
	require.NoError(t, built())
	return python, binary
}

// dependsOn reads every file of some folders, so that go test does not return a cached result after they change.
func dependsOn(t *testing.T, folders ...string) {
	t.Helper()
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err == nil {
				_, err = os.Stat(path)
			}
			return err
		})
		require.NoError(t, err)
	}
}

// serve starts a host and returns the address that it prints first.
func serve(t *testing.T, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, name, args...)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		cancel()
		_ = command.Wait() // it was killed
	})
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan(), "the host printed no address")
	return lines.Text()
}

// examine runs a suite on a target; for a conforming host the command exits with 0.
func examine(t *testing.T, capconform, suite string, target ...string) outcome {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report.json")
	args := append([]string{"run", "--suite", suite, "--report", "json=" + report}, target...)
	output, err := exec.CommandContext(t.Context(), capconform, args...).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, output)
	}
	raw, err := os.ReadFile(report)
	require.NoError(t, err)
	var document struct {
		Verdict string `json:"verdict"`
		Suites  []struct {
			Requirements []struct{ ID, Status string }
		}
	}
	require.NoError(t, json.Unmarshal(raw, &document))
	got := outcome{document.Verdict, map[string]string{}}
	for _, s := range document.Suites {
		for _, q := range s.Requirements {
			got.Statuses[q.ID] = q.Status
		}
	}
	return got
}
