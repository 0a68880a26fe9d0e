package target

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
	"github.com/capconform/capconform/suites/live"
)

// sample is a target file with most of the keys.
const sample = `name: acme-host
version: 1.4.2
suites: [chp]
actors: [host]
driver: http
url: http://127.0.0.1:8899
headers: {X-CHP-Key: "${CHP_KEY}"}
env: {}
roles:
  chp:
    echo:  {capability: acme.echo, version: 1.0.0, input: {value: hi, at: 2025-01-02, n: [1.50, 0x1f, null, true]}}
    fails: {capability: acme.broken}
bindings:
  capability.list: {method: GET, path: /v1/tools, response: '[.body.tools[] | {capability_id: .id, version: .rev}]'}
  capability.describe: {method: GET, path: '/v1/tools/{capability_id}', query: '{rev: .params.version}',
                        response: .body, error: 'if .status == 404 then "NOT_FOUND" else null end'}
  resolve_capability: {tool: cap_lookup, params: '{id: .params.cap_uri}', response: .body.data, error: 'if .body.code == 404 then "NOT_FOUND" else null end'}
http: {rpc_path: /rpc}
mcp: {mode: auto, capability_version: null}
supports: {skills: [prompt_template, resources, required_permissions]}
restart: [./restart-host.sh]
limits: {message: 8MiB}
deadlines: {call: 10s, slow: 30s, handshake: 1m30s}
known: [{cap_uri: "acp:did:example:note", semver: 1.0.0}]
signature: jcs
switch: to {cap_uri}
arguments: {id: object_id, patch: operations}
`

func environment(name string) (string, bool) {
	value, ok := map[string]string{"CHP_KEY": "a-very-secret-key", "TWO_LINES": "a\nb", "SLASHED": "pass/word"}[name]
	return value, ok
}

var words = Words{
	Roles:      map[string][]string{"chp": {"echo", "fails"}},
	Editions:   []string{"0.2", "0.1-draft", "all"},
	Operations: []string{"capability.list", "capability.describe", "resolve_capability"},
}

func load(t *testing.T, text string) (*File, string, error) {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, "target.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	f, err := Load(path, words, environment)
	return f, folder, err
}

