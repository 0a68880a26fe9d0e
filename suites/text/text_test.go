package text_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/text"
)

// files are those of a small text: a host counts, and never backwards.
func files() map[string]string {
	return map[string]string{
		"catalogue.yaml": `suite: count
title: Counting
version: "1"
requirements:
  - id: COUNT-1-01
    level: MUST
    section: "1"
    actor: host
    summary: A count grows.
    fingerprint: [c9a5a041c4858590a8d3a37b9e33740e8fc0121867eda1f5987f38095a8a83af]
    check: live
    satisfy: Add one.
`,
		"protocol.yaml": `suite: count
operations:
  count.next: {result: count, reads: true}
  count.reset: {}
kinds:
  step: {of: count.next}
`,
		"schemas/count.schema.json": `{"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}`,
		"stimuli.yaml": `- stimulus: steps
  times: 3
  call: count.next
`,
		"rules.yaml": `- sentence: each count grows
  each: [earlier: step, later: step]
  if: before(earlier, later)
  must: earlier.result.n < later.result.n
  message: a count does not grow
  got: later.answer
`,
		"features/count.feature": `Feature: Counting

  @COUNT-1-01
  Scenario: A count grows
    Then each step has its n
    And each count grows
`,
	}
}

func folder(t *testing.T, edit map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	all := files()
	maps.Copy(all, edit)
	for name, content := range all {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	}
	return dir
}

