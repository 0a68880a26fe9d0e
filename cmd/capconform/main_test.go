package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/capconform/capconform/cmd/capconform/internal/aside"
	"github.com/capconform/capconform/reference/chp2host"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/driver/drivertest"
)

var update = flag.Bool("update", false, "update the expected output in the scripts")

// TestMain puts the program on the path as users get it: built without the race detector, with which each of the
// hundreds of commands would take seconds. The packages of the commands are tested with it.
func TestMain(m *testing.M) {
	aside.Restore() // as main does
	drivertest.FindTools()
	heed(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	if err := install(m); err != nil {
		panic(fmt.Errorf("capconform can't be built: %w", err)) // a plain return would count as success
	}
}

// heed makes the programs that the tests start react to signals that the tests inherited as ignored, as they do under
// nohup and in the background of some shells. A signal for which a program has a handler is reset in its children.
func heed(all ...os.Signal) {
	for _, s := range all {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
}

func install(m *testing.M) error {
	dir, err := os.MkdirTemp("", "capconform-scripts")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) // a temporary folder
	name := "capconform"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(dir, name), ".") // as a release
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	if err := os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH")); err != nil {
		return err
	}
	m.Run()
	return nil
}

// TestScripts runs the scripts of testdata, which specify the command line. They use the commands below in addition
// to those of testscript.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "")
			env.Setenv(
				"COMMAND",
				"capconform\nserve\n--suite\ncap\n--stdio\n--mutant\ncap-describe-blanks\n",
			) // scripts cannot contain line breaks
			env.Setenv("TWO_SUITES", "cap\nchp\n")
			env.Setenv("FORGED", "x\nverdict=forged\n::set-output name=verdict::forged\r\n::error::forged")
			action, err := filepath.Abs("../../action")
			env.Setenv("ACTION", action)
			env.Setenv("DOCS", filepath.Join(filepath.Dir(action), "docs"))
			return err
		},
		Cmds: scriptCommands(),
	})
}

// scriptCommands returns the additional commands of the scripts.
func scriptCommands() map[string]func(*testscript.TestScript, bool, []string) {
	all := map[string]func(*testscript.TestScript, bool, []string){
		"exits": exits, "serving": serving, "await": await, "valid": valid, "same": same, "empty": empty, "refusing": refusing,
		"leaking": leaking, "keeps": keeps, "replace": replace, "outputs": outputs, "hosting": hosting, "checksum": checksum,
		"commands": commands, "workflow": workflow, "fetched": fetched, "proxying": proxying, "accepted": accepted,
		"listening": listening, "steer": steer,
		"speaking": speaking, "narrow": narrow, "lines": lines,
	}
	maps.Copy(all, systemCommands())
	return all
}

// narrow FILE COLUMNS: checks that no line of the file is longer.
func narrow(ts *testscript.TestScript, _ bool, args []string) {
	columns, err := strconv.Atoi(args[1])
	ts.Check(err)
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > columns {
			ts.Fatalf("%d columns, want at most %d: %s", n, columns, line)
		}
	}
}

// lines FILE MOST: checks that the file has at least one line and at most MOST.
func lines(ts *testscript.TestScript, _ bool, args []string) {
	most, err := strconv.Atoi(args[1])
	ts.Check(err)
	if n := strings.Count(ts.ReadFile(args[0]), "\n"); n > most || n == 0 {
		ts.Fatalf("%d lines, want at most %d", n, most)
	}
}

// exits STATUS ARGS...: runs capconform and checks its exit status.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec("capconform", args[1:]...)
	got := 0
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		got = ended.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status: want %d, got %d", want, got)
	}
}

// serving VARIABLE ARGS...: runs capconform serve in the background and sets the variable to the first line of its
// output.
func serving(ts *testscript.TestScript, _ bool, args []string) {
	c := exec.Command("capconform", append([]string{"serve"}, args[1:]...)...)
	c.Dir = ts.Getenv("WORK")
	c.Env = append(os.Environ(), "PATH="+ts.Getenv("PATH"))
	path, err := exec.LookPath("capconform")
	ts.Check(err)
	c.Path = path
	out, err := c.StdoutPipe()
	ts.Check(err)
	ts.Check(c.Start())
	ts.Defer(func() {
		_ = c.Process.Signal(os.Interrupt)
		if err := c.Wait(); err != nil {
			ts.Logf("serve ended: %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	ts.Check(err)
	ts.Setenv(args[0], strings.TrimSpace(line))
}

// speaking VARIABLE PREFERRED [VERSION...]: serves a host of CHP that prefers a version and speaks others, and sets the
// variable to its address.
func speaking(ts *testscript.TestScript, _ bool, args []string) {
	server := httptest.NewServer(chp2host.New(chp2host.Settings{Prefers: args[1], Versions: args[2:]}))
	ts.Defer(func() {
		server.CloseClientConnections()
		server.Close()
	})
	ts.Setenv(args[0], server.URL)
}

// await FILE: waits until the file exists.
func await(ts *testscript.TestScript, _ bool, args []string) {
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for tries := 0; tries < 4000; tries++ {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		<-ticker.C
	}
	ts.Fatalf("%s was not created", args[0])
}

// valid FILE [VERDICT]: checks that the file is a valid report, and its verdict.
func valid(ts *testscript.TestScript, _ bool, args []string) {
	r, err := reports.Read(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	if len(args) > 1 && string(r.Verdict) != args[1] {
		ts.Fatalf("verdict: want %s, got %s", args[1], r.Verdict)
	}
}

// same FILE FILE: checks that two reports have the same status for each requirement.
func same(ts *testscript.TestScript, _ bool, args []string) {
	statuses := func(name string) map[string]reports.Status {
		r, err := reports.Read(strings.NewReader(ts.ReadFile(name)))
		ts.Check(err)
		found := map[string]reports.Status{}
		for _, s := range r.Suites {
			for _, q := range s.Requirements {
				found[q.ID] = q.Status
			}
		}
		if len(found) == 0 {
			ts.Fatalf("%s contains no requirements", name)
		}
		return found
	}
	if diff := cmp.Diff(statuses(args[0]), statuses(args[1])); diff != "" {
		ts.Fatalf("statuses differ (-%s +%s):\n%s", args[0], args[1], diff)
	}
}

// empty DIR: checks that the folder contains no files.
func empty(ts *testscript.TestScript, _ bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, e := range entries {
		ts.Fatalf("%s contains %s", args[0], e.Name())
	}
}

// refusing VARIABLE: answers every request with status 401, and sets the variable to the URL.
func refusing(ts *testscript.TestScript, _ bool, args []string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	}))
	ts.Defer(server.Close)
	ts.Setenv(args[0], server.URL)
}

// replace FILE OLD NEW: replaces every occurrence of a text in a file, and fails if there is none.
func replace(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	edited := strings.ReplaceAll(text, args[1], args[2])
	if edited == text {
		ts.Fatalf("%s does not contain %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(edited), 0o666))
}
