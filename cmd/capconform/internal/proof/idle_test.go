package proof

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/population"
	capsuite "github.com/capconform/capconform/suites/cap"
)

// A scenario that no host of the population breaks is idle, and makes the selftest fail.
func TestScenarioThatNothingBreaksFailsSelftest(t *testing.T) {
	const broken, untried = "CAP-DIS-01: The list contains all manifests", "CAP-FC-01: "
	options := optionsFor(t, capsuite.Definition(), plan.Population{})
	options.Population.Mutants = withFixtures(slices.DeleteFunc(population.Mutants(), func(m mutant.Mutant) bool {
		return m.Name != plan.Canary("cap") && m.Name != "cap-list-wrappers"
	})...)
	options.Population.Undecided = everything(t).Undecided
	options.EachScenario = true
	m, err := Selftest(t.Context(), options)
	require.NoError(t, err)
	require.Empty(t, m.Void)
	names := func(requirement string) bool {
		return slices.ContainsFunc(
			m.Idle,
			func(scenario string) bool { return strings.Contains(scenario, requirement) },
		)
	}
	if m.OK() || names(broken) || !names(untried) {
		t.Errorf("idle scenarios: %q; want those of %s and not %s", m.Idle, untried, broken)
	}
	var text bytes.Buffer
	require.NoError(t, m.Write(&text, false))
	if !strings.Contains(text.String(), "nothing makes this scenario fail: features/cap/mappings.feature:") {
		t.Errorf("the matrix does not report the idle scenario:\n%s", text.String())
	}
}
