package schemas

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func acpSchema(t *testing.T, name string) *Schema {
	t.Helper()
	s, err := Own("acp/" + name + ".schema.json")
	require.NoError(t, err)
	return s
}

// acpPackage returns a package with what the text requires and the given members.
func acpPackage(metadata, sections string) string {
	return `{"metadata":{"id":"did:nuwa:cap:tea@1.0.0"` + metadata + `},"schema":"{}"` + sections + `}`
}

// schemaCase is a value with the part of a schema that it breaks, or "ok".
type schemaCase struct{ value, want string }

func checkSchema(t *testing.T, name string, cases []schemaCase) {
	t.Helper()
	decides := acpSchema(t, name)
	for _, c := range cases {
		if got := brokenParts(t, decides, mustDecode(t, c.value)); got != c.want {
			t.Errorf("%s: %s, want %s", c.value, got, c.want)
		}
	}
}

func TestPackageSchemaOfIdentity(t *testing.T) {
	id := func(id string) string { return strings.Replace(acpPackage("", ""), "did:nuwa:cap:tea@1.0.0", id, 1) }
	checkSchema(t, "package", []schemaCase{
		{acpPackage("", ""), "ok"},
		{acpPackage(`,"avatar":1`, `,"more":[]`), "ok"},
		{acpPackage("", `,"prompt":null,"tools":null,"tool_bindings":null`), "ok"},
		{`{"schema":"{}"}`, "metadata"},
		{`{"metadata":{"id":"did:nuwa:cap:tea@1.0.0"},"schema":{}}`, "schema"},
		{`{"metadata":{"id":"did:nuwa:cap:tea@1.0.0"}}`, "schema"},
		{`{"metadata":{},"schema":""}`, "id"},
		{id("did:nuwa:cap:Tea.2_x-y@1.0.0-rc.1+build.5"), "ok"},
		{id("did:nuwa:cap:tea@0.0.0"), "ok"},
		{id("did:nuwa:cap:shop:_tea%20@1.0.0"), "ok"},
		{id("did:nuwa:cap:tea@1.0.0-0a.1"), "ok"},
		{id("did:nuwa:cap:tea"), "id"},
		{id("did:nuwa:cap:@1.0.0"), "id"},
		{id("did:nuwa:caps:tea@1.0.0"), "id"},
		{id("did:nuwa:cap:te a@1.0.0"), "id"},
		{id("did:nuwa:cap:tea:@1.0.0"), "id"},
		{id("did:nuwa:cap:tea@"), "id"},
		{id("did:nuwa:cap:tea@1.0"), "version"},
		{id("did:nuwa:cap:tea@v1.0.0"), "version"},
		{id("did:nuwa:cap:tea@01.0.0"), "version"},
		{id("did:nuwa:cap:tea@1.0.0-01"), "version"},
		{id("did:nuwa:cap:tea@1.0.0+"), "version"},
		{id("did:nuwa:cap:tea@latest"), "version"},
		{`[]`, "type"},
	})
}

func TestPackageSchemaOfTools(t *testing.T) {
	tool := func(members string) string {
		return acpPackage("", `,"tools":[{"type":"function","function":{`+members+`}}]`)
	}
	binding := func(members string) string { return acpPackage("", `,"tool_bindings":{"a":`+members+`}`) }
	checkSchema(t, "package", []schemaCase{
		{acpPackage("", `,"prompt":["a"]`), "prompt"},
		{acpPackage("", `,"tools":[]`), "ok"},
		{acpPackage("", `,"tools":{}`), "tools"},
		{tool(`"name":"a","strict":true,"parameters":{"type":"object","properties":{}}`), "ok"},
		{tool(`"name":"a","description":1`), "function"},
		{tool(`"description":"a"`), "function"},
		{tool(`"name":"state.create"`), "ok"},
		{tool(`"name":"tea.create"`), "ok"},
		{tool(`"name":"tea/create"`), "name"},
		{tool(`"name":"` + strings.Repeat("a", 65) + `"`), "name"},
		{tool(`"name":"a","parameters":{"properties":{}}`), "parameters"},
		{tool(`"name":"a","parameters":{"type":"array"}`), "parameters"},
		{tool(`"name":"a","parameters":{"type":["object"]}`), "ok"},
		{tool(`"name":"a","parameters":{"$ref":"#/schema"}`), "ok"},
		{tool(`"name":"a","parameters":{"$ref":"#/schema","type":"array"}`), "parameters"},
		{tool(`"name":"a","parameters":null`), "ok"},
		{tool(`"name":""`), "function"},
		{acpPackage("", `,"tools":[{"function":{"name":"a"}}]`), "function"},
		{acpPackage("", `,"tools":[{"type":"tool","function":{"name":"a"}}]`), "function"},
		{acpPackage("", `,"tool_bindings":[]`), "tool_bindings"},
		{binding(`{"type":"sms","number":1}`), "ok"},
		{binding(`{"number":1}`), "typed"},
		{binding(`{"type":""}`), "typed"},
		{binding(`"http_get"`), "typed"},
	})
}

