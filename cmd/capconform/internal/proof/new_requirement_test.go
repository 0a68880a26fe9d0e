package proof

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/variant"
	"github.com/capconform/capconform/suites"
)

// lawfulOf is a population of a few lawful subjects of CAP; CAP-DIS-06 is new.
func lawfulOf(t *testing.T, s *suites.Suite, variants ...variant.Variant) Options {
	t.Helper()
	all := everything(t)
	judged := slices.DeleteFunc(slices.Clone(all.Judged["cap"]), func(id string) bool { return id == "CAP-DIS-06" })
	require.Len(t, judged, len(all.Judged["cap"])-1)
	return Options{Suites: []*suites.Suite{s}, Population: Population{
		Variants: variants, Judged: Judged{"cap": judged},
		Documents: slices.DeleteFunc(all.Documents, func(d mutant.Document) bool { return d.Name != "cap-capability-sound-json" }),
	}}
}

// broken is a host that breaks CAP-DIS-06, passed off as a variant.
func broken(t *testing.T) variant.Variant {
	t.Helper()
	all := everything(t).Mutants
	at := slices.IndexFunc(all, func(m mutant.Mutant) bool { return m.Requirement == "CAP-DIS-06" })
	require.GreaterOrEqual(t, at, 0)
	return variant.Variant{Name: "cap-permitted", Suite: "cap", Allows: []string{"CAP-MAN-01", "CAP-MAY-02"}, Apply: all[at].Apply}
}

func TestANewRequirementIsJudgedOnLawfulSubjects(t *testing.T) {
	s := capSuite(t)
	lawful := slices.DeleteFunc(everything(t).Variants, func(v variant.Variant) bool { return v.Name != "cap-nulls-written" })
	survey := &Survey{}
	require.NoError(t, survey.JudgeNew(t.Context(), lawfulOf(t, s, append(lawful, broken(t))...)))

	require.Len(t, survey.New, 1)
	fresh := survey.New[0]
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

	require.Len(t, survey.Open, 1)
	for _, part := range []string{"CAP-DIS-06 is failed on the lawful variant cap-permitted", c.Message, "CAP-MAN-01 permits it: " + first.Resolution} {
		assert.Contains(t, survey.Open[0], part)
	}
	var text strings.Builder
	require.NoError(t, survey.Write(&text))
	assert.Contains(t, strings.Join(strings.Fields(text.String()), " "), "new: CAP-DIS-06 was judged on 4 lawful hosts and documents, 1 of which")
}

// A variant that says itself that it does not follow the new advice contradicts nothing.
func TestAVariantMayDeclareThatItIgnoresNewAdvice(t *testing.T) {
	survey := &Survey{}
	require.NoError(t, survey.JudgeNew(t.Context(), lawfulOf(t, capSuite(t), broken(t).Ignoring("CAP-DIS-06"))))
	require.Len(t, survey.New, 1)
	assert.Equal(t, 3, survey.New[0].Subjects)
	assert.Empty(t, survey.New[0].Contradictions)
	assert.Empty(t, survey.Open)
}

// Without make golden, coverage examines hundreds of hosts each time.
func TestTheGoldenFilesListEachRequirement(t *testing.T) {
	population := everything(t)
	for _, definition := range corpora() {
		s, err := suites.New(definition)
		require.NoError(t, err)
		assert.Empty(t, population.unjudged(s), "%s: make golden GOLDENFLAGS='--suite %[1]s'", s.Name)
		options := Options{Suites: []*suites.Suite{s}, Population: population}
		survey := &Survey{}
		require.NoError(t, survey.JudgeNew(t.Context(), options))
		assert.Empty(t, survey.New)
	}
}

func TestOnlyAWholeSelftestWithoutFaultChangesTheList(t *testing.T) {
	s := capSuite(t)
	options := Options{Suites: []*suites.Suite{s}, Population: Population{Judged: Judged{"cap": {"CAP-DIS-01"}}}}
	whole := []Trial{{Kind: KindReference, Suite: "cap"}, {Kind: KindMutant, Suite: "cap", Requirement: "CAP-DIS-02", Faults: []string{"survives"}}}
	for _, c := range []struct {
		name   string
		matrix Matrix
		stays  bool
	}{
		{"whole", Matrix{whole: true, Trials: whole}, false},
		{"one mutant", Matrix{Trials: whole}, true},
		{"void", Matrix{whole: true, Void: "the canary survives", Trials: whole}, true},
		{"an accused variant", Matrix{whole: true, Trials: append(whole, Trial{Kind: KindVariant, Suite: "cap", Faults: []string{"accuses"}})}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := withScenarios(s)
			if c.stays {
				want = []string{"CAP-DIS-01"}
			}
			assert.Equal(t, Judged{"cap": want}, c.matrix.Judged(options))
		})
	}
}
