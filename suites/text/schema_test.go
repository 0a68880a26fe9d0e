package text_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/text"
)

// The schemas of the parts accept the parts of the examples and of the suites of capconform.
func TestSchemasAcceptTheParts(t *testing.T) {
	parts := map[string]string{}
	for _, name := range []string{"protocol", "stimuli", "rules", "defects"} {
		found, err := filepath.Glob("../../examples/*/" + name + ".yaml")
		require.NoError(t, err)
		for _, path := range found {
			parts[path] = name
		}
	}
	mcp, err := filepath.Glob("../mcp/*/[prsd]*.yaml")
	require.NoError(t, err)
	for _, path := range mcp {
		parts[path] = strings.TrimSuffix(filepath.Base(path), ".yaml")
	}
	for _, pattern := range []string{"../*/rules/*.yaml", "../*/*/rules/*.yaml"} {
		own, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, path := range own {
			parts[path] = "rules"
		}
	}
	require.Greater(t, len(parts), 15)
	for path, name := range parts {
		schema, err := schemas.Own("text/" + name + ".schema.json")
		require.NoError(t, err)
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		var value any
		require.NoError(t, yaml.Unmarshal(data, &value))
		assert.NoError(t, schema.Validate(value), path)
	}
}

// The keys of a schema are those that the loader accepts.
func TestSchemasHaveTheKeysOfTheLoaders(t *testing.T) {
	expected := regexp.MustCompile(`expected the keys (.*)`)
	for _, c := range []struct{ part, text, schema, place string }{
		{"protocol.yaml", "", "protocol", "properties"},
		{"protocol.yaml", "suite: count\noperations:\n  count.next: 1\n", "protocol",
			"properties/operations/additionalProperties/properties"},
		{"protocol.yaml", "suite: count\nkinds:\n  step: 1\n", "protocol",
			"properties/kinds/additionalProperties/properties"},
		{"protocol.yaml", "suite: count\nkinds:\n  step: {chain: 1}\n", "protocol",
			"properties/kinds/additionalProperties/properties/chain/properties"},
		{"protocol.yaml", "suite: count\npages:\n  count.next: 1\n", "protocol",
			"properties/pages/additionalProperties/properties"},
		{"stimuli.yaml", "- 1\n", "stimuli", "$defs/stimulus/properties"},
		{"stimuli.yaml", "- {stimulus: s, steps: [1]}\n", "stimuli", "$defs/step/properties"},
		{"rules.yaml", "- 1\n", "rules", "$defs/rule/properties"},
		{"rules.yaml", "- {sentence: s, each: call, demands: [1]}\n", "rules", "$defs/demand/properties"},
		{"defects.yaml", "- 1\n", "defects", "$defs/defect/properties"},
	} {
		_, err := text.Load(folder(t, map[string]string{c.part: c.text}), nil)
		require.Error(t, err)
		m := expected.FindStringSubmatch(err.Error())
		require.NotNil(t, m, err.Error())
		want := strings.Split(m[1], ", ")
		raw, err := schemas.Read("text/" + c.schema + ".schema.json")
		require.NoError(t, err)
		at := schemas.ReadObject(raw)
		for name := range strings.SplitSeq(c.place, "/") {
			below, is := at[name].(map[string]any)
			require.Truef(t, is, "%s: %s", c.schema, c.place)
			at = below
		}
		var got []string
		for name := range at {
			got = append(got, name)
		}
		slices.Sort(want)
		slices.Sort(got)
		assert.Equal(t, want, got, c.schema+" "+c.place)
	}
}
