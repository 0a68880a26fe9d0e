package acdsuite

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
)

// Each document scenario says the sentence of its own requirement, each requirement
// on documents has its scenario, and each kind of thing is needed by one.
func TestScenariosOnDocuments(t *testing.T) {
	suite, err := suites.New(Definition())
	require.NoError(t, err)
	sentences, kinds := map[string]string{}, map[string]bool{}
	for _, r := range documentRules {
		sentences[r.ID] = "in them " + r.Sentence
	}
	var got []string
	for _, c := range suite.Scenarios() {
		if c.Mode != suites.Documents {
			continue
		}
		got = append(got, c.Requirement)
		require.Len(t, c.Steps, 2, c.Name)
		kinds[strings.TrimPrefix(c.Steps[0], "the documents hold ")] = true
		if c.Steps[1] != sentences[c.Requirement] {
			t.Errorf("%s: %q", c.Requirement, c.Steps)
		}
	}
	var want []string
	for _, r := range suite.Catalogue.Requirements {
		if r.Check.Covers(spec.Document) && len(r.SumOf) == 0 {
			want = append(want, r.ID)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("scenarios (-want +got):\n%s", diff)
	}
	for _, kind := range heldKinds {
		if !kinds[kind] {
			t.Errorf("no scenario needs %s", kind)
		}
	}
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

var usualSentence = regexp.MustCompile(`^[a-z][a-zA-Z0-9_ .,-]*$`)

func TestSentencesArePlain(t *testing.T) {
	for _, r := range documentRules {
		if !usualSentence.MatchString(r.Sentence) || r.Broken == "" || r.Want == "" {
			t.Errorf("%s: %q, %q, %q", r.ID, r.Sentence, r.Broken, r.Want)
		}
	}
}