func TestLoad(t *testing.T) {
	got, folder, err := load(t, sample)
	require.NoError(t, err)
	want := &File{
		Path: filepath.Join(folder, "target.yaml"), Digest: digest([]byte(sample)), Name: "acme-host", Version: "1.4.2",
		Suites: []string{"chp"}, Actors: []string{"host"}, Driver: "http", URL: "http://127.0.0.1:8899",
		Headers: []Secret{{"X-CHP-Key", "a-very-secret-key", "${CHP_KEY}"}},
		Roles: map[string]map[string]live.Player{"chp": {
			"echo":  {Capability: "acme.echo", Version: "1.0.0", Input: json.RawMessage(`{"value":"hi","at":"2025-01-02","n":[1.50,31,null,true]}`)},
			"fails": {Capability: "acme.broken"},
		}},
		Bindings: map[string]httpdriver.Binding{
			"capability.list": {Method: "GET", Path: "/v1/tools", Response: "[.body.tools[] | {capability_id: .id, version: .rev}]"},
			"capability.describe": {
				Method: "GET", Path: "/v1/tools/{capability_id}", Query: "{rev: .params.version}",
				Response: ".body", Error: `if .status == 404 then "NOT_FOUND" else null end`,
			},
		},
		Tools: map[string]mcpdriver.Binding{"resolve_capability": {
			Tool: "cap_lookup", Params: "{id: .params.cap_uri}", Response: ".body.data", Error: `if .body.code == 404 then "NOT_FOUND" else null end`,
		}},
		HTTP: HTTP{RPCPath: "/rpc"}, MCP: suites.Adapter{Mode: "auto"},
		Supports: map[string][]string{"skills": {"prompt_template", "resources", "required_permissions"}},
		Restart:  []string{filepath.Join(folder, "restart-host.sh")},
		Limits:   driver.Limits{Message: 8 << 20},
		Deadlines: driver.Deadlines{
			Call: 10 * time.Second, Slow: 30 * time.Second, Handshake: 90 * time.Second,
		},
		Known: []suites.Package{{CapURI: "acp:did:example:note", Semver: "1.0.0"}}, Signature: "jcs", Switch: "to {cap_uri}",
		Arguments: map[string]string{"id": "object_id", "patch": "operations"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// broken has one defect per case, and the message that names it. beyond marks defects that no schema can detect.
var broken = []struct {
	name, text, want string
	beyond           bool
}{
	{name: "unknown key", text: "url: http://h\nsuits: [cap]\n", want: `:2:1: unknown key "suits"; did you mean "suites"?`},
	{name: "nested unknown key", text: "url: http://h\nlimits:\n  mesage: 8MiB\n", want: `:3:3: unknown key "mesage"; did you mean "message"?`},
	{name: "unknown key without similar ones", text: "url: http://h\nmcp: {zebra: 1}\n", want: `:2:7: unknown key "zebra"; known: capability_version, mode, version`},
	{name: "switch without placeholder", text: "url: http://h\nswitch: next\n", want: `:2:9: "next" names no capability; want {name}, {cap_uri} or {title} on one line`},
	{name: "switch on two lines", text: "url: http://h\nswitch: \"a\\n{name}\"\n", want: `:2:9: "a\n{name}" names no capability; want {name}, {cap_uri} or {title} on one line`},
	{name: "unknown argument", text: "url: http://h\narguments: {name: x}\n", want: `:2:13: unknown argument "name"; known: schema_uri, object, id, patch, query, limit, cursor, mode`},
	{name: "one name for two arguments", text: "url: http://h\narguments: {id: query}\n", want: `:2:12: id and query have the same name, "query"`, beyond: true},
	{name: "neither url nor command", text: "name: x\n", want: ":1:1: neither url nor command: one of them must say how to reach the target"},
	{name: "edition and editions", text: "url: http://h\nedition: all\neditions: ['0.2']\n",
		want: ":1:1: edition and editions exclude each other"},
	{name: "unknown edition", text: "url: http://h\neditions: [0.1-daft]\n",
		want: `:2:12: "0.1-daft" is not one of 0.2, 0.1-draft, all; did you mean "0.1-draft"?`},
	{name: "url and command", text: "url: http://h\ncommand: [a]\n", want: ":1:1: url and command exclude each other"},
	{name: "http without url", text: "driver: http\ncommand: [a]\n", want: ":1:1: driver http needs a url"},
	{name: "stdio without command", text: "driver: stdio\nurl: http://h\n", want: ":1:1: driver stdio needs a command"},
	{name: "http over mcp", text: "driver: http\nurl: mcp+http://h\n", want: ":1:1: driver http does not speak to a url that begins with mcp+"},
	{name: "unknown driver", text: "driver: htp\nurl: http://h\n", want: `:1:9: "htp" is not one of http, mcp, stdio; did you mean "http"?`},
	{name: "no URL", text: "url: 127.0.0.1:80\n", want: `:1:6: "127.0.0.1:80" is not a URL that begins with http://, https://, mcp+http:// or mcp+https://`},
	{name: "number for string", text: "url: http://h\nversion: 1.4\n", want: `:2:10: want a string, got a number; put it in quotes: "1.4"`},
	{name: "nothing for string", text: "url: http://h\nname:\n", want: ":2:6: want a string, got nothing"},
	{name: "empty string", text: "url: http://h\nname: ''\n", want: ":2:7: must not be empty"},
	{name: "string for list", text: "command: ls -l\n", want: ":1:10: want a list, got a string; write [ls, -l]"},
	{name: "blank in URL", text: "url: http://h/a b\n", want: `:1:6: "http://h/a b" is not a URL: want a host after ://, and no blank`},
	{name: "empty list", text: "command: []\n", want: ":1:10: the list is empty; omit it, or add an item"},
	{name: "list for mapping", text: "url: http://h\nroles: [echo]\n", want: ":2:8: want a mapping (key: value), got a list"},
	{name: "a list as document", text: "- url\n", want: ":1:1: want a mapping (key: value), got a list"},
	{name: "unknown suite", text: "url: http://h\nsuites: [cup]\n", want: `:2:10: "cup" is not one of cap, chp, acp, acd; did you mean "cap"?`},
	{name: "roles without suite", text: "url: http://h\nroles: {echo: {capability: a}}\n", want: `:2:9: unknown suite "echo": roles stand below the suite that they are for (cap, chp, acp, acd)`},
	{name: "role without capability", text: "url: http://h\nroles: {cap: {echo: {version: 1.0.0}}}\n", want: ":2:21: a role needs the capability that plays it: capability: ID"},
	{name: "unknown role", text: "url: http://h\nroles: {chp: {ecko: {capability: a}}}\n", want: `:2:15: suite chp has no role "ecko"; did you mean "echo"?`, beyond: true},
	{name: "unknown operation", text: "url: http://h\nbindings: {capability.lst: {path: /x}}\n", want: `:2:12: unknown operation "capability.lst"; did you mean "capability.list"?`, beyond: true},
	{name: "binding without path", text: "url: http://h\nbindings: {capability.list: {method: GET}}\n", want: ":2:29: a binding needs a path, or the name of a tool"},
	{name: "path and tool", text: "url: http://h\nbindings: {capability.list: {path: /x, tool: t}}\n", want: ":2:46: a binding has either a path, for HTTP, or a tool, for MCP"},
	{name: "params without tool", text: "url: http://h\nbindings: {capability.list: {params: .params}}\n", want: ":2:29: a binding for MCP needs the name of a tool"},
	{name: "broken jq of a tool", text: "url: http://h\nbindings: {capability.list: {tool: t, params: '{'}}\n", want: `:2:47: jq: unexpected EOF, at character 2 of "{"`, beyond: true},
	{name: "unknown profile", text: "url: http://h\nsignature: jws\n", want: `:2:12: "jws" is not one of blank-token-ed25519, remove-line, jcs; did you mean "jcs"?`},
	{name: "wrong method", text: "url: http://h\nbindings: {capability.list: {method: get, path: /x}}\n", want: `:2:38: "get" is not one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS; did you mean "GET"?`},
	{name: "wrong path", text: "url: http://h\nhttp: {rpc_path: rpc}\n", want: `:2:18: "rpc" is not a path: a path begins with / and has no blanks`},
	{name: "half a parameter", text: "url: http://h\nbindings: {capability.list: {path: '/x/{id'}}\n", want: ":2:12: capability.list: path: must not contain a single brace, a space, a query or a fragment", beyond: true},
	{name: "broken jq", text: "url: http://h\nbindings:\n  capability.list:\n    {path: /x, response: '.body |'}\n", want: `:4:26: jq: unexpected EOF, at character 8 of ".body |"`, beyond: true},
	{name: "unknown jq function", text: "url: http://h\nbindings: {capability.list: {path: /x, response: nope}}\n", want: ":2:50: jq: function not defined: nope/0", beyond: true},
	{name: "missing variable", text: "url: http://h\nheaders: {X-Key: '${NO_SUCH_KEY}'}\n", want: ":2:18: the environment variable NO_SUCH_KEY is not set", beyond: true},
	{name: "half a reference", text: "url: http://h\nheaders: {X-Key: 'Bearer ${CHP_KEY'}\n", want: `:2:18: "${CHP_KEY" is not a reference to an environment variable: write ${NAME}`},
	{name: "a reference with a value", text: "url: http://h\nheaders: {X-Key: '${CHP_KEY:-a-secret}'}\n", want: `:2:18: "${CHP_KEY…" is not a reference to an environment variable: write ${NAME}`},
	{name: "a slash in a password", text: "url: 'http://user:${SLASHED}@h/x'\n", want: ":1:6: the value of SLASHED contains characters that must be percent-encoded before the @ of a URL", beyond: true},
	{name: "line break by reference", text: "url: http://h\nheaders: {X-Key: '${TWO_LINES}'}\n", want: ":2:18: the value of X-Key contains a line break", beyond: true},
	{name: "wrong header name", text: "url: http://h\nheaders: {'X Key': a}\n", want: `:2:11: "X Key" can't be a name here`},
	{name: "number for header", text: "url: http://h\nheaders: {X-Key: 7}\n", want: ":2:18: want a string, got a number"},
	{name: "unknown actor", text: "url: http://h\nactors: [hst]\n", want: `:2:10: "hst" is not one of ` + strings.Join(actorWords, ", ") + `; did you mean "host"?`},
	{name: "unknown support", text: "url: http://h\nsupports: {skils: [resources]}\n", want: `:2:12: unknown key "skils"; did you mean "skills"?`},
	{name: "unknown member of skills", text: "url: http://h\nsupports: {skills: [resource]}\n", want: `:2:21: "resource" is not one of prompt_template, resources, required_permissions; did you mean "resources"?`},
	{name: "wrong duration", text: "url: http://h\ndeadlines: {call: 10}\n", want: `:2:19: want a duration above zero such as 500ms, 10s or 1m30s, got "10"`},
	{name: "zero duration", text: "url: http://h\ndeadlines: {call: 0s}\n", want: `:2:19: want a duration above zero such as 500ms, 10s or 1m30s, got "0s"`},
	{name: "wrong size", text: "url: http://h\nlimits: {message: 8MB}\n", want: `:2:19: want a size such as 512KiB or 8MiB, got "8MB"`},
	{name: "no size", text: "url: http://h\nlimits: {message: 0}\n", want: `:2:19: want a size such as 512KiB or 8MiB, got "0"`},
	{name: "wrong mode", text: "url: http://h\nmcp: {mode: plain}\n", want: `:2:13: "plain" is not one of auto, adapter, operations`},
	{name: "known without uri", text: "url: http://h\nknown: [{cid: x}]\n", want: ":2:9: a known package needs its cap_uri"},
	{name: "twice", text: "url: http://h\nname: a\nname: b\n", want: `:3:1: the key "name" is a duplicate`, beyond: true},
	{name: "infinity", text: "url: http://h\nroles: {chp: {echo: {capability: a, input: .inf}}}\n", want: ":2:44: .inf is not a number in JSON", beyond: true},
	{name: "two documents", text: "url: http://h\n---\nname: a\n", want: ":2:1: a second document begins here; a target file has one", beyond: true},
	{name: "no YAML", text: "url: [\n", want: ":1: not YAML: did not find expected node content", beyond: true},
	{name: "empty", text: "", want: ": the file is empty", beyond: true},
}

func TestLoadRefusesInvalidFiles(t *testing.T) {
	for _, c := range broken {
		t.Run(c.name, func(t *testing.T) {
			_, folder, err := load(t, c.text)
			var wrong *Error
			if !errors.As(err, &wrong) {
				t.Fatalf("want an *Error, got %v", err)
			}
			if diff := cmp.Diff(filepath.Join(folder, "target.yaml")+c.want, err.Error()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestLoadWithoutFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "absent.yaml")
	_, err := Load(path, words, environment)
	if diff := cmp.Diff(path+": can't be read: no such file or directory", err.Error()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestSchemaAgreesWithDecoder checks that schemas/target accepts the same files as the decoder.
func TestSchemaAgreesWithDecoder(t *testing.T) {
	schema, err := schemas.Own("target/target.schema.json")
	require.NoError(t, err)
	judge := func(t *testing.T, text string) error {
		t.Helper()
		d := &decoder{path: "target.yaml"}
		root, err := d.root([]byte(text))
		require.NoError(t, err)
		raw, err := d.json(root)
		require.NoError(t, err)
		value, err := schemas.Decode(raw, schemas.Limits{})
		require.NoError(t, err)
		return schema.Validate(value)
	}
	valid := map[string]string{
		"sample": sample, "minimal": "url: mcp+https://h/mcp\n", "command": "driver: mcp\ncommand: [npx, -y, x]\n",
		"editions": "url: http://h\neditions: ['0.2', 0.1-draft]\n", "edition": "url: http://h\nedition: all\n",
		"bytes": "url: http://h\nlimits: {message: 4096}\n", "a dollar": "url: http://h\nheaders: {X: 'a$b $ {c}'}\n",
	}
	for name, text := range valid {
		t.Run(name, func(t *testing.T) {
			if _, _, err := load(t, text); err != nil {
				t.Errorf("the decoder returned an error: %v", err)
			}
			if err := judge(t, text); err != nil {
				t.Errorf("the schema returned an error: %v", err)
			}
		})
	}
	for _, c := range broken {
		if c.beyond {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			if judge(t, c.text) == nil {
				t.Errorf("the schema accepts a file that the decoder refuses:\n%s", c.text)
			}
		})
	}
}

// TestActorsAreThoseOfTheCatalogues compares the words of the key actors with the catalogues.
func TestActorsAreThoseOfTheCatalogues(t *testing.T) {
	var want []string
	for _, suite := range spec.Names() {
		catalogue, err := spec.Load(suite)
		require.NoError(t, err)
		for _, r := range catalogue.Requirements {
			want = append(want, r.Actor)
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(slices.Compact(want), actorWords); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestCommandIsRelativeToTheFile(t *testing.T) {
	for given, want := range map[string]string{"npx": "npx", "/bin/true": "/bin/true", "bin/host": "bin/host", "../host": "../host"} {
		f, folder, err := load(t, "command: ["+given+"]\n")
		require.NoError(t, err)
		if given != want || given[0] != '/' && given != "npx" {
			want = filepath.Join(folder, want)
		}
		if f.Command[0] != want {
			t.Errorf("%s: want %s, got %s", given, want, f.Command[0])
		}
	}
}

// TestDisallowedCharactersAreReportedWithLine: the message names the line, which the YAML library does not return.
func TestDisallowedCharactersAreReportedWithLine(t *testing.T) {
	for text, want := range map[string]string{
		"url: http://h\nname: \"a\x00b\"\n":         "target.yaml:2: not YAML: control characters are not allowed",
		"url: http://h\n\n# gr\xfc\xdfe\nname: x\n": "target.yaml:3: not YAML: invalid leading UTF-8 octet",
	} {
		path := filepath.Join(t.TempDir(), "target.yaml")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := Load(path, Words{}, os.LookupEnv)
		require.ErrorContains(t, err, want)
	}
}

// TestExpandURL: a variable may be a whole URL, or anything after the host.
func TestExpandURL(t *testing.T) {
	lookup := func(name string) (string, bool) { return map[string]string{"V": "a/b@c", "P": "p%2Fw"}[name], true }
	for text, want := range map[string]string{
		"http://h/${V}":           "http://h/a/b@c",
		"http://h/x?y=${V}&z=u@v": "http://h/x?y=a/b@c&z=u@v",
		"${V}":                    "a/b@c",
		"http://u:${P}@h/${V}":    "http://u:p%2Fw@h/a/b@c",
	} {
		got, err := ExpandURL(text, lookup)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}
