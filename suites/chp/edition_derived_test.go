package chpsuite

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
)

// The edition 0.1 demands what the draft demands, at the same level, and nothing of it without a scenario.
func TestDerivedEdition(t *testing.T) {
	older, err := suites.New(Definition())
	require.NoError(t, err)
	newer, err := older.In(Stable)
	require.NoError(t, err)
	require.Equal(t, Stable, newer.Catalogue.Edition)
	for _, r := range older.Catalogue.Requirements {
		is, known := newer.Catalogue.Lookup(r.ID)
		assert.True(t, known && is.Level == r.Level && is.Check == r.Check && is.Actor == r.Actor, r.ID)
		assert.Subset(t, is.YieldsTo, r.YieldsTo, r.ID)
		assert.Subset(t, is.Fingerprint, r.Fingerprint, r.ID)
	}
	scenarios, earlier := newer.Scenarios(), older.Scenarios()
	assert.Equal(t, earlier, scenarios[:len(earlier)])
	for _, r := range newer.Catalogue.Requirements {
		_, known := older.Catalogue.Lookup(r.ID)
		has := slices.ContainsFunc(scenarios, func(c suites.Case) bool { return c.Requirement == r.ID && c.Mode != suites.Documents })
		assert.True(t, known || !r.Testable() || has, r.ID)
	}
	again, err := newer.In(Draft)
	require.NoError(t, err)
	assert.Same(t, newer, again, "the edition that the user chose stays")
}
