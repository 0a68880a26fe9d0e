//go:build linux || darwin

// Package bench measures the quantities for which DESIGN section 13 states numbers. It prints rates and ratios and
// asserts none of them, because the machine may be busy.
package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	neturl "net/url"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
	"github.com/capconform/capconform/suites/driver/stdiodriver"
	"github.com/capconform/capconform/suites/live"
)

// The permitted cost of a run in addition to that of a bare client (DESIGN section 13).
const (
	allowedRatio    = 1.5
	allowedScenario = 150 * time.Microsecond
)

// BenchmarkInProcess reports scenarios per second, run concurrently as run reference does, including discovery and
// probing.
func BenchmarkInProcess(b *testing.B) {
	host, err := newHost("cap", 0)
	fail(b, err)
	r := &recorder{Driver: inproc.New("bench", host.Handle)}
	scenarios := 0
	before := processorTime(b)
	for b.Loop() {
		scenarios += examine(b, load(b, capsuite.Definition), r, max(4, runtime.GOMAXPROCS(0)))
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
	url := startHTTP(b, "cap", 0)
	client := newBareClient(b)
	compare(b, capsuite.Definition, httpdriver.New(httpdriver.Config{URL: url}), func(call int, op driver.Operation) func() error {
		message, err := jsonrpc.Request(int64(call+1), op.Name, op.Params)
		fail(b, err)
		return client.request(b, http.MethodPost, url+"/rpc", message)
	})
}

// BenchmarkHTTPOfCHP does the same with CHP over its own binding. The bare client has its own host, because a replay
// grows with earlier invocations.
func BenchmarkHTTPOfCHP(b *testing.B) {
	url, other := startHTTP(b, "chp", 0), startHTTP(b, "chp", 0)
	client := newBareClient(b)
	routes := chpsuite.Definition().Routes
	config := httpdriver.Config{URL: url, Bindings: httpdriver.Bindings{}.WithRoutes(routes)}
	compare(b, chpsuite.Definition, httpdriver.New(config), func(_ int, op driver.Operation) func() error {
		i := slices.IndexFunc(routes, func(r driver.Route) bool { return r.Operation == op.Name })
		if i < 0 {
			b.Fatalf("%s has no route", op.Name)
		}
		body, path := op.Body, routes[i].Path
		switch {
		case strings.Contains(path, "{correlation_id}"):
			var params struct {
				CorrelationID string `json:"correlation_id"`
			}
			fail(b, json.Unmarshal(op.Params, &params))
			path = strings.ReplaceAll(path, "{correlation_id}", neturl.PathEscape(params.CorrelationID))
		case body == nil && routes[i].Method == http.MethodPost:
			body = op.Params
		}
		return client.request(b, routes[i].Method, other+path, body)
	})
}

// bareClient sends requests and reads the answers without examining them.
type bareClient struct{ http.Client }

func newBareClient(b *testing.B) *bareClient {
	b.Helper()
	client := &bareClient{http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}}
	b.Cleanup(client.CloseIdleConnections)
	return client
}

func (c *bareClient) request(b *testing.B, method, url string, body []byte) func() error {
	b.Helper()
	return func() error {
		request, err := http.NewRequestWithContext(b.Context(), method, url, bytes.NewReader(body))
		if err != nil {
			return err
		}
		request.Header.Set("Content-Type", "application/json")
		response, err := c.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		_, err = io.Copy(io.Discard, response.Body)
		return err
	}
}

// BenchmarkStdio compares a run over stdio with a bare client.
func BenchmarkStdio(b *testing.B) {
	cmd := exec.CommandContext(b.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), hostEnv("stdio", "cap", 0)...)
	in, err := cmd.StdinPipe()
	fail(b, err)
	out, err := cmd.StdoutPipe()
	fail(b, err)
	fail(b, cmd.Start())
	b.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait() // it ends when its input ends
	})
	answers := bufio.NewReader(out)
	config := stdiodriver.Config{Command: []string{os.Args[0]}, Env: hostEnv("stdio", "cap", 0)}
	compare(b, capsuite.Definition, stdiodriver.New(config), func(call int, op driver.Operation) func() error {
		message, err := jsonrpc.Request(int64(call+1), op.Name, op.Params)
		fail(b, err)
		return func() error {
			if _, err := in.Write(append(message, '\n')); err != nil {
				return err
			}
			for {
				_, err := answers.ReadSlice('\n')
				if !errors.Is(err, bufio.ErrBufferFull) {
					return err
				}
			}
		}
	})
}

