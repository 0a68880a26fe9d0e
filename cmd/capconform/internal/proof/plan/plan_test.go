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

// ifHolds returns a key for the trials for which holds returns true, and "" for the others.
func ifHolds(holds func(Trial) bool, key func(Trial) string) func(Trial) string {
	return func(trial Trial) string {
		if !holds(trial) {
			return ""
		}
		return key(trial)
	}
}

func nameOf(trial Trial) string        { return trial.Name }
func requirementOf(trial Trial) string { return trial.Requirement }

var (
	inProcess = ifHolds(func(trial Trial) bool { return trial.Driver == InProcess && !trial.Ordinary }, nameOf)
	variants  = ifHolds(func(trial Trial) bool {
		return trial.Driver != InProcess && trial.Kind == KindVariant
	}, nameOf)
	rejudged       = func(trial Trial) bool { return trial.Kind == KindMutant && trial.Rejudged() }
	rejudgedByName = ifHolds(rejudged, nameOf)
)

// requireOnce checks that a spread selftest tries each key of the full one, and only once.
func requireOnce(t *testing.T, spread, full map[string]int) {
	t.Helper()
	require.Len(t, spread, len(full))
	for key, n := range spread {
		require.Equal(t, 1, n, key)
	}
}

// TestSpreadSelftestCoversPopulation: every host is tried in process, a sample without fixtures, and another sample
// over the drivers in turn.
func TestSpreadSelftestCoversPopulation(t *testing.T) {
	for _, definition := range []suites.Definition{
		capsuite.Definition(), chpsuite.Definition(), acpsuite.Definition(), acdsuite.Definition(),
	} {
		t.Run(definition.Name, func(t *testing.T) {
			spread, full := planned(t, definition, Spread, false), planned(t, definition, Full, false)
			require.NotEmpty(t, tried(spread, inProcess))
			require.Equal(t, tried(full, inProcess), tried(spread, inProcess))
			checkSamples(t, definition, spread, full)
			checkRejudged(t, spread, full)
			over := func(trial Trial) string { return string(trial.Kind) + " over " + trial.Driver }
			require.Len(t, tried(spread, over), 2*len(Drivers()))
		})
	}
}

// checkSamples checks the trials without fixtures and over drivers.
func checkSamples(t *testing.T, definition suites.Definition, spread, full []Trial) {
	t.Helper()
	listed := everything(t).Undecided[definition.Name]
	withoutFixtures := ifHolds(func(trial Trial) bool {
		_, is := listed[trial.Name]
		return trial.Kind == KindMutant && trial.Ordinary && !is
	}, requirementOf)
	requireOnce(t, tried(spread, withoutFixtures), tried(full, withoutFixtures))
	require.Equal(t, tried(full, withoutFixtures), tried(planned(t, definition, Spread, true), withoutFixtures),
		"make golden tries every mutant without fixtures")

	sections := sectionsOf(suiteOf(t, definition))
	overWire := ifHolds(func(trial Trial) bool {
		return trial.Driver != InProcess && !trial.OneDriver && !trial.Canary && trial.Kind != KindVariant
	}, func(trial Trial) string {
		return fmt.Sprintf("section %d as %s", sections[trial.Requirement], trial.Actors)
	})
	requireOnce(t, tried(spread, overWire), tried(full, overWire))

	met := tried(spread, variants)
	require.InDelta(t, len(tried(full, variants))/variantsEach, len(met), 1)
	for name, n := range met {
		require.Equal(t, 1, n, name)
	}
}

// checkRejudged checks the trials whose records are judged again.
func checkRejudged(t *testing.T, spread, full []Trial) {
	t.Helper()
	all := tried(full, rejudgedByName)
	for name := range tried(full, inProcess) {
		if slices.ContainsFunc(
			full,
			func(trial Trial) bool { return trial.Name == name && trial.Kind == KindMutant },
		) {
			require.Positive(t, all[name], name)
		}
	}
	broken := ifHolds(rejudged, requirementOf)
	require.Equal(
		t,
		slices.Sorted(maps.Keys(tried(full, broken))),
		slices.Sorted(maps.Keys(tried(spread, broken))),
	)
	require.Less(t, len(tried(spread, rejudgedByName)), len(all))
}
