//go:build linux || darwin

package bench

import (
	"bytes"
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/capconform/capconform/reports"
)

// BenchmarkCommand starts the built command: start-up, a whole run, and the
// kill matrix, each with its peak of memory.
func BenchmarkCommand(b *testing.B) {
	binary := build(b)
	for name, args := range map[string][]string{
		"version":  {"version"},
		"list":     {"list", "requirements"},
		"run":      {"run", "--quiet", "--suite", "cap", "reference"},
		"selftest": {"selftest"},
	} {
		b.Run(name, func(b *testing.B) {
			var peak int64
			for b.Loop() {
				peak = max(peak, execute(b, reports.ExitConformant, binary, args...).peak)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms")
			b.ReportMetric(megabytes(peak), "peak-MB")
		})
	}
}

// BenchmarkPopulation compares a host of 1,000 capabilities with one of 10,000.
// A growth of ten is linear.
func BenchmarkPopulation(b *testing.B) {
	binary := build(b)
	thousand, tenThousand := startHTTP(b, 1_000), startHTTP(b, 10_000)
	var few, many usage
	for b.Loop() {
		// The host lacks the role slow, so that the run can't be complete.
		few.add(execute(b, reports.ExitIncomplete, binary, "run", "--quiet", "--suite", "cap", thousand))
		many.add(execute(b, reports.ExitIncomplete, binary, "run", "--quiet", "--suite", "cap", tenThousand))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(few.took.Seconds()*1000/float64(b.N), "1k-ms")
	b.ReportMetric(many.took.Seconds()*1000/float64(b.N), "10k-ms")
	b.ReportMetric(float64(many.took)/float64(few.took), "time-growth")
	b.ReportMetric(megabytes(few.peak), "1k-peak-MB")
	b.ReportMetric(megabytes(many.peak), "10k-peak-MB")
}

// build builds the command as a user would.
func build(b *testing.B) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "capconform")
	out, err := exec.CommandContext(b.Context(), "go", "build", "-o", binary, "github.com/capconform/capconform/cmd/capconform").CombinedOutput()
	if err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return binary
}

// usage is what a process cost.
type usage struct {
	took time.Duration
	peak int64 // bytes of resident memory
}

func (u *usage) add(other usage) {
	u.took += other.took
	u.peak = max(u.peak, other.peak)
}

// execute runs a command, which has to end with the given status.
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
	return usage{took: took, peak: peak}
}

func megabytes(size int64) float64 { return float64(size) / (1 << 20) }
