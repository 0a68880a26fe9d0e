//go:build linux || darwin

package bench

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/capconform/capconform/reports"
)

// BenchmarkEvidence lints evidence logs of one correlation with 10,000 and 100,000 events. It reports the processor
// time and memory of the whole command, and the factor by which the time grows when the log grows tenfold (DESIGN 13:
// linear, below 256 MB).
func BenchmarkEvidence(b *testing.B) {
	binary := build(b)
	short, long := evidenceLog(b, 10_000), evidenceLog(b, 100_000)
	var few, many usage
	for b.Loop() {
		few.add(execute(b, reports.ExitConformant, binary, "lint", "--suite", "chp", short))
		many.add(execute(b, reports.ExitConformant, binary, "lint", "--suite", "chp", long))
	}
	b.ReportMetric(0, "ns/op")
	few.report(b, "10k-")
	many.report(b, "100k-")
	b.ReportMetric(float64(many.busy)/float64(few.busy), "cpu-growth")
}

// evidenceLog writes a valid log: pairs of a start and a completion.
func evidenceLog(b *testing.B, events int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), fmt.Sprintf("evidence-%d.jsonl", events))
	file, err := os.Create(path)
	fail(b, err)
	out := bufio.NewWriter(file)
	for n := range events {
		kind := []string{"execution_started", "execution_completed"}[n%2]
		_, err := fmt.Fprintf(out, `{"event_id":"event-%d","event_type":%q,"invocation_id":"invocation-%d","capability_id":"text.measure",`+
			`"host_id":"bench","correlation":{"correlation_id":"one"},"timestamp":"2026-01-01T00:00:00Z","sequence":%d,"payload":{},"redacted":true,"assurance":{"level":"S1"}}`+"\n",
			n, kind, n/2, n+1)
		fail(b, err)
	}
	fail(b, out.Flush())
	fail(b, file.Close())
	return path
}
