package proof

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/golden"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/survey"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/variant"
	"github.com/capconform/capconform/suites"
	capsuite "github.com/capconform/capconform/suites/cap"
)

// lawfulOf returns a population of a few lawful subjects of CAP in which CAP-DIS-06 is new.
func lawfulOf(t *testing.T, s *suites.Suite, variants ...variant.Variant) Options {
	t.Helper()
	all := everything(t)
	judged := slices.DeleteFunc(slices.Clone(all.Judged["cap"]), func(id string) bool { return id == "CAP-DIS-06" })
	require.Len(t, judged, len(all.Judged["cap"])-1)
	return Options{Options: plan.Options{Suites: []*suites.Suite{s}, Population: plan.Population{
		Variants: variants, Judged: golden.Judged{"cap": judged},
		Documents: slices.DeleteFunc(all.Documents, func(d mutant.Document) bool { return d.Name != "cap-capability-sound-json" }),
	}}}
}

// broken is a host that breaks CAP-DIS-06, declared as a variant.
func broken(t *testing.T) variant.Variant {
	t.Helper()
	all := everything(t).Mutants
	at := slices.IndexFunc(all, func(m mutant.Mutant) bool { return m.Requirement == "CAP-DIS-06" })
	require.GreaterOrEqual(t, at, 0)
	return variant.Variant{
		Name:   "cap-permitted",
		Suite:  "cap",
		Allows: []string{"CAP-MAN-01", "CAP-MAY-02"},
		Apply:  all[at].Apply,
	}
}

func TestNewRequirementIsJudgedOnLawfulSubjects(t *testing.T) {
	s := suiteOf(t, capsuite.Definition())
	lawful := slices.DeleteFunc(
		everything(t).Variants,
		func(v variant.Variant) bool { return v.Name != "cap-nulls-written" },
	)
	found := &survey.Survey{}
	require.NoError(t, JudgeNew(t.Context(), found, lawfulOf(t, s, append(lawful, broken(t))...)))

	require.Len(t, found.New, 1)
	fresh := found.New[0]
	assert.Equal(t, "CAP-DIS-06", fresh.ID)
	assert.Equal(t, 4, fresh.Subjects, "the reference, two variants, a document")
	require.Len(t, fresh.Contradictions, 1)
	c := fresh.Contradictions[0]
	assert.Equal(t, "cap-permitted", c.Subject)
	assert.NotEmpty(t, c.Message)
	first, _ := s.Catalogue.Lookup("CAP-MAN-01")
	second, _ := s.Catalogue.Lookup("CAP-MAY-02")
	assert.Equal(t, first.Resolution, c.Permits[0].Says)
	assert.Contains(t, []string{second.Resolution, second.Summary}, c.Permits[1].Says)
	assert.NotEmpty(t, c.Permits[1].Says)

	require.Len(t, found.Open, 1)
	for _, part := range []string{"CAP-DIS-06 is failed on the lawful variant cap-permitted", c.Message, "CAP-MAN-01 permits it: " + first.Resolution} {
		assert.Contains(t, found.Open[0], part)
	}
	var text strings.Builder
	require.NoError(t, found.Write(&text))
	assert.Contains(
		t,
		strings.Join(strings.Fields(text.String()), " "),
		"new: CAP-DIS-06 was judged on 4 lawful hosts and documents, 1 of which",
	)
}

// A variant that declares that it does not follow the new advice is not a contradiction.
func TestVariantMayDeclareThatItIgnoresNewAdvice(t *testing.T) {
	found := &survey.Survey{}
	require.NoError(
		t,
		JudgeNew(t.Context(), found, lawfulOf(t, suiteOf(t, capsuite.Definition()), broken(t).Ignoring("CAP-DIS-06"))),
	)
	require.Len(t, found.New, 1)
	assert.Equal(t, 3, found.New[0].Subjects)
	assert.Empty(t, found.New[0].Contradictions)
	assert.Empty(t, found.Open)
}

// Requirements that the golden files do not list would make coverage examine hundreds of hosts each time.
func TestGoldenFilesListAllRequirements(t *testing.T) {
	population := everything(t)
	for _, definition := range corpora() {
		s, err := suites.New(definition)
		require.NoError(t, err)
		assert.Empty(t, population.Unjudged(s), "%s: make golden GOLDENFLAGS='--suite %[1]s'", s.Name)
		options := Options{Options: plan.Options{Suites: []*suites.Suite{s}, Population: population}}
		found := &survey.Survey{}
		require.NoError(t, JudgeNew(t.Context(), found, options))
		assert.Empty(t, found.New)
	}
}
