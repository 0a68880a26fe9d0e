package matrix

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/golden"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/suites"
	capsuite "github.com/capconform/capconform/suites/cap"
)

func TestOnlyCompleteSelftestWithoutFaultChangesGoldenList(t *testing.T) {
	s, err := suites.New(capsuite.Definition())
	require.NoError(t, err)
	population := plan.Population{Judged: golden.Judged{"cap": {"CAP-DIS-01"}}}
	whole := []trial.Result{
		{Trial: plan.Trial{Kind: plan.KindReference, Suite: "cap"}},
		{
			Trial:  plan.Trial{Kind: plan.KindMutant, Suite: "cap", Requirement: "CAP-DIS-02"},
			Faults: []string{"survives"},
		},
	}
	for _, c := range []struct {
		name   string
		matrix Matrix
		stays  bool
	}{
		{"whole", Matrix{whole: true, Trials: whole}, false},
		{"one mutant", Matrix{Trials: whole}, true},
		{"void", Matrix{whole: true, Void: "the canary survives", Trials: whole}, true},
		{"a variant that fails", Matrix{whole: true, Trials: append(whole, trial.Result{Trial: plan.Trial{Kind: plan.KindVariant, Suite: "cap"}, Faults: []string{"accuses"}})}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := plan.WithScenarios(s)
			if c.stays {
				want = []string{"CAP-DIS-01"}
			}
			assert.Equal(t, golden.Judged{"cap": want}, c.matrix.Judged([]*suites.Suite{s}, population))
		})
	}
}
