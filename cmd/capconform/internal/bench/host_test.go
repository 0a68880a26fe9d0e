//go:build linux || darwin

package bench

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/rpc"
)

// The environment variables of a child process that is a host.
const (
	frontEnd   = "CAPCONFORM_BENCH_HOST"  // stdio or http
	population = "CAPCONFORM_BENCH_EXTRA" // capabilities beside those of the fixture profile
	protocol   = "CAPCONFORM_BENCH_SUITE" // cap or chp
)

// TestMain also serves as the host: like real hosts, it runs in its own process.
func TestMain(m *testing.M) {
	kind := os.Getenv(frontEnd)
	if kind == "" {
		ballast := process.Ballast() // as the command has it
		exit := m.Run()
		runtime.KeepAlive(ballast)
		os.Exit(exit)
	}
	if err := serve(context.Background(), kind); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(ctx context.Context, kind string) error {
	extra, err := strconv.Atoi(os.Getenv(population))
	if err != nil {
		return err
	}
	host, err := newHost(os.Getenv(protocol), extra)
	if err != nil {
		return err
	}
	if kind == "stdio" {
		return reference.ServeStdio(ctx, os.Stdin, os.Stdout, host.Handle)
	}
	listener, err := reference.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	return reference.ServeHTTP(ctx, listener, host.HTTPHandler())
}

// newHost returns the reference host of a protocol. In CAP it lacks the slow capability, whose deadline would
// dominate every measurement, and has extra more capabilities. In CHP it adds extra events to each replay.
func newHost(suite string, extra int) (*reference.Host, error) {
	var failed error
	host, err := reference.New(reference.Options{Suites: []string{suite}, Alter: func(parts *reference.Parts) {
		if parts.CAP == nil {
			addEvents(parts.CHP, extra)
			return
		}
		parts.CAP.Remove(caphost.Ref{ID: "conformance.slow", Version: "1.0.0"})
		failed = populate(parts.CAP, extra)
	}})
	if failed != nil {
		return nil, failed
	}
	return host, err
}

// addEvents adds extra events of the same correlation to each replay.
func addEvents(host *chphost.Host, extra int) {
	valid := host.ReplayResult
	host.ReplayResult = func(query chphost.Query, events []any, total int) any {
		const first = 1 << 20 // after everything that the host writes
		for n := range extra {
			events = append(events, rpc.Raw(fmt.Appendf(nil, `{"event_id":"extra-%d","event_type":"com.example.metered","invocation_id":"extra","capability_id":"text.measure",`+
				`"host_id":"reference","correlation":{"correlation_id":%q},"timestamp":"2026-01-01T00:00:00Z","sequence":%d,"payload":{},"redacted":true,"assurance":{"level":"S1"}}`,
				n, query.CorrelationID, first+n)))
		}
		return valid(query, events, total+extra)
	}
}

// populate adds copies of the last ordinary capability under other ids.
func populate(source *caphost.Host, extra int) error {
	all := source.Capabilities()
	model := all[len(all)-1]
	for i := range extra {
		manifest := model.Manifest()
		manifest["capability_id"] = fmt.Sprintf("%s.%05d", model.ID, i)
		c, err := caphost.NewCapability(manifest, model.Run)
		if err != nil {
			return err
		}
		c.Sample = model.Sample
		source.Add(c)
	}
	return nil
}

// hostEnv turns a child of this binary into a host.
func hostEnv(kind, suite string, extra int) []string {
	return []string{frontEnd + "=" + kind, protocol + "=" + suite, population + "=" + strconv.Itoa(extra)}
}

// startHTTP starts a host and returns its URL.
func startHTTP(b *testing.B, suite string, extra int) string {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), hostEnv("http", suite, extra)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	fail(b, err)
	fail(b, cmd.Start())
	b.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // killed, which is an error by itself
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	fail(b, err)
	return strings.TrimSpace(line)
}

func fail(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
