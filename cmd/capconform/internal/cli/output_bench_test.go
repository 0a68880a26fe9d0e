//go:build linux || darwin

package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/access"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/examine"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/format"
	"github.com/capconform/capconform/suites"
)

// asHost is the variable that makes a child of this binary serve the reference over HTTP.
const asHost = "CAPCONFORM_CLI_HOST"

// TestMain also serves as the host: it runs in its own process, so that its time is not counted as that of the run.
func TestMain(m *testing.M) {
	if os.Getenv(asHost) != "" {
		os.Exit(Main([]string{"serve", "--listen", "127.0.0.1:0"}, os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// BenchmarkFormats writes every format of a run of all suites on the reference, and reports the processor time of the
// writing as a fraction of that of the run. The bound is a tenth.
func BenchmarkFormats(b *testing.B) {
	b.Run("inproc", func(b *testing.B) { benchmarkFormats(b, access.BuiltIn) })
	b.Run("http", func(b *testing.B) { benchmarkFormats(b, served(b)) })
}

func benchmarkFormats(b *testing.B, target string) {
	var running, writing time.Duration
	for b.Loop() {
		began := busy(b)
		e, report := examined(b, target)
		ran := busy(b)
		writeAll(b, e, report)
		running, writing = running+ran-began, writing+busy(b)-ran
		e.Close()
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(running.Microseconds())/1000/float64(b.N), "run-cpu-ms")
	b.ReportMetric(float64(writing.Microseconds())/1000/float64(b.N), "formats-cpu-ms")
	b.ReportMetric(float64(writing)/float64(running), "formats/run")
}

// examined does what run does before it writes its reports.
func examined(tb testing.TB, target string) (*examine.Examination, *reports.Report) {
	tb.Helper()
	f, c := &examine.RunFlags{}, &cobra.Command{}
	f.Register(c)
	require.NoError(tb, c.ParseFlags(nil))
	e, err := f.Prepare(c, []string{target})
	require.NoError(tb, err)
	report, err := suites.Run(tb.Context(), e.Suites, e.Subject, e.Options)
	require.NoError(tb, err)
	e.Complete(report)
	return e, report
}

func writeAll(tb testing.TB, e *examine.Examination, report *reports.Report) {
	tb.Helper()
	var given []string
	dir := tb.TempDir()
	for _, f := range format.Formats() {
		given = append(given, f.Name+"="+filepath.Join(dir, "report"+f.Extension))
	}
	out, err := process.OpenOutputs("report", given)
	require.NoError(tb, err)
	defer out.Discard()
	out.SetCatalogues(e.Suites)
	require.NoError(tb, out.Write(report, io.Discard))
}

// busy returns the processor time that this process has used so far.
func busy(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	require.NoError(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// served starts the reference and returns its URL.
func served(tb testing.TB) string {
	tb.Helper()
	ctx, cancel := context.WithCancel(tb.Context())
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), asHost+"=1"), os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(tb, err)
	require.NoError(tb, cmd.Start())
	tb.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // killed, which is an error by itself
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(tb, err, fmt.Sprint(cmd.Args))
	return strings.TrimSpace(line)
}
