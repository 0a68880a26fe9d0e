package acpsuite

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestUnusualPackagesAreValid: forms that the text permits, or shows only in examples, are not violations.
func TestUnusualPackagesAreValid(t *testing.T) {
	e := offline(t)
	permissions := `require: ["state.create","state.query"]`
	for name, c := range map[string]struct {
		edit textChange
		want []string
	}{
		"a schema URI without a version": {edit: func(s *testPackage, text string) (string, error) {
			return strings.ReplaceAll(text, s.SchemaURI, strings.TrimSuffix(s.SchemaURI, "#v1")), nil
		}},
		"an address as schema URI": {edit: func(s *testPackage, text string) (string, error) {
			return strings.ReplaceAll(text, s.SchemaURI, "https://states.example.org/note.json"), nil
		}},
		"permissions as a text": {edit: replacing(permissions, `require: "state.create, state.query"`)},
		"permissions as a mapping": {edit: replacing(permissions,
			`require: {state.create: true, state.query: {scope: soft}}`)},
		"permissions as a text that lacks a verb": {edit: replacing(permissions, `require: state.create`),
			want: []string{"ACP-STATE-14"}},
		"permissions as a pattern": {edit: replacing(permissions, `require: ["state.*"]`)},
		"permissions as objects": {edit: replacing(permissions,
			`require: [{verb: state.create}, {verb: state.query}]`)},
		"permissions by prefix": {edit: replacing(permissions, `require: {state: [create, query]}`)},
		"permissions by prefix that lack a verb": {
			edit: replacing(permissions, `require: {state: [create]}`), want: []string{"ACP-STATE-14"}},
		"two tools with one name": {edit: func(s *testPackage, text string) (string, error) {
			return replacing("tool_bindings:\n", "  - {type: function, function: {name: "+s.ToolName("lookup")+"}}\ntool_bindings:\n")(s, text)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := e.NewPackage()
			text, err := c.edit(s, string(s.YAML()))
			require.NoError(t, err)
			file, err := e.Sign([]byte(text), e.Author)
			require.NoError(t, err)
			if diff := cmp.Diff(c.want, linted(t, file)); diff != "" {
				t.Errorf("broken (-want +got)\n%s", diff)
			}
		})
	}
}