func TestFoldersAreChecked(t *testing.T) {
	replaced := func(name, from, to string) map[string]string {
		return map[string]string{name: strings.Replace(files()[name], from, to, 1)}
	}
	for _, c := range []struct {
		name string
		edit map[string]string
		want string // without the folder
	}{
		{"operation", replaced("stimuli.yaml", "count.next", "count.nxt"),
			"stimuli.yaml:3:9: there is no operation count.nxt; there is count.next"},
		{"kind", replaced("rules.yaml", "earlier: step", "earlier: stp"), "rules.yaml:2:19: there is no kind stp"},
		{"member", replaced("rules.yaml", "later.answer", "later.anser"),
			"rules.yaml:6:13: there is no member anser; there is answer"},
		{"key", replaced("protocol.yaml", "result: count", "reslt: count"),
			"protocol.yaml:3:16: there is no key reslt; there is result"},
		{"schema", replaced("protocol.yaml", "result: count", "result: cont"),
			"protocol.yaml: count.next: there is no schema cont in schemas/; there is count"},
		{"route", replaced("protocol.yaml", "{result", "{http: GET https://elsewhere.example, result"),
			"protocol.yaml:3:22: a route is a method and a path"},
		{"path out", replaced("protocol.yaml", "{result", "{http: GET /../x, result"),
			"protocol.yaml:3:22: a route is a method and a path"},
		{"sentence", replaced("features/count.feature", "each count grows", "each count grow"),
			"features/count.feature:6:5: no rule has the sentence"},
		{"word", replaced("features/count.feature", "each step has", "each stp has"),
			"features/count.feature:5:5: there is no kind stp; there is step"},
		{"requirement", replaced("features/count.feature", "@COUNT-1-01", "@COUNT-1-02"),
			"there is no requirement COUNT-1-02; there is COUNT-1-01"},
		{"no scenario", map[string]string{"features/count.feature": "Feature: Counting\n"},
			"catalogue.yaml: COUNT-1-01 has no live scenario"},
		{"document scenario", replaced("features/count.feature", "  @COUNT-1-01", "  @document @COUNT-1-01"),
			"features/count.feature:3:13: a document scenario of COUNT-1-01 never runs: its check is live"},
		{"tag", replaced("features/count.feature", "@COUNT-1-01", "@docment @COUNT-1-01"),
			"features/count.feature:3:3: the tag @docment has no meaning in a suite of one's own; there is @document"},
		{"condition", replaced("features/count.feature", "@COUNT-1-01", "@role:echo @COUNT-1-01"),
			"features/count.feature:3:3: the tag @role:echo has no meaning"},
		{"no tag", replaced("features/count.feature", "  @COUNT-1-01\n", ""),
			"features/count.feature:3:3: a scenario has the tag of one requirement"},
		{"table", replaced("features/count.feature", "has its n\n", "has its n\n      | a |\n"),
			"features/count.feature:5:5: a step is one sentence, without a table or a doc string"},
		{"rule block", replaced("features/count.feature", "  @COUNT-1-01",
			"  Rule: Growth\n  @COUNT-1-01\n  Scenario: S\n    Then it grows\n  @COUNT-1-01"),
			"features/count.feature:6:5: no rule has the sentence \"it grows\""},
		{"background", replaced("features/count.feature", "  @COUNT-1-01",
			"  Background:\n    Given a count\n\n  @COUNT-1-01"),
			"features/count.feature:4:5: no rule has the sentence \"a count\""},
		{"outline", replaced("features/count.feature", "  Scenario: A count grows\n    Then each step has its n\n",
			"  Scenario Outline: A count grows\n    Then each <kind> has its n\n    Examples:\n      | kind |\n      | stp |\n\n  @COUNT-1-01\n  Scenario: S\n"),
			"features/count.feature:5:5: there is no kind stp"},
		{"documents", replaced("protocol.yaml", "kinds:", "documents:\n  count.nxt: \"*.json\"\nkinds:"),
			"protocol.yaml:6:3: there is no operation count.nxt; there is count.next"},
		{"pattern", replaced("protocol.yaml", "kinds:", "documents:\n  count.next: ../x\nkinds:"),
			"protocol.yaml:6:15: documents need a pattern for the names of files"},
		{"begin", replaced("protocol.yaml", "kinds:", "begin: [count.reset]\nkinds:"),
			"protocol.yaml:5:9: an operation under begin must read: add reads: true to it"},
		{"condition", replaced("protocol.yaml", "kinds:", "when:\n  odd: {if: run.stps, otherwise: even}\nkinds:"),
			"protocol.yaml:6:16: there is no member stps"},
		{"condition without reason", replaced("protocol.yaml", "kinds:", "when:\n  odd: {if: run.steps}\nkinds:"),
			"protocol.yaml:6:8: a condition needs if, an expression, and otherwise"},
		{"tag of a condition", replaced("features/count.feature", "  @COUNT-1-01", "  @when:odd @COUNT-1-01"),
			"features/count.feature:3:3: the tag @when:odd has no meaning"},
		{"invokes a call", replaced("protocol.yaml", "count.reset: {}", "count.reset: {invokes: {id: params.n, of: step}}"),
			"protocol.yaml:4:26: what is run is an element of a list: the kind step has no each"},
		{"unused rule", replaced("features/count.feature", "    And each count grows\n", ""),
			"rules.yaml:1: no scenario uses the rule"},
		{"sentence in two files", map[string]string{"rules/more.yaml": files()["rules.yaml"]},
			"rules/more.yaml:1:13: the rule "},
		{"unused rule in a folder", map[string]string{"rules/more.yaml": strings.Replace(files()["rules.yaml"], "grows", "g", 1)},
			"rules/more.yaml:1: no scenario uses the rule"},
		{"no step", replaced("features/count.feature", "    Then each step has its n\n    And each count grows\n", ""),
			"the scenario has no step"},
		{"taken name", map[string]string{"protocol.yaml": "suite: chp\noperations: {a.b: {reads: true}}\n"},
			"the name chp is taken"},
		{"nothing reads", replaced("protocol.yaml", ", reads: true", ""), "no operation has reads: true"},
		{"too long", map[string]string{"rules.yaml": strings.Repeat("# rules\n", 10<<17)}, "rules.yaml: has more than 1 MB"},
		{"schema bomb",
			map[string]string{"schemas/count.schema.json": `{"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "https://elsewhere.example/b"}]}}}`}, "schemas/count.schema.json: "},
		{"alias bomb",
			map[string]string{"rules.yaml": "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b]\n"}, "rules.yaml:1:1: rules are a list"},
		{"control characters", map[string]string{"protocol.yaml": "suite: \"co\\u001b[31mnt\"\n"},
			"protocol.yaml:1:8: the name of a suite has 2 to 16 lower-case letters"},
		{"defect", map[string]string{"defects.yaml": "- {defect: d, breaks: COUNT-1-02, lose: true}\n"},
			"defects.yaml:1:23: there is no requirement COUNT-1-02; there is COUNT-1-01"},
		{"defect path", map[string]string{"defects.yaml": "- {defect: d, breaks: COUNT-1-01, remove: [n]}\n"},
			"defects.yaml:1:44: a path begins with result or error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := text.Load(folder(t, c.edit), []string{"chp"})
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.want)
			for line := range strings.Lines(err.Error()) {
				assert.Less(t, len(line), 1000)
			}
		})
	}
}

func TestLinksDoNotLeaveTheFolder(t *testing.T) {
	dir := folder(t, nil)
	secret := filepath.Join(t.TempDir(), "rules.yaml")
	require.NoError(t, os.WriteFile(secret, []byte("[]"), 0o600))
	require.NoError(t, os.Remove(filepath.Join(dir, "rules.yaml")))
	require.NoError(t, os.Symlink(secret, filepath.Join(dir, "rules.yaml")))
	_, err := text.Load(dir, nil)
	require.ErrorContains(t, err, "rules.yaml: cannot be read")
	assert.Equal(t, 1, strings.Count(err.Error()+"\n", "\n"))
}

