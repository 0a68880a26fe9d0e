package capsuite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/cap/judge"
	"github.com/capconform/capconform/suites/lint/linttest"
)

const toolJSON = `{
  "capability_id": "cap:review",
  "version": "1.0.0",
  "kind": "tool",
  "name": "Review",
  "description": "Reviews code.",
  "input_schema": {"type": "object"},
  "output_schema": {}
}`

const toolYAML = `capability_id: cap:review
version: "1.0.0"
kind: tool
name: Review
description: Reviews code.
input_schema:
  type: object
output_schema: {}
`

const skillJSON = `{
  "capability_id": "cap:brief", "version": "1.0.0", "kind": "skill", "name": "", "description": "", "input_schema": true, "output_schema": true,
  "prompt_template": "Be brief.",
  "resources": ["a.md"],
  "required_permissions": ["read"],
  "conformance.reduction": {
    "skill": {"capability_id": "cap:brief", "version": "1.0.0"},
    "tools": [{"capability_id": "cap:review", "version": "1.0.0"}],
    "prompt_instructions": "Be brief. Always.",
    "resources": ["a.md", "b.md"],
    "permissions": ["read"]
  }
}`

const capabilityYAML = `capability_id: cap:review
version: 1.0.0
kind: tool
manifest:
  capability_id: cap:review
  version: 1.0.0
  kind: tool
  name: Review
  description: Reviews code.
  input_schema: {}
  output_schema: {}
`

const taskYAML = `id: task_01
type: code-review
spec:
  goal: Review the change, with tools/call if need be
  inputs:
    - {kind: resource, uri: "https://example.org/pr/1", url: x, path: /a}
  constraints:
    max_duration: 2h
    must_use_capabilities:
      - capability_id: "cap:code-review"
        version: "2.1.0"
ownership: {principal: user_alice, assignee: agent_x}
state: in_progress
`

const cardJSON = `{
  "agent_id": "agent_1", "name": "Agent", "endpoint": "https://agents.example/1", "protocol": "aap",
  "capabilities": [
    {"capability_id": "cap:review", "version": "1.0.0"}
  ]
}`

var inspection = linttest.Inspection{Suite: Definition, Supports: map[string][]string{"skills": judge.SkillMembers}}

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", "") }

// brokenDocument is a document with a defect, with the places and requirements of its findings.
type brokenDocument struct {
	name, path, text string
	want             []string
	message          string // part of the message of the first finding
}

