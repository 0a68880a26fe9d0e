package acdsuite

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/lint/linttest"
)

const echoJSON = `{
  "capability_id": "cap.echo", "name": "Echo", "version": "1.0.0",
  "description": "Says it again.",
  "kind": "atomic",
  "execution": {"substrate": "symbolic"},
  "invocation": {"modes": ["direct"]},
  "exposure": {"scope": "agent"},
  "permissions": {}
}`

const echoYAML = `capability_id: cap.echo
name: Echo
version: 1.0.0
description: Says it again.
kind: atomic
execution:
  substrate: symbolic
invocation:
  modes: [direct]
exposure:
  scope: agent
permissions: {}
`

const agentYAML = `agent_id: acme
name: Acme
version: "1"
capabilities:
  registry: inline
  list:
    - cap.echo
    - cap.ghost
channels:
  - channel_id: web
    capabilities: [cap.echo]
`

var inspection = linttest.Inspection{Suite: Definition}

func TestBrokenDocuments(t *testing.T) {
	for _, c := range []struct {
		name, path, text string
		want             []string
	}{
		{"an old kind", "c.json", linttest.Altered(t, echoJSON, `"atomic"`, `"skill"`), []string{`ACD-DESC-07 c.json:4:11 kind is "skill"; want atomic, composite, proxy or template`}},
		{"kind missing", "c.yaml", linttest.Altered(t, echoYAML, "kind: atomic\n", ""), []string{`ACD-DESC-07 c.yaml:1:1 lacks "kind"`}},
		{"scope misspelt", "c.yaml", linttest.Altered(t, echoYAML, "scope:", "scop:"), []string{`ACD-DESC-12 c.yaml:11:3 lacks "scope"; is it the member "scop"?`}},
		{"version is a number", "c.yaml", linttest.Altered(t, echoYAML, "version: 1.0.0", "version: 1.0"), []string{`ACD-DESC-05 c.yaml:3:10 version is 1.0; want a non-empty string; write it in quotes: "1.0"`}},
		{"unknown mode", "c.json", linttest.Altered(t, echoJSON, `["direct"]`, `["direct", "cron"]`), []string{`ACD-DESC-10 c.json:6:38 invocation.modes.1 is "cron"; want a list of direct, command, message, event and ui_action`}},
		{"permissions null", "c.json", linttest.Altered(t, echoJSON, `"permissions": {}`, `"permissions": null`), []string{`ACD-DESC-14 c.json:8:18 permissions is null; want an object`}},
		{"invalid input schema", "c.yaml", echoYAML + "inputs: {schema: {properties: {a: {minLength: -1}}}}\n", []string{`ACD-DESC-18 c.yaml:13:47 inputs.schema is not a JSON Schema: /properties/a/minLength is -1; it must be at least 0`}},
		{"dangling output schema", "c.yaml", echoYAML + "outputs: {schema: {$ref: '#/a'}}\n", []string{`ACD-DESC-20 c.yaml:13:26 outputs.schema is not a JSON Schema: the reference "#/a" leads nowhere`}},
		{"shell exposed to people", "c.json", linttest.Altered(t, echoJSON, `symbolic`, `shell`, `"agent"`, `"human", "channels": ["cli"]`), []string{
			"ACD-SDK4-04 c.json:7:46 a shell capability names channels that expose it", "ACD-SDK4-05 c.json:7:25 a shell capability is exposed to the scope human",
		}},
		{"item that is not an object", "r.json", "[" + echoJSON + ", 7]", []string{
			`ACD-DESC-03 r.json:9:4 this is a number, not an object`, `ACD-DESC-04 r.json:9:4 this is a number, not an object`, `ACD-DESC-05 r.json:9:4 this is a number, not an object`,
			`ACD-DESC-06 r.json:9:4 this is a number, not an object`, `ACD-DESC-07 r.json:9:4 this is a number, not an object`, `ACD-DESC-08 r.json:9:4 this is a number, not an object`,
			`ACD-DESC-10 r.json:9:4 this is a number, not an object`, `ACD-DESC-12 r.json:9:4 this is a number, not an object`, `ACD-DESC-14 r.json:9:4 this is a number, not an object`,
		}},
		{"lines", "r.jsonl", oneLine(t, echoJSON) + "\n" + oneLine(t, linttest.Altered(t, echoJSON, `"cap.echo"`, `""`)) + "\n", []string{`ACD-DESC-03 r.jsonl:2:21 capability_id is ""; want a non-empty string`}},
		{"a dangling id", "s.yaml", agentYAML + "---\n" + echoYAML, []string{`ACD-MAN-01 s.yaml:8:7 "cap.ghost" is in the list, but no descriptor has this id`}},
		{"registry of the old kind", "m.yaml", agentYAML + "skills:\n  - name: x\n", []string{`ACD-SDK1-07 m.yaml:13:3 "skills" is a second registry beside capabilities`}},
		{"channel with a handler", "m.yaml", linttest.Altered(t, agentYAML, "[cap.echo]\n", "[cap.echo]\n    handler: web.Serve\n"), []string{`ACD-MAN-02 m.yaml:12:14 the channel defines behaviour in "handler"`}},
		{"exposed but unknown", "m.yaml", linttest.Altered(t, agentYAML, "[cap.echo]", "[cap.echo, cap.none]"), []string{`ACD-MAN-11 m.yaml:11:30 the channel exposes "cap.none", which is neither in the list of the manifest nor among the descriptors`}},
	} {
		inspection.Broken(t, c.name, linttest.File{c.path, c.text}, c.want, "")
	}
}

