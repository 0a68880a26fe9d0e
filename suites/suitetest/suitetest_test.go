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

// nothing answers every call with an empty list: lawful, and shows nothing.
func nothing(_ context.Context, request []byte) []byte {
	id := strings.SplitN(strings.SplitN(string(request), `"id":`, 2)[1], ",", 2)[0]
	return []byte(`{"jsonrpc":"2.0","id":` + id + `,"result":[]}`)
}

// TestVictim is run by TestRunTells in its own process.
func TestVictim(t *testing.T) {
	if os.Getenv("SUITETEST_VICTIM") == "" {
		t.Log("a part of TestRunTells, which sets the variable")
		return
	}
	Run(t, capsuite.Definition(), Func(nothing), nil)
}

func TestRunTells(t *testing.T) {
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestVictim$", "-test.v")
	command.Env = append(os.Environ(), "SUITETEST_VICTIM=1")
	out, err := command.CombinedOutput()
	if err == nil {
		t.Error("a host that shows nothing passes")
	}
	want := map[string]bool{
		"--- SKIP: TestVictim/CAP-CAP-02":     true, // nothing is listed
		"--- FAIL: TestVictim/CAP-DIS-01":     false,
		"no requirement passed":               true,
		"--- PASS: TestVictim/CAP-INV-01":     false,
		"inconclusive: no capability is list": true,
	}
	got := map[string]bool{}
	for text := range want {
		got[text] = strings.Contains(string(out), text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what the output holds (-want +got):\n%s\n%s", diff, out)
	}
}
