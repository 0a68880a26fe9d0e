package proof

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/population"
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/document"
)

// The requirements that the schemas of packages decide completely, and the documents that are broken where a schema
// of the package does not apply. Compilers, comparisons and signatures decide the rest.
const (
	decidedByPackage = "ACP-FILE-01 ACP-FILE-02 ACP-FILE-03 ACP-FILE-04 ACP-FILE-05 ACP-FILE-07 ACP-FILE-09 ACP-FIELD-01 ACP-FIELD-05 ACP-FIELD-07 ACP-FIELD-08 ACP-FIELD-09 ACP-FIELD-10 ACP-FIELD-11 ACP-FIELD-14 " +
		"ACP-BIND-04 ACP-BIND-12 ACP-BIND-13 ACP-BIND-14 ACP-BIND-15 ACP-BIND-16 ACP-BIND-17 ACP-STATE-16"
	decidedByState  = "ACP-FIELD-03 ACP-STATE-10 ACP-STATE-17"
	advisedByClosed = "ACP-TERM-07 ACP-FILE-10 ACP-FILE-12 ACP-FIELD-17 ACP-FIELD-18 ACP-FIELD-21 ACP-STATE-19 ACP-STATE-20"
	beyondSchemas   = "acp-tide-parameters-broken-yaml acp-tide-parameters-reference-yaml acp-tide-parameters-metadata-yaml acp-tide-parameters-section-part-yaml acp-diary-empty-triggers-yaml"
)

// The schemas of packages and the rules in Go implement the same text. They must agree on our packages.
func TestPackageSchemasAgreeWithRules(t *testing.T) {
	documents, err := population.Documents()
	require.NoError(t, err)
	own := func(name string) *schemas.Schema {
		s, err := schemas.Own("acp/" + name + ".schema.json")
		require.NoError(t, err)
		return s
	}
	decides, closed, state := own("package"), own("package.closed"), own("state")
	seen := map[string]int{}
	for _, d := range documents {
		value, text := packageValues(d)
		if value == nil {
			continue
		}
		for _, reading := range []struct {
			schema *schemas.Schema
			value  any
			ids    string
		}{{decides, value, decidedByPackage}, {closed, value, decidedByPackage + " " + advisedByClosed}, {state, text, decidedByState}} {
			if reading.value == nil {
				continue
			}
			decided := func(id string) bool { return slices.Contains(strings.Fields(reading.ids), id) }
			broken := decided(d.Requirement) ||
				slices.ContainsFunc(d.Also, func(a mutant.Also) bool { return decided(a.ID) })
			broken = broken && !slices.Contains(strings.Fields(beyondSchemas), d.Name)
			if d.Name == "acp-diary-schema-dialect-yaml" && reading.schema == state {
				broken = true // the name of the dialect is the only part of ACP-FILE-06 that a schema can check
			}
			err := reading.schema.Validate(reading.value)
			if broken == (err == nil) {
				t.Errorf("%s breaks %q, but the schema returns %v", d.Name, d.Requirement, err)
			}
			if broken {
				seen[d.Requirement]++
			}
		}
	}
	for _, id := range strings.Fields(decidedByPackage + " " + decidedByState + " " + advisedByClosed) {
		if seen[id] == 0 {
			t.Errorf("no package shows that a schema decides %s", id)
		}
	}
}

// packageValues returns a package and its state schema as JSON values; nil if the file has another format or cannot
// be read, or the text is not JSON.
func packageValues(d mutant.Document) (value, state any) {
	file := trial.Parse(d.File, d.Content)
	if d.Suite != "acp" || file.Err != nil || len(file.Roots) != 1 || !file.Roots[0].Has("metadata", "schema") ||
		file.Roots[0].Has("apiVersion", "core") {
		return nil, nil
	}
	root := file.Roots[0]
	if text := root.Get("schema"); text.Is(document.String) {
		if nested, err := file.Nested(text, document.Limits{}); err == nil && nested.Is(document.Object) {
			state = nested.Value()
		}
	}
	return root.Value(), state
}