// brokenCapabilities returns capabilities and pairs of id and version with a defect.
func brokenCapabilities(t *testing.T) []brokenDocument {
	t.Helper()
	return []brokenDocument{
		{"lines", "m.jsonl", oneLine(toolJSON) + "\n" +
			oneLine(linttest.Altered(t, toolJSON, `"tool"`, `"tule"`, "cap:review", "cap:b")),
			[]string{"CAP-CAP-04 m.jsonl:2:60"}, "tule"},
		{"a query and its result", "m.json", `{"query": {"capability_id": "cap:review"}, "result": ` +
			linttest.Altered(t, toolJSON, `"tool"`, `"tule"`) + "}", []string{"CAP-CAP-04 m.json:4:11"}, "tule"},
		{"inner version differs", "c.yaml", linttest.Altered(t, capabilityYAML, "  version: 1.0.0", "  version: 1.0.1"),
			[]string{"CAP-CAP-01 c.yaml:6:12"}, `"1.0.1" in the manifest and "1.0.0" outside of it, at 2:10`},
		{"no manifest", "c.json", `{"capability_id": "a", "version": "1.0.0", "kind": "tool"}`,
			[]string{"CAP-CAP-01 c.json:1:1"}, "manifest is missing"},
		{"manifest is a text", "c.json", `{"capability_id": "a", "version": "1.0.0", "kind": "tool", "manifest": "a"}`,
			[]string{"CAP-CAP-01 c.json:1:72"}, "no CapabilityManifest"},
		{"outer kind missing", "c.yaml", linttest.Altered(t, capabilityYAML, "1.0.0\nkind: tool\n", "1.0.0\n"),
			[]string{"CAP-CAP-01 c.yaml:1:1"}, "kind is missing"},
		{"pair twice in a list", "l.json", "[" + toolJSON + ",\n" + toolJSON + "]", []string{"CAP-CAP-02 l.json:10:1"},
			"is used again; l.json:1:2 has it already"},
		{"pair twice, other schema", "l.json", `{"capabilities": [` + toolJSON + ",\n" + linttest.Altered(t, toolJSON,
			`{"type": "object"}`, "{}") + "]}", []string{"CAP-CAP-02 l.json:10:1"}, "is used again; l.json:1:19 has it already"},
		{"pair twice in a stream", "l.yaml", toolYAML + "---\n" + toolYAML, []string{"CAP-CAP-02 l.yaml:10:1"},
			"is used again; l.yaml:1:1 has it already"},
		{"version v2", "m.json", linttest.Altered(t, toolJSON, "1.0.0", "v2"), []string{"CAP-CAP-03 m.json:3:14"}, "v2"},
		{"version latest", "m.yaml", linttest.Altered(t, toolYAML, `"1.0.0"`, "latest"), []string{"CAP-CAP-03 m.yaml:2:10"},
			"latest"},
		{"kind Tool", "m.json", linttest.Altered(t, toolJSON, `"tool"`, `"Tool"`), []string{"CAP-CAP-04 m.json:4:11"},
			`is "tool" meant?`},
		{"kind prompt", "m.yaml", linttest.Altered(t, toolYAML, "kind: tool", "kind: prompt"),
			[]string{"CAP-CAP-04 m.yaml:3:7"}, "prompt"},
		{"kind missing", "m.yaml", linttest.Altered(t, toolYAML, "kind: tool\n", ""), []string{"CAP-CAP-04 m.yaml:1:1"},
			"kind is missing"},
	}
}

// brokenManifests returns manifests with a defect in the members of every capability.
func brokenManifests(t *testing.T) []brokenDocument {
	t.Helper()
	return []brokenDocument{
		{"name is a number", "m.json", linttest.Altered(t, toolJSON, `"Review"`, "1"), []string{"CAP-MAN-01 m.json:5:11"},
			`write it in quotes: "1"`},
		{"version is a number", "m.yaml", linttest.Altered(t, toolYAML, `"1.0.0"`, "1.0"), []string{"CAP-MAN-01 m.yaml:2:10"},
			`write it in quotes: "1.0"`},
		{"description missing", "m.yaml", linttest.Altered(t, toolYAML, "description:", "desciption:"),
			[]string{"CAP-MAN-01 m.yaml:1:1"}, `is it the member "desciption"?`},
		{"id missing", "m.json", linttest.Altered(t, toolJSON, `"capability_id"`, `"capabilityId"`),
			[]string{"CAP-MAN-01 m.json:1:1"}, `is it the member "capabilityId"?`},
		{"id without capability_", "m.yaml", linttest.Altered(t, toolYAML, "capability_id", "id"),
			[]string{"CAP-MAN-01 m.yaml:1:1"}, `is it the member "id"?`},
		{"permissions are a text", "m.json", linttest.Altered(t, toolJSON, `"output_schema": {}`,
			`"output_schema": {}, "required_permissions": "fs"`), []string{"CAP-MAN-01 m.json:8:48"}, "array of strings"},
		{"output schema does not compile", "m.yaml", linttest.Altered(t, toolYAML, "output_schema: {}",
			"output_schema:\n  type: objekt"), []string{"CAP-MAN-01 m.yaml:9:9"}, `/type is "objekt"; it must be`},
		{"item of a list is a text", "l.json", "[" + toolJSON + ",\n\"cap:x\"]", []string{"CAP-MAN-01 l.json:10:1"},
			"a manifest is an object; this is a string"},
		{"input schema absent", "m.yaml", linttest.Altered(t, toolYAML, "input_schema:\n  type: object\n", ""),
			[]string{"CAP-MAN-02 m.yaml:1:1"}, "input_schema is missing"},
		{"input schema misspelt", "m.json", linttest.Altered(t, toolJSON, `"input_schema"`, `"inputSchema"`),
			[]string{"CAP-MAN-02 m.json:1:1"}, `is it the member "inputSchema"?`},
		{"input schema null", "m.yaml", linttest.Altered(t, toolYAML, "input_schema:\n  type: object\n", "input_schema:\n"),
			[]string{"CAP-MAN-02 m.yaml:6:14"}, "input_schema is null"},
		{"input schema a text", "m.json", linttest.Altered(t, toolJSON, `{"type": "object"}`, `"object"`),
			[]string{"CAP-MAN-02 m.json:7:19"}, `the top is "object"; it wants boolean or object`},
		{"input schema does not compile", "m.json", linttest.Altered(t, toolJSON, `{"type": "object"}`,
			"{\n\"properties\": {\"a\":\n {\"type\": \"objekt\"}}}"), []string{"CAP-MAN-02 m.json:9:11"},
			`/properties/a/type is "objekt"; it must be`},
		{"input schema with a dangling reference", "m.json", linttest.Altered(t, toolJSON, `{"type": "object"}`,
			`{"$ref": "#/$defs/gone"}`), []string{"CAP-MAN-02 m.json:7:28"}, `"#/$defs/gone" leads nowhere`},
		{"output schema null", "m.yaml", linttest.Altered(t, toolYAML, "output_schema: {}", "output_schema: null"),
			[]string{"CAP-MAN-03 m.yaml:8:16"}, "output_schema is null"},
	}
}

