package proof

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/population"
	"github.com/capconform/capconform/reports/nearest"
	"github.com/capconform/capconform/suites"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
)

// withPatterns are the suites whose failures are compared with known defects.
func withPatterns() []suites.Definition {
	return []suites.Definition{chpsuite.Definition()}
}

// triedEach returns n if one of n mutants is run.
func triedEach() int {
	switch {
	case *update || os.Getenv("CAPCONFORM_PATTERNS") == "all":
		return 1
	case quick():
		return 8 * quickEach
	}
	return 8
}

// TestPatternsAreOfRealRuns repeats the runs whose failures package nearest keeps. Unless CAPCONFORM_PATTERNS is "all",
// it repeats only some of them, and checks the names of the others.
func TestPatternsAreOfRealRuns(t *testing.T) {
	for _, definition := range withPatterns() {
		t.Run(definition.Name, func(t *testing.T) {
			s := suiteOf(t, definition)
			kept := map[string]nearest.Pattern{}
			known, err := nearest.Patterns(s.Name)
			require.NoError(t, err)
			for _, p := range known {
				kept[p.Defect] = p
			}
			all := mutantsInProcess(t, s.Name)
			found := patternsOf(t, s, all, "", triedEach())
			if *update {
				writePatterns(t, s.Name, all, found)
				return
			}
			require.Len(t, known, len(all), "make patterns")
			for _, m := range all {
				require.Equal(t, m.Summary, kept[m.Name].Summary, "make patterns")
				if f, ran := found[m.Name]; ran {
					if diff := cmp.Diff(messagesOf(kept[m.Name].Found), messagesOf(f)); diff != "" {
						t.Errorf("%s: a run finds something else (make patterns), -kept +found:\n%s", m.Name, diff)
					}
				}
			}
		})
	}
}

// TestNearestDefects requires that the failures of a mutant of another style and with other capabilities name the mutant,
// or nothing.
func TestNearestDefects(t *testing.T) {
	s := suiteOf(t, chpsuite.Definition())
	for _, style := range []string{"", "chp-seven-members", "chp-governance-events", "chp-sequence-gaps"} {
		t.Run(style, func(t *testing.T) {
			known, err := nearest.Patterns(s.Name)
			require.NoError(t, err)
			var tally hints
			for name, found := range patternsOf(t, s, mutantsInProcess(t, s.Name), style, triedEach()) {
				tally.add(t, name, found, nearest.Among(known, found))
			}
			tally.require(t)
		})
	}
}

// mutantsInProcess returns the mutants of a suite that show over every driver.
func mutantsInProcess(t *testing.T, suite string) []mutant.Mutant {
	t.Helper()
	p, err := plan.Everything()
	require.NoError(t, err)
	return slices.DeleteFunc(p.Mutants, func(m mutant.Mutant) bool { return m.Suite != suite || m.Driver != "" })
}

// patternsOf runs one of n mutants, with the style of a variant and without fixtures if a style is named.
func patternsOf(t *testing.T, s *suites.Suite, all []mutant.Mutant, style string, n int) map[string][]nearest.Breach {
	t.Helper()
	var lock sync.Mutex
	found := map[string][]nearest.Breach{}
	var running sync.WaitGroup
	places := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, m := range all {
		if i%n != 0 {
			continue
		}
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			breaches, err := breachesOf(t.Context(), s, m, style)
			lock.Lock()
			defer lock.Unlock()
			if err != nil {
				t.Errorf("%s: %v", m.Name, err)
			}
			found[m.Name] = breaches
		})
	}
	running.Wait()
	return found
}

func breachesOf(ctx context.Context, s *suites.Suite, m mutant.Mutant, style string) ([]nearest.Breach, error) {
	f, err := trial.FrontOfReference("reference", reference.Options{Suites: []string{s.Name}, NoFixtures: style != "",
		Alter: func(parts *reference.Parts) {
			if v, known := population.FindVariant(style); known {
				v.Apply(parts)
			}
			m.Apply(parts)
		}})
	if err != nil {
		return nil, err
	}
	defer f.Close() // the host served only this run
	var deadlines driver.Deadlines
	if m.ShortWait {
		deadlines.Slow = brevity
	}
	report, err := suites.Run(ctx, []*suites.Suite{s}, &suites.Subject{
		Name: f.Name, Driver: inproc.New(f.Name, f.Handle), Invoke: live.InvokeSafe, Adapter: suites.Adapter{Mode: "auto"},
		Seed: seed, Restarter: f.Restart, Deadlines: deadlines, Actors: m.Actors,
		Options: map[string]string{"strict": strconv.FormatBool(m.Strict)},
	}, suites.Options{Explicit: true, Concurrency: 1, Strict: m.Strict})
	if err != nil {
		return nil, err
	}
	return nearest.Found(&report.Suites[0]), nil
}

// messagesOf returns what the breaches say, without values.
func messagesOf(all []nearest.Breach) []string {
	var messages []string
	for _, b := range all {
		messages = append(messages, b.Requirement+" "+b.Message)
	}
	slices.Sort(messages)
	return slices.Compact(messages)
}

func writePatterns(t *testing.T, suite string, all []mutant.Mutant, found map[string][]nearest.Breach) {
	t.Helper()
	var lines bytes.Buffer
	e := json.NewEncoder(&lines)
	e.SetEscapeHTML(false)
	for _, m := range all {
		require.NoError(t, e.Encode(nearest.Pattern{Defect: m.Name, Summary: m.Summary, Found: found[m.Name]}))
	}
	path := filepath.Join("..", "..", "..", "..", "reports", "nearest", "patterns", suite+".jsonl")
	require.NoError(t, os.WriteFile(path, lines.Bytes(), 0o666))
}
