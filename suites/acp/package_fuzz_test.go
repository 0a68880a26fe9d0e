package acpsuite

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
)

// FuzzPackage: whatever a file holds, it is judged or refused, as itself and as an
// upgrade of a sound one, and every finding has a place of the file.
func FuzzPackage(f *testing.F) {
	for _, seed := range []string{
		example(f, "note"), example(f, "weatherreporter"), rich,
		`{"metadata":{"id":"did:nuwa:cap:a@0.0.1"},"schema":"{\"$id\":\"did:nuwa:state:a#v1\",\"$ref\":\"did:nuwa:state:a#/x\"}"}`,
		"metadata: &a {id: 1, triggers: [*a]}\n", "metadata:\n  <<: {id: x}\n  triggers: [{type: regex, value: '(?<a>x)(?i'}]\n",
		"schema: \"{\\\"x-asm\\\": [], \\\"x-crdt\\\": 1}\"\ntools: [{type: function, function: {name: a, parameters: {type: object, $ref: '#/schema'}}}]\ntool_bindings: {a: {type: http_get, url: '{x}'}}\n",
	} {
		f.Add(seed)
	}
	old := file(f, "old.acp.yaml", rich)
	f.Fuzz(func(t *testing.T, text string) {
		lines := 1 + strings.Count(text, "\n") + strings.Count(text, "\r") + strings.Count(text, "\u2028") + strings.Count(text, "\u2029") + strings.Count(text, "\u0085")
		s, err := newSettings(map[string]string{OptionAuthor: author, OptionMode: ModePublishable})
		require.NoError(t, err)
		files := []suites.Document{file(t, "a.acp.yaml", text)}
		found, err := readPackages(t.Context(), s, files, []suites.Document{old})
		require.NoError(t, err)
		for _, rule := range packageRules {
			broken, ok := found.Judge(rule).(*suites.Violation) //nolint:errorlint // Judge wraps nothing
			if !ok {
				continue
			}
			for _, at := range broken.Findings {
				require.LessOrEqual(t, at.Line, lines)
				require.NotEmpty(t, at.Message)
			}
		}
		before := []document.File{old}
		_, err = readPackages(t.Context(), s, before, files)
		require.NoError(t, err)
	})
}
