//go:build linux || darwin

// Package bench measures what DESIGN section 13 gives numbers for. It prints
// rates and ratios and asserts none of them: the machine may be busy.
package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	capsuite "github.com/capconform/capconform/suites/cap"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
	"github.com/capconform/capconform/suites/driver/stdiodriver"
)

// What a run may take beyond a bare client (DESIGN section 13).
const (
	allowedRatio    = 1.25
	allowedScenario = 150 * time.Microsecond
)

// BenchmarkInProcess gives scenarios a second, several at once as run reference
// does it, with discovery and probing included.
func BenchmarkInProcess(b *testing.B) {
	host, err := newHost(0)
	fail(b, err)
	all := loadCAP(b)
	r := &recorder{Driver: inproc.New("bench", host.Handle)}
	scenarios := 0
	before := processorTime(b)
	for b.Loop() {
		scenarios += examine(b, all, r, max(4, runtime.GOMAXPROCS(0)))
	}
	busy := processorTime(b) - before
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(scenarios)/b.Elapsed().Seconds(), "scenarios/s")
	b.ReportMetric(float64(len(r.calls))/b.Elapsed().Seconds(), "calls/s")
	b.ReportMetric(float64(len(r.calls))/float64(scenarios), "calls/scenario")
	b.ReportMetric(float64(busy.Microseconds())/float64(scenarios), "cpu-µs/scenario")
}

// BenchmarkHTTP compares a run over HTTP with a bare client.
func BenchmarkHTTP(b *testing.B) {
	url := startHTTP(b, 0)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}
	b.Cleanup(client.CloseIdleConnections)
	compare(b, httpdriver.New(httpdriver.Config{URL: url}), func(message []byte) error {
		request, err := http.NewRequestWithContext(b.Context(), http.MethodPost, url+"/rpc", bytes.NewReader(message))
		if err != nil {
			return err
		}
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		_, err = io.Copy(io.Discard, response.Body)
		return err
	})
}

// BenchmarkStdio compares a run over stdio with a bare client.
func BenchmarkStdio(b *testing.B) {
	cmd := exec.CommandContext(b.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), hostEnv("stdio", 0)...)
	in, err := cmd.StdinPipe()
	fail(b, err)
	out, err := cmd.StdoutPipe()
	fail(b, err)
	fail(b, cmd.Start())
	b.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait() // the end of its input ends it
	})
	answers := bufio.NewReader(out)
	config := stdiodriver.Config{Command: []string{os.Args[0]}, Env: hostEnv("stdio", 0)}
	compare(b, stdiodriver.New(config), func(message []byte) error {
		if _, err := in.Write(append(message, '\n')); err != nil {
			return err
		}
		for {
			_, err := answers.ReadSlice('\n')
			if !errors.Is(err, bufio.ErrBufferFull) {
				return err
			}
		}
	})
}

// compare runs the suite with one scenario at a time, then has a bare client
// send the same requests, one at a time as well.
func compare(b *testing.B, d driver.Driver, send func(message []byte) error) {
	b.Helper()
	all := loadCAP(b)
	var run, bare, opening time.Duration
	scenarios, calls := 0, 0
	for b.Loop() {
		r := &recorder{Driver: d}
		began := time.Now()
		scenarios += examine(b, all, r, 1)
		run += time.Since(began)
		opening += r.opening
		calls += len(r.calls)
		messages := r.messages(b)
		began = time.Now()
		for _, message := range messages {
			fail(b, send(message))
		}
		bare += time.Since(began)
	}
	beyond := run - opening - bare
	budget := time.Duration(allowedRatio*float64(bare)) + time.Duration(scenarios)*allowedScenario
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(run-opening)/float64(bare), "times-bare")
	b.ReportMetric(float64(run-opening)/float64(budget), "of-budget")
	b.ReportMetric(float64(beyond.Microseconds())/float64(scenarios), "beyond-µs/scenario")
	b.ReportMetric(float64(bare.Microseconds())/float64(calls), "bare-µs/call")
	b.ReportMetric(float64(calls)/float64(scenarios), "calls/scenario")
	b.ReportMetric(float64(scenarios)/run.Seconds(), "scenarios/s")
}

// processorTime is what this process has used so far.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	fail(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func loadCAP(b *testing.B) []*suites.Suite {
	b.Helper()
	s, err := suites.New(capsuite.Definition())
	fail(b, err)
	return []*suites.Suite{s}
}

// examine does one run and says how many scenarios it had. A run that fails
// anything measures nothing.
func examine(b *testing.B, all []*suites.Suite, d driver.Driver, atOnce int) int {
	b.Helper()
	report, err := suites.Run(b.Context(), all, &suites.Subject{Driver: d, Invoke: suites.InvokeSafe, Seed: 1},
		suites.Options{Explicit: true, Concurrency: atOnce, Selection: suites.Selection{Tags: "not @role:slow"}})
	fail(b, err)
	s := report.Suites[0]
	if report.Verdict != reports.Partial || s.Plan.Executed == 0 {
		b.Fatalf("the run of the reference ended %s after %d scenarios", report.Verdict, s.Plan.Executed)
	}
	return s.Plan.Executed
}

// recorder notes what is called, and how long it took to connect.
type recorder struct {
	driver.Driver
	opening time.Duration
	mu      sync.Mutex
	calls   []driver.Operation
}

// Open implements driver.Driver.
func (r *recorder) Open(ctx context.Context) (driver.Session, error) {
	began := time.Now()
	session, err := r.Driver.Open(ctx)
	r.opening += time.Since(began)
	return &recorded{session, r}, err
}

// messages are the calls as they travel.
func (r *recorder) messages(b *testing.B) [][]byte {
	b.Helper()
	all := make([][]byte, len(r.calls))
	for i, op := range r.calls {
		message, err := jsonrpc.Request(int64(i+1), op.Name, op.Params)
		fail(b, err)
		all[i] = message
	}
	return all
}

type recorded struct {
	driver.Session
	recorder *recorder
}

// Call implements driver.Session.
func (s *recorded) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	s.recorder.mu.Lock()
	s.recorder.calls = append(s.recorder.calls, op)
	s.recorder.mu.Unlock()
	return s.Session.Call(ctx, op)
}
