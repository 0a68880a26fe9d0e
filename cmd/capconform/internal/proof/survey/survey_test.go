package survey

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/golden"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/wrap"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/variant"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
	acdsuite "github.com/capconform/capconform/suites/acd"
	acpsuite "github.com/capconform/capconform/suites/acp"
	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
)

func capSuite(t *testing.T) *suites.Suite { return suiteOf(t, capsuite.Definition()) }

func suiteOf(t *testing.T, definition suites.Definition) *suites.Suite {
	t.Helper()
	s, err := suites.New(definition)
	require.NoError(t, err)
	return s
}

func everything(t *testing.T) plan.Population {
	t.Helper()
	population, err := plan.Everything()
	require.NoError(t, err)
	return population
}

// The gates of DESIGN section 5.
func TestGatesAreClosed(t *testing.T) {
	chp, err := suites.New(chpsuite.Definition())
	require.NoError(t, err)
	survey := Of(everything(t), []*suites.Suite{capSuite(t), chp})
	for _, open := range survey.Open {
		t.Error(open)
	}
	for _, one := range survey.Suites {
		t.Logf("%s: %d scenarios, %d sentences, %d steps", one.Suite, one.Scenarios, one.Sentences, one.Steps)
		if !survey.OK() || one.Scenarios == 0 || one.Steps == 0 || len(one.Requirements) == 0 {
			t.Errorf("the survey is empty: %+v", one)
		}
	}
}

func TestOpenGatesAreReported(t *testing.T) {
	valid := surveySuite(everything(t), capSuite(t))
	require.Empty(t, valid.gates(), "gates that are already open")
	for _, c := range []struct {
		name   string
		breaks func(*surveyed)
		want   string
	}{
		{"a scenario without mutant", func(o *surveyed) {
			o.population.Mutants = slices.DeleteFunc(o.population.Mutants, func(m mutant.Mutant) bool { return m.Requirement == "CAP-DIS-06" })
		}, "CAP-DIS-06 is broken by no mutant"},
		{"a requirement without broken document", func(o *surveyed) {
			o.population.Documents = slices.DeleteFunc(o.population.Documents, func(d mutant.Document) bool { return d.Requirement == "CAP-IL-03" })
		}, "CAP-IL-03 is broken by no document"},
		{"a permission without variant", func(o *surveyed) {
			o.population.Variants = slices.DeleteFunc(o.population.Variants, func(v variant.Variant) bool { return slices.Contains(v.Allows, "CAP-MAY-02") })
		}, "CAP-MAY-02 is a permission that no variant uses"},
		{"a requirement without scenario", func(o *surveyed) {
			o.cases = slices.DeleteFunc(o.cases, func(k suites.Case) bool { return k.Requirement == "CAP-ERR-06" })
		}, "CAP-ERR-06 has no live scenario"},
		{"a requirement without document scenario", func(o *surveyed) {
			o.cases = slices.DeleteFunc(o.cases, func(k suites.Case) bool { return k.Requirement == "CAP-CAP-02" && k.Mode == suites.Documents })
		}, "CAP-CAP-02 has no document scenario"},
		{"an unknown tag", func(o *surveyed) { o.cases[0].Requirement = "CAP-XX-01" }, "the tag @CAP-XX-01 belongs to no requirement"},
		{"a scenario of a permission", func(o *surveyed) { o.cases[0].Requirement = "CAP-MAY-01" }, "CAP-MAY-01 must not be examined"},
		{"a scenario in the wrong mode", func(o *surveyed) { o.cases[0].Requirement, o.cases[0].Mode = "CAP-IL-03", suites.Live }, "never runs, because its check is document"},
		{"an unknown role", func(o *surveyed) {
			o.cases[0].Conditions = []suites.Condition{{Kind: "role", Name: "jester"}}
		}, `the suite knows no role "jester"`},
		{"a sentence without step", func(o *surveyed) { o.cases[0].Steps = []string{"pigs fly"} }, `0 steps match "pigs fly"`},
		{"a sentence with two steps", func(o *surveyed) { o.steps = append(o.steps, regexp.MustCompile(".*capabilit.*")) }, "2 steps match"},
		{"an idle step", func(o *surveyed) { o.steps = append(o.steps, regexp.MustCompile("^nobody says this$")) }, "no sentence uses the step ^nobody says this$"},
		{"a transport", func(o *surveyed) {
			o.features = append(o.features, featureLine{"cap/x.feature", 7, "Given a host over HTTP"})
		}, `cap/x.feature:7: names the transport "HTTP"`},
		{"a mutant of an unknown requirement", func(o *surveyed) {
			o.population.Mutants[0].Requirement = "CAP-XX-02"
		}, "names CAP-XX-02, which is not in the catalogue of cap"},
		{"a golden entry of an unknown requirement", func(o *surveyed) {
			o.population.Undecided = golden.Undecided{"cap": {"cap-no-list": {Inconclusive: []string{"CAP-XX-04"}}}}
		}, "the golden entry of cap-no-list names CAP-XX-04, which is not in the catalogue of cap"},
		{"a golden entry of an unknown host", func(o *surveyed) {
			o.population.Undecided = golden.Undecided{"cap": {"cap-nobody": {Inconclusive: []string{"CAP-CAP-02"}}}}
		}, "the golden file of cap names cap-nobody, which is neither a host nor a document"},
		{"a variant of an unknown requirement", func(o *surveyed) {
			o.population.Variants[0].Allows = []string{"CAP-XX-03"}
		}, "names CAP-XX-03, which is not in the catalogue of cap"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := *valid
			o.cases, o.steps, o.Requirements = slices.Clone(o.cases), slices.Clone(o.steps), slices.Clone(o.Requirements)
			o.population.Mutants, o.population.Variants = slices.Clone(o.population.Mutants), slices.Clone(o.population.Variants)
			o.population.Documents = slices.Clone(o.population.Documents)
			c.breaks(&o)
			for i, r := range o.suite.Catalogue.Requirements {
				o.Requirements[i] = o.cover(r)
			}
			if open := o.gates(); !strings.Contains(strings.Join(open, "\n"), c.want) {
				t.Errorf("want %q among the open gates, got %q", c.want, open)
			}
		})
	}
}