// brokenSkills returns manifests with a defect in the members of skills, or with an address.
func brokenSkills(t *testing.T) []brokenDocument {
	t.Helper()
	return []brokenDocument{
		{"tool with a prompt", "m.yaml", toolYAML + "prompt_template: Do it.\n", []string{"CAP-GRAN-01 m.yaml:9:18"},
			"prompt_template"},
		{"tool with resources", "m.yaml", toolYAML + "resources: [a]\n", []string{"CAP-GRAN-01 m.yaml:9:12"}, "resources"},
		{"skill without permissions", "s.json", linttest.Altered(t, skillJSON, "  \"required_permissions\": [\"read\"],\n",
			"", `"permissions": ["read"]`, `"permissions": []`), []string{"CAP-MAN-04 s.json:1:1"},
			"required_permissions is missing"},
		{"skill with an empty prompt", "s.json", linttest.Altered(t, skillJSON, `"Be brief."`, `""`),
			[]string{"CAP-MAN-04 s.json:3:22"}, "prompt_template is empty"},
		{"reduction of another skill", "s.json", linttest.Altered(t, skillJSON, `"skill": {"capability_id": "cap:brief"`,
			`"skill": {"capability_id": "cap:other"`), []string{"CAP-GRAN-05 s.json:7:14"}, "reference to the skill itself"},
		{"reduction hides the prompt", "s.json", linttest.Altered(t, skillJSON, `"Be brief. Always."`, `"Be long."`),
			[]string{"CAP-GRAN-05 s.json:9:28"}, "prompt_instructions"},
		{"reduction hides a permission", "s.json", linttest.Altered(t, skillJSON, `"permissions": ["read"]`,
			`"permissions": ["read", "write"]`), []string{"CAP-GRAN-05 s.json:11:20"}, "permissions"},
		{"reduction to another part", "s.json", linttest.Altered(t, skillJSON, `"permissions": ["read"]`,
			`"permissions": ["read"], "hooks": []`), []string{"CAP-GRAN-05 s.json:11:39"}, "hooks"},
		{"reduction contains a string", "s.json", linttest.Altered(t, skillJSON,
			`[{"capability_id": "cap:review", "version": "1.0.0"}]`, `["cap:review"]`), []string{"CAP-GRAN-05 s.json:8:15"},
			"not a CapabilityRef"},
		{"reduction refers to a skill", "l.json", "[" + skillJSON + ",\n" + linttest.Altered(t, toolJSON, `"tool"`, `"skill"`,
			`"output_schema": {}`, `"output_schema": {}, "prompt_template": "x", "resources": [], "required_permissions": []`) + "]", []string{"CAP-GRAN-05 l.json:8:15"}, "is not a tool"},
		{"reduction refers to an unlisted capability", "l.json", "[" + skillJSON + "]", []string{"CAP-GRAN-05 l.json:8:15"},
			"not in the list"},
		{"reduction hides a tool's permission", "l.json", "[" + skillJSON + ",\n" + linttest.Altered(t, toolJSON,
			`"output_schema": {}`, `"output_schema": {}, "required_permissions": ["write"]`) + "]",
			[]string{"CAP-GRAN-05 l.json:8:15"}, "permission that the skill does not declare"},
		{"command in a description", "m.yaml", linttest.Altered(t, toolYAML, "Reviews code.",
			"Started as node dist/server.js --stdio"), []string{"CAP-MCP-03 m.yaml:5:14"}, "node dist/server.js"},
		{"address in a schema", "m.json", linttest.Altered(t, toolJSON, `{"type": "object"}`,
			`{"description": "Goes to stdio://review"}`), []string{"CAP-MCP-03 m.json:7:3"}, "stdio://"},
		{"local address as id", "m.yaml", linttest.Altered(t, toolYAML, "cap:review", "http://localhost:8080/tools/review"),
			[]string{"CAP-MCP-03 m.yaml:1:16"}, "localhost"},
	}
}

