package reports

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/schemas"
)

// ways makes two reports of one MUST: of the direct run and of the run through a gateway.
func ways(t *testing.T, level string, direct, through Status) Gateway {
	t.Helper()
	of := func(status Status) *Report {
		r := conformantReport()
		q := r.Suites[0].Requirements[0]
		q.Level, q.Status, q.Reason = level, status, "because"
		q.Scenarios = []Scenario{{Name: "one", Status: status}}
		if status == Failed {
			q.Scenarios[0].Failure = &Failure{Message: "it is broken", Want: "a", Got: "b",
				Repeat: "capconform run --requirement X"}
		}
		r.Suites[0].Requirements = []Requirement{q}
		r.Settle()
		return r
	}
	return NewGateway("edge", of(direct), of(through))
}

func TestEffectsOfGateways(t *testing.T) {
	for _, c := range []struct {
		level           string
		direct, through Status
		effect          Effect
		exit            Exit
	}{
		{"MUST", Passed, Failed, Breaks, ExitNonconformant},
		{"MUST", Provided, Failed, Breaks, ExitNonconformant},
		{"DECLARED", Passed, Failed, Breaks, ExitNonconformant},
		{"SHOULD", Passed, Failed, Breaks, ExitConformant},
		{"MUST", Inconclusive, Failed, Fails, ExitIncomplete}, // the direct run did not show that the host keeps it
		{"MUST", NotApplicable, Failed, Fails, ExitIncomplete},
		{"MUST", Passed, Inconclusive, Hides, ExitIncomplete},
		{"SHOULD", Passed, Inconclusive, Hides, ExitConformant},
		{"MUST", Failed, Inconclusive, Hides, ExitIncomplete},
		{"MUST", Failed, Passed, Keeps, ExitConformant},
		{"MUST", Inconclusive, Passed, Shows, ExitConformant},
		{"MUST", Passed, Passed, "", ExitConformant},
		{"MUST", Failed, Failed, "", ExitConformant}, // the host's own failure
	} {
		name := c.level + " " + string(c.direct) + " " + string(c.through)
		g := ways(t, c.level, c.direct, c.through)
		assert.Equal(t, c.exit, g.Exit(), name)
		if c.effect == "" {
			assert.Empty(t, g.Difference.Changes, name)
			assert.Equal(t, "edge changes no requirement", g.sentence())
			continue
		}
		require.Len(t, g.Difference.Changes, 1, name)
		assert.Equal(t, c.effect, g.Difference.Changes[0].effect(), name)
	}
}

func TestGatewaysAreWrittenByTheirSchema(t *testing.T) {
	schema, err := schemas.Own("gateways/gateways.schema.json")
	require.NoError(t, err)
	broken := ways(t, "MUST", Passed, Failed)
	var text bytes.Buffer
	require.NoError(t, WriteGateways(&text, broken.Difference.Old, []Gateway{broken, ways(t, "MUST", Passed, Passed)}))
	require.NoError(t, schema.Validate(schemas.ReadValue(text.Bytes())))
	var doc gatewaysDocument
	require.NoError(t, json.Unmarshal(text.Bytes(), &doc))
	change := doc.Gateways[0].Changes[0]
	assert.Equal(t, gatewayChange{
		Suite: "cap", Requirement: change.Requirement, Level: "MUST", Summary: change.Summary, Effect: Breaks, Direct: Passed,
		Through: Failed,
		Cause:   "it is broken", Want: "a", Got: "b", Repeat: "capconform run --requirement X",
	}, change)
	assert.Empty(t, doc.Gateways[1].Changes)
}

func TestNotesOfAGatewayNameBothRuns(t *testing.T) {
	g := NewGateway("edge", partialReport(), partialReport())
	assert.Equal(t, []string{"the direct report is of a partial run", "the gateway's report is of a partial run"},
		g.Difference.Notes)
}

// What a target says reaches the console through a gateway as harmless as without one.
func TestGatewayTextIsClean(t *testing.T) {
	g := ways(t, "MUST", Passed, Failed)
	q := &g.Difference.New.Suites[0].Requirements[0]
	q.Scenarios[0].Failure.Got = "\x1b[31mred\n::error::forged"
	g.Difference.New.Subject.Target = "http://127.0.0.1/\x1b[0m"
	var text bytes.Buffer
	require.NoError(t, WriteGateway(&text, g, ConsoleOptions{}))
	assert.NotContains(t, text.String(), "\x1b")
	for line := range strings.Lines(text.String()) {
		assert.False(t, strings.HasPrefix(strings.TrimSpace(line), "::"), line)
	}
	assert.Contains(t, text.String(), "broken by the gateway")
	assert.Contains(t, text.String(), "✗  edge breaks 1 requirement that the direct run keeps")
}
