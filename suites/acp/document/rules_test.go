package acpdocument

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// rich is a package with members that the examples of the text omit.
const rich = `metadata:
  id: did:nuwa:cap:note@1.2.3-rc.1+build.7
  name: Note
  description: Keeps notes.
  triggers:
    - {type: regex, value: "note|remark"}
    - {type: keyword, value: memo}
    - {type: embedding, value: "sha256:00ff"}
  memory_scope: sc:note
  permissions:
    require: [state.create, state.update, state.query, state.delete, storage.large]
  llm_requirements:
    model_family: [gpt-4]
    specific_model_uri: did:example:model
    min_context_window: 16000.0
    required_features: [tool_use]
    anything: else
  x-own: {free: true}
schema: |
  {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "did:nuwa:cap:note:state:Note#1.0",
    "type": "object",
    "x-asm": {"container": "object", "crdt": "append_only", "x-ttl": "P30D", "x-retention": {"window": "PT1H", "strategy": "drop"}, "x-compression": "zstd", "x-visibility": "private"},
    "properties": {
      "title": {"type": "string", "x-crdt": "rga_text"},
      "tags": {"type": ["array", "null"], "items": {"$ref": "#/$defs/tag"}, "x-crdt": "grow_only_set"},
      "parent": {"$ref": "did:nuwa:cap:note:state:Note#1.0"},
      "x-crdt": {"type": "integer", "x-crdt": "counter"}
    },
    "$defs": {"tag": {"type": "string", "maxLength": 20}}
  }
prompt: Keep notes.
tools:
  - type: function
    function:
      name: state.create
      parameters:
        type: object
        properties:
          schema_uri: {const: "did:nuwa:cap:note:state:Note#1.0"}
          object: {$ref: "#/schema"}
  - type: function
    function: {name: state.update, parameters: {$ref: "#/schema"}}
  - type: function
    function: {name: state.query}
  - type: function
    function: {name: state.delete, strict: true}
  - type: function
    function:
      name: look_up
      description: Looks something up.
      parameters: {type: object, properties: {who: {type: string}, what: {$ref: "#/$defs/w"}}, $defs: {w: {type: string}}}
  - {type: function, function: {name: tell}}
  - {type: function, function: {name: ask}}
  - {type: function, function: {name: own}}
tool_bindings:
  look_up: {type: http_get, url: "https://example.org/{who}?a={what}"}
  tell: {type: http_post, url: "HTTP://127.0.0.1:80/x"}
  ask: {type: nuwa_a2a, target_did: "did:web:example.org", service_method: ask}
  own: {type: mcp_service, service_uri: "urn:x:y", mcp_action: run}
`