// brokenReferences returns references in tasks, cards and other documents with a defect.
func brokenReferences(t *testing.T) []brokenDocument {
	t.Helper()
	return []brokenDocument{
		{"id and version in one text", "t.yaml", linttest.Altered(t, taskYAML,
			"capability_id: \"cap:code-review\"\n        version: \"2.1.0\"", "cap:code-review@2"),
			[]string{"CAP-REF-02 t.yaml:10:9"}, `write {"capability_id": "cap:code-review", "version": "2"}`},
		{"bare name", "t.json", `{"must_use_capabilities": ["review"]}`, []string{"CAP-REF-02 t.json:1:28"},
			`write {"capability_id": "review"`},
		{"empty text", "t.json", `{"constraints": {"must_use_capabilities": [""]}}`, []string{"CAP-REF-02 t.json:1:44"},
			"not a CapabilityRef"},
		{"not a list", "t.json", `{"constraints": {"must_use_capabilities": "cap:review:v2"}}`,
			[]string{"CAP-REF-02 t.json:1:43"},
			`a list of CapabilityRef belongs here, such as [{"capability_id": "cap:review", "version": "2"}]`},
		{"reference without version", "t.yaml", linttest.Altered(t, taskYAML, "        version:", "        versoin:"),
			[]string{"CAP-REF-02 t.yaml:10:9"}, `is it the member "versoin"?`},
		{"version of a reference is a number", "t.yaml", linttest.Altered(t, taskYAML, `"2.1.0"`, "2.1"),
			[]string{"CAP-REF-02 t.yaml:11:18"}, `write it in quotes: "2.1"`},
		{"text in a card", "a.json", linttest.Altered(t, cardJSON, `{"capability_id": "cap:review", "version": "1.0.0"}`,
			`"cap:review"`), []string{"CAP-REF-02 a.json:4:5"}, "capabilities[0]"},
		{"text in a query", "q.json", `{"capability": "cap:review@1", "limit": 3}`, []string{"CAP-REF-02 q.json:1:16"},
			"capability is a string"},
		{"text in a delegation", "d.yaml", "task_id: task_1\ncapability: cap:review@1\n", []string{"CAP-REF-02 d.yaml:2:13"},
			"capability is a string"},
		{"transport and command", "t.yaml", linttest.Altered(t, taskYAML, "capability_id: \"cap:code-review\"",
			"transport: stdio", `version: "2.1.0"`, "command: node server.js"),
			[]string{"CAP-REF-03 t.yaml:10:9", "CAP-REF-03 t.yaml:11:9"}, "how a capability is reached"},
		{"address as id", "t.yaml", linttest.Altered(t, taskYAML, "cap:code-review", "https://tools.example/review"),
			[]string{"CAP-REF-03 t.yaml:10:24"}, "the address of a capability"},
		{"endpoint in a task", "t.yaml", taskYAML + "endpoint: https://tools.example\n", []string{"CAP-REF-03 t.yaml:14:1"},
			`"endpoint"`},
		{"path beside a capability", "t.yaml", linttest.Altered(t, taskYAML, "    max_duration: 2h",
			"    path: /v1/tools/review"), []string{"CAP-REF-03 t.yaml:8:5"}, `"path"`},
		{"endpoint in a reference", "t.yaml", linttest.Altered(t, taskYAML, `        version: "2.1.0"`,
			"        version: \"2.1.0\"\n        endpoint: https://tools.example"), []string{"CAP-REF-03 t.yaml:12:9"},
			"how a capability is reached"},
		{"tools beside capabilities", "t.json",
			`{"must_use_capabilities": [{"capability_id": "a", "version": "1"}], "must_use_tools": ["b"]}`,
			[]string{"CAP-REF-04 t.json:1:69"}, "must_use_tools"},
		{"names of tools in an agent", "a.json",
			`{"agent_id": "a", "name": "A", "capabilities": [{"capability_id": "a", "version": "1"}], "tools": ["b"]}`,
			[]string{"CAP-REF-04 a.json:1:90"}, "tools"},
		{"transport in a card", "a.json", linttest.Altered(t, cardJSON, `{"capability_id": "cap:review", "version": "1.0.0"}`,
			`{"transport": "sse", "url": "https://x"}`), []string{"CAP-IL-02 a.json:4:6", "CAP-IL-02 a.json:4:26"}, "write {"},
		{"server in a delegation", "d.json",
			`{"task_id": "task_1", "capability": {"capability_id": "a", "version": "1.0.0"}, "mcp_server": "x"}`,
			[]string{"CAP-IL-02 d.json:1:81"}, "mcp_server"},
		{"call in an audit trail", "e.yaml",
			"- {action: task.created, seq: 1}\n- {action: tools/call, seq: 2, actor: agent_1}\n",
			[]string{"CAP-IL-03 e.yaml:2:12"}, "tools/call"},
		{"call among the operations of a task", "t.yaml", taskYAML + "operations: [task.assign, capability.invoke]\n",
			[]string{"CAP-IL-03 t.yaml:14:27"}, "leaves the call to the agent"},
	}
}