// compare runs the suite with one scenario at a time, then has a bare client send the same requests, also one at a
// time.
func compare(
	b *testing.B,
	definition func() suites.Definition,
	d driver.Driver,
	bareCall func(call int, op driver.Operation) (send func() error),
) {
	b.Helper()
	var run, bare, startup time.Duration
	scenarios, calls := 0, 0
	for b.Loop() {
		all := load(b, definition) // new, so that nothing from the previous run is cached
		r := &recorder{Driver: d}
		runtime.GC() // collects the garbage of start-up
		began := time.Now()
		scenarios += examine(b, all, r, 1)
		run += time.Since(began)
		startup += r.startup
		calls += len(r.calls)
		sends := make([]func() error, len(r.calls))
		for i, op := range r.calls {
			sends[i] = bareCall(i, op)
		}
		began = time.Now()
		for _, send := range sends {
			fail(b, send())
		}
		bare += time.Since(began)
	}
	beyond := run - startup - bare
	budget := time.Duration(allowedRatio*float64(bare)) + time.Duration(scenarios)*allowedScenario
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(run-startup)/float64(bare), "times-bare")
	b.ReportMetric(float64(run-startup)/float64(budget), "of-budget")
	b.ReportMetric(float64(beyond.Microseconds())/float64(scenarios), "beyond-µs/scenario")
	b.ReportMetric(float64(bare.Microseconds())/float64(calls), "bare-µs/call")
	b.ReportMetric(float64(calls)/float64(scenarios), "calls/scenario")
	b.ReportMetric(float64(scenarios)/run.Seconds(), "scenarios/s")
}

// processorTime returns the processor time that this process has used so far.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	fail(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func load(b *testing.B, definition func() suites.Definition) []*suites.Suite {
	b.Helper()
	s, err := suites.New(definition())
	fail(b, err)
	return []*suites.Suite{s}
}

// examine performs one run and returns the number of its scenarios, without those of the role slow. A run in which
// anything fails is not a valid measurement.
func examine(b *testing.B, all []*suites.Suite, r *recorder, atOnce int) int {
	b.Helper()
	tags, want := "", reports.Conformant
	if _, slow := all[0].RoleNamed("slow"); slow {
		tags, want = "not @role:slow", reports.Partial
	}
	report, err := suites.Run(b.Context(), all, &suites.Subject{Driver: r, Invoke: live.InvokeSafe, Seed: 1},
		suites.Options{Explicit: true, Concurrency: atOnce, Selection: suites.Selection{Tags: tags}, Progress: r.progress(time.Now())})
	fail(b, err)
	s := report.Suites[0]
	if report.Verdict != want || s.Plan.Executed == 0 {
		b.Fatalf("the run of the reference ended with %s after %d scenarios", report.Verdict, s.Plan.Executed)
	}
	return s.Plan.Executed
}

// recorder records the calls of a run, and how long the run took to start: until its plan was known, without the
// duration of these calls.
type recorder struct {
	driver.Driver
	startup time.Duration
	mu      sync.Mutex
	calls   []driver.Operation
	calling time.Duration
}

// progress returns a callback that records when the plan of a run that began at the given time is known.
func (r *recorder) progress(began time.Time) func(suites.Event) {
	return func(e suites.Event) {
		if e.Case == nil {
			r.startup = time.Since(began) - r.calling
		}
	}
}

// Open implements driver.Driver.
func (r *recorder) Open(ctx context.Context) (driver.Session, error) {
	session, err := r.Driver.Open(ctx)
	return &recorded{session, r}, err
}

type recorded struct {
	driver.Session
	recorder *recorder
}

// Call implements driver.Session.
func (s *recorded) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	began := time.Now()
	answer, err := s.Session.Call(ctx, op)
	s.recorder.mu.Lock()
	defer s.recorder.mu.Unlock()
	s.recorder.calls = append(s.recorder.calls, op)
	s.recorder.calling += time.Since(began)
	return answer, err
}
