package acdsuite

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/document"
)

func TestOtherFormatsAreNotRecognised(t *testing.T) {
	for name, text := range map[string]string{
		"package.json":          `{"name": "x", "version": "1.0.0", "description": "y", "dependencies": {}, "files": ["a"]}`,
		"manifest of CAP":       `{"capability_id": "a", "version": "1.0.0", "kind": "tool", "name": "", "description": "", "input_schema": {}}`,
		"skill of CAP":          `{"capability_id": "a", "version": "1.0.0", "kind": "skill", "name": "", "description": "", "input_schema": {}, "resources": [], "required_permissions": []}`,
		"descriptor of CHP":     `{"id": "a", "version": "1", "description": "", "modes": ["sync"], "emits": []}`,
		"host of CHP":           `{"id": "h", "version": "1", "protocol_version": "0.1", "kind": "x", "capabilities": [{"id": "a", "version": "1", "description": "", "modes": ["sync"], "emits": []}], "evidence": {}}`,
		"package of ACP":        `{"metadata": {"id": "did:nuwa:cap:note@1.0.0", "permissions": {}}, "prompt": "x", "tools": []}`,
		"agent of AAP":          `{"agent_id": "agent_1", "name": "x", "version": "1", "capabilities": [{"capability_id": "a", "version": "1"}]}`,
		"card of A2A":           `{"name": "x", "description": "y", "url": "https://x", "version": "1", "capabilities": {"streaming": true}, "skills": []}`,
		"deployment":            `{"apiVersion": "v1", "kind": "atomic", "name": "x", "version": "1", "execution": {"substrate": "shell"}, "permissions": {}}`,
		"settings":              `{"permissions": {"allow": []}, "status": "on", "name": "x", "version": "1", "description": ""}`,
		"request of JSON-RPC":   `{"jsonrpc": "2.0", "id": 1, "method": "acd.registry.create", "params": {"descriptor": ` + echoJSON + `}}`,
		"list of names":         `["a", "b"]`,
		"text":                  `"cap.help"`,
		"register of something": `{"registry": "https://example.org", "list": ["a"]}`,
	} {
		file, err := document.Parse("x.json", []byte(text), document.Limits{})
		require.NoError(t, err, name)
		if Recognises(file) {
			t.Errorf("%s is recognised as %s", name, formOf(file.Roots[0]))
		}
	}
}
