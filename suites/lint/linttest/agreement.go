package linttest

import (
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/lint"
)

// sentences collects the expressions of a suite.
type sentences struct{ all []*regexp.Regexp }

// Step implements suites.Vocabulary.
func (s *sentences) Step(expression, _ any) {
	s.all = append(s.all, expression.(*regexp.Regexp)) // a vocabulary has no other expressions
}

// matching returns the number of expressions that match a step.
func (s *sentences) matching(step string) int {
	count := 0
	for _, expression := range s.all {
		if expression.MatchString(step) {
			count++
		}
	}
	return count
}

var plainSentence = regexp.MustCompile(`^[a-z][a-zA-Z0-9_$' .,-]*$`)

// Agreement tests that the rules of a suite, its scenarios on documents and its catalogue agree.
// Each requirement on documents has one scenario, with the sentence of its rule and no sentence for
// live targets. Each kind of document is needed by a scenario.
func Agreement(t *testing.T, def suites.Definition, kinds []string, rules []lint.Rule) {
	t.Helper()
	suite, err := suites.New(def)
	require.NoError(t, err)
	var of sentences
	def.Sentences(&of)
	steps, needed := map[string]string{}, map[string]bool{}
	for _, r := range rules {
		steps[r.ID] = "in them " + r.Sentence
		if !plainSentence.MatchString(r.Sentence) || r.Broken == "" || r.Want == "" {
			t.Errorf("%s is not told in full: %q, %q, %q", r.ID, r.Sentence, r.Broken, r.Want)
		}
	}
	var got, want []string
	for _, c := range suite.Scenarios() {
		if c.Mode != suites.Documents {
			continue
		}
		got = append(got, c.Requirement)
		require.Len(t, c.Steps, 2, c.Name)
		needed[c.Steps[0]] = true
		if c.Steps[1] != steps[c.Requirement] {
			t.Errorf("%s says %q, want %q", c.Requirement, c.Steps[1], steps[c.Requirement])
		}
		for _, step := range c.Steps {
			if count := of.matching(step); count != 1 {
				t.Errorf("%s: %q is %d sentences of the suite, want one", c.Requirement, step, count)
			}
		}
	}
	for _, r := range suite.Catalogue.Requirements {
		if r.Check.Covers(spec.Document) && len(r.SumOf) == 0 {
			want = append(want, r.ID)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("scenarios on documents (-catalogue +features):\n%s", diff)
	}
	if len(rules) != len(got) {
		t.Errorf("%d rules for %d scenarios", len(rules), len(got))
	}
	for _, kind := range kinds {
		if !needed["the documents hold "+kind] {
			t.Errorf("no scenario needs %s", kind)
		}
	}
}
