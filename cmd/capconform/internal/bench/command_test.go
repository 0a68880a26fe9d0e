//go:build linux || darwin

package bench

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/capconform/capconform/reports"
)

// BenchmarkCommand starts the built command: start-up, a whole run, and the kill matrix. It reports the peak of
// memory of each.
func BenchmarkCommand(b *testing.B) {
	binary := build(b)
	for _, command := range []struct {
		name string
		args []string
	}{
		{"version", []string{"version"}},
		{"list", []string{"list", "requirements"}},
		{"run", []string{"run", "--quiet", "--suite", "cap", "reference"}},
		{"kill-matrix", []string{"selftest", "--driver", "inproc"}},
	} {
		b.Run(command.name, func(b *testing.B) {
			var total usage
			for b.Loop() {
				total.add(execute(b, reports.ExitConformant, binary, command.args...))
			}
			b.ReportMetric(0, "ns/op")
			total.report(b, "")
		})
	}
}

// BenchmarkPopulation compares a host of 1,000 capabilities with one of 10,000. The host has no capability for the
// role slow, so that its requirements may stay inconclusive. No limit of the harness may end a scenario.
func BenchmarkPopulation(b *testing.B) {
	growth(b, "cap", 1, reports.ExitConformant, "--allow-incomplete")
}

// BenchmarkReplays examines a host that adds 1,000 events to each replay, and one that adds 10,000. Nobody sent the
// invocations of these events.
func BenchmarkReplays(b *testing.B) { growth(b, "chp", 1, reports.ExitNonconformant) }

// BenchmarkLongReplays does the same with 2,000 and 20,000 events, within the limit of a list, for one of the
// requirements that need whole replays (DESIGN section 12: 64 MiB).
func BenchmarkLongReplays(b *testing.B) {
	growth(b, "chp", 2, reports.ExitNonconformant, "--requirement", "CHP-10-04")
}

// growth compares a run on a host with some thousand objects with a run on a host with ten times as many. A growth of
// ten is linear.
func growth(b *testing.B, suite string, thousands int, exit reports.Exit, flags ...string) {
	binary := build(b)
	short, long := startHTTP(b, suite, thousands*1_000), startHTTP(b, suite, thousands*10_000)
	command := append([]string{"run", "--quiet", "--suite", suite}, flags...)
	var few, many usage
	for b.Loop() {
		few.add(execute(b, exit, binary, append(slices.Clone(command), short)...))
		many.add(execute(b, exit, binary, append(slices.Clone(command), long)...))
	}
	b.ReportMetric(0, "ns/op")
	few.report(b, fmt.Sprintf("%dk-", thousands))
	many.report(b, fmt.Sprintf("%d0k-", thousands))
	b.ReportMetric(float64(many.busy)/float64(few.busy), "cpu-growth")
}

// build builds the command as a user would.
func build(b *testing.B) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "capconform")
	out, err := exec.CommandContext(b.Context(), "go", "build", "-ldflags=-s -w", "-o", binary,
		"github.com/capconform/capconform/cmd/capconform").CombinedOutput()
	if err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return binary
}

// usage is the cost of processes. Processor time is more reliable than elapsed time on a busy machine.
type usage struct {
	took time.Duration
	busy time.Duration
	peak int64 // bytes of resident memory
}

func (u *usage) add(other usage) {
	u.took += other.took
	u.busy += other.busy
	u.peak = max(u.peak, other.peak)
}

// report reports the mean times and the peak of memory, in units with the given prefix.
func (u *usage) report(b *testing.B, prefix string) {
	b.Helper()
	b.ReportMetric(u.took.Seconds()*1000/float64(b.N), prefix+"ms")
	b.ReportMetric(u.busy.Seconds()*1000/float64(b.N), prefix+"cpu-ms")
	b.ReportMetric(float64(u.peak)/(1<<20), prefix+"peak-MB")
}

// execute runs a command, which must end with the given status.
func execute(b *testing.B, want reports.Exit, binary string, args ...string) usage {
	b.Helper()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(b.Context(), binary, args...)
	cmd.Stderr = &stderr
	began := time.Now()
	err := cmd.Run()
	took := time.Since(began)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		b.Fatal(err)
	}
	if got := reports.Exit(cmd.ProcessState.ExitCode()); got != want {
		b.Fatalf("capconform %s: %s: %s", strings.Join(args, " "), got, stderr.Bytes())
	}
	resources, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		b.Fatal("no resource usage")
	}
	peak := resources.Maxrss
	if runtime.GOOS == "linux" {
		peak <<= 10 // kilobytes there, bytes on macOS
	}
	return usage{took: took, busy: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), peak: peak}
}