func oneLine(t *testing.T, text string) string {
	t.Helper()
	return strings.ReplaceAll(text, "\n", "")
}

func TestValidDocuments(t *testing.T) {
	for _, c := range []struct{ name, path, text string }{
		{"minimal", "c.json", echoJSON},
		{"minimal in YAML", "c.yaml", echoYAML},
		{"optional nulls", "c.yaml", echoYAML + "inputs:\noutputs:\nlifecycle:\nstatus:\n  enabled:\n"},
		{"list", "r.json", `{"capabilities": [` + echoJSON + `]}`},
		{"manifest without descriptors", "m.yaml", agentYAML},
		{"manifest without channels", "m.yaml", linttest.Altered(t, agentYAML, "channels:\n  - channel_id: web\n    capabilities: [cap.echo]\n", "")},
		{"custom members", "c.yaml", echoYAML + "input_schema: {}\nmodes: many\n"},
	} {
		inspection.Valid(t, c.name, linttest.File{c.path, c.text})
	}
}

// What cannot be decided is reported, and is not a failure.
func TestUndecidedDocuments(t *testing.T) {
	part := linttest.Altered(t, agentYAML, "cap.ghost", "cap.ghost\n    - cap.other")
	for _, c := range []struct {
		name, id string
		want     reports.Status
		files    []linttest.File
	}{
		{"part of a registry", "ACD-MAN-01", reports.Inconclusive, []linttest.File{{"m.yaml", part}, {"c.json", echoJSON}}},
		{"no registry", "ACD-MAN-01", reports.NotApplicable, []linttest.File{{"m.yaml", agentYAML}}},
		{"ordinary agent", "ACD-EX1-01", reports.NotApplicable, []linttest.File{{"m.yaml", agentYAML}}},
		{"agent whose name contains exemplar", "ACD-EX1-01", reports.NotApplicable, []linttest.File{{"m.yaml", linttest.Altered(t, agentYAML, "Acme", "An exemplar of order")}}},
		{"remote schema", idInputs, reports.Inconclusive, []linttest.File{{"c.yaml", echoYAML + "inputs: {schema: {$ref: 'https://example.org/s.json'}}\n"}}},
		{"boolean of YAML 1.1", "ACD-DESC-26", reports.Inconclusive, []linttest.File{{"c.yaml", echoYAML + "status: {enabled: yes}\n"}}},
		{"string in quotes", "ACD-DESC-26", reports.Failed, []linttest.File{{"c.yaml", echoYAML + "status: {enabled: \"yes\"}\n"}}},
		{"list of objects", "ACD-MAN-11", reports.Inconclusive, []linttest.File{{"m.yaml", linttest.Altered(t, agentYAML, "- cap.echo\n", "- {capability_id: cap.echo}\n")}}},
		{"no shell", idShellChannels, reports.NotApplicable, []linttest.File{{"c.yaml", echoYAML}}},
		{"nothing to refer to", idReferences, reports.NotApplicable, []linttest.File{{"c.yaml", echoYAML + "dependencies: {capabilities: [cap.none]}\n"}}},
		{"nothing strict", idClosed, reports.NotApplicable, []linttest.File{{"c.yaml", echoYAML}}},
	} {
		inspection.Status(t, c.name, c.files, c.id, c.want)
	}
}