// Every lawful package passes: the only finding is that it is a draft.
func TestLawfulPackages(t *testing.T) {
	quiet := []string{"ACP-FIELD-20"}
	note := example(t, "note")
	for name, text := range map[string]string{
		"rich":             rich,
		"note":             note,
		"no tools":         note[:strings.Index(note, "tools:\n")],
		"nulls":            note[:strings.Index(note, "prompt:")] + "prompt:\ntools: null\ntool_bindings: ~\n",
		"empty":            note[:strings.Index(note, "prompt:")] + "tools: []\ntool_bindings: {}\n",
		"folded schema":    strings.Replace(note, "schema: |", "schema: >", 1),
		"windows":          strings.ReplaceAll(note, "\n", "\r\n"),
		"mark":             "\ufeff" + note,
		"json":             `{"metadata":{"id":"did:nuwa:cap:a@0.0.1","triggers":[{"type":"keyword","value":"\ud83d\ude00"}]},"schema":"{\"$id\":\"did:nuwa:state:a#v1\"}"}`,
		"end of documents": note + "...\n",
		"start":            "%YAML 1.2\n---\n" + note,
		"own permissions":  strings.Replace(note, `"state.query"]`, `"state.query", "net.fetch"]`, 1),
		"no require":       strings.Replace(example(t, "weatherreporter"), "    require: [] #", "    #", 1),
		"other model keys": strings.Replace(note, "min_context_window: 16000", "max_cost: 3", 1),
		"unknown binding":  strings.Replace(note, `type: "mcp_service"`, `type: "wasm"`, 1),
		"numbered schema":  strings.ReplaceAll(note, "note#v1", "note#2.0.1"),
		"vectors":          strings.Replace(note, "  triggers:", "  triggers:\n    - {type: embedding, value: [0.25, -1]}\n    - {type: embedding, value: {model: m, hash: a}}", 1),
		"path in binding":  strings.Replace(note, `"did:nuwa:mcp:webscraper:version1"`, `"https://example.org/{url.host}"`, 1),
		"dotted anchors":   strings.Replace(note, `"properties":{`, `"$anchor":"top","properties":{"self":{"$ref":"#top"},"all":{"$ref":"#"},`, 1),
	} {
		if got := rules(found(t, nil, nil, file(t, "a.acp.yaml", text))); !cmp.Equal(quiet, got) {
			t.Errorf("%s: unexpected findings: %q", name, found(t, nil, nil, file(t, "a.acp.yaml", text)))
		}
	}
}

// breakage is one edit of a valid package, with the expected findings.
type breakage struct {
	name, old, new string
	want           []string // places and rules, without remarks
	says           string   // in one of the messages
}

// One edit has one finding, at its place.
func TestBrokenPackages(t *testing.T) {
	for _, base := range []struct {
		text      string
		breakages []breakage
	}{{rich, richBreakages}, {example(t, "note"), noteBreakages}} {
		for _, b := range base.breakages {
			require.Equal(t, 1, strings.Count(base.text, b.old), b.name)
			lines := found(t, nil, nil, file(t, "a.acp.yaml", strings.Replace(base.text, b.old, b.new, 1)))
			lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "open") })
			got := []string{}
			for _, line := range lines {
				place, rest, _ := strings.Cut(line, " ")
				id, _, _ := strings.Cut(rest, ":")
				if id != IDDraft && !strings.Contains(id, " ") {
					got = append(got, place+" "+id)
				}
			}
			if diff := cmp.Diff(b.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s%s", b.name, diff, strings.Join(lines, "\n"))
			}
			if !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, b.says) }) {
				t.Errorf("%s: no message contains %q:\n%s", b.name, b.says, strings.Join(lines, "\n"))
			}
		}
	}
}

