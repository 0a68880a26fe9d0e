package reports_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/reporttest"
	"github.com/capconform/capconform/schemas"
)

func TestEffectsOfGateways(t *testing.T) {
	for _, c := range []struct {
		level           string
		direct, through reports.Status
		effect          reports.Effect
		exit            reports.Exit
	}{
		{"MUST", reports.Passed, reports.Failed, reports.Breaks, reports.ExitNonconformant},
		{"MUST", reports.Provided, reports.Failed, reports.Breaks, reports.ExitNonconformant},
		{"DECLARED", reports.Passed, reports.Failed, reports.Breaks, reports.ExitNonconformant},
		{"SHOULD", reports.Passed, reports.Failed, reports.Breaks, reports.ExitConformant},
		{"MUST", reports.Inconclusive, reports.Failed, reports.Fails, reports.ExitIncomplete}, // the direct run did not show that the host meets the requirement
		{"MUST", reports.NotApplicable, reports.Failed, reports.Fails, reports.ExitIncomplete},
		{"MUST", reports.Passed, reports.Inconclusive, reports.Hides, reports.ExitIncomplete},
		{"SHOULD", reports.Passed, reports.Inconclusive, reports.Hides, reports.ExitConformant},
		{"MUST", reports.Failed, reports.Inconclusive, reports.Hides, reports.ExitIncomplete},
		{"MUST", reports.Failed, reports.Passed, reports.Keeps, reports.ExitConformant},
		{"MUST", reports.Inconclusive, reports.Passed, reports.Shows, reports.ExitConformant},
		{"MUST", reports.Passed, reports.Passed, "", reports.ExitConformant},
		{"MUST", reports.Failed, reports.Failed, "", reports.ExitConformant}, // a failure of the host itself
	} {
		name := c.level + " " + string(c.direct) + " " + string(c.through)
		g := reporttest.Through(c.level, c.direct, c.through)
		assert.Equal(t, c.exit, g.Exit(), name)
		if c.effect == "" {
			assert.Empty(t, g.Difference.Changes, name)
			assert.Equal(t, "edge changes no requirement", g.Sentence())
			continue
		}
		require.Len(t, g.Difference.Changes, 1, name)
		assert.Equal(t, c.effect, g.Difference.Changes[0].Effect(), name)
	}
}

func TestGatewaysAreValidAgainstSchema(t *testing.T) {
	schema, err := schemas.Own("gateways/gateways.schema.json")
	require.NoError(t, err)
	broken := reporttest.Through("MUST", reports.Passed, reports.Failed)
	var text bytes.Buffer
	require.NoError(
		t,
		reports.WriteGateways(
			&text,
			broken.Difference.Old,
			[]reports.Gateway{broken, reporttest.Through("MUST", reports.Passed, reports.Passed)},
		),
	)
	require.NoError(t, schema.Validate(schemas.ReadValue(text.Bytes())))
	var doc struct {
		Gateways []struct{ Changes []map[string]any }
	}
	require.NoError(t, json.Unmarshal(text.Bytes(), &doc))
	change := doc.Gateways[0].Changes[0]
	assert.Equal(t, map[string]any{
		"suite": "cap", "requirement": change["requirement"], "level": "MUST", "summary": change["summary"],
		"effect": "broken", "direct": "passed", "through": "failed", "cause": "it is broken", "want": "a", "got": "b",
		"repeat": "capconform run --requirement X",
	}, change)
	assert.Empty(t, doc.Gateways[1].Changes)
}

func TestNotesOfAGatewayNameBothRuns(t *testing.T) {
	g := reports.NewGateway("edge", reporttest.Partial(), reporttest.Partial())
	assert.Equal(t, []string{"the direct report is of a partial run", "the gateway's report is of a partial run"},
		g.Difference.Notes)
}
