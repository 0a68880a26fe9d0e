package acpdocument

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/lint"
	"github.com/capconform/capconform/suites/verdict"
)

// FuzzPackage: every file is judged or refused, by itself and as an upgrade of a valid one, and every finding has a
// place in the file.
func FuzzPackage(f *testing.F) {
	for _, seed := range []string{
		example(f, "note"), example(f, "weatherreporter"), rich,
		`{"metadata":{"id":"did:nuwa:cap:a@0.0.1"},"schema":"{\"$id\":\"did:nuwa:state:a#v1\",\"$ref\":\"did:nuwa:state:a#/x\"}"}`,
		"metadata: &a {id: 1, triggers: [*a]}\n", "metadata:\n  <<: {id: x}\n  triggers: [{type: regex, value: '(?<a>x)(?i'}]\n",
		"schema: \"{\\\"x-asm\\\": [], \\\"x-crdt\\\": 1}\"\ntools: [{type: function, function: {name: a, parameters: {type: object, $ref: '#/schema'}}}]\ntool_bindings: {a: {type: http_get, url: '{x}'}}\n",
	} {
		f.Add(seed)
	}
	s, err := newSettings(map[string]string{OptionAuthor: author, OptionMode: ModePublishable})
	require.NoError(f, err)
	vocabulary, err := schemas.Own(annotations)
	require.NoError(f, err)
	valid := file(f, "valid.acp.yaml", rich)
	newReading := func() reading {
		return reading{&sharedState{Findings: lint.NewFindings(), settings: s, vocabulary: vocabulary}}
	}
	other := newReading().judgeFile(&valid)
	f.Fuzz(func(t *testing.T, text string) {
		lines := 1 + strings.Count(text, "\n") + strings.Count(text, "\r") + strings.Count(text, "\u2028") + strings.Count(text, "\u2029") + strings.Count(text, "\u0085")
		r, parsed := newReading(), file(t, "a.acp.yaml", text)
		if m := r.judgeFile(&parsed); m != nil && m.hasID {
			r.judgeUpgrade(m, map[string]*manifest{m.id.Name: other})
			r.judgeUpgrade(other, map[string]*manifest{other.id.Name: m})
		}
		for _, rule := range Vocabulary().Rules() {
			broken, ok := r.Judge(rule).(*verdict.Violation) // Judge wraps nothing
			if !ok {
				continue
			}
			for _, at := range broken.Findings {
				require.NotEmpty(t, at.Message)
				if at.File == parsed.Path {
					require.LessOrEqual(t, at.Line, lines)
				}
			}
		}
	})
}