var noteBreakages = []breakage{
	{"no metadata", "metadata:\n  id", "metadate:\n  id", []string{"2:1 ACP-FILE-01", "2:1 ACP-FILE-10"}, `is it the member "metadate"?`},
	{"no schema", "schema: |", "shema: |", []string{"2:1 ACP-FILE-02", "17:1 ACP-FILE-10"}, `did you mean "schema"?`},
	{"schema is a mapping", "schema: |\n  {", "schema:\n  {", []string{"18:3 ACP-FILE-02"}, "schema is an object"},
	{"torn schema", "\"required\":[\"id\",\"title\"", "\"required\":[\"id\" \"title\"", []string{"30:22 ACP-FILE-06"}, "cannot be read: this is not JSON"},
	{"schema has a duplicate member", `    "type":"object",
    "properties":{`, `    "type":"object","type":"object",
    "properties":{`, []string{"20:21 ACP-FILE-06"}, "two members named"},
	{"invalid schema", `"tags":{"type":"array"`, `"tags":{"type":"arrey"`, []string{"26:22 ACP-FILE-06"}, `/properties/tags/type is "arrey"; it must be one of`},
	{"schema of another dialect", "draft/2020-12/schema", "draft/2019-09/schema", []string{"18:15 ACP-FILE-06"}, "want \"https://json-schema.org/draft/2020-12/schema\""},
	{"dangling reference in schema", `{"type":"string","x-crdt":"rga_text"}`, `{"$ref":"#/$defs/body"}`, []string{"24:22 ACP-FILE-06"}, "leads nowhere"},
	{"no id of the schema", `    "$id":"did:nuwa:state:note#v1",
`, "", []string{"18:3 ACP-FIELD-03"}, "is missing"},
	{"id of the schema without a version", `"$id":"did:nuwa:state:note#v1"`, `"$id":"did:nuwa:state:note"`, []string{"19:11 ACP-TERM-04", "54:45 ACP-FIELD-04"}, `did you mean "did:nuwa:state:note#v1"?`},
	{"relative id of the schema", `"$id":"did:nuwa:state:note#v1"`, `"$id":"note#v1"`, []string{"19:11 ACP-FIELD-03"}, `did you mean "did:nuwa:state:note#v1"?`},
	{"id of the schema is elsewhere", `"$id":"did:nuwa:state:note#v1"`, `"$id":"https://example.org/note#v1"`, []string{"19:11 ACP-TERM-04", "54:45 ACP-FIELD-04"}, "a usual form"},
	{"id of the schema in core", `"$id":"did:nuwa:state:note#v1"`, `"$id":"did:nuwa:core:note#v1"`, []string{"19:11 ACP-TERM-04", "54:45 ACP-FIELD-04"}, "namespace core"},
	{"id of another state", "id: did:nuwa:cap:note@1.0.0", "id: did:nuwa:cap:memo@1.0.0", []string{"19:11 ACP-TERM-08"}, `names "note"`},
	{"another schema_uri", `enum: ["did:nuwa:state:note#v1"]`, `enum: ["did:nuwa:state:note#v2"]`, []string{"54:45 ACP-FIELD-04"}, "did:nuwa:state:note#v2"},
	{"no id", "  id: did:nuwa:cap:note@1.0.0\n", "", []string{"3:3 ACP-FIELD-01"}, "metadata.id is missing"},
	{"another prefix", "id: did:nuwa:cap:note@1.0.0", "id: did:nuwa:capability:note@1.0.0", []string{"3:7 ACP-FIELD-01"}, "does not begin with did:nuwa:cap:"},
	{"no version", "id: did:nuwa:cap:note@1.0.0", "id: did:nuwa:cap:note", []string{"3:7 ACP-FIELD-01"}, `did you mean "did:nuwa:cap:note@1.0.0"?`},
	{"version of two numbers", "cap:note@1.0.0", "cap:note@1.0", []string{"3:7 ACP-FIELD-14"}, `did you mean "did:nuwa:cap:note@1.0.0"?`},
	{"version with a v", "cap:note@1.0.0", "cap:note@v1.0.0", []string{"3:7 ACP-FIELD-14"}, `did you mean "did:nuwa:cap:note@1.0.0"?`},
	{"version with a leading zero", "cap:note@1.0.0", "cap:note@1.0.0-01", []string{"3:7 ACP-FIELD-14"}, "not a semantic version"},
	{"id is a number", "id: did:nuwa:cap:note@1.0.0", "id: 17", []string{"3:7 ACP-FIELD-01"}, "metadata.id is 17"},
	{"capitals", "cap:note@1.0.0", "cap:Note@1.0.0", []string{"3:7 ACP-TERM-07", "19:11 ACP-TERM-08"}, "registries may refuse"},
	{"name is a list", `name: "Note"`, "name: [Note]", []string{"4:9 ACP-FILE-12"}, "name is a list"},
	{"no triggers", "  triggers:\n    - {type: regex, value: \"记(.*)笔记|note|add note about\"}\n", "", []string{"3:3 ACP-FIELD-17"}, "no triggers"},
	{"triggers are a mapping", `    - {type: regex, value: "记`, `    {type: regex, value: "记`, []string{"7:5 ACP-FIELD-05"}, "triggers is an object"},
	{"trigger is a text", `{type: regex, value: "记(.*)笔记|note|add note about"}`, "note", []string{"7:7 ACP-FIELD-21"}, `a trigger is "note"`},
	{"trigger without a value", `{type: regex, value: "记(.*)笔记|note|add note about"}`, "{type: regex, vaule: note}", []string{"7:7 ACP-FIELD-21", "7:21 ACP-FILE-10"}, `did you mean "value"?`},
	{"trigger of another type", "{type: regex, value", "{type: regexp, value", []string{"7:14 ACP-FIELD-18"}, `did you mean "regex"?`},
	{"broken expression", "记(.*)笔记|note", "记(.*笔记|note", []string{"7:28 ACP-FIELD-16"}, "RE2: missing closing )"},
	{"expression with flags", "记(.*)笔记|note", "(?i)note", []string{"7:28 ACP-FIELD-19"}, "not in ECMAScript"},
	{"expression with look-around", "记(.*)笔记|note", "(?=note)note", []string{"7:28 ACP-FIELD-19"}, "not in RE2"},
	{"expression with look-around and flags", "记(.*)笔记|note", "(?i)(?=note)note", []string{"7:28 ACP-FIELD-19"}, "only in engines such as Perl's"},
	{"expression with look-around and a broken group", "记(.*)笔记|note", "(?i)(?=note", []string{"7:28 ACP-FIELD-16"}, "not a regular expression"},
	{"expression with a property", "记(.*)笔记|note", `\\p{Script=Han}+\\p{Emoji}`, []string{"7:28 ACP-FIELD-19"}, "not in RE2"},
	{"expression with a hyphen before a class", "记(.*)笔记|note", `[\\w.-\\d]+`, []string{"7:28 ACP-FIELD-19"}, "not in RE2"},
	{"expression with a reversed range", "记(.*)笔记|note", `[z-a\\d]+`, []string{"7:28 ACP-FIELD-16"}, "not a regular expression"},
	{"expression with an unknown property", "记(.*)笔记|note", `\\p{Script=Hen}+`, []string{"7:28 ACP-FIELD-16"}, "not a regular expression"},
	{"expression with an unknown name of properties", "记(.*)笔记|note", `\\p{Block=Han}+`, []string{"7:28 ACP-FIELD-16"}, "not a regular expression"},
	{"expression with possessive repetition", "记(.*)笔记|note", "no++te(?|a|b)(?R)?", []string{"7:28 ACP-FIELD-19"}, "only in engines such as Perl's"},
	{"expression with flags of Python", "记(.*)笔记|note", "(?a)note(?iL:s)", []string{"7:28 ACP-FIELD-19"}, "only in engines such as Perl's"},
	{"expression with a named reference of Python", "记(.*)笔记|note", "(?P<a>no)(?P=a)te", []string{"7:28 ACP-FIELD-19"}, "only in engines such as Perl's"},
	{"expression with a script of Perl", "记(.*)笔记|note", `(?=n)\\p{IsGreek}+`, []string{"7:28 ACP-FIELD-19"}, "only in engines such as Perl's"},
	{"expression with repetition of repetition", "记(.*)笔记|note", "no**te", []string{"7:28 ACP-FIELD-16"}, "not a regular expression"},
	{"keyword is a list", "{type: regex, value: \"记(.*)笔记|note|add note about\"}", "{type: keyword, value: [note]}", []string{"7:30 ACP-FIELD-21"}, "writes a string"},
	{"embedding is a number", "{type: regex, value: \"记(.*)笔记|note|add note about\"}", "{type: embedding, value: 7}", []string{"7:32 ACP-FIELD-21"}, "writes a string"},
	{"one of several expressions is broken", "{type: regex, value: \"记(.*)笔记|note|add note about\"}", "{type: regex, value: [note, (memo]}", []string{"7:28 ACP-FIELD-21", "7:35 ACP-FIELD-16"}, "missing closing )"},
	{"expression without a type is broken", "{type: regex, value: \"记(.*)笔记|note|add note about\"}", "{regex: '(memo'}",
		[]string{"7:7 ACP-FIELD-21", "7:7 ACP-FIELD-21", "7:8 ACP-FILE-10", "7:15 ACP-FIELD-16"}, "missing closing )"},
	{"pattern of an expression is broken", "{type: regex, value: \"记(.*)笔记|note|add note about\"}", "{type: regex, pattern: '(memo'}",
		[]string{"7:7 ACP-FIELD-21", "7:21 ACP-FILE-10", "7:30 ACP-FIELD-16"}, "missing closing )"},
	{"trigger with only a type", "{type: regex, value: \"记(.*)笔记|note|add note about\"}", "{type: keyword}", []string{"7:7 ACP-FIELD-05"}, "keyword or hash"},
	{"scope without prefix", "memory_scope: sc:note", "memory_scope: note", []string{"8:17 ACP-STATE-19"}, `did you mean "sc:note"?`},
	{"undeclared", `require: ["state.create", `, `require: [`, []string{"10:14 ACP-STATE-08"}, "does not declare it"},
	{"no permissions", "  permissions:\n    require: [\"state.create\", \"state.update\", \"state.query\"]\n", "", []string{"3:3 ACP-STATE-08"}, "does not declare it"},
	{"permissions are a list", "  permissions:\n    require: [", "  permissions:\n    [", []string{"10:5 ACP-STATE-16"}, "permissions is a list"},
	{"permission is a number", `"state.update", `, "7, ", []string{"10:31 ACP-STATE-16"}, "is a list with 7; want a list of strings"},
	{"permission is denied", `["state.create", "state.update", "state.query"]`, "{state.create: false, state.update: true, state.query: }",
		[]string{"10:14 ACP-STATE-08", "10:14 ACP-STATE-16"}, "does not declare it"},
	{"a fifth verb", `"state.update", `, `"state.updates", `, []string{"10:31 ACP-STATE-20"}, `did you mean "state.update"?`},
	{"model requirements are a list", "  llm_requirements: # Optional: Specify LLM dependencies\n    model_family: [\"gpt-4\", \"claude-3\"] # Suggests compatibility with these model families\n    min_context_window: 16000 #", "  llm_requirements: [] #", []string{"11:21 ACP-FIELD-07"}, "want an object"},
	{"families are a text", `["gpt-4", "claude-3"]`, "gpt-4", []string{"12:19 ACP-FIELD-08"}, "want a list of strings"},
	{"window in quotes", "min_context_window: 16000", `min_context_window: "16000"`, []string{"13:25 ACP-FIELD-10"}, "want an integer"},
	{"tool of another type", "  - type: function\n    function:\n      name: state.create ", "  - type: web_search\n    function:\n      name: state.create ", []string{"47:11 ACP-FILE-04"}, "want function"},
}

