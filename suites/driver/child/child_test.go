//go:build unix

package child_test

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/child"
	"github.com/capconform/capconform/suites/driver/drivertest"
)

func TestMain(m *testing.M) {
	drivertest.FindTools()
	goleak.VerifyTestMain(m)
}

func start(t *testing.T, script string) *child.Process {
	t.Helper()
	p, err := child.Start(child.Config{Command: []string{"sh", "-c", script}})
	require.NoError(t, err)
	t.Cleanup(p.Kill)
	return p
}

// pids reads as many process ids as the script prints.
func pids(t *testing.T, p *child.Process, n int) []int {
	t.Helper()
	var found []int
	lines := bufio.NewScanner(p.Stdout)
	for len(found) < n && lines.Scan() {
		pid, err := strconv.Atoi(strings.TrimSpace(lines.Text()))
		require.NoError(t, err)
		found = append(found, pid)
	}
	require.Len(t, found, n)
	return found
}

func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }

func TestStopEndsAllDescendants(t *testing.T) {
	setsid := "setsid"
	if runtime.GOOS == "linux" {
		_, err := exec.LookPath(setsid)
		require.NoError(t, err)
	}
	tests := map[string]struct {
		script string
		pids   int
		linux  bool // guaranteed only there
	}{
		"sleeps":              {"echo $$; exec sleep 600", 1, false},
		"ignores signals":     {"trap '' TERM INT HUP; echo $$; while :; do sleep 600; done", 1, false},
		"has a grandchild":    {"sleep 600 & echo $!; echo $$; wait", 2, false},
		"wrapper dies first":  {"sleep 600 & echo $!", 1, false},
		"setsid":              {"setsid sh -c 'echo $$; exec sleep 600' & wait", 1, true},
		"setsid, parent gone": {"setsid sh -c 'echo $$; exec sleep 600' &", 1, true},
		"setsid, no mark":     {"setsid env -i PATH=\"$PATH\" sh -c 'echo $$; exec sleep 600' & wait", 1, true},
		"own group":           {"bash -c 'set -m; sleep 600 & echo $!'", 1, true},
		"setsid, two levels":  {"setsid sh -c 'echo $$; setsid sh -c \"echo \\$\\$; exec sleep 600\" & wait' & wait", 2, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if test.linux && runtime.GOOS != "linux" {
				t.Skip(child.UncoveredDescendants)
			}
			p := start(t, test.script)
			found := pids(t, p, test.pids)
			p.Stop()
			for _, pid := range found {
				if alive(pid) {
					t.Errorf("process %d is alive after Stop", pid)
				}
			}
		})
	}
}

func TestChildrenAreIndependent(t *testing.T) {
	for _, left := range []string{"", " & wait", " &"} {
		prefix := "setsid "
		if left == "" {
			prefix = "exec "
		}
		first, second := start(t, prefix+"sh -c 'echo $$; exec sleep 600'"+left), start(t, "echo $$; exec sleep 600")
		one, two := pids(t, first, 1), pids(t, second, 1)
		second.Kill()
		if !alive(one[0]) || alive(two[0]) {
			t.Errorf(
				"%q: after the second was killed: first alive %v, second alive %v",
				left,
				alive(one[0]),
				alive(two[0]),
			)
		}
	}
}

func TestStopClosesInputFirst(t *testing.T) {
	p := start(t, "cat >/dev/null; echo bye >&2; exit 3")
	p.Stop()
	if diff := cmp.Diff([]string{"exit status 3", "bye\n"}, []string{p.Status(), p.Stderr()}); diff != "" {
		t.Errorf("status and stderr (-want +got):\n%s", diff)
	}
}

func TestStderrIsBounded(t *testing.T) {
	p := start(t, "head -c 3000000 /dev/zero | tr '\\0' x >&2; echo end >&2; echo done")
	out, err := io.ReadAll(p.Stdout)
	require.NoError(t, err)
	p.Stop()
	got := p.Stderr()
	if string(out) != "done\n" || len(got) != 64<<10 || !strings.HasSuffix(got, "xend\n") {
		t.Errorf("stdout %q, stderr of %d bytes that ends with %q", out, len(got), got[max(0, len(got)-8):])
	}
}

func TestStdoutEndsSoonAfterChild(t *testing.T) {
	p := start(t, "sleep 600 & echo last")
	out, err := io.ReadAll(p.Stdout)
	if string(out) != "last\n" || err != nil {
		t.Errorf("got %q, %v", out, err)
	}
}

func TestReadDeadline(t *testing.T) {
	p := start(t, "read line; sleep 600 & exit")
	read := func() error {
		_, err := p.Stdout.Read(make([]byte, 1))
		return err
	}
	for range 2 { // while the child runs, twice
		require.NoError(t, p.Stdout.SetReadDeadline(time.Unix(1, 0)))
		if err := read(); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("a read after its deadline returned %v", err)
		}
	}
	require.NoError(t, p.Stdin.Close())
	<-p.Done()
	require.NoError(t, p.Stdout.SetReadDeadline(time.Now().Add(time.Hour)))
	if err := read(); !errors.Is(err, io.EOF) { // at once, not after an hour
		t.Errorf("a read after the end of the child returned %v", err)
	}
}

