package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/capconform/capconform/reference/hostile"
)

// The bounds of DESIGN section 13, and the settings of each run.
const (
	memoryBound = 256_000_000 // bytes of resident memory
	runTimeout  = 4 * time.Second
	callTimeout = 2 * time.Second
	stopBound   = 2 * time.Second // after the timeout
	killTime    = time.Minute
	readBound   = 30 * time.Second // for a document or a report; it is not a measure of speed
)

// trial is one run of capconform.
type trial struct {
	group, name, summary string
	statuses             []int        // the statuses with which the run may end
	args                 []string     // without those for the report
	report               bool         // the run must write a report
	host                 []string     // the command of a host over HTTP, whose address replaces %s in args
	writeFiles           func() error // writes the files that the run reads, nil for none
	token                string       // found in the command line of every process of the trial
}

// outcome is the result of a trial.
type outcome struct {
	trial
	exit   int
	took   time.Duration
	memory int64
	faults []string
}

// hostTrials returns the runs against live hosts.
func hostTrials(self, trap string) []trial {
	var all []trial
	for _, m := range hostile.All(trap) {
		for _, wire := range m.Wires {
			t := trial{group: string(wire), name: m.Name, summary: m.Summary, statuses: []int{1, 3, 6}}
			switch {
			case m.Lawful:
				t.statuses = []int{0, 6}
			case m.LaxValidation:
				t.statuses = []int{0, 1, 6}
			}
			all = append(all, t.against(self, trap, m.Suite, wire))
			if wire == hostile.MCP || wire == hostile.Stream { // a server of MCP, too
				t.group, t.statuses = "server-"+t.group, []int{0, 1, 3, 6}
				all = append(all, t.against(self, trap, "mcp", wire))
			}
		}
	}
	return all
}

// against returns a trial in which a suite examines the host of the trial.
func (t trial) against(self, trap, suite string, wire hostile.Wire) trial {
	t.report, t.token = true, "trial-"+t.group+"-"+t.name
	served := []string{self, "serve", t.name, string(wire), trap, t.token}
	t.args = []string{"run", "--suite", suite, "--invoke", "all", "--timeout", runTimeout.String(),
		"--call-timeout", callTimeout.String()}
	switch wire {
	case hostile.Stdio, hostile.MCP:
		t.args = append(append(t.args, "--driver", string(wire), "--"), served...)
	case hostile.Stream:
		t.args, t.host = append(t.args, "mcp+http://%s/mcp"), served
	default:
		t.args, t.host = append(t.args, "http://%s"), served
	}
	return t
}

// run runs a trial in its own folder.
func (t trial) run(ctx context.Context, program, folder string) outcome {
	o := outcome{trial: t}
	fail := func(format string, args ...any) { o.faults = append(o.faults, fmt.Sprintf(format, args...)) }
	args := slices.Clone(t.args)
	if t.writeFiles != nil {
		if err := t.writeFiles(); err != nil {
			fail("its files: %v", err)
			return o
		}
	}
	if t.host != nil {
		address, stop, err := start(ctx, t.host)
		if err != nil {
			fail("the host: %v", err)
			return o
		}
		defer stop()
		args[len(args)-1] = fmt.Sprintf(args[len(args)-1], address)
	}
	reportFile := filepath.Join(folder, "report.json")
	if t.report {
		args = slices.Insert(args, 1, "--report", "json="+reportFile)
	}
	ctx, cancel := context.WithTimeout(ctx, killTime)
	defer cancel()
	run := exec.CommandContext(ctx, program, args...)
	var output bytes.Buffer
	run.Dir, run.Stderr, run.Stdout = folder, &limited{w: &output, left: 1 << 16}, io.Discard
	begun := time.Now()
	err := run.Run()
	o.took = time.Since(begun)
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		fail("%v", err)
		return o
	}
	o.exit, o.memory = run.ProcessState.ExitCode(), peakMemory(run.ProcessState)
	if !slices.Contains(t.statuses, o.exit) {
		fail("exit status %d: %s", o.exit, lastLine(output.String()))
	}
	if o.memory > memoryBound {
		fail("%d MB, more than %d", o.memory/1e6, int64(memoryBound/1e6))
	}
	if o.took > t.bound() {
		fail("%.1f s, more than %v", o.took.Seconds(), t.bound())
	}
	if t.report {
		o.faults = append(o.faults, checkReport(reportFile)...)
	}
	if left := processes(t.token); t.token != "" && t.host == nil && left > 0 {
		fail("%d processes remain", left)
	}
	return o
}

// bound returns the longest time that the run may take.
func (t trial) bound() time.Duration {
	if t.token == "" {
		return readBound
	}
	return runTimeout + stopBound
}

// start starts a host and returns its address, which is the first line of its output.
func start(ctx context.Context, command []string) (address string, stop func(), err error) {
	host := exec.CommandContext(ctx, command[0], command[1:]...)
	in, err := host.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := host.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := host.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = in.Close()
		_ = host.Process.Kill()
		_ = host.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, err
	}
	return strings.TrimSpace(line), stop, nil
}

// checkReport checks the part of the report that must exist.
func checkReport(file string) []string {
	raw, err := os.ReadFile(file)
	if err != nil {
		return []string{"no report"}
	}
	var report struct {
		Kind string `json:"kind"`
	}
	if json.Unmarshal(raw, &report) != nil || report.Kind != "ConformanceReport" {
		return []string{"the report is not one"}
	}
	if passwd, err := os.ReadFile("/etc/passwd"); err == nil && bytes.Contains(raw, passwd[:min(len(passwd), 20)]) {
		return []string{"the report contains the content of a file"}
	}
	return nil
}

// processes counts the processes whose command line contains the token, if the system has /proc.
func processes(token string) int {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	count := 0
	for _, file := range files {
		if line, err := os.ReadFile(file); err == nil && slices.Contains(strings.Split(string(line), "\x00"), token) {
			count++
		}
	}
	return count
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	last := lines[len(lines)-1]
	return last[:min(len(last), 200)]
}

// limited passes on only the first bytes that are written to it.
type limited struct {
	w    io.Writer
	left int
}

// Write implements io.Writer.
func (l *limited) Write(p []byte) (int, error) {
	n := min(len(p), l.left)
	l.left -= n
	_, _ = l.w.Write(p[:n])
	return len(p), nil
}
