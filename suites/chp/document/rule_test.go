package chpdocument

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/judge"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint/linttest"
	"github.com/capconform/capconform/suites/shape"
)

func compiledForms(t testing.TB) *judge.Forms {
	t.Helper()
	forms, err := judge.CompileForms()
	require.NoError(t, err)
	return forms
}

// membersOf returns the parts of a form that each apply to one member.
func membersOf(t *testing.T, f form) []shape.Part {
	t.Helper()
	r := &objects{forms: compiledForms(t)}
	return slices.DeleteFunc(slices.Clone(r.shapeOf(f).Parts), func(p shape.Part) bool {
		return judgedByRules[p.Requirement] || p.Requirement == idSync
	})
}

// The edition 0.1 has each scenario of the draft, and its own.
func TestDocumentChecksAgreeWithCatalogue(t *testing.T) {
	draft := definition()
	edition, err := draft.InFolder(os.DirFS("../0.1"))
	require.NoError(t, err)
	linttest.Agreement(t, edition, documents().Vocabulary)
}

// The stored history does not grow with the number of events: of an invocation that ended, only two hashes remain, in
// a bounded set.
func TestHistoryIsBounded(t *testing.T) {
	r, err := readDocuments(t.Context(), nil, compiledForms(t), false)
	require.NoError(t, err)
	h := newEventLog(r.evidence, "e.jsonl", false)
	node := func(i int, kind, invocation string) *document.Node {
		file, err := document.Parse("x.json", []byte(shortEvent{i, kind, invocation, ""}.line()), document.Limits{})
		require.NoError(t, err)
		return file.Roots[0]
	}
	for i := 0; i < 4000; i += 2 {
		h.item(node(i, started, fmt.Sprint(i)))
		h.item(node(i+1, completed, fmt.Sprint(i)))
	}
	h.item(node(4000, started, "open"))
	require.Len(t, h.invocations.open, 1)
	require.Len(t, h.hosts, 1)
	require.Empty(t, h.invocations.doubted)
	require.Empty(t, linttest.Judged(h.Findings, documents().Rules()))
	require.False(t, h.needsSecondPass())
}

// The sentences of rules that are data, which are the keys of their findings.
const (
	once    = "each event appears once in its evidence"
	inOrder = "the events of each correlation are in the order of their sequence"
	begun   = "each execution_completed has its execution_started before it"
	counted = "each replay result states the number of its events"
)

func TestRulesCompile(t *testing.T) {
	require.NoError(t, documents().Err())
	require.NoError(t, documents().set.Check())
}

// A log has the same findings whether it is read as a whole or value by value.
func TestLongReplays(t *testing.T) {
	replay := replayOf("", append(validEvents, validEvents[0])...)
	torn, _, _ := strings.Cut(replay, "], \"event_count\"")
	list := "[" + strings.ReplaceAll(strings.TrimSpace(logOf(validEvents[1:]...)), "\n", ",\n") + "]"
	host := linttest.Altered(t, hostJSON, `[]`, "["+descriptorJSON+",\n"+without(t, descriptorJSON, "id")+"]", `"host-7"`,
		`""`)
	for _, c := range []struct {
		name, text string
		want       map[string]string
	}{
		{"replay", replay, map[string]string{once: "6:13"}},
		{"count", linttest.Altered(t, replayOf("", validEvents...), `"event_count": 4`, `"event_count": 3`),
			map[string]string{counted: "6:19"}},
		{"torn replay", torn, map[string]string{once: "6:13", "CHP-10-08": "open", counted: "open", idPayload: "open",
			inOrder:     "open",
			"CHP-10-09": "open"}},
		{"list", list, map[string]string{begun: "open"}},
		{"host", host, map[string]string{"CHP-4-01": "2:9", "CHP-3-01": "22:1"}},
	} {
		file := longFile(t, c.text)
		r, err := readDocuments(t.Context(), []suites.Document{*file}, compiledForms(t), false)
		require.NoError(t, err, c.name)
		judged := linttest.Judged(r.Findings, documents().Rules())
		for id, want := range c.want {
			require.Contains(t, judged, id, c.name)
			got := "open"
			if found := judged[id]; len(found) > 0 {
				got = fmt.Sprintf("%d:%d", found[0].Line, found[0].Column)
			}
			if got != want {
				t.Errorf("%s: %s is %s, want %s", c.name, id, got, want)
			}
		}
		for id, found := range judged {
			if _, expected := c.want[id]; !expected && len(found) > 0 {
				t.Errorf("%s: %s: %v", c.name, id, found)
			}
		}
	}
}

// longFile reads a text as if it were too long to be held in memory.
func longFile(t *testing.T, text string) *document.File {
	t.Helper()
	path := t.TempDir() + "/x.json"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	file, err := document.Load(t.Context(), path, document.Limits{Size: len(text) - 1})
	require.NoError(t, err)
	require.NotNil(t, file.Log)
	return file
}
