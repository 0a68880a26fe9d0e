package acpsuite

import (
	"testing"

	"github.com/capconform/capconform/suites"
	acpdocument "github.com/capconform/capconform/suites/acp/document"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint/linttest"
	"github.com/stretchr/testify/require"
)

func TestDocumentChecksAgreeWithCatalogue(t *testing.T) {
	linttest.Agreement(t, Definition(), acpdocument.Vocabulary())
}

// What applies to every conforming package is a note, reported once, and not a finding.
func TestFragmentsAreNotedOnce(t *testing.T) {
	s, err := suites.New(Definition())
	require.NoError(t, err)
	subject := &suites.Subject{Name: "packages"}
	for _, name := range []string{"note", "weatherreporter"} {
		parsed, err := document.Read(t.Context(), "document/testdata/"+name+".acp.yaml", document.Limits{})
		require.NoError(t, err)
		subject.Documents = append(subject.Documents, *parsed)
	}
	report, err := suites.Lint(t.Context(), []*suites.Suite{s}, subject, suites.Options{Explicit: true, Concurrency: 1})
	require.NoError(t, err)
	require.Len(t, report.Notes, 1)
	require.Contains(t, report.Notes[0], "fragment in $id")
}
