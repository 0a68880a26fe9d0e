package plan

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
	acdsuite "github.com/capconform/capconform/suites/acd"
	acpsuite "github.com/capconform/capconform/suites/acp"
	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
)

func suiteOf(t *testing.T, definition suites.Definition) *suites.Suite {
	t.Helper()
	s, err := suites.New(definition)
	require.NoError(t, err)
	return s
}

func everything(t *testing.T) Population {
	t.Helper()
	population, err := Everything()
	require.NoError(t, err)
	return population
}

// planned returns the trials of hosts in a selftest of a suite over every driver.
func planned(t *testing.T, definition suites.Definition, depth Depth, golden bool) []Trial {
	t.Helper()
	all, err := New(Options{
		Suites: []*suites.Suite{suiteOf(t, definition)}, Population: everything(t),
		Drivers: Drivers(), Relay: []string{"relay"}, Depth: depth, Golden: golden,
	})
	require.NoError(t, err)
	var trials []Trial
	for _, j := range all.Trials {
		if j.Trial.Kind == KindMutant || j.Trial.Kind == KindVariant {
			trials = append(trials, j.Trial)
		}
	}
	return trials
}

// tried counts the trials by the key that a function returns; trials with the key "" are not counted.
func tried(trials []Trial, of func(Trial) string) map[string]int {
	counts := map[string]int{}
	for _, trial := range trials {
		if key := of(trial); key != "" {
			counts[key]++
		}
	}
	return counts
}

// TestSpreadSelftestCoversPopulation: every host is tried in process, a sample without fixtures, and another sample
// over the drivers in turn.
func TestSpreadSelftestCoversPopulation(t *testing.T) {
	for _, definition := range []suites.Definition{
		capsuite.Definition(), chpsuite.Definition(), acpsuite.Definition(), acdsuite.Definition(),
	} {
		t.Run(definition.Name, func(t *testing.T) {
			spread, full := planned(t, definition, Spread, false), planned(t, definition, Full, false)
			inProcess := func(trial Trial) string {
				if trial.Driver != InProcess || trial.Ordinary {
					return ""
				}
				return trial.Name
			}
			require.NotEmpty(t, tried(spread, inProcess))
			require.Equal(t, tried(full, inProcess), tried(spread, inProcess))

			listed := everything(t).Undecided[definition.Name]
			withoutFixtures := func(trial Trial) string {
				if _, is := listed[trial.Name]; trial.Kind != KindMutant || !trial.Ordinary || is {
					return ""
				}
				return trial.Requirement
			}
			requirements := tried(spread, withoutFixtures)
			require.Len(t, requirements, len(tried(full, withoutFixtures)))
			for id, n := range requirements {
				require.Equal(t, 1, n, id)
			}
			require.Equal(t, tried(full, withoutFixtures), tried(planned(t, definition, Spread, true), withoutFixtures),
				"make golden tries every mutant without fixtures")

			sections := sectionsOf(suiteOf(t, definition))
			overWire := func(trial Trial) string {
				if trial.Driver == InProcess || trial.Bound || trial.Canary || trial.Kind == KindVariant {
					return ""
				}
				return fmt.Sprintf("section %d as %s", sections[trial.Requirement], trial.Actors)
			}
			once := tried(spread, overWire)
			require.Len(t, once, len(tried(full, overWire)))
			for section, n := range once {
				require.Equal(t, 1, n, section)
			}
			variants := func(trial Trial) string {
				if trial.Driver == InProcess || trial.Kind != KindVariant {
					return ""
				}
				return trial.Name
			}
			met := tried(spread, variants)
			require.InDelta(t, len(tried(full, variants))/variantsEach, len(met), 1)
			for name, n := range met {
				require.Equal(t, 1, n, name)
			}
			mutants := func(trial Trial) string {
				if trial.Kind != KindMutant || !trial.Rejudged() {
					return ""
				}
				return trial.Name
			}
			all := tried(full, mutants)
			for name := range tried(full, inProcess) {
				if slices.ContainsFunc(
					full,
					func(trial Trial) bool { return trial.Name == name && trial.Kind == KindMutant },
				) {
					require.Positive(t, all[name], name)
				}
			}
			broken := func(trial Trial) string {
				if mutants(trial) == "" {
					return ""
				}
				return trial.Requirement
			}
			require.Equal(
				t,
				slices.Sorted(maps.Keys(tried(full, broken))),
				slices.Sorted(maps.Keys(tried(spread, broken))),
			)
			require.Less(t, len(tried(spread, mutants)), len(all))

			over := func(trial Trial) string { return string(trial.Kind) + " over " + trial.Driver }
			require.Len(t, tried(spread, over), 2*len(Drivers()))
		})
	}
}