func TestBrokenDocuments(t *testing.T) {
	for _, c := range slices.Concat(
		brokenCapabilities(t), brokenManifests(t), brokenSkills(t), brokenReferences(t),
	) {
		inspection.Broken(t, c.name, linttest.File{c.path, c.text}, c.want, c.message)
	}
}

func TestValidDocuments(t *testing.T) {
	for _, c := range []struct{ name, path, text string }{
		{"tool", "m.json", toolJSON},
		{"tool in yaml", "m.yaml", toolYAML},
		{"tool with nulls", "m.yaml", toolYAML + "prompt_template: null\nresources:\nrequired_permissions: ~\n"},
		{"custom members", "m.yaml",
			toolYAML + "side_effects: [write]\ncommand: node server.js\nx: {endpoint: https://tools.example}\nexecution: fast\n"},
		{"draft-07", "m.json", linttest.Altered(t, toolJSON, `{"type": "object"}`,
			`{"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"a": {"items": [{}]}}}`)},
		{"boolean schemas", "m.json", linttest.Altered(t, toolJSON, `{"type": "object"}`, "true", "{}", "false")},
		{"a schema about transport", "m.json", linttest.Altered(t, toolJSON, `{"type": "object"}`,
			`{"properties": {"url": {"description": "https://x"}, "command": {}, "headers": {}}}`)},
		{"a description about commands and pages", "m.yaml", linttest.Altered(t, toolYAML, "Reviews code.",
			"Runs npx eslint, or opens http://localhost:3000 and https://x.example/a")},
		{"an id that is a URI", "m.yaml", linttest.Altered(t, toolYAML, "cap:review", "https://caps.example/review")},
		{"pre-release", "m.yaml", linttest.Altered(t, toolYAML, "1.0.0", "1.0.0-rc.1+build.99999999999999999999")},
		{"one id in two versions", "l.json", "[" + toolJSON + "," + linttest.Altered(t, toolJSON, "1.0.0", "2.0.0") + "]"},
		{"answer with a list", "l.json", `{"capabilities": [` + toolJSON + "]}"},
		{"capability", "c.yaml", capabilityYAML},
		{"capability as printed", "c.yaml", "Capability:\n  " + strings.ReplaceAll(strings.TrimSpace(capabilityYAML), "\n",
			"\n  ") + "\n"},
		{"skill and tool", "l.json", "[" + skillJSON + "," + toolJSON + "]"},
		{"tools of a skill", "s.json", `{"name": "review", "instructions": "Review.", "tools": ["git.diff"],
			"must_use_capabilities": [{"capability_id": "a", "version": "1"}]}`},
		{"task", "t.yaml", taskYAML},
		{"constraints as the text prints them", "t.yaml",
			"constraints:\n  must_use_capabilities:\n    - capability_id: \"cap:code-review\"\n      version: \"2.1.0\"\n"},
		{"bare constraint", "t.json", `{"must_use_capabilities": [{"capability_id": "cap:a@b/c", "version": "v2"}]}`},
		{"task as its object is printed", "t.yaml", "Task:\n  " + strings.ReplaceAll(strings.TrimSpace(taskYAML), "\n",
			"\n  ") + "\n"},
		{"no capability", "t.json", `{"spec": {"goal": "x", "constraints": {"must_use_capabilities": null}}}`},
		{"opaque external references", "t.yaml",
			"spec:\n  goal: x\n  constraints:\n    external_refs:\n      - {kind: capability, namespace: acme, id: review, version: 2, label: Review}\n"},
		{"opaque external references in place of capabilities", "t.json",
			`{"must_use_capabilities": [{"kind": "capability", "namespace": "a", "id": "b", "label": "c", "url": "https://x"}]}`},
		{"label in a reference of a card", "a.json", linttest.Altered(t, cardJSON, `"version": "1.0.0"}`,
			`"version": "1.0.0", "label": "x", "url": "x"}`)},
		{"names of transport with other values", "t.yaml",
			taskYAML + "command: approve\nheaders: [Place, Finding]\ntransport: train\nendpoint: the end of June\nentrypoint: reception\n"},
		{"general names elsewhere", "t.yaml",
			taskYAML + "details: {path: /src, method: POST, port: 80, args: [a], function: f, module: m, url: \"https://x\"}\n"},
		{"general names with other values", "t.yaml", linttest.Altered(t, taskYAML, "    max_duration: 2h",
			"    path: src\n    method: careful")},
		{"data of a delegation", "d.json",
			`{"task_id": "t", "capability": {"capability_id": "a", "version": "1"}, "input": {"url": "https://x", "command": "ls", "method": "tools/call"}}`},
		{"card", "a.json", cardJSON},
		{"card with its own transport", "a.json", linttest.Altered(t, cardJSON, `"protocol": "aap"`,
			`"protocol": "aap", "url": "https://x", "transport": "grpc", "headers": {}`)},
		{"query without a capability", "q.json", `{"capability": null, "limit": 3}`},
		{"permissions that name a mechanism", "t.yaml", taskYAML + "permissions: [\"tool:mcp:x\"]\n"},
		{"artifact", "t.yaml", taskYAML + "artifacts: [{payload: {kind: ref, uri: \"file:///x\", url: x, path: /x, endpoint: y}}]\n"},
		{"audit", "e.json", `{"events": [{"action": "task.created", "seq": 1, "after": {"method": "tools/call"}}]}`},
		{"an agent invokes", "d.json",
			`{"task_id": "t", "capability": {"capability_id": "a", "version": "1"}, "operation": "capability.invoke"}`},
	} {
		inspection.Valid(t, c.name, linttest.File{c.path, c.text})
	}
}

