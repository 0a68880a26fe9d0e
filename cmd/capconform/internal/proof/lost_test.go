package proof

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/record"
)

// TestLostAnswersProveNothing: a lost answer shows no more than a call that was not made. A requirement that is
// inconclusive without some calls must not be passed if their answers are lost. The calls are those of one stimulus,
// during which the subject requests nothing either.
func TestLostAnswersProveNothing(t *testing.T) {
	for i, def := range liveSuites() {
		t.Run(def.Name, func(t *testing.T) {
			sampled(t, i, len(liveSuites()))
			t.Parallel()
			s := suiteOf(t, def)
			held := referenceRecord(t, s)
			groups := map[string][]record.Entry{}
			for e, err := range held.Entries() {
				require.NoError(t, err)
				if e.Operation == "" || e.Stimulus == "party" || e.Party != record.Target || e.From != "" {
					continue
				}
				groups[e.Stimulus] = append(groups[e.Stimulus], e)
			}
			var wrong []string
			for _, name := range slices.Sorted(maps.Keys(groups)) {
				wrong = append(wrong, keptThoughLost(t, s, held, name, groups[name])...)
			}
			require.Empty(t, wrong, strings.Join(wrong, "\n"))
		})
	}
}

// keptThoughLost returns the requirements that pass on a record whose answers to some calls are lost, and are
// inconclusive without these calls.
func keptThoughLost(t *testing.T, s *suites.Suite, held *record.Record, name string, calls []record.Entry) []string {
	t.Helper()
	judged := func(held *record.Record) map[string]reports.Status {
		all := map[string]reports.Status{}
		report, err := suites.Judge(t.Context(), []*suites.Suite{s}, held, suites.Options{Explicit: true, Concurrency: 1})
		require.NoError(t, err)
		for _, q := range report.Suites[0].Requirements {
			all[q.ID] = q.Status
		}
		return all
	}
	begun := map[record.Tick]bool{}
	var lost []record.Entry
	for _, e := range calls {
		begun[e.Begun] = true
		e.Outcome, e.Status, e.Received = record.Lost, 0, nil
		e.Error = &record.Fault{Kind: record.TimedOut, Message: "no answer within the deadline"}
		lost = append(lost, e)
	}
	without := judged(held.Only(func(e record.Entry) bool { return !begun[e.Begun] }))
	var kept []string
	dead := held.Only(func(e record.Entry) bool {
		during := func(c record.Entry) bool { return e.Begun > c.Begun && e.Done < c.Done }
		return e.From == "" || !slices.ContainsFunc(calls, during)
	})
	for id, status := range judged(dead.With(lost)) {
		if status == reports.Passed && without[id] == reports.Inconclusive {
			kept = append(kept, id+" passes though the answers are lost, and is "+string(without[id])+" without the calls: "+name)
		}
	}
	slices.Sort(kept)
	return kept
}
