package reports

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// everyOutput writes a report in every way that there is.
func everyOutput(t *testing.T, r *Report) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, f := range Formats() {
		var buf bytes.Buffer
		err := f.Write(&buf, r, Options{})
		if f.Whole && r.Run.Partial {
			require.ErrorIs(t, err, ErrPartial)
			continue
		}
		if f.Name == "cucumber" && errors.Is(err, ErrFeatures) {
			continue // made by hand: see TestCucumber
		}
		require.NoError(t, err)
		out[f.Name] = buf.Bytes()
	}
	consoles := map[string]ConsoleOptions{"console": {}, "console-verbose": {Verbose: true}}
	for name, o := range consoles {
		var buf bytes.Buffer
		require.NoError(t, Console(&buf, r, o))
		out[name] = buf.Bytes()
	}
	var buf bytes.Buffer
	_, err := Findings(&buf, r, false)
	require.NoError(t, err)
	out["findings"] = buf.Bytes()
	return out
}

// goldenOnly names the reports whose golden files are kept of an output that is
// long, or not meant for every report.
var goldenOnly = map[string][]string{
	"findings": {"documents", "hostile"},
	"ctrf":     {"nonconformant", "hostile"},
	"sarif":    {"documents", "hostile"},
	"intoto":   {"nonconformant", "conformant"},
	"github":   {"nonconformant", "hostile"},
	"html":     {},
	"cucumber": {},
}

func TestGolden(t *testing.T) {
	extensions := map[string]string{"console": ".txt", "console-verbose": ".verbose.txt", "findings": ".findings.txt"}
	for _, f := range Formats() {
		extensions[f.Name] = f.Extension
	}
	for name, r := range goldenReports() {
		for output, got := range everyOutput(t, r) {
			if only, some := goldenOnly[output]; some && !slices.Contains(only, name) {
				continue
			}
			path := filepath.Join("testdata", name+extensions[output])
			if *update {
				require.NoError(t, os.WriteFile(path, got, 0o644))
				continue
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", path, diff)
			}
		}
	}
}

// TestConsoleFits measures every line that holds no command and no address.
func TestConsoleFits(t *testing.T) {
	for name, r := range goldenReports() {
		for _, width := range []int{60, 80, 100, 140} {
			for _, verbose := range []bool{false, true} {
				var buf bytes.Buffer
				require.NoError(t, Console(&buf, r, ConsoleOptions{Width: width, Verbose: verbose}))
				for line := range strings.Lines(buf.String()) {
					bare := strings.TrimSpace(line)
					if strings.HasPrefix(bare, "repeat:") || strings.HasPrefix(bare, "target:") {
						continue
					}
					if n := columns(strings.TrimRight(line, "\n")); n > width {
						t.Errorf("%s at %d columns: %d columns in %q", name, width, n, line)
					}
				}
			}
		}
	}
}

func TestConsoleKeepsCommandsWhole(t *testing.T) {
	r := nonconformantReport()
	var buf bytes.Buffer
	require.NoError(t, Console(&buf, r, ConsoleOptions{Width: 60}))
	command := r.Suites[0].Requirements[13].Scenarios[1].Failure.Repeat
	if !strings.Contains(buf.String(), command+"\n") {
		t.Errorf("the command %q stands on no line of\n%s", command, buf.String())
	}
}

// TestConsoleColours: colours change no word, and are absent unless asked for.
func TestConsoleColours(t *testing.T) {
	sgr := strings.NewReplacer("\x1b[0m", "")
	for name, r := range goldenReports() {
		var plain, coloured bytes.Buffer
		require.NoError(t, Console(&plain, r, ConsoleOptions{Verbose: true}))
		require.NoError(t, Console(&coloured, r, ConsoleOptions{Verbose: true, Color: true}))
		if strings.Contains(plain.String(), "\x1b") {
			t.Errorf("%s: an escape without colours", name)
		}
		bare := sgr.Replace(coloured.String())
		for _, c := range []string{"1", "2", "31", "32", "33", "34", "35", "36", "1;31", "1;32", "1;33", "1;34", "1;35",
			"1;36"} {
			bare = strings.ReplaceAll(bare, "\x1b["+c+"m", "")
		}
		if diff := cmp.Diff(plain.String(), bare); diff != "" {
			t.Errorf("%s (-plain +coloured)\n%s", name, diff)
		}
		if coloured.Len() == plain.Len() {
			t.Errorf("%s: no colours although asked for", name)
		}
	}
}

// TestConsoleGroups: forty failures of one cause read as one.
func TestConsoleGroups(t *testing.T) {
	for _, c := range []struct {
		verbose bool
		want    int
	}{{false, 1}, {true, 40}} {
		var buf bytes.Buffer
		require.NoError(t, Console(&buf, nullHostReport(), ConsoleOptions{Verbose: c.verbose}))
		if n := strings.Count(buf.String(), "the answer is no response of the binding"); n != 1 {
			t.Errorf("verbose %v: the cause stands there %d times, want 1", c.verbose, n)
		}
		if n := strings.Count(buf.String(), "repeat:"); n != c.want {
			t.Errorf("verbose %v: %d repeat lines, want %d", c.verbose, n, c.want)
		}
	}
}

func TestFindingCount(t *testing.T) {
	for _, c := range []struct {
		strict bool
		want   FindingCount
	}{
		{false, FindingCount{Errors: 3, Warnings: 1, Advice: 1, Unjudged: 1}},
		{true, FindingCount{Errors: 4, Advice: 1, Unjudged: 1}},
	} {
		got, err := Findings(&bytes.Buffer{}, documentsReport(), c.strict)
		require.NoError(t, err)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("strict %v (-want +got)\n%s", c.strict, diff)
		}
	}
}

func TestWrap(t *testing.T) {
	cases := []struct {
		text  string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"a few words", 20, []string{"a few words"}},
		{"a few words", 5, []string{"a few", "words"}},
		{"a few words", 6, []string{"a few", "words"}},
		{"abcdefgh ij", 4, []string{"abcd", "efgh", "ij"}},
		{"日本語日本語", 5, []string{"日本", "語日", "本語"}},
		{"👩‍🔬👩‍🔬👩‍🔬", 5, []string{"👩‍🔬👩‍🔬", "👩‍🔬"}}, // several runes each, two columns
		{"🇦🇹🇦🇹", 3, []string{"🇦🇹", "🇦🇹"}},
		{"e\u0301e\u0301e\u0301", 2, []string{"e\u0301e\u0301", "e\u0301"}},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, wrap(c.text, c.width)); diff != "" {
			t.Errorf("wrap(%q, %d) (-want +got)\n%s", c.text, c.width, diff)
		}
	}
	if got, want := wrapUpTo("one two three four", 5, 2), []string{"one", "two …"}; !cmp.Equal(want, got) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := truncate("日本語日本語", 6), "日本…"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestProgressSaysWhatIsWaitedFor(t *testing.T) {
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
	if last := drawn[4]; !strings.Contains(last, "5 of 10 scenarios  waiting") || columns(last) > 60 ||
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
		t.Errorf("a pipe got %q", pipe.String())
	}
	got := terminal.String()
	if n := strings.Count(got, "\r"); n > barColumns+3 {
		t.Errorf("drawn %d times, want at most %d", n, barColumns+3)
	}
	if !strings.Contains(got, "10000 of 10000 scenarios") || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("ends with %q", got[max(0, len(got)-80):])
	}
}
