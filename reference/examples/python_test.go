// Package examples_test examines the hosts of this folder with the command as a
// person would: they share nothing with it but the wire.
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

// outcome is what a report says in the end.
type outcome struct {
	Verdict  string
	Statuses map[string]string // by requirement
}

// TestPython holds the host in Python to what the built-in reference reaches:
// conformant, no warning, and no requirement seen less but those of attached sources.
func TestPython(t *testing.T) {
	python, capconform := tools(t, "python")
	want := examine(t, capconform, "cap", "reference")
	require.Equal(t, "conformant", want.Verdict)
	for _, id := range []string{"CAP-MCP-01", "CAP-SK-01"} { // the host in Python attaches nothing
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

// binary is where built puts the command, once for all tests.
var binary string

var built = sync.OnceValue(func() error {
	said, err := exec.CommandContext(context.Background(), "go", "build", "-ldflags=-s -w", "-o", binary,
		"../../cmd/capconform").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, said)
	}
	return nil
})

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "capconform-examples")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder) // a folder of the system's temporary ones
	binary = filepath.Join(folder, "capconform")
	m.Run()
}

// tools gives python3 and the command, which is built from what is here now. The
// test depends on the files of the host in the given folder.
func tools(t *testing.T, folder string) (python, capconform string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("no python3 here") // in CI it has to be there
	}
	require.NoError(t, err)
	dependsOn(t, folder, "../../cmd", "../../features", "../../reference", "../../reports", "../../schemas", "../../spec",
		"../../suites")
	require.NoError(t, built())
	return python, binary
}

// dependsOn looks at every file of some folders, so that go test knows what this
// test is made of: it would else show the outcome of an earlier run.
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

// serve starts a host and gives the address that it prints first.
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
	require.True(t, lines.Scan(), "the host prints no address")
	return lines.Text()
}

// examine runs a suite on a target; a host that conforms ends the command with 0.
func examine(t *testing.T, capconform, suite string, target ...string) outcome {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report.json")
	args := append([]string{"run", "--suite", suite, "--report", "json=" + report}, target...)
	said, err := exec.CommandContext(t.Context(), capconform, args...).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, said)
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
