package suitetest

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	capsuite "github.com/capconform/capconform/suites/cap"
)

// nothing answers every call with an empty list: permitted, but shows nothing.
func nothing(_ context.Context, request []byte) []byte {
	id := strings.SplitN(strings.SplitN(string(request), `"id":`, 2)[1], ",", 2)[0]
	return []byte(`{"jsonrpc":"2.0","id":` + id + `,"result":[]}`)
}

// TestSubprocess is run by TestRunReportsEachRequirement in a separate process.
func TestSubprocess(t *testing.T) {
	if os.Getenv("SUITETEST_SUBPROCESS") == "" {
		t.Log("a part of TestRunReportsEachRequirement, which sets the variable")
		return
	}
	Run(t, capsuite.Definition(), Func(nothing), nil)
}

func TestRunReportsEachRequirement(t *testing.T) {
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestSubprocess$", "-test.v")
	command.Env = append(os.Environ(), "SUITETEST_SUBPROCESS=1")
	out, err := command.CombinedOutput()
	if err == nil {
		t.Error("a host that shows nothing passed")
	}
	want := map[string]bool{
		"--- SKIP: TestSubprocess/CAP-CAP-02": true, // nothing is listed
		"--- FAIL: TestSubprocess/CAP-DIS-01": false,
		"no requirement passed":               true,
		"--- PASS: TestSubprocess/CAP-INV-01": false,
		"inconclusive: no capability is list": true,
	}
	got := map[string]bool{}
	for text := range want {
		got[text] = strings.Contains(string(out), text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines of the output (-want +got):\n%s\n%s", diff, out)
	}
}