// A folder is one registry: references between files are resolved.
func TestFilesAreOneRegistry(t *testing.T) {
	loop := linttest.Altered(t, echoYAML, "cap.echo", "cap.ghost") + "dependencies: {capabilities: [cap.ghost]}\n"
	shell := linttest.Altered(t, echoYAML, "symbolic", "shell")
	for _, c := range []struct {
		name  string
		files []linttest.File
		want  []string
	}{
		{"whole", []linttest.File{{"m.yaml", agentYAML}, {"a.yaml", echoYAML}, {"b.yaml", linttest.Altered(t, echoYAML, "cap.echo", "cap.ghost")}}, []string{}},
		{"cycle", []linttest.File{{"a.yaml", echoYAML}, {"b.yaml", loop}}, []string{`ACD-DESC-34 b.yaml:13:31 it is part of a cycle: cap.ghost, cap.ghost`}},
		{"shell", []linttest.File{{"m.yaml", linttest.Altered(t, agentYAML, "\n    - cap.ghost", "")}, {"a.yaml", shell}}, []string{`ACD-SDK4-04 m.yaml:10:20 the channel exposes "cap.echo", whose substrate is shell: a.yaml:7:14`}},
		{"twins", []linttest.File{{"a.yaml", echoYAML}, {"b.yaml", linttest.Altered(t, echoYAML, "Echo", "Ekho")}}, []string{`ACD-DESC-38 b.yaml:1:1 "cap.echo" "1.0.0" is described differently at a.yaml:1:1`}},
		{"copies", []linttest.File{{"a.yaml", echoYAML}, {"b.json", echoJSON}}, []string{}},
	} {
		if diff := cmp.Diff(c.want, inspection.Lint(t, c.files...).Lines()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
}

// The block that the text prints is a template: its alternatives are separated by bars.
func TestPrintedTemplateIsReported(t *testing.T) {
	template := linttest.Altered(t, echoJSON, `"atomic"`, `"atomic | composite | proxy | template"`, `"symbolic"`, `"symbolic | llm | shell"`, `"agent"`, `"internal | agent"`)
	got := inspection.Lint(t, linttest.File{"t.json", template})
	for _, id := range []string{"ACD-DESC-07", "ACD-DESC-08", "ACD-DESC-12"} {
		if got.Status(id) != reports.Failed {
			t.Errorf("%s is %s", id, got.Status(id))
		}
	}
	if all := strings.Join(got.Lines(), "\n"); strings.Count(all, "joined by bars") != 3 {
		t.Errorf("no hint that this is the template:\n%s", all)
	}
}

// The sample manifest of the text lacks half of the minimum set that the text requires.
func TestPrintedManifestLacksMinimumSet(t *testing.T) {
	list, err := json.Marshal(printed)
	require.NoError(t, err)
	sample := `{"agent_id": "urn:agent:ieee:3394:exemplar", "name": "E", "version": "0.1.0",
 "capabilities": {"registry": "inline | external",
  "list": ` + string(list) + `},
 "channels": [{"channel_id": "cli", "capabilities": ["cap.cli.adapter"]}]}`
	got := inspection.Lint(t, linttest.File{"sample.json", sample})
	all := got.Lines()
	require.Len(t, all, 5)
	for _, id := range []string{"cap.capability.list", "cap.capability.create", "cap.command.bind", "cap.hook.create"} {
		want := "sample.json:3:11 " + id + " is not in the list; FR-EX-1 in section 3.2 demands it; this list is the one that section 2.1 of the text prints as a sample"
		if !strings.Contains(strings.Join(all, "\n"), want) {
			t.Errorf("%q is not in\n%s", want, strings.Join(all, "\n"))
		}
	}
	if len(got.Notes) == 0 || !strings.Contains(got.Notes[0], "sample.json:3:11: the list is that of the sample manifest in section 2.1 of the text, which contradicts the table of FR-EX-1 in section 3.2") {
		t.Errorf("notes: %q", got.Notes)
	}
}

func TestClosedReading(t *testing.T) {
	got := linttest.Inspection{Suite: Definition, Strict: true}.Lint(t, linttest.File{"c.yaml", echoYAML}, linttest.File{"m.yaml", agentYAML}).Lines()
	seen := map[string]bool{}
	for _, line := range got {
		id, _, _ := strings.Cut(line, " ")
		seen[id] = true
	}
	want := map[string]bool{idClosed: true, idClosedManifest: true, idIndex: true} // no descriptor has the id cap.ghost
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
