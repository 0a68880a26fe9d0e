package mcp_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/mcp"
	"github.com/capconform/capconform/suites/prove"
	"github.com/capconform/capconform/suites/record"
)

// Each kind of edit of each place in each result is judged: one that breaks the shape of the result is found, and one
// that adds a member, or removes one that may be missing, breaks nothing. An edit is judged by the requirements that read
// the answer: the others keep their status, which some edits show that are judged by all.
func TestEditsOfResults(t *testing.T) {
	for _, edition := range mcp.Editions() {
		t.Run(edition, func(t *testing.T) {
			t.Parallel()
			own := loaded(t, edition).own
			s, _, stored := examined(t, edition, reference(edition))
			shapes, seen := shapesOf(t, edition), map[string]bool{}
			n, step := 0, 1
			if testing.Short() {
				step = 29
			}
			some, err := prove.Edits(context.Background(), s, own, stored, func(e prove.Edit) bool {
				if shapes[e.Entry.Operation] == nil || seen[e.String()] {
					return false
				}
				seen[e.String()] = true
				n++
				return n%step == 0
			})
			require.NoError(t, err)
			require.Greater(t, n, 500)
			for i, e := range some {
				assertFoundIfBroken(t, s, shapes[e.Entry.Operation], e)
				if i%40 == 0 {
					assertJudgedByAll(t, s, stored, e)
				}
			}
		})
	}
}

// assertFoundIfBroken asserts that an edit breaks a MUST if its result breaks the shape, and none if it is lawful.
func assertFoundIfBroken(t *testing.T, s *suites.Suite, shape *schemas.Schema, e prove.Edit) {
	t.Helper()
	var broken []string
	for _, q := range s.Catalogue.Requirements {
		if q.Level.Binding() && e.Breaks(q.ID) {
			broken = append(broken, q.ID)
		}
	}
	var flaw error
	if e.Entry.Outcome == record.Returned {
		text, err := e.Entry.Received.Text()
		require.NoError(t, err)
		flaw = shape.Validate(schemas.ReadValue(text))
	}
	_, place, _ := strings.Cut(e.Place, " ")
	open := []string{"result.structuredContent", "result.inputRequests"} // further members of these have a meaning
	switch {
	case e.Entry.Outcome != record.Returned: // errors have no printed shape
	case place == "result.protocolVersion": // a server of another revision is not judged
	case flaw != nil && !strings.Contains(flaw.Error(), "/content: wants array, is null"): // the result wants input
		assert.NotEmpty(t, broken, "%s: %s", e, flaw)
	case e.How == "removed" && neededElsewhere()[place] != "":
		assert.Equal(t, []string{neededElsewhere()[place]}, broken, "%s", e)
	case e.How == "removed" && flaw == nil || e.How == "with a further member" && !slices.Contains(open, place):
		assert.Empty(t, broken, "%s", e)
	}
}

// neededElsewhere are the members that a result needs for another reason than its shape, each with the requirement.
func neededElsewhere() map[string]string {
	return map[string]string{
		"result.capabilities.completions": "MCP-COMP-01", "result.capabilities.logging": "MCP-LOG-01",
		"result.capabilities.prompts": "MCP-PROMPT-01", "result.capabilities.resources": "MCP-RES-01",
		"result.capabilities.tools": "MCP-TOOL-03", "result.supportedVersions[]": "MCP-DISC-02",
		"result.structuredContent": "MCP-TOOL-20", "result.structuredContent.sum": "MCP-TOOL-20",
	}
}

// assertJudgedByAll asserts that all requirements give an edit the statuses that it has.
func assertJudgedByAll(t *testing.T, s *suites.Suite, stored *record.Record, e prove.Edit) {
	t.Helper()
	whole, err := suites.Judge(context.Background(), []*suites.Suite{s}, stored.With([]record.Entry{e.Entry}),
		suites.Options{Explicit: true, Concurrency: 1})
	require.NoError(t, err)
	for _, q := range whole.Suites[0].Requirements {
		assert.Equal(t, q.Status, e.After[q.ID], "%s: %s", e, q.ID)
	}
}

// shapesOf returns the shapes of results, by operation.
func shapesOf(t *testing.T, edition string) map[string]*schemas.Schema {
	t.Helper()
	var protocol struct {
		Operations map[string]struct{ Result string }
	}
	text, err := os.ReadFile(edition + "/protocol.yaml")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &protocol))
	shapes := map[string]*schemas.Schema{}
	for name, op := range protocol.Operations {
		if op.Result != "" {
			text, err := os.ReadFile(edition + "/schemas/" + op.Result + ".schema.json")
			require.NoError(t, err)
			shapes[name], err = schemas.CompileValue(schemas.ReadValue(text), schemas.Options{})
			require.NoError(t, err)
		}
	}
	return shapes
}
