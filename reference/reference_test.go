package reference_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
)

func newHost(t testing.TB, options reference.Options) *reference.Host {
	t.Helper()
	host, err := reference.New(options)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, host.Close()) })
	return host
}

// call sends one operation and returns the result and the error of the reply.
func call(t testing.TB, host *reference.Host, method, params string) (result, fault any) {
	t.Helper()
	reply := host.Handle(context.Background(),
		[]byte(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`))
	var members map[string]any
	require.NoError(t, json.Unmarshal(reply, &members), "%s", reply)
	return members["result"], members["error"]
}

func invoke(t testing.TB, host *reference.Host, id, version, input string) map[string]any {
	t.Helper()
	result, fault := call(t, host, "capability.invoke",
		`{"ref":{"capability_id":"`+id+`","version":"`+version+`"},"input":`+input+`}`)
	require.Nil(t, fault)
	members, _ := result.(map[string]any)
	delete(members, "duration_ms")
	return members
}

func code(t testing.TB, result map[string]any) string {
	t.Helper()
	if result["ok"] == true {
		return "ok"
	}
	fault, _ := result["error"].(map[string]any)
	code, _ := fault["code"].(string)
	return code
}

func TestHandleImplementsJSONRPC(t *testing.T) {
	tests := map[string]struct{ request, want string }{
		"not JSON":      {`{`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"message is not JSON"}}`},
		"trailing text": {`{} {}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"message is not JSON"}}`},
		"not UTF-8": {"\"\xff\"",
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"message is not UTF-8"}}`},
		"batch": {`[]`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"request is not an object"}}`},
		"old version": {`{"jsonrpc":"1.0","id":7,"method":"x"}`,
			`{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"jsonrpc is not \"2.0\""}}`},
		"no method": {`{"jsonrpc":"2.0","id":7}`,
			`{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"method is not a string"}}`},
		"id not scalar": {`{"jsonrpc":"2.0","id":{},"method":"x"}`,
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"id is neither string, number nor null"}}`},
		"unknown method": {`{"jsonrpc":"2.0","id":"a","method":"x"}`,
			`{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"method not found"}}`},
		"params array": {`{"jsonrpc":"2.0","id":7,"method":"capability.list","params":[]}`,
			`{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"params is not an object"}}`},
		"no ref": {`{"jsonrpc":"2.0","id":7,"method":"capability.invoke","params":{}}`,
			`{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"ref must have capability_id and version, both strings"}}`},
		"large id": {`{"jsonrpc":"2.0","id":12345678901234567890,"method":"x"}`,
			`{"jsonrpc":"2.0","id":12345678901234567890,"error":{"code":-32601,"message":"method not found"}}`},
		"notification":   {`{"jsonrpc":"2.0","method":"capability.list"}`, ``},
		"unknown notice": {`{"jsonrpc":"2.0","method":"x"}`, ``},
		"unknown pair": {
			`{"jsonrpc":"2.0","id":7,"method":"capability.describe","params":{"capability_id":"no.such","version":"1"}}`,
			`{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"data":{"code":"NOT_FOUND"},"message":"no capability \"no.such\" in version \"1\""}}`,
		},
	}
	host := newHost(t, reference.Options{})
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := string(host.Handle(context.Background(), []byte(test.request)))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("reply (-want +got)\n%s", diff)
			}
		})
	}
}

func TestInvokeReturnsCodeOfCause(t *testing.T) {
	tests := map[string]struct{ id, version, input, want string }{
		"echo":                               {"conformance.echo", "1.0.0", `{"message":"hi","repeat":2}`, "ok"},
		"echo, integer with a decimal point": {"conformance.echo", "1.0.0", `{"message":"hi","repeat":2.0}`, "ok"},
		"echo 2":                             {"conformance.echo", "2.0.0", `{"text":"hi"}`, "ok"},
		"echo 2, input of echo 1":            {"conformance.echo", "2.0.0", `{"message":"hi"}`, "INVALID_INPUT"},
		"echo, too long": {"conformance.echo", "1.0.0", `{"message":"` + string(make280()) + `x"}`,
			"INVALID_INPUT"},
		"echo, longest":       {"conformance.echo", "1.0.0", `{"message":"` + string(make280()) + `"}`, "ok"},
		"echo, not an object": {"conformance.echo", "1.0.0", `[]`, "INVALID_INPUT"},
		"echo, null":          {"conformance.echo", "1.0.0", `null`, "INVALID_INPUT"},
		"echo, huge exponent": {"conformance.echo", "1.0.0", `{"message":"hi","repeat":1e1000001}`, "INVALID_INPUT"},
		"fail":                {"conformance.fail", "1.0.0", `{}`, "EXECUTION_FAILED"},
		"fail, invalid":       {"conformance.fail", "1.0.0", `{"x":1}`, "INVALID_INPUT"},
		"slow":                {"conformance.slow", "1.0.0", `{}`, "TIMEOUT"},
		"restricted":          {"conformance.restricted", "1.0.0", `{}`, "PERMISSION_DENIED"},
		"restricted, invalid": {"conformance.restricted", "1.0.0", `{"x":1}`, "INVALID_INPUT"},
		"malformed":           {"conformance.malformed", "1.0.0", `{}`, "EXECUTION_FAILED"},
		"brief":               {"conformance.brief", "1.0.0", `{"topic":"tides"}`, "ok"},
		"unknown version":     {"conformance.echo", "9.0.0", `{"message":1}`, "NOT_FOUND"},
		"text":                {"text.measure", "1.0.0", `{"text":"a b","unit":"words"}`, "ok"},
		"texts":               {"text.measure", "2.0.0", `{"texts":["a b","c"]}`, "ok"},
		"points": {"geo.measure_distance", "1.0.0",
			`{"from":{"latitude":1,"longitude":2},"to":{"latitude":90,"longitude":180}}`, "ok"},
		"point, exclusive bound": {"geo.measure_distance", "1.0.0",
			`{"from":{"latitude":1,"longitude":-180},"to":{"latitude":90,"longitude":180}}`, "INVALID_INPUT"},
		"date":                {"calendar.find_weekday", "1.0.0", `{"date":"0000-99-99"}`, "ok"},
		"sort":                {"list.sort", "1.0.0", `{"numbers":[3,1.5]}`, "ok"},
		"sort, equal numbers": {"list.sort", "1.0.0", `{"numbers":[3,3.0]}`, "INVALID_INPUT"},
		"convert":             {"units.convert", "1.0.0", `{"value":3,"from":"mile","to":"inch","step":2.5}`, "ok"},
		"convert, step": {"units.convert", "1.0.0", `{"value":3,"from":"mile","to":"inch","step":2.3}`,
			"INVALID_INPUT"},
		"lookup": {"table.lookup", "1.0.0",
			`{"key":"a","rows":[{"key":"a","value":true}],"labels":{"x":"y"}}`, "ok"},
		"lookup, nothing": {"table.lookup", "1.0.0", `{"key":"a","rows":[]}`, "ok"},
		"area":            {"shape.compute_area", "1.0.0", `{"shape":{"form":"circle","radius":2}}`, "ok"},
		"area, mixed": {"shape.compute_area", "1.0.0", `{"shape":{"form":"circle","width":2,"height":2}}`,
			"INVALID_INPUT"},
		"mix": {"colour.compute_mix", "1.0.0", `{"first":"ffffff","second":"000000"}`, "ok"},
	}
	host := newHost(t, reference.Options{Suites: []string{"cap"}})
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, code(t, invoke(t, host, test.id, test.version, test.input))); diff != "" {
				t.Errorf("code (-want +got)\n%s", diff)
			}
		})
	}
}

func make280() []byte {
	text := make([]byte, 280)
	for i := range text {
		text[i] = 'm'
	}
	return text
}

func BenchmarkHandle(b *testing.B) {
	host := newHost(b, reference.Options{})
	for name, request := range map[string]string{
		"list":     `{"jsonrpc":"2.0","id":1,"method":"capability.list","params":{}}`,
		"describe": `{"jsonrpc":"2.0","id":1,"method":"capability.describe","params":{"capability_id":"conformance.echo","version":"1.0.0"}}`,
		"invoke":   `{"jsonrpc":"2.0","id":1,"method":"capability.invoke","params":{"ref":{"capability_id":"conformance.echo","version":"1.0.0"},"input":{"message":"hi"}}}`,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				host.Handle(context.Background(), []byte(request))
			}
		})
	}
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			newHost(b, reference.Options{})
		}
	})
}
