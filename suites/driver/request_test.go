package driver_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
)

func TestRequestsThatAreNotSent(t *testing.T) {
	for params, want := range map[string]string{
		`{"method":"GET","path":"/a/../b"}`:                                "is no path",
		`{"method":"GET","path":"//a.test/b"}`:                             "is no path",
		`{"method":"GET","path":"http://a.test"}`:                          "is no path",
		`{"method":"GET","path":"/a?b=c"}`:                                 "is no path",
		`{"method":"GET","path":"/a%2f.."}`:                                "is no path",
		`{"method":"GET","path":"/.git"}`:                                  "is no path",
		`{"method":"PUT"}`:                                                 "method GET, POST or DELETE",
		`{"method":"GET","url":"http://a.test"}`:                           "method, headers, names and body",
		`{"method":"GET","names":"Title"}`:                                 "lower or upper",
		`{"method":"GET","body":{}}`:                                       "only a request with POST has a body",
		`{"method":"DELETE"}`:                                              "names no session",
		`{"method":"DELETE","headers":{"Mcp-Session-Id":null}}`:            "names no session",
		`{"method":"POST","headers":{"host":"a.test"}}`:                    "must not state the header Host",
		`{"method":"POST","headers":{"X-HTTP-Method-Override":"DELETE"}}`:  "must not state the header",
		`{"method":"POST","headers":{"Authorization":"Bearer a"}}`:         "must not state the header",
		`{"method":"POST","headers":{"Origin\r\nHost":"a.test"}}`:          "must not state the header",
		`{"method":"POST","headers":{"Content-Length":"1","Accept":null}}`: "must not state the header",
	} {
		_, err := driver.ReadRequest(json.RawMessage(params))
		require.Error(t, err, params)
		assert.Contains(t, err.Error(), want, params)
	}
}

func TestPathsOfRequests(t *testing.T) {
	for _, path := range []string{"/", "/a/b-c_1.json", "/.well-known/chp-identity"} {
		_, err := driver.ReadRequest(json.RawMessage(`{"method":"GET","path":"` + path + `","headers":{"X-CHP-Key":null,"X-CHP-Version":"1"}}`))
		assert.Equal(t, path == "/", err != nil, path)
	}
}

func TestRequestsHaveTheirMessage(t *testing.T) {
	for params, want := range map[string]string{
		`{"method":"POST","body":{"a":1.50}}`: `{"a":1.50}`,
		`{"method":"POST","body":"{broken"}`:  `{broken`,
		`{"method":"POST","body":null}`:       `null`,
		`{"method":"GET"}`:                    ``,
	} {
		r, err := driver.ReadRequest(json.RawMessage(params))
		require.NoError(t, err, params)
		assert.Equal(t, want, string(r.Message()), params)
	}
	r, err := driver.ReadRequest(json.RawMessage(`{"method":"GET","headers":{"last-event-id":"7"}}`))
	require.NoError(t, err)
	assert.Equal(t, "7", *r.Headers["Last-Event-Id"])
}
