package schemas

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// acdMinimal are objects with only the members that the core reading requires.
var acdMinimal = map[string]string{
	"capability-descriptor": `{"capability_id":"c","name":"n","version":"1","description":"","kind":"atomic","execution":{"substrate":"symbolic"},
		"invocation":{"modes":[]},"exposure":{"scope":"public"},"permissions":{}}`,
	"agent-manifest": `{"agent_id":"a","name":"n","version":"1","capabilities":{"registry":"inline","list":[]}}`,
}

// acdComplete are objects with every member of the closed reading.
var acdComplete = map[string]string{
	"capability-descriptor": `{"capability_id":"c","name":"n","version":"1","description":"","kind":"proxy",
		"execution":{"substrate":"agent","runtime":"","entrypoint":""},"invocation":{"modes":["event"],"command_aliases":[]},
		"exposure":{"scope":"agent","channels":["slack"]},"permissions":{"required":["p"],"granted_by_default":false,"danger_level":"high"},
		"inputs":{"schema":{},"required":[]},"outputs":{"schema":"s.json"},"dependencies":{"capabilities":["d"],"resources":["gpu"]},
		"lifecycle":{"hooks":{"pre_invoke":[],"post_invoke":["h"],"on_error":[]}},"delegation":{"allowed":true,"creates_subagent":true},
		"audit":{"log_invocation":true,"log_inputs":false,"log_outputs":false},"status":{"enabled":true,"mutable":true,"signed":false}}`,
	"agent-manifest": `{"agent_id":"a","name":"n","version":"1","capabilities":{"registry":"external","list":["c"]},
		"channels":[{"channel_id":"cli","capabilities":["c"]}],"policies":{"capability_mutation":"x","shell_access":"y","llm_required_for":["z"]}}`,
}

// acdCases are edits of the minimal objects with the part that each breaks.
var acdCases = []struct{ schema, members, want string }{
	{"capability-descriptor", `{"x_more":{"deep":[1]},"inputs":null,"outputs":null,"dependencies":null,"lifecycle":null,"delegation":null,"audit":null,"status":null}`, "ok"},
	{"capability-descriptor", `{"permissions":{"required":null,"granted_by_default":null,"danger_level":null,"more":1},"lifecycle":{"hooks":null},"status":{"enabled":null}}`, "ok"},
	{"capability-descriptor", `{"exposure":{"scope":"human","channels":["matrix"]},"dependencies":{"resources":["camera"]},"outputs":{"schema":true}}`, "ok"},
	{"capability-descriptor", `{"capability_id":""}`, "capability_id"}, {"capability-descriptor", `{"name":7}`, "name"},
	{"capability-descriptor", `{"version":1}`, "version"},
	{"capability-descriptor", `{"description":null}`, "description"},
	{"capability-descriptor", `{"kind":"skill"}`, "kind"},
	{"capability-descriptor", `{"execution":"absent"}`, "substrate"},
	{"capability-descriptor", `{"execution":{"substrate":"Shell"}}`, "substrate"},
	{"capability-descriptor", `{"execution":{"substrate":"llm","runtime":7}}`, "execution"},
	{"capability-descriptor", `{"invocation":{"modes":["cron"]}}`, "modes"},
	{"capability-descriptor", `{"invocation":{"modes":["direct","direct"]}}`, "ok"},
	{"capability-descriptor", `{"invocation":{"modes":[],"command_aliases":"a"}}`, "command_aliases"},
	{"capability-descriptor", `{"exposure":{}}`, "scope"},
	{"capability-descriptor", `{"exposure":{"scope":"public","channels":"cli"}}`, "channels"},
	{"capability-descriptor", `{"permissions":null}`, "permissions"},
	{"capability-descriptor", `{"permissions":{"required":"p"}}`, "permissions_required"},
	{"capability-descriptor", `{"permissions":{"granted_by_default":"no"}}`, "granted_by_default"},
	{"capability-descriptor", `{"permissions":{"danger_level":"severe"}}`, "danger_level"},
	{"capability-descriptor", `{"inputs":{"schema":7}}`, "inputs_schema"},
	{"capability-descriptor", `{"inputs":{"required":"a"}}`, "inputs_required"},
	{"capability-descriptor", `{"outputs":{"schema":[]}}`, "outputs_schema"},
	{"capability-descriptor", `{"dependencies":{"capabilities":[{}]}}`, "dependencies_capabilities"},
	{"capability-descriptor", `{"dependencies":{"resources":7}}`, "dependencies_resources"},
	{"capability-descriptor", `{"lifecycle":{"hooks":{"on_error":"h"}}}`, "hooks"},
	{"capability-descriptor", `{"delegation":{"allowed":1}}`, "delegation"},
	{"capability-descriptor", `{"audit":{"log_inputs":"no"}}`, "audit"},
	{"capability-descriptor", `{"status":{"signed":"no"}}`, "status"},
	{"agent-manifest", `{"channels":null,"policies":null,"homepage":"x"}`, "ok"},
	{"agent-manifest", `{"channels":[{"channel_id":"matrix","capabilities":[],"title":"x"}]}`, "ok"},
	{"agent-manifest", `{"agent_id":"absent"}`, "agent_id"}, {"agent-manifest", `{"name":""}`, "name"},
	{"agent-manifest", `{"version":null}`, "version"},
	{"agent-manifest", `{"capabilities":{"registry":"inline | external","list":[]}}`, "registry"},
	{"agent-manifest", `{"capabilities":{"registry":"inline","list":["c","c"]}}`, "ok"},
	{"agent-manifest", `{"capabilities":{"registry":"inline","list":"c"}}`, "list"},
	{"agent-manifest", `{"channels":[{"capabilities":[]}]}`, "channel_id"},
	{"agent-manifest", `{"channels":[{"channel_id":"cli"}]}`, "channel_capabilities"},
	{"agent-manifest", `{"policies":{"llm_required_for":"x"}}`, "policies"},
}

// Each part of a core schema is broken separately by some object, and by no lawful one.
func TestAcdSchemas(t *testing.T) {
	for _, name := range []string{"capability-descriptor", "agent-manifest"} {
		s, err := Own("acd/" + name + ".schema.json")
		require.NoError(t, err)
		var broken []string
		for _, test := range acdCases {
			if test.schema != name {
				continue
			}
			got := brokenParts(t, s, edited(t, acdMinimal[name], test.members))
			if got != test.want {
				t.Errorf("%s with %s: %s, want %s", name, test.members, got, test.want)
			}
			broken = append(broken, got)
		}
		document, err := own("acd/" + name + ".schema.json")
		require.NoError(t, err)
		root, isObject := document.(map[string]any)
		require.True(t, isObject)
		parts, isObject := root["$defs"].(map[string]any)
		require.True(t, isObject)
		for part := range parts {
			if !slices.Contains(broken, part) {
				t.Errorf("%s: nothing breaks the part %s", name, part)
			}
		}
	}
}

// The closed readings accept complete objects, and refuse missing and unknown members.
func TestAcdClosedReadings(t *testing.T) {
	for name, complete := range acdComplete {
		s, err := Own("acd/" + name + ".closed.schema.json")
		require.NoError(t, err)
		if err := s.Validate(mustDecode(t, complete)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, members := range []string{`{"x_more":1}`, `{"name":"absent"}`} {
			if s.Validate(edited(t, complete, members)) == nil {
				t.Errorf("%s with %s was accepted", name, members)
			}
		}
		if s.Validate(mustDecode(t, acdMinimal[name])) == nil {
			t.Errorf("%s: the minimal object was accepted", name)
		}
	}
}