var richBreakages = []breakage{
	{"prompt is a list", "prompt: Keep notes.", "prompt: [Keep notes.]", []string{"33:9 ACP-FILE-03"}, "prompt is a list"},
	{"tool of another type", "  - {type: function, function: {name: tell}}", "  - {type: web_search, function: {name: tell}}", []string{"54:12 ACP-FILE-04"}, `"web_search"; want function`},
	{"tool without a type", "  - {type: function, function: {name: tell}}", "  - {kind: function, function: {name: tell}}", []string{"54:5 ACP-FILE-04"}, "type is missing"},
	{"tool without a name", "{name: tell}", "{nam: tell}", []string{"54:32 ACP-FILE-04", "59:3 ACP-BIND-03"}, `is it the member "nam"?`},
	{"tool whose name is a number", "{name: tell}", "{name: 1}", []string{"54:39 ACP-FILE-04", "59:3 ACP-BIND-03"}, "want a non-empty string"},
	{"description is a list", "description: Looks something up.", "description: [Looks]", []string{"52:20 ACP-FILE-04"}, "description is a list"},
	{"parameters are a text", "{name: tell}", "{name: tell, parameters: none}", []string{"54:57 ACP-FILE-07"}, "want a JSON Schema"},
	{"parameters of another type", "parameters: {type: object, properties: {who", "parameters: {type: array, properties: {who", []string{"53:26 ACP-FILE-07"}, "want object"},
	{"parameters without a type", "parameters: {type: object, properties: {who", "parameters: {properties: {who", []string{"53:19 ACP-FILE-07"}, "have no type"},
	{"invalid parameters", "{who: {type: string}", "{who: {type: text}", []string{"53:59 ACP-FILE-07"}, `/properties/who/type is "text"; it must be one of`},
	{"dangling reference", `{$ref: "#/$defs/w"}`, `{$ref: "#/$defs/v"}`, []string{"53:81 ACP-FILE-07"}, "leads nowhere"},
	{"reference into the schema section", `{$ref: "#/$defs/w"}`, `{$ref: "#/schema/properties/absent"}`, []string{"53:81 ACP-FILE-07"}, `"#/schema/properties/absent" leads nowhere`},
	{"dangling reference after one into the schema section", `{$ref: "#/$defs/w"}`, `{$ref: "#/schema"}, by: {$ref: "#/$defs/v"}`,
		[]string{"53:105 ACP-FILE-07"}, `"#/$defs/v" leads nowhere`},
	{"reference out of the file", `{$ref: "#/$defs/w"}`, `{$ref: "https://example.org/w.json"}`, []string{"53:81 ACP-FILE-07"}, "only #/schema"},
	{"duplicate name", "{name: tell}", "{name: ask}", []string{"55:39 ACP-FILE-08", "59:3 ACP-BIND-03"}, "54:39"},
	{"name with a slash", "{name: tell}", "{name: tell/all}", []string{"54:39 ACP-FILE-09", "54:39 ACP-BIND-02", "59:3 ACP-BIND-03"}, "characters other than"},
	{"unknown verb", "function: {name: state.query}", "function: {name: state.find}", []string{"46:22 ACP-STATE-20"}, "one of the four built-in verbs"},
	{"const of another schema", `{const: "did:nuwa:cap:note:state:Note#1.0"}`, `{const: "did:nuwa:cap:note:state:Note#1"}`, []string{"41:31 ACP-FIELD-04"}, "the $id of the schema"},
	{"bindings are a list", "tool_bindings:\n  look_up: {", "tool_bindings: []\nx-bindings:\n  look_up: {", []string{"57:16 ACP-FILE-05"}, "want a mapping"},
	{"binding without tool", "  tell: {type: http_post", "  Tell: {type: http_post", []string{"54:39 ACP-BIND-02", "59:3 ACP-BIND-03"}, `did you mean "tell"?`},
	{"no binding", "  tell: {type: http_post, url: \"HTTP://127.0.0.1:80/x\"}\n", "", []string{"54:39 ACP-BIND-02"}, "unable to execute"},
	{"binding is a text", `tell: {type: http_post, url: "HTTP://127.0.0.1:80/x"}`, "tell: http_post", []string{"59:9 ACP-BIND-04"}, "want an object with a type"},
	{"binding without a type", "tell: {type: http_post", "tell: {typ: http_post", []string{"59:9 ACP-BIND-04"}, `is it the member "typ"?`},
	{"binding of an unknown type", "tell: {type: http_post", "tell: {type: http_pots", []string{}, `did you mean "http_post"?`},
	{"no url", `{type: http_get, url:`, `{type: http_get, uri:`, []string{"58:12 ACP-BIND-12", "58:29 ACP-FILE-10"}, `is it the member "uri"?`},
	{"relative url", `"HTTP://127.0.0.1:80/x"`, `"/x"`, []string{"59:32 ACP-BIND-13"}, "want an absolute http or https address"},
	{"no target", `target_did: "did:web:example.org"`, `target_did: example.org`, []string{"60:37 ACP-BIND-14"}, "want a DID"},
	{"no method", `service_method: ask`, `service_method: ""`, []string{"60:76 ACP-BIND-15"}, "not empty"},
	{"no service", `service_uri: "urn:x:y", `, "", []string{"61:8 ACP-BIND-16"}, "service_uri is missing"},
	{"no action", `mcp_action: run`, "mcp_action: null", []string{"61:64 ACP-BIND-17"}, "counts as missing"},
	{"placeholder without parameter", "?a={what}", "?a={wat}", []string{"58:34 ACP-BIND-20"}, `did you mean "what"?`},
	{"builtin bound", "  tell: {type", "  state.query: {type: wasm}\n  tell: {type", []string{"59:3 ACP-BIND-21"}, "never uses its binding"},
	{"unknown strategy", `"x-crdt": "rga_text"`, `"x-crdt": "rga"`, []string{"26:45 ACP-STATE-10"}, "want one of lww_register"},
	{"strategy of another type", `"x-crdt": "rga_text"`, `"x-crdt": "counter"`, []string{"26:45 ACP-STATE-18"}, "counter is for number and integer"},
	{"asm is a text", `"x-asm": {"container": "object", "crdt": "append_only", "x-ttl": "P30D", "x-retention": {"window": "PT1H", "strategy": "drop"}, "x-compression": "zstd", "x-visibility": "private"}`,
		`"x-asm": "object"`, []string{"24:14 ACP-STATE-17"}, `x-asm is "object"`},
	{"unknown container", `"container": "object"`, `"container": "tree"`, []string{"24:28 ACP-STATE-17"}, `container is "tree"`},
	{"invalid duration", `"x-ttl": "P30D"`, `"x-ttl": "30 days"`, []string{"24:70 ACP-STATE-17"}, `x-ttl is "30 days": must be an ISO 8601 duration`},
	{"anchor and alias", "    model_family: [gpt-4]", "    model_family: &m [gpt-4]\n    x: *m", []string{"13:19 ACP-FILE-11", "13:19 ACP-FILE-11"}, "an alias"},
	{"tag", "  name: Note\n", "  name: !!str Note\n", []string{"3:9 ACP-FILE-11"}, "a tag"},
	{"time", "  x-own: {free: true}", "  x-own: 2026-01-02", []string{"18:10 ACP-FILE-11"}, "kept as a string"},
	{"unknown key", "  x-own: {free: true}", "  avatar: x", []string{"18:3 ACP-FILE-10"}, `the key "avatar" is unknown in metadata`},
	{"prompt below metadata", "  x-own: {free: true}", "  tools: []", []string{"18:3 ACP-FILE-10"}, `the key "tools" is unknown in metadata`},
	{"undeclared update", "state.update, state.query, state.delete", "state.query, state.delete", []string{"11:14 ACP-STATE-13"}, "the tool state.update"},
	{"undeclared query", "state.update, state.query, state.delete", "state.update, state.delete", []string{"11:14 ACP-STATE-14"}, "the tool state.query"},
	{"undeclared delete", "state.update, state.query, state.delete", "state.update, state.query", []string{"11:14 ACP-STATE-15"}, "the tool state.delete"},
	{"model uri", "specific_model_uri: did:example:model", "specific_model_uri: [a]", []string{"14:25 ACP-FIELD-09"}, "want a string"},
	{"fraction of a token", "16000.0", "16000.5", []string{"15:25 ACP-FIELD-10"}, "want an integer"},
	{"feature is a number", "required_features: [tool_use]", "required_features: [tool_use, 1]", []string{"16:35 ACP-FIELD-11"}, "want a list of strings"},
}
