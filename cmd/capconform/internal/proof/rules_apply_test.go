package proof

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/chp/judge"
	chprules "github.com/capconform/capconform/suites/chp/rules"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/record"
)

// TestEachRuleApplies: a rule that is about nothing in the recorded runs of conforming hosts tests nothing. The hosts of
// the edition 0.1 have an invocation whose outcome is indeterminate, and the others have none.
func TestEachRuleApplies(t *testing.T) {
	rules, err := chprules.OfRuns(judge.Vocabulary())
	require.NoError(t, err)
	applies := map[string]bool{}
	note := func(s *suites.Suite, h *history.History, overHTTP bool) {
		j, steps := judgeOf(t, h, overHTTP), liveSteps(s)
		for _, r := range rules.Rules {
			form := regexp.MustCompile("^" + r.Expression() + "$")
			for _, step := range steps {
				if words := form.FindStringSubmatch(step); words != nil && r.Applies(j.View(), words[1:]) {
					applies[r.Place()] = true
				}
			}
		}
	}
	draft := suiteOf(t, chpsuite.Definition())
	for _, name := range []string{"fixtures", "http", "ordinary", "busy"} {
		note(draft, historyOf(readRun(t, draft, name).entries), name == "http")
	}
	stable, err := draft.In(chpsuite.Stable)
	require.NoError(t, err)
	var entries []record.Entry
	for e, err := range referenceRecord(t, stable, "chp-indeterminate").Entries() {
		require.NoError(t, err)
		entries = append(entries, e)
	}
	note(stable, historyOf(entries), false)
	for _, r := range rules.Rules {
		assert.Truef(t, applies[r.Place()], "%s: %s: the rule applies to nothing", r.Place(), r)
	}
}

func historyOf(entries []record.Entry) *history.History {
	h := history.New(8 << 20)
	for _, e := range entries {
		h.Add(e)
	}
	return h
}

func judgeOf(t *testing.T, h *history.History, overHTTP bool) *judge.Judge {
	t.Helper()
	forms, err := judge.CompileForms()
	require.NoError(t, err)
	j := judge.New(h)
	j.Forms, j.Cache, j.Bodies = forms, &instance.Cache{}, overHTTP
	j.Missing, j.NotReady = func(string, string) error { return nil }, func() error { return nil }
	return j
}

func liveSteps(s *suites.Suite) []string {
	var steps []string
	for _, c := range s.Scenarios() {
		if c.Mode == suites.Live {
			steps = append(steps, c.Steps...)
		}
	}
	return steps
}
