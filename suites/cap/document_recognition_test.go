package capsuite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint/linttest"
)

func TestOtherFormatsAreNotRecognised(t *testing.T) {
	for name, text := range map[string]string{
		"package.json":             `{"name": "x", "version": "1.0.0", "description": "y", "files": ["a"]}`,
		"schema":                   `{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}`,
		"tool of a model provider": `{"name": "x", "description": "y", "input_schema": {"type": "object"}}`,
		"tool of MCP":              `{"name": "x", "description": "y", "inputSchema": {"type": "object"}}`,
		"descriptor of ACD":        `{"capability_id": "cap.x", "name": "x", "version": "1", "description": "", "kind": "atomic", "execution": {}, "invocation": {}, "exposure": {}}`,
		"registry of ACD":          `{"capabilities": [{"capability_id": "cap.x", "name": "x", "version": "1", "description": "", "kind": "atomic", "execution": {}, "invocation": {}, "exposure": {}}]}`,
		"manifest of ACD":          `{"agent_id": "a", "name": "x", "version": "1", "capabilities": {"registry": "inline", "list": ["a"]}}`,
		"host of CHP":              `{"id": "h", "version": "1", "protocol_version": "0.1", "kind": "x", "capabilities": [{"id": "a", "version": "1", "description": "", "input_schema": {}}], "evidence": {}}`,
		"envelope of CHP":          `{"invocation_id": "i", "capability_id": "a", "version": "1", "mode": "sync", "correlation": {}, "subject": {}, "payload": {}}`,
		"event of CHP":             `{"event_id": "e", "invocation_id": "i", "capability_id": "a", "correlation": {}, "sequence": 0, "payload": {}}`,
		"card of A2A":              `{"name": "x", "description": "y", "url": "https://x", "version": "1", "capabilities": {"streaming": true}, "skills": []}`,
		"task of Kubernetes":       `{"apiVersion": "tekton.dev/v1", "kind": "Task", "spec": {"goal": "x", "steps": [{"command": ["a"]}]}}`,
		"request of JSON-RPC":      `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "operation": "tools/call", "seq": 1}`,
		"list of names":            `["a", "b"]`,
		"text":                     `"cap:x@1"`,
		"package of ACP":           `{"metadata": {"id": "did:nuwa:cap:note@1.0.0", "permissions": {}}, "prompt": "x", "tools": []}`,
		"settings":                 `{"Agent": {"command": "x"}, "Task": {"endpoint": "y"}, "Capability": {"url": "z"}}`,
		"other capabilities":       `{"capabilities": ["a", "b"], "name": "x"}`,
	} {
		file, err := document.Parse("x.json", []byte(text), document.Limits{})
		require.NoError(t, err)
		if Recognises(file) {
			t.Errorf("%s is recognised as %s", name, recognise("x.json", file.Roots[0])[0].form)
		}
	}
}

func FuzzInspection(f *testing.F) {
	for _, seed := range []string{
		toolJSON, toolYAML, skillJSON, capabilityYAML, taskYAML, cardJSON, "[" + skillJSON + ",1]",
		`{"capability": {"transport": 1}}`,
		`{"capability_id": 1, "manifest": {"kind": "skill", "reduction": {"tools": 1}}}`,
		`{"capabilities": [{"capability_id": null}, []]}`,
		`{"must_use_capabilities": {"a": []}, "operations": [["tools/call"]]}`, "- action: task.created\n- {}\n",
		"Task: {spec: {constraints: []}}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, path := range []string{"a.json", "a.yaml"} {
			file, err := document.Parse(path, []byte(text), document.Limits{Values: 1000})
			if err != nil {
				continue
			}
			r, err := readDocuments(t.Context(), []suites.Document{*file}, nil)
			require.NoError(t, err)
			for id, all := range linttest.Judged(r.Findings, documentVocabulary().Rules()) {
				require.True(t, len(all) > 0 || r.Open(id) != "", id)
				for _, found := range all {
					if found.Line < 1 || found.Column < 1 || found.Message == "" ||
						strings.Contains(found.Message, "\n") {
						t.Errorf("%s: %+v", id, found)
					}
				}
			}
		}
	})
}

func BenchmarkDocuments(b *testing.B) {
	file, err := document.Parse("t.json", []byte(toolJSON), document.Limits{})
	require.NoError(b, err)
	suite, err := suites.New(Definition())
	require.NoError(b, err)
	for _, count := range []int{100, 1000, 10000} {
		subject := &suites.Subject{Documents: slices.Repeat([]suites.Document{*file}, count)}
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			for b.Loop() {
				report, err := suites.Lint(b.Context(), []*suites.Suite{suite}, subject, suites.Options{})
				require.NoError(b, err)
				require.Equal(b, reports.Failed, linttest.Report{Suite: report.Suites[0]}.Status("CAP-CAP-02"))
			}
		})
	}
}

func TestDocumentChecksAgreeWithCatalogue(t *testing.T) {
	linttest.Agreement(t, Definition(), documentVocabulary())
}
