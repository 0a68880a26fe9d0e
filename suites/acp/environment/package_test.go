package environment_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/suites/acp/environment"
)

func TestPackageIsYAML(t *testing.T) {
	p := environment.Package{
		ID: "did:nuwa:cap:note@1.0.0", Name: "Note: \"best\"", Description: "keeps # notes", MemoryScope: "sc:note", AuthorDID: "did:key:z1",
		Triggers: []environment.Trigger{{Type: "regex", Value: `a|记(.*)`}}, Permissions: []string{"state.create"},
		Requirements: map[string]any{"model_family": []string{"gpt-4"}},
		Schema:       "{\n\"$id\": \"did:nuwa:state:note#v1\"\n}", Prompt: "You are: a note\n\n  taker.\n",
		Tools:    []environment.PackageTool{{Name: "fetch", Description: "gets", Parameters: json.RawMessage(`{"type":"object"}`)}},
		Bindings: []environment.Binding{{Tool: "fetch", Type: "http_get", Parameters: map[string]string{"url": "http://127.0.0.1:1/a?b#c"}}},
	}
	var read map[string]any
	require.NoError(t, yaml.Unmarshal(p.YAML(), &read), string(p.YAML()))
	want := map[string]any{
		"metadata": map[string]any{
			"id": "did:nuwa:cap:note@1.0.0", "name": "Note: \"best\"", "description": "keeps # notes", "memory_scope": "sc:note",
			"author":           map[string]any{"did": "did:key:z1"},
			"triggers":         []any{map[string]any{"type": "regex", "value": `a|记(.*)`}},
			"permissions":      map[string]any{"require": []any{"state.create"}},
			"llm_requirements": map[string]any{"model_family": []any{"gpt-4"}}, "signature": "",
		},
		"schema": "{\n\"$id\": \"did:nuwa:state:note#v1\"\n}\n", "prompt": "You are: a note\n\n  taker.\n",
		"tools":         []any{map[string]any{"type": "function", "function": map[string]any{"name": "fetch", "description": "gets", "parameters": map[string]any{"type": "object"}}}},
		"tool_bindings": map[string]any{"fetch": map[string]any{"type": "http_get", "url": "http://127.0.0.1:1/a?b#c"}},
	}
	if diff := cmp.Diff(want, read); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	p.Unsigned = true
	if strings.Contains(string(p.YAML()), "signature") {
		t.Error("an unsigned package has a signature")
	}
}