func TestPackageSchemaOfMetadata(t *testing.T) {
	checkSchema(t, "package", []schemaCase{
		{acpPackage(`,"triggers":[{"type":"regex","value":"a"},{"type":"mood","value":""}]`, ""), "ok"},
		{acpPackage(`,"triggers":{"type":"regex","value":"a"}`, ""), "triggers"},
		{acpPackage(`,"triggers":["a",["b"],7,{"keywords":["c"]}]`, ""), "ok"},
		{acpPackage(`,"triggers":[null]`, ""), "trigger"},
		{acpPackage(`,"triggers":[{"type":"keyword","value":[]}]`, ""), "trigger"},
		{acpPackage(`,"triggers":[{"type":"regex"}]`, ""), "trigger"},
		{acpPackage(`,"triggers":[{"value":"a"}]`, ""), "ok"},
		{acpPackage(`,"permissions":{"require":[]}`, ""), "ok"},
		{acpPackage(`,"permissions":{"require":"state.create"}`, ""), "permissions"},
		{acpPackage(`,"permissions":["state.create"]`, ""), "permissions"},
		{acpPackage(`,"llm_requirements":{"speed":1,"min_context_window":16000.0}`, ""), "ok"},
		{acpPackage(`,"llm_requirements":[]`, ""), "llm_requirements"},
		{acpPackage(`,"llm_requirements":{"model_family":"gpt-4"}`, ""), "model_family"},
		{acpPackage(`,"llm_requirements":{"model_family":[4]}`, ""), "model_family"},
		{acpPackage(`,"llm_requirements":{"specific_model_uri":["a"]}`, ""), "specific_model_uri"},
		{acpPackage(`,"llm_requirements":{"min_context_window":"16000"}`, ""), "min_context_window"},
		{acpPackage(`,"llm_requirements":{"min_context_window":1.5}`, ""), "min_context_window"},
		{acpPackage(`,"llm_requirements":{"required_features":"json"}`, ""), "required_features"},
	})
}

func TestBindingSchema(t *testing.T) {
	tests := []struct{ value, want string }{
		{`{"type":"http_get","url":"https://example.org/a?b=c"}`, "ok"},
		{`{"type":"http_get","url":"HTTP://example.org"}`, "ok"},
		{`{"type":"http_get","url":"{base}/tea"}`, "ok"},
		{`{"type":"http_get"}`, "http_get"},
		{`{"type":"http_get","url":"/tea"}`, "address"},
		{`{"type":"http_get","url":"ftp://example.org/"}`, "address"},
		{`{"type":"http_post","url":""}`, "address"},
		{`{"type":"http_post"}`, "http_post"},
		{`{"type":"nuwa_a2a","target_did":"did:nuwa:agent:1","service_method":"a"}`, "ok"},
		{`{"type":"nuwa_a2a","target_did":"{contact_did}","service_method":"a"}`, "ok"},
		{`{"type":"nuwa_a2a","service_method":"a"}`, "nuwa_a2a_target"},
		{`{"type":"nuwa_a2a","target_did":"bob","service_method":"a"}`, "did"},
		{`{"type":"nuwa_a2a","target_did":"did:x:1"}`, "nuwa_a2a_method"},
		{`{"type":"mcp_service","service_uri":"did:nuwa:mcp:a:stable","mcp_action":"b"}`, "ok"},
		{`{"type":"mcp_service","service_uri":"https://example.org/mcp","mcp_action":"b"}`, "ok"},
		{`{"type":"mcp_service","mcp_action":"b"}`, "mcp_service_uri"},
		{`{"type":"mcp_service","service_uri":"scraper","mcp_action":"b"}`, "uri"},
		{`{"type":"mcp_service","service_uri":"did:a:b"}`, "mcp_service_action"},
		{`{"type":"mcp_service","service_uri":"did:a:b","mcp_action":""}`, "word"},
		{`{"type":"carrier_pigeon"}`, "ok"},
	}
	decides := acpSchema(t, "binding")
	for _, c := range tests {
		if diff := cmp.Diff(c.want, brokenParts(t, decides, mustDecode(t, c.value))); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.value, diff)
		}
	}
}