func TestStartFails(t *testing.T) {
	tests := map[string]struct {
		command []string
		want    error
	}{
		"no command":      {nil, driver.ErrConfiguration},
		"no such program": {[]string{"/nonexistent/program"}, driver.ErrUnreachable},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := child.Start(child.Config{Command: test.command}); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

func TestEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"CAPTEST_SECRET": "s", "CAPTEST_PASSED": "p", "https_proxy": "x", "npm_config_registry": "r", "LANG": "C",
	} {
		t.Setenv(name, value)
	}
	tests := map[string]struct {
		pass []string
		want []string
	}{
		"usual": {nil, []string{"GIVEN=g", "LANG=de", "https_proxy=x", "npm_config_registry=r"}},
		"named": {[]string{"CAPTEST_PASSED"}, []string{"CAPTEST_PASSED=p", "GIVEN=g", "LANG=de", "https_proxy=x", "npm_config_registry=r"}},
		"all":   {[]string{"all"}, []string{"CAPTEST_PASSED=p", "CAPTEST_SECRET=s", "GIVEN=g", "LANG=de", "https_proxy=x", "npm_config_registry=r"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p, err := child.Start(
				child.Config{Command: []string{"env"}, Env: []string{"GIVEN=g", "LANG=de"}, Pass: test.pass},
			)
			require.NoError(t, err)
			out, err := io.ReadAll(p.Stdout)
			require.NoError(t, err)
			p.Stop()
			var got []string
			for line := range strings.Lines(string(out)) {
				name, _, _ := strings.Cut(line, "=")
				if slices.Contains(
					[]string{"CAPTEST_SECRET", "CAPTEST_PASSED", "https_proxy", "npm_config_registry", "LANG", "GIVEN"},
					name,
				) {
					got = append(got, strings.TrimSpace(line))
				}
			}
			slices.Sort(got)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("environment (-want +got):\n%s", diff)
			}
		})
	}
}

// A variable that every child receives is withheld if its name or value looks like a credential, unless it is named.
func TestEnvironmentWithoutCredentials(t *testing.T) {
	ours := []string{
		"PATH=/bin", "NPM_CONFIG__AUTHTOKEN=a", "npm_config_//registry.example/:_authToken=b", "NPM_CONFIG_REGISTRY=https://me:c@registry.example/",
		"HTTPS_PROXY=http://me:d@proxy:3128", "http_proxy=http://proxy:3128", "NPM_CONFIG_INIT_AUTHOR_NAME=me", "NPM_CONFIG_CERT=-----BEGIN CERTIFICATE-----",
		"XDG_SESSION_ID=7", "OTHER_TOKEN=e", "LC_TOKENS=f",
	}
	plain := []string{"PATH=/bin", "http_proxy=http://proxy:3128", "NPM_CONFIG_INIT_AUTHOR_NAME=me", "XDG_SESSION_ID=7"}
	tests := map[string]struct {
		config         child.Config
		want, withheld []string
	}{
		"usual": {child.Config{}, plain, []string{
			"HTTPS_PROXY", "LC_TOKENS", "NPM_CONFIG_CERT", "NPM_CONFIG_REGISTRY", "NPM_CONFIG__AUTHTOKEN", "npm_config_//registry.example/:_authToken",
		}},
		"named": {
			child.Config{Pass: []string{"HTTPS_PROXY", "OTHER_TOKEN", "LC_TOKENS"}, Env: []string{"NPM_CONFIG_CERT=mine"}},
			[]string{
				"PATH=/bin", "HTTPS_PROXY=http://me:d@proxy:3128", "http_proxy=http://proxy:3128", "NPM_CONFIG_INIT_AUTHOR_NAME=me",
				"XDG_SESSION_ID=7", "OTHER_TOKEN=e", "LC_TOKENS=f", "NPM_CONFIG_CERT=mine",
			},
			[]string{"NPM_CONFIG_REGISTRY", "NPM_CONFIG__AUTHTOKEN", "npm_config_//registry.example/:_authToken"},
		},
		"all": {child.Config{Pass: []string{"all"}}, ours, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, child.Environment(ours, test.config)); diff != "" {
				t.Errorf("environment (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.withheld, child.Withheld(ours, test.config)); diff != "" {
				t.Errorf("withheld (-want +got):\n%s", diff)
			}
		})
	}
}

func TestConcurrentKills(t *testing.T) {
	p := start(t, "exec sleep 600")
	ended := make(chan struct{}, 2)
	for range 2 {
		go func() { p.Kill(); ended <- struct{}{} }()
	}
	for range 2 {
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			t.Fatal("Kill did not return")
		}
	}
	if got := p.Status(); got != "signal: killed" {
		t.Errorf("status %q", got)
	}
}
