package schemas

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every schema of this project must compile.
func TestOwnSchemasCompile(t *testing.T) {
	names := Names()
	require.NotEmpty(t, names)
	for _, name := range names {
		raw, err := Read(name)
		require.NoError(t, err)
		if _, err := Decode(raw, Limits{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Own(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"cap/capability.schema.json", "cap/manifest.schema.json", "cap/ref.schema.json",
		"cap/strict_ref.schema.json", "cap/skill_manifest.schema.json", "cap/invoke_result.schema.json"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not embedded", name)
		}
	}
	if _, err := Own("cap/none.schema.json"); err == nil {
		t.Error("a schema that does not exist was compiled")
	}
}

// TestPublishedSchemasHaveTheirAddress compares each $id with the path of the file: editors find it at this address,
// in the release that the ids share.
func TestPublishedSchemasHaveTheirAddress(t *testing.T) {
	const release = "https://raw.githubusercontent.com/capconform/capconform/v0.1.0/schemas/"
	for _, name := range Names() {
		if id := ID(name); id != "" && id != release+name {
			t.Errorf("%s: %s", name, id)
		}
	}
	for _, name := range []string{"target/target", "report/report", "record/record", "catalogue/catalogue",
		"text/protocol",
		"text/stimuli", "text/rules", "text/defects"} {
		if ID(name+".schema.json") == "" {
			t.Errorf("%s has no $id", name)
		}
	}
	require.Empty(t, ID("none.schema.json"))
}

func TestCapSchemas(t *testing.T) {
	const manifest = `{"capability_id":"a","version":"1","kind":"tool","name":"","description":"","input_schema":{}`
	const skill = `{"capability_id":"a","version":"1","kind":"skill","name":"","description":"","input_schema":{},"prompt_template":"p","resources":[],"required_permissions":["x"]`
	tests := []struct{ name, value, want string }{
		{"ref", `{"capability_id":"a","version":"1","more":1}`, "ok"},
		{"ref", `{"capability_id":"","version":"1"}`, "invalid minLength /capability_id"},
		{"ref", `{"capability_id":"a"}`, "invalid required "},
		{"ref", `"a@1"`, "invalid type "},
		{"strict_ref", `{"capability_id":"a","version":"1"}`, "ok"},
		{"strict_ref", `{"capability_id":"a","version":"1","transport":"http"}`, "invalid additionalProperties "},
		{"strict_ref", `{"capability_id":"a","version":2}`, "invalid type /version"},
		{"strict_ref", `"a"`, "invalid type "},
		{"manifest", manifest + `}`, "ok"},
		{"manifest", manifest +
			`,"output_schema":null,"prompt_template":null,"resources":null,"required_permissions":null,"reduction":{}}`, "ok"},
		{"manifest", manifest + `,"output_schema":true,"resources":["a",{}],"required_permissions":["p"]}`, "ok"},
		{"manifest", manifest + `,"output_schema":"x"}`, "invalid type /output_schema"},
		{"manifest", manifest + `,"required_permissions":[1]}`, "invalid type /required_permissions/0"},
		{"manifest", strings.Replace(manifest, "tool", "prompt", 1) + `}`, "invalid enum /kind"},
		{"manifest", strings.Replace(manifest, `"name":"",`, "", 1) + `}`, "invalid required "},
		{"manifest", strings.Replace(manifest, `{}`, "null", 1) + `}`, "invalid type /input_schema"},
		{"skill_manifest", skill + `}`, "ok"},
		{"skill_manifest", strings.Replace(skill, `"p"`, `""`, 1) + `}`, "invalid minLength /prompt_template"},
		{"skill_manifest", strings.Replace(skill, `"resources":[]`, `"resources":null`, 1) + `}`, "invalid type /resources"},
		{"skill_manifest", strings.Replace(skill, `"skill"`, `"tool"`, 1) + `}`, "invalid const /kind"},
		{"capability", `{"capability_id":"a","version":"1","kind":"tool","manifest":` + manifest + `}}`, "ok"},
		{"capability", `{"capability_id":"a","version":"1","kind":"tool"}`, "invalid required "},
		{"invoke_result", `{"ok":true,"duration_ms":12.0}`, "ok"},
		{"invoke_result", `{"ok":true,"output":{},"error":null,"duration_ms":0,"more":1}`, "ok"},
		{"invoke_result", `{"ok":true,"error":{"code":"TIMEOUT"},"duration_ms":0}`, "invalid type /error"},
		{"invoke_result", `{"ok":false,"output":null,"error":{"code":"TIMEOUT","message":"m","x":1},"duration_ms":0}`, "ok"},
		{"invoke_result", `{"ok":false,"duration_ms":0}`, "invalid required "},
		{"invoke_result", `{"ok":false,"error":null,"duration_ms":0}`, "invalid type /error"},
		{"invoke_result", `{"ok":false,"error":{"code":"OOPS"},"duration_ms":0}`, "invalid enum /error/code"},
		{"invoke_result", `{"ok":false,"error":"TIMEOUT","duration_ms":0}`, "invalid type /error"},
		{"invoke_result", `{"ok":true,"output":[],"duration_ms":0}`, "invalid type /output"},
		{"invoke_result", `{"ok":"true","duration_ms":0}`, "invalid type /ok"},
		{"invoke_result", `{"ok":true,"duration_ms":-1}`, "invalid minimum /duration_ms"},
		{"invoke_result", `{"ok":true,"duration_ms":1.5}`, "invalid type /duration_ms"},
		{"invoke_result", `{"ok":true}`, "invalid required "},
	}
	for _, test := range tests {
		s, err := Own("cap/" + test.name + ".schema.json")
		require.NoError(t, err)
		err = s.Validate(mustDecode(t, test.value))
		got := outcome(err)
		if e, ok := err.(*Invalidity); ok {
			got += " " + e.Causes[0].Keyword + " " + e.Causes[0].InstancePointer
		}
		if got != test.want {
			t.Errorf("%s of %s is %s, want %s", test.name, test.value, got, test.want)
		}
	}
}