func TestStateSchema(t *testing.T) {
	const head = `{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"did:nuwa:state:tea#v1"`
	member := func(annotations string) string { return head + `,"properties":{"a":{` + annotations + `}}}` }
	tests := []struct{ value, want string }{
		{head + `}`, "ok"},
		{`{"$id":"https://example.org/tea#1.2.3"}`, "ok"},
		{`{"$id":"did:nuwa:cap:tea:state:Tea#v1"}`, "ok"},
		{`{}`, "schema_uri"},
		{`{"$id":"tea#v1"}`, "schema_uri"},
		{`{"$id":"did:nuwa:state:tea"}`, "ok"},
		{`{"$id":"did:nuwa:state:tea#"}`, "ok"},
		{`{"$id":7}`, "schema_uri"},
		{strings.Replace(head, "2020-12", "2019-09", 1) + `}`, "dialect"},
		{member(`"x-crdt":"rga_text"`), "ok"},
		{member(`"x-crdt":"append_only"`), "strategy"},
		{member(`"x-crdt":["flag"]`), "strategy"},
		{member(`"items":{"anyOf":[{"x-crdt":"last"}]}`), "strategy"},
		{head + `,"definitions":{"a":{"x-crdt":"last"}}}`, "strategy"},
		{head + `,"properties":{"x-crdt":{"type":"string"}}}`, "ok"},
		{member(`"default":{"x-crdt":"last"},"enum":[{"x-crdt":1}]`), "ok"},
		{member(`"x-asm":{"container":"log","crdt":"append_only","x-ttl":"P14D","x-compression":"br","x-visibility":"private","more":1}`), "ok"},
		{member(`"x-asm":{"container":"map","keyType":"string","valueRef":"#/$defs/a","x-retention":{"window":"P90D","strategy":"evict"}}`), "ok"},
		{member(`"x-asm":"log"`), "policy"},
		{member(`"x-asm":{"container":"tree"}`), "policy"},
		{member(`"x-asm":{"crdt":1}`), "policy"},
		{member(`"x-asm":{"x-ttl":"14 days"}`), "duration"},
		{member(`"x-asm":{"x-ttl":"P"}`), "duration"},
		{member(`"x-asm":{"x-ttl":"PT"}`), "duration"},
		{member(`"x-asm":{"x-ttl":"P2W"}`), "ok"},
		{member(`"x-asm":{"x-ttl":"P1Y2M3DT4H5M6.5S"}`), "ok"},
		{member(`"x-asm":{"x-retention":"P90D"}`), "lifecycle"},
		{member(`"x-asm":{"x-compression":"lz4"}`), "lifecycle"},
		{member(`"x-asm":{"x-visibility":"secret"}`), "lifecycle"},
	}
	decides := acpSchema(t, "state")
	for _, c := range tests {
		if diff := cmp.Diff(c.want, brokenParts(t, decides, mustDecode(t, c.value))); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.value, diff)
		}
	}
}

// The closed readings refuse more than the open ones.
func TestClosedPackageSchema(t *testing.T) {
	const triggers = `,"triggers":[{"type":"regex","value":"tea"}]`
	metadata := func(members string) string { return acpPackage(triggers+members, "") }
	trigger := func(trigger string) string { return acpPackage(`,"triggers":[`+trigger+`]`, "") }
	binding := func(members string) string {
		return acpPackage(triggers, `,"tool_bindings":{"a":{`+members+`}}`)
	}
	tests := []struct {
		value string
		ok    bool
	}{
		{metadata(""), true},
		{metadata(`,"x-avatar":1,"author":{"did":"did:key:z6Mk"},"memory_scope":"sc:tea","llm_requirements":{"more":1}`),
			true},
		{acpPackage("", ""), false},
		{metadata(`,"avatar":1`), false},
		{metadata(`,"author":{"name":"A"}`), false},
		{metadata(`,"memory_scope":"tea"`), false},
		{metadata(`,"name":1`), false},
		{metadata(`,"permissions":{"require":["state.create","storage.large"]}`), true},
		{metadata(`,"permissions":{"require":["state.upsert"]}`), false},
		{metadata(`,"permissions":{"required":[]}`), false},
		{acpPackage(triggers, `,"tool":[]`), false},
		{acpPackage(triggers, `,"x-more":[]`), true},
		{acpPackage(triggers, `,"tools":[{"type":"function","function":{"name":"state.upsert"}}]`), false},
		{strings.Replace(metadata(""), "cap:tea", "cap:Tea", 1), false},
		{trigger(`{"type":"mood","value":"a"}`), false},
		{trigger(`{"type":"regex","value":"a","weight":1}`), false},
		{binding(`"type":"http_get","url":"https://example.org/","method":"GET"`), false},
		{binding(`"type":"http_post","url":"https://example.org/","x-note":1`), true},
		{binding(`"type":"nuwa_a2a","target_did":"did:a:b","service_method":"c","url":"d"`), false},
		{binding(`"type":"mcp_service","service_uri":"did:a:b","mcp_action":"c","args":{}`), false},
		{binding(`"type":"carrier_pigeon","speed":1`), true},
	}
	decides, closed := acpSchema(t, "package"), acpSchema(t, "package.closed")
	for _, c := range tests {
		value := mustDecode(t, c.value)
		if err := decides.Validate(value); err != nil {
			t.Errorf("%s: %v", c.value, err)
		}
		if err := closed.Validate(value); (err == nil) != c.ok {
			t.Errorf("%s: the closed reading returned %v, want ok %v", c.value, err, c.ok)
		}
	}
}
