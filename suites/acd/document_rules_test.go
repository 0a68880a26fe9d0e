package acdsuite

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites/lint/linttest"
)

func TestDocumentChecksAgreeWithCatalogue(t *testing.T) {
	linttest.Agreement(t, Definition(), documents())
}

// Every part of the schemas has a requirement on documents, and a value that is not an object breaks all required
// parts.
func TestSchemaPartsHaveRequirements(t *testing.T) {
	catalogue, err := spec.Load("acd")
	require.NoError(t, err)
	for _, name := range []string{"capability-descriptor", "agent-manifest"} {
		s, err := compileShape(name)
		require.NoError(t, err)
		flaws, err := s.Flaws("text")
		require.NoError(t, err)
		var missing []string
		for _, f := range flaws {
			missing = append(missing, f.Requirement)
		}
		var required []string
		for _, p := range s.Parts {
			if p.Given == nil {
				required = append(required, p.Requirement)
			}
			if r, known := catalogue.Lookup(p.Requirement); !known || !r.Check.Covers(spec.Document) {
				t.Errorf("%s: %s is not on documents", p.Name, p.Requirement)
			}
		}
		if diff := cmp.Diff(required, missing); diff != "" {
			t.Errorf("%s: a value that is not an object (-required +missing):\n%s", name, diff)
		}
	}
}
