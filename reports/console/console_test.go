package console

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/reports/reporttest"
)

// TestConsoleFits measures every line that contains no command and no address.
func TestConsoleFits(t *testing.T) {
	for name, r := range reporttest.All() {
		for _, width := range []int{60, 80, 100, 140} {
			for _, verbose := range []bool{false, true} {
				var buf bytes.Buffer
				require.NoError(t, Write(&buf, r, Options{Width: width, Verbose: verbose}))
				for line := range strings.Lines(buf.String()) {
					bare := strings.TrimSpace(line)
					if strings.HasPrefix(bare, "repeat:") || strings.HasPrefix(bare, "target:") {
						continue
					}
					if n := display.Columns(strings.TrimRight(line, "\n")); n > width {
						t.Errorf("%s at %d columns: %d columns in %q", name, width, n, line)
					}
				}
			}
		}
	}
}

func TestConsoleDoesNotWrapCommands(t *testing.T) {
	r := reporttest.Nonconformant()
	var buf bytes.Buffer
	require.NoError(t, Write(&buf, r, Options{Width: 60}))
	command := r.Suites[0].Requirements[13].Scenarios[1].Failure.Repeat
	if !strings.Contains(buf.String(), command+"\n") {
		t.Errorf("no line consists of the command %q in\n%s", command, buf.String())
	}
}

// TestConsoleColours: colours do not change the text, and are absent unless requested.
func TestConsoleColours(t *testing.T) {
	sgr := strings.NewReplacer("\x1b[0m", "")
	for name, r := range reporttest.All() {
		var plain, coloured bytes.Buffer
		require.NoError(t, Write(&plain, r, Options{Verbose: true}))
		require.NoError(t, Write(&coloured, r, Options{Verbose: true, Color: true}))
		if strings.Contains(plain.String(), "\x1b") {
			t.Errorf("%s: an escape sequence without colours", name)
		}
		bare := sgr.Replace(coloured.String())
		for _, c := range []string{"1", "2", "31", "32", "33", "94", "35", "36", "1;31", "1;32", "1;33", "1;94", "1;35",
			"1;36"} {
			bare = strings.ReplaceAll(bare, "\x1b["+c+"m", "")
		}
		if diff := cmp.Diff(plain.String(), bare); diff != "" {
			t.Errorf("%s (-plain +coloured)\n%s", name, diff)
		}
		if coloured.Len() == plain.Len() {
			t.Errorf("%s: no colours, although requested", name)
		}
	}
}

// TestConsoleGroups: forty failures with one cause are one group.
func TestConsoleGroups(t *testing.T) {
	for _, c := range []struct {
		verbose bool
		want    int
	}{{false, 1}, {true, 40}} {
		var buf bytes.Buffer
		require.NoError(t, Write(&buf, reporttest.NullHost(), Options{Verbose: c.verbose}))
		if n := strings.Count(buf.String(), "the answer is no response of the binding"); n != 1 {
			t.Errorf("verbose %v: the cause is printed %d times, want 1", c.verbose, n)
		}
		if n := strings.Count(buf.String(), "repeat:"); n != c.want {
			t.Errorf("verbose %v: %d repeat lines, want %d", c.verbose, n, c.want)
		}
	}
}

func TestProgressShowsWait(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out, 60)
	p.Await("the target to answer, 2 s")
	p.Start(10)
	p.Scenario(5)
	p.Await("capability.invoke " + strings.Repeat("long", 20) + "\x1b[2J, 3 s")
	p.End()
	drawn := strings.Split(out.String(), "\r\x1b[K")
	if len(drawn) != 6 || drawn[1] != "  waiting for the target to answer, 2 s" {
		t.Fatalf("%q", drawn)
	}
	if last := drawn[4]; !strings.Contains(last, "5 of 10 scenarios  waiting") || display.Columns(last) > 60 ||
		strings.Contains(last, "\x1b") {
		t.Errorf("%q", last)
	}
}

func TestProgress(t *testing.T) {
	var pipe, terminal bytes.Buffer
	for _, c := range []struct {
		w       *bytes.Buffer
		columns int
	}{{&pipe, 0}, {&terminal, 80}} {
		p := NewProgress(c.w, c.columns)
		p.Start(10_000)
		for i := range 10_000 {
			p.Scenario(i + 1)
		}
		p.Scenario(3)
		p.End()
		p.Scenario(4)
	}
	if pipe.Len() != 0 {
		t.Errorf("wrote %q to a pipe", pipe.String())
	}
	got := terminal.String()
	if n := strings.Count(got, "\r"); n > barColumns+3 {
		t.Errorf("drawn %d times, want at most %d", n, barColumns+3)
	}
	if !strings.Contains(got, "10000 of 10000 scenarios") || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("the output ends with %q", got[max(0, len(got)-80):])
	}
}
