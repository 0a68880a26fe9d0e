package chpsuite

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint"
)

// recorder takes the expressions of a vocabulary.
type recorder struct{ expressions []*regexp.Regexp }

func (r *recorder) Step(expression, _ any) {
	r.expressions = append(r.expressions, expression.(*regexp.Regexp)) //nolint:forcetypeassert // the vocabulary has no others
}

// Each document scenario says the sentence of its own requirement, no sentence is
// one of the live half as well, and each requirement on documents has its scenario.
func TestScenariosOnDocuments(t *testing.T) {
	suite, err := suites.New(Definition())
	require.NoError(t, err)
	var live, documents recorder
	(&examination{}).Steps(&live, &suites.Scenario{})
	lint.Examine(documentVocabulary, suites.Profile{}, nil).Steps(&documents, nil)
	sentences, kinds := map[string]string{}, map[string]bool{}
	for _, r := range documentRules {
		sentences[r.ID] = "in them " + r.Sentence
	}
	var got []string
	for _, c := range suite.Scenarios() {
		for _, step := range c.Steps {
			for _, expression := range live.expressions {
				if c.Mode == suites.Documents && expression.MatchString(step) {
					t.Errorf("%q is a sentence of the live half too", step)
				}
			}
		}
		if c.Mode != suites.Documents {
			continue
		}
		got = append(got, c.Requirement)
		require.Len(t, c.Steps, 2, c.Name)
		kinds[strings.TrimPrefix(c.Steps[0], "the documents hold ")] = true
		if !documents.expressions[0].MatchString(c.Steps[0]) || !documents.expressions[1].MatchString(c.Steps[1]) || c.Steps[1] != sentences[c.Requirement] {
			t.Errorf("%s: %q", c.Requirement, c.Steps)
		}
	}
	var want []string
	for _, r := range suite.Catalogue.Requirements {
		if (r.Check == spec.Document || r.Check == spec.Both) && len(r.SumOf) == 0 {
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

// What is kept of a history does not grow with its events: nothing of an
// invocation that ended but two hashes of bounded number.
func TestHistoryForgets(t *testing.T) {
	r, err := readDocuments(t.Context(), nil, false)
	require.NoError(t, err)
	h := newHistory(r, "e.jsonl", false)
	node := func(i int, kind, invocation string) *document.Node {
		file, err := document.Parse("x.json", []byte(happening{i, kind, invocation, ""}.line()), document.Limits{})
		require.NoError(t, err)
		return file.Roots[0]
	}
	for i := 0; i < 4000; i += 2 {
		h.item(node(i, ran, fmt.Sprint(i)))
		h.item(node(i+1, done, fmt.Sprint(i)))
	}
	h.item(node(4000, ran, "open"))
	require.Len(t, h.open, 1)
	require.Len(t, h.hosts, 1)
	require.Empty(t, h.doubted)
	require.Empty(t, h.Requirements())
	require.False(t, h.wantsAgain())
}

// A log is judged the same whether it is held whole or read value by value.
func TestLongReplays(t *testing.T) {
	replay := replayOf("", append(sound, sound[0])...)
	torn, _, _ := strings.Cut(replay, "], \"event_count\"")
	list := "[" + strings.ReplaceAll(strings.TrimSpace(logOf(sound[1:]...)), "\n", ",\n") + "]"
	host := altered(t, hostJSON, `[]`, "["+descriptorJSON+",\n"+without(t, descriptorJSON, "id")+"]", `"host-7"`, `""`)
	for _, c := range []struct {
		name, text string
		want       map[string]string
	}{
		{"replay", replay, map[string]string{idOnce: "6:13"}},
		{"count", altered(t, replayOf("", sound...), `"event_count": 4`, `"event_count": 3`), map[string]string{idCount: "6:19"}},
		{"torn replay", torn, map[string]string{idOnce: "6:13", idCount: "open", idPayload: "open", idOrder: "open", "CHP-10-09": "open"}},
		{"list", list, map[string]string{idCompleted: "open"}},
		{"host", host, map[string]string{"CHP-4-01": "2:9", "CHP-3-01": "22:1"}},
	} {
		file := longFile(t, c.text)
		r, err := readDocuments(t.Context(), []suites.Document{*file}, false)
		require.NoError(t, err, c.name)
		for id, want := range c.want {
			require.Contains(t, r.Requirements(), id, c.name)
			got := "open"
			if found := r.Places(id); len(found) > 0 {
				got = fmt.Sprintf("%d:%d", found[0].Line, found[0].Column)
			}
			if got != want {
				t.Errorf("%s: %s is %s, want %s", c.name, id, got, want)
			}
		}
		for _, id := range r.Requirements() {
			if _, expected := c.want[id]; !expected && len(r.Places(id)) > 0 {
				t.Errorf("%s: %s: %v", c.name, id, r.Places(id))
			}
		}
	}
}

// longFile reads a text as if it were too long to be held.
func longFile(t *testing.T, text string) *document.File {
	t.Helper()
	path := t.TempDir() + "/x.json"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	file, err := document.Load(t.Context(), path, document.Limits{Size: len(text) - 1})
	require.NoError(t, err)
	require.NotNil(t, file.Log)
	return file
}
