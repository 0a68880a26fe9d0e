package proof

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/judgement"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/reference/population"
	"github.com/capconform/capconform/reports"
	acpsuite "github.com/capconform/capconform/suites/acp"
)

// Valid packages break nothing, including advice, and leave nothing undecided; broken ones break exactly what they
// declare. A hurried test examines some of them, the selftest all.
func TestPackages(t *testing.T) {
	s := suiteOf(t, acpsuite.Definition())
	bases := map[string]trial.Statuses{}
	options := plan.Options{Population: everything(t)}
	for i, d := range options.Population.Documents {
		if d.Suite != s.Name || quick() && d.Name != plan.ValidName(d) && i%quickEach != 0 {
			continue
		}
		report, err := trial.Lint(t.Context(), s, d, d.Strict)
		require.NoError(t, err, d.Name)
		got, err := trial.Read(s, report)
		require.NoError(t, err, d.Name)
		if d.Requirement == "" {
			for _, id := range got.Order {
				switch got.Status[id] {
				case reports.Passed, reports.NotApplicable, reports.Excluded:
				case reports.Inconclusive:
					// The profiles sign UTF-8 (the resolution of ACP-FIELD-13).
					if encoded := bytes.IndexByte(d.Content, 0) >= 0; encoded && id == "ACP-FIELD-13" {
						continue
					}
					fallthrough
				default:
					t.Errorf("%s: %s is %s%s", d.Name, id, got.Status[id], judgement.InBrackets(got.Reason[id]))
				}
			}
			if d.Name == plan.ValidName(d) {
				bases[d.Base] = got
				require.Equal(
					t,
					reports.Passed,
					got.Status["ACP-FIELD-13"],
					"%s: the signature is not verified",
					d.Name,
				)
			}
			continue
		}
		result := trial.Result{Trial: plan.Trial{Name: d.Name, Requirement: d.Requirement}}
		judgement.Compare(&result, bases[d.Base], options.OfDocument(d), got)
		for _, fault := range result.Faults {
			t.Errorf("%s: %s", d.Name, fault)
		}
	}
	require.NotEmpty(t, bases)
}

// A broken document is judged in comparison with the valid one from which it was made.
func TestBrokenDocumentsHaveValidOriginal(t *testing.T) {
	documents, err := population.Documents()
	require.NoError(t, err)
	named := map[string]bool{}
	for _, d := range documents {
		named[d.Name] = true
	}
	for _, d := range documents {
		if !named[plan.ValidName(d)] {
			t.Errorf("%s was made from %s, which does not exist", d.Name, plan.ValidName(d))
		}
	}
}