func TestStatuses(t *testing.T) {
	plainSkill := linttest.Altered(t, skillJSON, `"conformance.reduction"`, `"other"`, "  \"resources\": [\"a.md\"],\n",
		"")
	remote := linttest.Altered(t, toolJSON, `{"type": "object"}`, `{"$ref": "https://schemas.example/x.json"}`)
	for _, c := range []struct {
		name, text, id string
		want           reports.Status
	}{
		{"tools without skills", toolJSON, "CAP-MAN-04", reports.NotApplicable},
		{"plain tools", toolJSON, "CAP-GRAN-01", reports.Passed},
		{"manifests are not an upper layer", toolJSON, "CAP-REF-02", reports.NotApplicable},
		{"no Capability", toolJSON, "CAP-CAP-01", reports.NotApplicable},
		{"only on live targets", toolJSON, "CAP-MAN-06", reports.NotApplicable},
		{"remote reference", remote, "CAP-MAN-02", reports.Inconclusive},
		{"no declaration", plainSkill, "CAP-MAN-04", reports.Inconclusive},
		{"no reduction", plainSkill, "CAP-GRAN-05", reports.Inconclusive},
		{"unlisted tool", skillJSON, "CAP-GRAN-05", reports.Inconclusive},
		{"listed tool", "[" + skillJSON + "," + toolJSON + "]", "CAP-GRAN-05", reports.Passed},
		{"whole skill", skillJSON, "CAP-MAN-04", reports.Passed},
		{"task is not a source", `{"must_use_capabilities": ["a"]}`, "CAP-CAP-02", reports.NotApplicable},
		{"no valid reference", `{"must_use_capabilities": ["a"]}`, "CAP-REF-04", reports.Inconclusive},
		{"external references", `{"must_use_capabilities": [{"kind": "c", "id": "b"}]}`, "CAP-REF-02", reports.NotApplicable},
		{"only external references", `{"must_use_capabilities": [{"kind": "c", "id": "b"}]}`, "CAP-REF-04",
			reports.NotApplicable},
		{"task in HACP", `{"must_use_capabilities": []}`, "CAP-REF-03", reports.Passed},
		{"task is not AAP", `{"must_use_capabilities": []}`, "CAP-IL-02", reports.NotApplicable},
		{"card is AAP", cardJSON, "CAP-IL-02", reports.Passed},
		{"card is not HACP", cardJSON, "CAP-IL-03", reports.NotApplicable},
		{"reference by itself", `{"capability_id": "a", "version": "1"}`, "CAP-REF-02", reports.Passed},
	} {
		linttest.Inspection{Suite: Definition}.Status(t, c.name, []linttest.File{{"x.json", c.text}}, c.id, c.want)
	}
}

func TestEveryFindingIsCollected(t *testing.T) {
	bad := `{"must_use_capabilities": ["a", "b", null, {"version": "1"}]}`
	got := inspection.Lint(t, linttest.File{"b.json", bad}, linttest.File{"a.json", bad}).Places()
	want := []string{}
	for _, file := range []string{"a.json", "b.json"} {
		for _, column := range []int{28, 33, 44} {
			want = append(want, fmt.Sprintf("CAP-REF-02 %s:1:%d", file, column))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
