package proof

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/chp/judge"
	chprules "github.com/capconform/capconform/suites/chp/rules"
	"github.com/capconform/capconform/suites/instance"
)

// TestEachRuleApplies: a rule that is about nothing in the recorded runs of conforming hosts tests nothing.
func TestEachRuleApplies(t *testing.T) {
	rules, err := chprules.OfRuns(judge.Vocabulary())
	require.NoError(t, err)
	applies := map[string]bool{}
	for _, def := range corpora() {
		if def.Name != "chp" {
			continue
		}
		suite := suiteOf(t, def)
		for _, name := range []string{"fixtures", "http", "ordinary", "busy"} {
			h := history.New(8 << 20)
			for _, e := range readRun(t, suite, name).entries {
				h.Add(e)
			}
			forms, err := judge.CompileForms()
			require.NoError(t, err)
			j := judge.New(h)
			j.Forms, j.Cache, j.Bodies = forms, &instance.Cache{}, name == "http"
			j.Missing, j.NotReady = func(string, string) error { return nil }, func() error { return nil }
			for _, r := range rules.Rules {
				form := regexp.MustCompile("^" + r.Expression() + "$")
				for _, c := range suite.Scenarios() {
					for _, step := range c.Steps {
						if words := form.FindStringSubmatch(step); words != nil && c.Mode == suites.Live && r.Applies(j.View(),
							words[1:]) {
							applies[r.Place()] = true
						}
					}
				}
			}
		}
	}
	for _, r := range rules.Rules {
		assert.Truef(t, applies[r.Place()], "%s: %s: the rule applies to nothing", r.Place(), r)
	}
}
