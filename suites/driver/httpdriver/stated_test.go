package httpdriver_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
)

// A request to a path has the headers of the target, except for those that it states, and its whole answer is the result.
func TestRequestsToPaths(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Set-Cookie", "a=b")
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, r.Method+" "+r.URL.Path+" "+r.Header.Get("X-Key")+" "+r.Header.Get("X-Wire-Version")+" "+string(body))
	}))
	defer server.Close()
	routes := []driver.Route{{Operation: "a", Method: http.MethodGet, Path: "/a"}}
	open := func(b httpdriver.Bindings) driver.Session {
		session, err := httpdriver.New(httpdriver.Config{URL: server.URL + "/base", Bindings: b,
			Header: http.Header{"X-Key": {"secret"}}}).Open(t.Context())
		require.NoError(t, err)
		t.Cleanup(func() { _ = session.Close() })
		return session
	}
	session := open(httpdriver.Bindings{}.WithRoutes(routes))
	require.True(t, session.Info().Requests)
	for params, want := range map[string]string{
		`{"method":"GET","path":"/b/c"}`:                                            "GET /base/b/c secret  ",
		`{"method":"GET","path":"/b","headers":{"X-Key":null}}`:                     "GET /base/b   ",
		`{"method":"POST","path":"/b","body":"{","headers":{"X-Wire-Version":"1"}}`: "POST /base/b secret 1 {",
	} {
		answer, err := session.Call(t.Context(), driver.Operation{Name: "request", Request: true, Params: json.RawMessage(params)})
		require.NoError(t, err)
		var got driver.Response
		require.NoError(t, json.Unmarshal(answer.Result, &got))
		assert.Equal(t, http.StatusTeapot, got.Status)
		assert.Equal(t, "text/plain", got.Type)
		assert.NotContains(t, got.Headers, "set_cookie")
		assert.Equal(t, want, got.Text)
	}
	_, err := session.Call(t.Context(), driver.Operation{Name: "request", Request: true, Params: json.RawMessage(`{"method":"GET"}`)})
	assert.ErrorContains(t, err, "states a path")
	assert.False(t, open(httpdriver.Bindings{}).Info().Requests, "the operations have no paths")
}