// TestREADMETableIsCurrent fails until make readme was run after a change of mutants, documents or requirements.
func TestREADMETableIsCurrent(t *testing.T) {
	page, err := os.ReadFile("../../../../../README.md")
	require.NoError(t, err)
	var all []*suites.Suite
	for _, definition := range []suites.Definition{capsuite.Definition(), chpsuite.Definition(), acpsuite.Definition(), acdsuite.Definition()} {
		all = append(all, suiteOf(t, definition))
	}
	var table bytes.Buffer
	require.NoError(t, Of(everything(t), all).Markdown(&table))
	_, written, _ := strings.Cut(
		strings.ReplaceAll(string(page), "\r\n", "\n"),
		"<!-- coverage: begin (written by make readme) -->\n",
	)
	written, _, _ = strings.Cut(written, "<!-- coverage: end -->")
	require.Equal(t, table.String(), written, "the table of README.md is stale: make readme")
}

func TestEmptySurveyIsNotSuccess(t *testing.T) {
	if Of(everything(t), nil).OK() {
		t.Error("a survey without suites is OK")
	}
}

func TestSurveyIsPrinted(t *testing.T) {
	s := capSuite(t)
	survey := Of(everything(t), []*suites.Suite{s})
	survey.Open = append(survey.Open, "CAP-XX-01 "+strings.Repeat("has no scenario ", 9))
	var text, table bytes.Buffer
	require.NoError(t, survey.Write(&text))
	require.NoError(t, survey.Markdown(&table))
	for _, r := range s.Catalogue.Requirements {
		if !strings.Contains(text.String(), "\n"+r.ID+" ") {
			t.Errorf("%s is not printed", r.ID)
		}
	}
	for line := range strings.Lines(text.String()) {
		if len([]rune(line)) > wrap.Columns+1 {
			t.Errorf("longer than %d columns: %s", wrap.Columns, line)
		}
	}
	if !strings.Contains(text.String(), "open: CAP-XX-01") || strings.Contains(text.String(), "no gate is open") {
		t.Errorf("the open gate is not printed:\n%s", text.String())
	}
	if lines := strings.Count(table.String(), "\n"); lines != 3 {
		t.Errorf("want a heading, a rule and one line per suite, got\n%s", table.String())
	}
	if got := survey.Suites[0].count(func(c Coverage) bool { return c.Check == spec.Excluded }); got == 0 {
		t.Error("no requirement is excluded")
	}
}

func TestSumIsCoveredByItsParts(t *testing.T) {
	one := SuiteSurvey{Requirements: []Coverage{
		{ID: "A", Live: 1}, {ID: "B", Document: 1}, {ID: "C"},
		{ID: "WHOLE", SumOf: []string{"A", "B"}}, {ID: "PART", SumOf: []string{"A", "C"}},
	}}
	var covered []string
	for _, c := range one.Requirements {
		if one.covered(c) {
			covered = append(covered, c.ID)
		}
	}
	require.Equal(t, []string{"A", "B", "WHOLE"}, covered)
}
