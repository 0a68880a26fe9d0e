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
// Each requirement on documents has a scenario for each of its rules, with the sentence of the rule and no sentence for
// live targets. Each kind of document is needed by a scenario.
func Agreement(t *testing.T, def suites.Definition, v *lint.Vocabulary) {
	t.Helper()
	require.NoError(t, v.Err())
	suite, err := suites.New(def)
	require.NoError(t, err)
	var of sentences
	def.Sentences(&of)
	unused, needed := map[string]string{}, map[string]bool{} // the requirements by sentence, "" if the rule is data
	for _, r := range v.Rules() {
		unused["in the documents, "+r.Sentence] = r.ID
		if !plainSentence.MatchString(r.Sentence) || r.ID != "" && (r.Broken == "" || r.Want == "") {
			t.Errorf("%s is incomplete: %q, %q, %q", r.Key(), r.Sentence, r.Broken, r.Want)
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
		id, known := unused[c.Steps[1]]
		if !known || id != "" && id != c.Requirement {
			t.Errorf("%s says %q, which is no sentence of it, or one of another scenario", c.Requirement, c.Steps[1])
		}
		delete(unused, c.Steps[1])
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
	if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
		t.Errorf("scenarios on documents (-catalogue +features):\n%s", diff)
	}
	require.Empty(t, unused, "rules without a scenario")
	for _, kind := range v.Kinds() {
		if !needed["the documents contain "+kind] {
			t.Errorf("no scenario needs %s", kind)
		}
	}
}
