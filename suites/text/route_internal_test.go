package text

import (
	"encoding/json"
	"strings"
	"testing"

	jsontext "github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

// A request to a path needs the permission of the operation with this route.
func TestWhatRequestsToPathsDo(t *testing.T) {
	p, err := readProtocol("protocol.yaml", []byte(`
suite: shop
fixtures: [conformance.buy]
operations:
  goods: {http: GET /goods, reads: true}
  one:   {http: "GET /goods/{id}", reads: true}
  buy:   {http: POST /buy, invokes: {id: params.good, of: good, by: sku}}
  close: {http: POST /close}
  wire:  {request: true}
kinds:
  good: {of: goods, each: result.goods}
`))
	require.NoError(t, err)
	own := &Text{protocol: p}
	use := func(id string) live.Use { return live.Use{Invokes: true, ID: id} }
	for params, want := range map[string]live.Use{
		`{"method":"GET","path":"/goods"}`:                                              {},
		`{"method":"GET","path":"/goods/7"}`:                                            {},
		`{"method":"GET","path":"/goods/7/8"}`:                                          use("GET /goods/7/8"),
		`{"method":"GET","path":"/unknown-0123abcd"}`:                                   {},
		`{"method":"POST","path":"/unknown-0123abcd","body":"{"}`:                       use("POST /unknown-0123abcd"),
		`{"method":"GET","path":"/reset"}`:                                              use("GET /reset"),
		`{"method":"POST","path":"/goods","body":"{"}`:                                  use("POST /goods"),
		`{"method":"POST","path":"/buy","body":{"good":"a"}}`:                           use("a"),
		`{"method":"POST","path":"/buy","body":{"good":"unknown-0123abcd"}}`:            {},
		`{"method":"POST","path":"/buy","body":{"good":" "}}`:                           {},
		`{"method":"POST","path":"/buy","body":"{"}`:                                    {},
		`{"method":"POST","path":"/buy","body":"{\"good\":\"a\""}`:                      use("buy"),
		`{"method":"POST","path":"/buy","body":"{\"good\":1,\"good\":\"a\"}"}`:          use("buy"),
		`{"method":"POST","path":"/buy","body":{"good":"unknown-0123abcd","GOOD":"a"}}`: use("buy"),
		`{"method":"POST","path":"/close","body":"7"}`:                                  use("close"),
	} {
		assert.Equal(t, want, own.requestUse(driver.Operation{Params: json.RawMessage(params)}), params)
	}
	_, err = readProtocol("protocol.yaml", []byte("suite: shop\nfixtures: [reset]\noperations:\n  goods: {reads: true}\n"))
	assert.ErrorContains(t, err, "protocol.yaml:2:12: the name of a fixture begins with conformance.")
	for subject, want := range map[string]string{
		"{name: id}":                        "2:17: expected the path of a member",
		"{version: 'result.all[].version'}": "2:20: expected the path of a member",
		"{declares: result.version}":        "2:21: declares is a list of paths",
		"{title: result.title}":             "2:11: there is no key title",
	} {
		_, err = readProtocol("protocol.yaml", []byte("suite: shop\nsubject: "+subject+"\noperations:\n  goods: {reads: true}\n"))
		assert.ErrorContains(t, err, want)
	}
}

func TestOrderOfNames(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"b":{"c":1,"d":[{"e":1,"f":2}]}}`: "",
		`{"b":1,"a":2}`:                 "a",
		`[{"a":{"z":1,"y":2}}]`:         "y",
		`{"data":{"z":1,"y":2},"x":1}`:  "",
		`{"\uffff":1,"\ud83d\ude00":2}`: "", // by code points
		`{"\ud83d\ude00":2,"\uffff":1}`: "", // by UTF-16
		`{"b":1,"a`:                     "",
		`no`:                            "",
	} {
		assert.Equal(t, want, unsorted(jsontext.NewDecoder(strings.NewReader(text)), []any{"data"}), text)
	}
}
