package population_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/population"
)

func TestDocumentsHaveUniqueNamesAndDescriptions(t *testing.T) {
	documents, err := population.Documents()
	require.NoError(t, err)
	named, id := map[string]bool{}, regexp.MustCompile(`^((CAP|CHP|ACP|ACD)-[A-Z0-9]+-[0-9]{2})?$`)
	for _, d := range documents {
		if named[d.Name] || named[d.File] || !id.MatchString(d.Requirement) ||
			!strings.HasPrefix(d.Name, d.Suite+"-") ||
			!strings.HasSuffix(d.Summary, ".") {
			t.Errorf(
				"%s (%s, %s) is listed twice or incompletely described: %q",
				d.Name,
				d.Requirement,
				d.File,
				d.Summary,
			)
		}
		named[d.Name], named[d.File] = true, true
	}
}

func TestDocumentsAreEqualInBothNotations(t *testing.T) {
	documents, err := population.Documents()
	require.NoError(t, err)
	documents = slices.DeleteFunc(documents, func(d mutant.Document) bool { return d.Suite == "acp" })
	if len(documents)%2 != 0 {
		t.Fatalf("%d documents, want pairs", len(documents))
	}
	for i := 0; i < len(documents); i += 2 {
		var fromJSON, fromYAML any
		require.NoError(t, json.Unmarshal(documents[i].Content, &fromJSON), documents[i].Name)
		require.NoError(t, yaml.Unmarshal(documents[i+1].Content, &fromYAML), documents[i+1].Name)
		text, err := json.Marshal(fromYAML)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &fromYAML))
		if diff := cmp.Diff(fromJSON, fromYAML); diff != "" {
			t.Errorf("%s (-JSON +YAML)\n%s", documents[i].Name, diff)
		}
	}
}

func TestBrokenDocumentsDifferFromValidOnes(t *testing.T) {
	documents, err := population.Documents()
	require.NoError(t, err)
	content := map[string]string{}
	for _, d := range documents {
		_, suffix, _ := strings.Cut(d.File, ".")
		examined := fmt.Sprint(suffix, d.Publishable, string(d.Against), string(d.Content))
		if other, known := content[examined]; known {
			t.Errorf("%s equals %s", d.Name, other)
		}
		content[examined] = d.Name
	}
}

func TestEveryRequirementOnDocumentsHasBrokenDocument(t *testing.T) {
	documents, err := population.Documents()
	require.NoError(t, err)
	broken := map[string]bool{}
	for _, d := range documents {
		broken[d.Requirement] = true
	}
	for _, id := range strings.Fields(`CAP-CAP-01 CAP-CAP-02 CAP-CAP-03 CAP-CAP-04 CAP-REF-02 CAP-REF-03 CAP-REF-04 CAP-GRAN-01 CAP-GRAN-05
		CAP-MAN-01 CAP-MAN-02 CAP-MAN-03 CAP-MAN-04 CAP-MCP-03 CAP-IL-02 CAP-IL-03`) {
		if !broken[id] {
			t.Errorf("no document breaks %s", id)
		}
	}
}
