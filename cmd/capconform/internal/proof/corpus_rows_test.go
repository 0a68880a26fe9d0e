package proof

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	chpmutant "github.com/capconform/capconform/reference/chphost/mutant"
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/defect"
	"github.com/capconform/capconform/suites/record"
	data "github.com/capconform/capconform/suites/text"
	"github.com/capconform/capconform/suites/transcript"
	"github.com/capconform/capconform/suites/verdict"
)

// unshown are the defects that the recorded run does not show, with the reason.
var unshown = map[string]string{
	"echo-escaped":            "no value in it has a character that HTML escapes",
	"long-payload-copied":     "the only long payload in it that is executed has no marker",
	"pair-comes-and-goes":     "nothing is invoked between its last answers of discovery",
	"made-id-not-in-evidence": "no answer in it shows it",
	"ids-counted":             "no answer in it shows it",
	"payload-of-second-mode":  "no answer in it shows it",
	"replay-of-another-case":  "it has no replay by the id that the defect returns",
	"replay-completes":        "it has no replay by the id that the defect returns",
	"replay-any-character":    "it has no replay by the id that the defect returns",
	"replay-by-end":           "it has no replay by the id that the defect returns",
	"replay-by-prefix":        "it has no replay by the id that the defect returns",
	"twentieth-lost":          "no replay in it is long enough",
	"replay-near-first":       "no replay in it is long enough",
	"replay-fifty":            "no replay in it is long enough",
}

// TestRowsBreakRecords: each defect that is data breaks its requirement also if it is applied to the answers of the
// recorded run of the reference.
func TestRowsBreakRecords(t *testing.T) {
	all, err := chpmutant.Defects(nil)
	require.NoError(t, err)
	require.Greater(t, len(all), 150)
	for _, def := range corpora() {
		if def.Name != "chp" {
			continue
		}
		suite := suiteOf(t, def)
		r := readRun(t, suite, "fixtures")
		for i, row := range all {
			if row.Sends() || testing.Short() && i%8 != 0 {
				continue // answers do not show it, or .ci/run judges it
			}
			t.Run(row.Name, func(t *testing.T) {
				t.Parallel()
				edited := editedEntries(t, row, r.entries)
				require.True(t, len(edited) > 0 || unshown[row.Name] != "")
				found := map[string]bool{} // a doubt needs a further call, which only a run can make
				opts := suites.Options{Explicit: true, Concurrency: 1, Strict: row.Marks.Strict,
					Selection: suites.Selection{Requirements: []string{row.Breaks}},
					Doubt:     func(id string, _ verdict.Doubt) { found[id] = true },
					Breach:    func(id string, _ verdict.Breach) { found[id] = true }}
				_, err := suites.Judge(t.Context(), []*suites.Suite{suite}, r.record.With(edited), opts)
				require.NoError(t, err)
				assert.Equalf(t, unshown[row.Name] == "", found[row.Breaks], "is %s broken?", row.Breaks)
			})
		}
	}
}

// editedEntries returns the entries that a defect changes.
func editedEntries(t *testing.T, row *defect.Defect, entries []record.Entry) []record.Entry {
	t.Helper()
	run := row.Run()
	var edited []record.Entry
	for _, e := range entries {
		if e.Outcome != record.Returned && e.Outcome != record.Refused || e.Sent == nil || !e.Sent.IsJSON() {
			continue
		}
		answer, err := transcript.AnswerOf(e)
		require.NoError(t, err)
		other, changed := run.Answer(e.Operation, schemas.ReadValue(e.Sent.JSON), defect.Read(answer))
		if changed {
			edited = append(edited, data.Answered(e, other))
		}
	}
	return edited
}
