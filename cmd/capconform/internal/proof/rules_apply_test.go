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
	rules "github.com/capconform/capconform/suites/rule"
)

// TestEachRuleApplies: a rule that is about nothing in the recorded runs of conforming hosts tests nothing. The hosts of
// the edition 0.1 have an invocation whose outcome is indeterminate, and the others have none.
func TestEachRuleApplies(t *testing.T) {
	all, err := chprules.OfRuns(judge.Vocabulary())
	require.NoError(t, err)
	applies := map[string]bool{}
	note := func(s *suites.Suite, h *history.History, overHTTP bool) {
		for _, place := range applied(t, all, s, h, overHTTP) {
			applies[place] = true
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
	for _, r := range all.Rules {
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

// applied returns the places of the rules that a step of a live scenario applies to something in a history.
func applied(t *testing.T, all *rules.Set, s *suites.Suite, h *history.History, overHTTP bool) []string {
	t.Helper()
	forms, err := judge.CompileForms()
	require.NoError(t, err)
	j := judge.New(h)
	j.Forms, j.Cache, j.Bodies = forms, &instance.Cache{}, overHTTP
	j.Missing, j.NotReady = func(string, string) error { return nil }, func() error { return nil }
	var places []string
	for _, r := range all.Rules {
		form := regexp.MustCompile("^" + r.Expression() + "$")
		for _, c := range s.Scenarios() {
			for _, step := range c.Steps {
				words := form.FindStringSubmatch(step)
				if words != nil && c.Mode == suites.Live && r.Applies(j.View(), words[1:]) {
					places = append(places, r.Place())
				}
			}
		}
	}
	return places
}
