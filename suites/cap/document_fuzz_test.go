package capsuite

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
)

// FuzzManifest: whatever a file contains, the manifests in it are judged without an error of the harness.
func FuzzManifest(f *testing.F) {
	for _, seed := range []string{
		`{"capability_id": "a.b", "version": "1.0.0", "kind": "tool", "name": "A", "description": "B", "input_schema": {"type": "object"}, "output_schema": {}}`,
		`{"capabilities": [{"capability_id": "a", "version": "1", "kind": "skill", "input_schema": {"$ref": "#/x"}, "reduction": {"skill": 1, "tools": [{}]}}]}`,
		"capability_id: a\nversion: 1.0\nkind: tool\ninput_schema: &s {properties: {a: *s}}\n",
		"- {capability_id: a, version: b, kind: c}\n- 1\n",
		`{"task_id": "t", "spec": {"constraints": {"must_use_capabilities": [{"capability_id": "a"}]}}}`,
	} {
		f.Add(seed)
	}
	suite, err := suites.New(Definition())
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string) {
		file, err := document.Parse("a.yaml", []byte(text), document.Limits{})
		if err != nil || !Recognises(file) {
			return
		}
		report, err := suites.Lint(t.Context(), []*suites.Suite{suite}, &suites.Subject{Documents: []suites.Document{*file}},
			suites.Options{Explicit: true})
		require.NoError(t, err)
		for _, q := range report.Suites[0].Requirements {
			for _, sc := range q.Scenarios {
				require.NotEqual(t, reports.HarnessFault, sc.Fault, "%s: %s", q.ID, sc.Reason)
			}
		}
	})
}
