package acdsuite

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites/lint/linttest"
)

func TestDocumentsAgree(t *testing.T) {
	linttest.Agreement(t, Definition(), heldKinds, documentRules)
}

// The parts of the schemas and those of the tables are the same, and every part has
// a requirement that is on documents.
func TestPartsAreThoseOfTheSchemas(t *testing.T) {
	catalogue, err := spec.Load("acd")
	require.NoError(t, err)
	for name, parts := range map[string][]part{"capability-descriptor": descriptorParts, "agent-manifest": manifestParts} {
		s, err := compileShape(name, parts)
		require.NoError(t, err)
		flaws, err := s.flaws("text")
		require.NoError(t, err)
		var missing []string
		for _, f := range flaws {
			missing = append(missing, f.id)
		}
		var required []string
		for _, p := range parts {
			if p.given == nil {
				required = append(required, p.id)
			}
			if r, known := catalogue.Lookup(p.id); !known || !r.Check.Covers(spec.Document) {
				t.Errorf("%s: %s is not on documents", p.name, p.id)
			}
		}
		if diff := cmp.Diff(required, missing); diff != "" {
			t.Errorf("%s: of no object (-required +missing):\n%s", name, diff)
		}
	}
}
