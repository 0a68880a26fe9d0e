package proof

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/reference/chphost/mutant"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
	chpsuite "github.com/capconform/capconform/suites/chp"
)

// TestEditionDerivedFromTheDraft examines lawful hosts of the draft in the edition 0.1, and hosts that break what only that
// edition demands. All of its new requirements that a run can observe are broken by one of them.
func TestEditionDerivedFromTheDraft(t *testing.T) {
	skipShort(t)
	definition, err := chpsuite.StableDefinition()
	require.NoError(t, err)
	s, err := suites.New(definition)
	require.NoError(t, err)
	those := oneEach(everything(t), "chp")
	further := withFixtures(chpmutant.OfStable()...)
	those.Mutants = append(slices.DeleteFunc(those.Mutants, func(m mutant.Mutant) bool { return m.Name != plan.Canary("chp") }),
		further...)
	those.Documents = nil
	m, err := Selftest(t.Context(), Options{Options: plan.Options{Suites: []*suites.Suite{s}, Population: those, Golden: true},
		Workers: 2})
	require.NoError(t, err)
	older, err := spec.Load("chp")
	require.NoError(t, err)
	for _, r := range s.Catalogue.Requirements {
		if _, known := older.Lookup(r.ID); !known && r.Testable() && !slices.ContainsFunc(chpmutant.OfStable(),
			func(m mutant.Mutant) bool { return m.Requirement == r.ID }) {
			t.Errorf("no host breaks %s", r.ID)
		}
	}
	for _, r := range m.Trials {
		for _, fault := range r.Faults {
			t.Errorf("%s: %s", r.Name, fault)
		}
	}
	require.NotEmpty(t, m.Trials)
}