// host answers count.next by the numbers of a function.
func host(n func(call int) string) *suites.Subject {
	calls := 0
	return &suites.Subject{Driver: inproc.New("count", func(_ context.Context, request []byte) []byte {
		var read struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(request, &read) != nil || read.ID == nil {
			return nil
		}
		if read.Method != "count.next" {
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, read.ID)
		}
		calls++
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"n":%s}}`, read.ID, n(calls))
	})}
}

func statuses(t *testing.T, dir string, subject *suites.Subject) map[string]string {
	t.Helper()
	own, err := text.Load(dir, nil)
	require.NoError(t, err)
	s, err := suites.New(own.Definition())
	require.NoError(t, err)
	report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, suites.Options{Explicit: true})
	require.NoError(t, err)
	all := map[string]string{}
	for _, q := range report.Suites[0].Requirements {
		all[q.ID] = string(q.Status) + ": " + q.Reason
	}
	return all
}

func TestHostsAreJudged(t *testing.T) {
	plain := func(call int) string { return fmt.Sprint(call) }
	for name, c := range map[string]struct {
		n    func(int) string
		edit map[string]string
		want string
	}{
		"conforming": {plain, nil, "passed"},
		"backwards":  {func(call int) string { return fmt.Sprint(10 - call) }, nil, "failed"},
		"no number":  {func(int) string { return `"x"` }, nil, "failed"},
		// A rule that never ends in practice is bounded.
		"endless rule": {plain, map[string]string{
			"stimuli.yaml": strings.Replace(files()["stimuli.yaml"], "3", "300", 1),
			"rules.yaml": strings.Replace(files()["rules.yaml"], "earlier.result.n < later.result.n",
				"run.steps.all(a, run.steps.all(b, run.steps.all(c, a.n + b.n + c.n > 0)))", 1),
		}, "error: the rule "},
		"nothing is sent without permission": {plain,
			map[string]string{"stimuli.yaml": "- stimulus: steps\n  call: count.reset\n"}, "inconclusive"},
		"to do": {plain, map[string]string{"features/count.feature": "Feature: F\n\n  @todo @COUNT-1-01\n  Scenario: S\n",
			"rules.yaml": ""}, "inconclusive"},
	} {
		t.Run(name, func(t *testing.T) {
			got := statuses(t, folder(t, c.edit), host(c.n))["COUNT-1-01"]
			assert.Truef(t, strings.HasPrefix(got, c.want), "%s, want %s", got, c.want)
		})
	}
}

func TestDraftsAreComplete(t *testing.T) {
	draft, err := text.Draft("clock",
		[]byte("# 1 Time\n\nA clock MUST tell the time. It MAY be late.\n\n```json\n{\"unix\": 7}\n```\n\n## Zones\n\nA zone SHOULD have a name.\n"), true)
	require.NoError(t, err)
	dir := t.TempDir()
	for name, content := range draft {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, content, 0o644))
	}
	own, err := text.Load(dir, nil)
	require.NoError(t, err)
	assert.Len(t, own.Todo(), 2*3+1) // a summary, how to satisfy it, and a scenario; a permission needs a summary alone
	for _, content := range []string{"", "No key word here.\n"} {
		_, err := text.Draft("clock", []byte(content), true)
		require.ErrorContains(t, err, "no sentence with a key word")
	}
}

func TestDocumentsAreJudged(t *testing.T) {
	dir := folder(t, map[string]string{
		"catalogue.yaml": strings.Replace(files()["catalogue.yaml"], "check: live", "check: both", 1),
		"protocol.yaml": strings.Replace(files()["protocol.yaml"], "kinds:",
			"documents:\n  count.next: \"*.counts.json\"\nkinds:", 1) +
			"  part: {of: count.next, each: result.parts}\n",
		"schemas/count.schema.json": `{"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"},
			"parts": {"type": "array", "items": {"properties": {"name": {"type": "string"}}}}}}`,
		"features/count.feature": files()["features/count.feature"] + `
  @document @COUNT-1-01
  Scenario: A count in a file has a number
    Then each step has its n
    And each part has a unique name
`,
	})
	own, err := text.Load(dir, nil)
	require.NoError(t, err)
	s, err := suites.New(own.Definition())
	require.NoError(t, err)
	for _, c := range []struct{ file, status, findings string }{
		{`{"n": 1, "parts": [{"name": "a"}, {"name": "b"}]}`, "passed", ""},
		{`{"n": "1"}`, "failed", "1:7 "},
		{"{\n  \"parts\": [{\"name\": \"a\"},\n    {\"name\": \"a\"}], \"n\": true}", "failed", "3:14 3:26 "},
	} {
		file := filepath.Join(t.TempDir(), "x.counts.json")
		require.NoError(t, os.WriteFile(file, []byte(c.file), 0o600))
		read, err := document.Load(t.Context(), file, document.Limits{}.WithDefaults())
		require.NoError(t, err)
		require.True(t, s.Recognises(read))
		report, err := suites.Lint(t.Context(), []*suites.Suite{s}, &suites.Subject{Documents: []suites.Document{*read}},
			suites.Options{Explicit: true})
		require.NoError(t, err)
		q := report.Suites[0].Requirements[0]
		assert.Equal(t, c.status, string(q.Status), q.Reason)
		places := ""
		for _, scenario := range q.Scenarios {
			if scenario.Failure != nil {
				for _, f := range scenario.Failure.Findings {
					places += fmt.Sprintf("%d:%d ", f.Line, f.Column)
				}
			}
		}
		assert.Equal(t, c.findings, places, c.file)
	}
}
