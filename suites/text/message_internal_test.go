package text

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

func TestMessagesCallOnlyWhatIsAdmitted(t *testing.T) {
	const made = `"unknown-0a1b2c3d"`
	for message, foreign := range map[string]string{
		`{"jsonrpc": "2.0", "method": ` + made + `, "params": ["method"], "id": 1}`: "",
		`{"method": "rpc.unknown-0a1b2c3d"}`:                                        "",
		`{"method": "count.next"}`:                                                  "", // it reads
		`{"method": "count.reset"}`:                                                 "count.reset",
		`{"method": "unknown-reset"}`:                                               "unknown-reset",
		`{"method": "rpc.discover"}`:                                                "rpc.discover",
		`[{"method": ` + made + `}, {"method": "a"}]`:                               "a",
		`{"method": ` + made + `, "method": "a"}`:                                   "a",
		`{"METHOD": "a"}`:                                                           "a",
		`{"\u006dethod": "\u0061"}`:                                                 "a",
		`{"\x6dethod": "a"}`:                                                        `\x6dethod`,
		`{"method" : "a`:                                                            "a",
		`{"method": 1, "id": {}}`:                                                   "",
		`{"method": null}`:                                                          "",
		`{"method": nullify}`:                                                       "nullify}",
		`{"method": ["a"]}`:                                                         `["a"]}`,
		`{"method"]`:                                                                "",
		`{method: "a"}`:                                                             "method: ",
		`{'method': 'a'}`:                                                           "method': 'a'}",
		`"{\"method\": \"a\"}"`:                                                     `{"method": "a"}`,
		"{\"m\x00\": 1}":                                                            "{\"m\x00\": 1}",
		`[]`:                                                                        "",
		``:                                                                          "",
	} {
		want := live.Use{}
		if foreign != "" {
			want = live.Use{Invokes: true, ID: foreign, Also: []string{}}
		}
		assert.Equal(t, want, messageUse([]byte(message), []string{"count.next"}), message)
	}
}

// A request does what its message does, and what its headers name in place of that.
func TestRequestsInvokeWhatTheyName(t *testing.T) {
	own := &Text{protocol: &protocol{Operations: []operation{{Name: "list", Reads: true}, {Name: "call", ID: "name"}}}}
	for sent, want := range map[string][]string{
		`{"body":{"method":"list"}}`:                                                                nil,
		`{"body":{"method":"call","params":{"name":"sum"}}}`:                                        {"sum"},
		`{"body":{"method":"call","params":{"name":"unknown-0a1b2c3d"}}}`:                           nil,
		`{"body":{"method":"call","params":{"name":"sum","Name":"other"}}}`:                         {"call"},
		`{"body":{"method":"call","params":{"name":"sum"},"Params":{}}}`:                            {"call"},
		`{"body":"{\"method\":\"call\",\"params\":{\"name\":1,\"name\":2}}"}`:                       {"call"},
		`{"body":{"method":"list"},"headers":{"Mcp-Method":"List"}}`:                                nil,
		`{"body":{"method":"list"},"headers":{"Mcp-Method":"call","Mcp-Name":"remove"}}`:            {"call", "remove"},
		`{"body":{"method":"call","params":{"name":"a"}},"headers":{"Mcp-Name":"b"}}`:               {"a", "b"},
		`{"body":{"method":"call","params":{"name":"a"}},"headers":{"Mcp-Name":"=?base64?YQ==?="}}`: {"a"},
		`{"body":{"method":"call","params":{"name":"a"}},"headers":{"Mcp-Name":"=?base64?Yg==?="}}`: {"a", "=?base64?Yg==?="},
		`{"body":{"method":"call","params":{"name":"a"}},"headers":{"Mcp-Name":null}}`:              {"a"},
	} {
		use := own.requestUse(driver.Operation{Request: true, Params: []byte(`{"method":"POST",` + sent[1:])})
		var got []string
		if use.Invokes {
			got = append([]string{use.ID}, use.Also...)
		}
		assert.Equal(t, want, slices.Compact(got), sent)
	}
}

func TestMembersOfANameAtAnyDepth(t *testing.T) {
	value := object{"a": object{"x": "1", "b": []any{object{"x": object{"x": 2}}}}, "x": nil}
	assert.Equal(t, []any{object{"x": 2}, 2, "1", nil}, named(value, "x"))
}

func TestNamesThatAreTwiceInAnObject(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a":{"b":{"c":1,"c":2}}}`:       true,
		`{"a":{"b":{"c":{"d":1,"d":2}}}}`: true,
		`{"a":{"b":{"c":1,"d":2}}}`:       false,
		`{"a":{"c":1,"c":2,"b":{}}}`:      false,
		`{"a":{"b":{"c":1,"c":}}}`:        false,
		`{"a":1}`:                         false,
		``:                                false,
	} {
		assert.Equal(t, want, repeatsNames(text, "a.b"), text)
	}
}
