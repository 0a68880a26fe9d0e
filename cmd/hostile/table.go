package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// plan selects the trials and their output.
type plan struct {
	program, file string
	pattern       *regexp.Regexp
}

// concurrentRuns is the number of concurrent runs: more would disturb the measurements.
const concurrentRuns = 2

var errOutOfBounds = errors.New("runs are beyond the bounds")

// runAndReport runs the trials, prints a line for each, and writes the table.
func runAndReport(ctx context.Context, p plan) error {
	program, err := filepath.Abs(p.program)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "hostile")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) // it is temporary
	trap, contacted, err := setTrap(ctx)
	if err != nil {
		return err
	}
	trials := slices.DeleteFunc(slices.Concat(hostTrials(self, trap), documentTrials(folder), folderTrials(self, folder)),
		func(t trial) bool { return !p.pattern.MatchString(t.group + "/" + t.name) })
	begun := time.Now()
	outcomes := runAll(ctx, program, folder, trials)
	beyond := 0
	for _, o := range outcomes {
		if len(o.faults) > 0 {
			beyond++
		}
	}
	if n := contacted.Load(); n > 0 {
		beyond++
		fmt.Printf("another address was contacted %d times\n", n)
	}
	fmt.Printf("%d runs in %.0f s, %d beyond the bounds\n", len(outcomes), time.Since(begun).Seconds(), beyond)
	if p.file != "" {
		if err := os.WriteFile(p.file, []byte(page(outcomes)), 0o644); err != nil {
			return err
		}
	}
	if beyond > 0 || len(outcomes) == 0 {
		return errOutOfBounds
	}
	return nil
}

// runAll runs the trials, and prints a line for each when it ends.
func runAll(ctx context.Context, program, folder string, trials []trial) []outcome {
	outcomes := make([]outcome, len(trials))
	var next atomic.Int64
	var group sync.WaitGroup
	var printing sync.Mutex
	for range concurrentRuns {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(trials); i = int(next.Add(1)) - 1 {
				own := filepath.Join(folder, fmt.Sprint(i))
				if err := os.Mkdir(own, 0o700); err != nil {
					outcomes[i] = outcome{trial: trials[i], faults: []string{err.Error()}}
					continue
				}
				outcomes[i] = trials[i].run(ctx, program, own)
				printing.Lock()
				fmt.Println(outcomes[i].line())
				printing.Unlock()
			}
		})
	}
	group.Wait()
	return outcomes
}

// setTrap listens on an address that no client may contact.
func setTrap(ctx context.Context) (url string, contacted *atomic.Int64, err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	contacted = new(atomic.Int64)
	server := &http.Server{ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { contacted.Add(1) })}
	go func() { _ = server.Serve(listener) }()
	return "http://" + listener.Addr().String(), contacted, nil
}

func (o outcome) line() string {
	verdict := "ok    "
	if len(o.faults) > 0 {
		verdict = "BEYOND"
	}
	line := fmt.Sprintf("%s %-9s %-26s exit %d %6.1f s %5d MB", verdict, o.group, o.name, o.exit,
		o.took.Seconds(), o.memory/1e6)
	return strings.TrimRight(line+"  "+strings.Join(o.faults, "; "), " ")
}

// page returns the table in Markdown, with a row for each mode.
func page(outcomes []outcome) string {
	var b strings.Builder
	b.WriteString("# Hostile hosts and documents\n\n" +
		"This page is written by `make hostile`. It shows, for each hostile host and document, " +
		"the exit status of the run, its time, and the peak of its resident memory.\n\n")
	fmt.Fprintf(&b,
		"Each run against a host has `--timeout %v --call-timeout %v`. "+
			"The bounds are %d MB and %v after the timeout. In each run, "+
			"a report was written (`run` and `lint`), no other address was contacted, and no process remained.\n",
		runTimeout, callTimeout, int64(memoryBound/1e6), stopBound)
	var groups []string
	for _, o := range outcomes {
		if !slices.Contains(groups, o.group) {
			groups = append(groups, o.group)
		}
	}
	for _, group := range groups {
		fmt.Fprintf(&b,
			"\n## %s\n\n| mode | what it does | exit | time | memory |\n|---|---|---:|---:|---:|\n", heading(group))
		for _, o := range outcomes {
			if o.group == group {
				fmt.Fprintf(&b, "| `%s` | %s | %d | %.1f s | %d MB |\n", o.name, o.summary, o.exit, o.took.Seconds(), o.memory/1e6)
			}
		}
	}
	return b.String()
}

func heading(group string) string {
	titles := map[string]string{
		"http": "JSON-RPC over HTTP", "stdio": "JSON-RPC over stdio", "mcp": "MCP over stdio",
		"mcp+http":        "MCP over streamable HTTP",
		"server-mcp":      "MCP servers over stdio (suite `mcp`)",
		"server-mcp+http": "MCP servers over streamable HTTP (suite `mcp`)",
		"chp":             "The HTTP binding of CHP", "lint": "Documents (`lint`)", "report": "Reports (`report`)",
		"record": "Records (`judge`)",
		"folder": "Texts of one's own (`run --suite DIR`)",
	}
	return titles[group]
}
