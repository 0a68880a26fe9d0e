package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/reports"
)

// broken panics when a command reads it.
type broken struct{}

func (broken) Read([]byte) (int, error) { panic("first line\nsecond line") }

func TestPanicIsReportedInOneLine(t *testing.T) {
	var stderr strings.Builder
	got := Main([]string{"spec", "fingerprint", "-"}, broken{}, io.Discard, &stderr)
	if got != int(reports.ExitHarness) {
		t.Errorf("exit status: want %d, got %d", reports.ExitHarness, got)
	}
	want := "capconform: internal error: first line; second line; please report it with the command that led to it\n"
	if diff := cmp.Diff(want, stderr.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestFileDiscardedByInterruptIsNotAHarnessError(t *testing.T) {
	a := &process.App{}
	closed := fmt.Errorf("--report json=r.json: %w", os.ErrClosed)
	if got := process.ExitOf(process.CommandError(a, closed), io.Discard); got != reports.ExitHarness {
		t.Errorf("without an interrupt: exit status %d", got)
	}
	a.Abandoned.Store(true)
	var stderr strings.Builder
	if got := process.ExitOf(process.CommandError(a, closed), &stderr); got != reports.ExitIncomplete {
		t.Errorf("after two interrupts: exit status %d", got)
	}
	if diff := cmp.Diff("capconform: interrupted a second time: not every file was written\n", stderr.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestSuitesAreListedOnce checks the only list of suites.
func TestSuitesAreListedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range scope.SuiteNames() {
		if seen[name] {
			t.Errorf("suite %s is listed twice", name)
		}
		seen[name] = true
	}
	if !seen["cap"] {
		t.Error("the suite cap is missing")
	}
}

func TestAbandonReturnsStatusOfEndedCommand(t *testing.T) {
	a := &process.App{}
	done := make(chan reports.Exit)
	a.BeforeEnd(func() { done <- reports.ExitNonconformant })
	if got := a.Abandon(done); got != reports.ExitNonconformant {
		t.Errorf("want the status of the command that ended meanwhile, got %v", got)
	}
}
