package mcpdriver_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
)

// answering returns a session with a server that answers initialize with the session s and gives all other requests of
// a test to a function.
func answering(t *testing.T, header http.Header, answer http.HandlerFunc) driver.Session {
	t.Helper()
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case strings.Contains(string(body), `"initialize"`):
			w.Header().Set("Mcp-Session-Id", "s")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`)
		case strings.Contains(string(body), `"notifications/initialized"`),
			r.Method == http.MethodGet && r.Header.Get("Last-Event-Id") == "":
			w.WriteHeader(http.StatusAccepted)
		default:
			r.Body = io.NopCloser(strings.NewReader(string(body)))
			answer(w, r)
		}
	})
	session, err := mcpdriver.NewHTTP(httpdriver.Config{URL: url, Header: header}, mcpdriver.Options{}).Open(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	require.True(t, session.Info().Requests)
	return session
}

func requested(t *testing.T, session driver.Session, params string) driver.Response {
	t.Helper()
	answer, err := session.Call(t.Context(), driver.Operation{Name: "request", Request: true,
		Params: json.RawMessage(params)})
	require.NoError(t, err)
	var r driver.Response
	require.NoError(t, json.Unmarshal(answer.Result, &r))
	return r
}

// The headers of a request are those of the session, of the configuration, and those that the request states.
func TestRequestsHaveTheStatedHeaders(t *testing.T) {
	session := answering(t, http.Header{"Origin": {"http://own.test"}, "Authorization": {"Bearer secret"}},
		func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Seen", fmt.Sprint(r.Method+" ", r.Header["Origin"], r.Header["Mcp-Session-Id"], r.Header["Authorization"]))
			w.Header().Add("Set-Cookie", "a=b")
			w.WriteHeader(http.StatusTeapot)
			_, _ = io.Copy(w, r.Body)
		})
	for params, want := range map[string]string{ // sent in this order: the origin, the session, the credential
		`{"method":"POST","body":"x"}`: "POST [http://own.test] [s] [Bearer secret]",
		`{"method":"POST","body":"x","headers":{"Origin":"http://a.test","Mcp-Session-Id":null}}`: "POST [http://a.test] [] [Bearer secret]",
		`{"method":"POST","body":"x","headers":{"origin":null,"mcp-session-id":"other"}}`:         "POST [] [other] [Bearer secret]",
		`{"method":"DELETE","headers":{"Mcp-Session-Id":"other"}}`:                                "DELETE [http://own.test] [other] [Bearer secret]",
	} {
		r := requested(t, session, params)
		assert.Equal(t, http.StatusTeapot, r.Status)
		assert.Equal(t, want, r.Headers["x_seen"], params)
		assert.NotContains(t, r.Headers, "set_cookie")
		assert.True(t, r.Local)
		assert.True(t, r.Ended)
		if strings.Contains(params, "body") {
			assert.Equal(t, "x", r.Text)
		}
	}
	_, err := session.Call(t.Context(), driver.Operation{Name: "request", Request: true,
		Params: json.RawMessage(`{"method":"POST","headers":{"Host":"a.test"}}`)})
	require.ErrorIs(t, err, driver.ErrConfiguration)
}

// A stream is read until the server ends it, or for a time after the response.
func TestRequestsReadStreams(t *testing.T) {
	const response = "id: 1\nretry: 10\ndata:\n\n: a comment\n\n" +
		"data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\nid: 2\n\n"
	for name, c := range map[string]struct {
		text  string
		stays bool
		forms string
	}{
		"ended":     {response, false, " response"},
		"open":      {response, true, " response"},
		"no answer": {"data: {\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n\ndata: x\n\n", false, "notification other"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			session := answering(t, nil, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
				_, _ = io.WriteString(w, c.text)
				_ = http.NewResponseController(w).Flush()
				if c.stays {
					<-r.Context().Done()
				}
			})
			for _, params := range []string{`{"method":"POST","body":{}}`, `{"method":"GET","headers":{"Last-Event-Id":"0"}}`} {
				r := requested(t, session, params)
				var forms []string
				for _, e := range r.Events {
					forms = append(forms, e.Form)
				}
				assert.Equal(t, c.forms, strings.Join(forms, " "))
				assert.Equal(t, !c.stays, r.Ended)
				assert.Equal(t, "text/event-stream", r.Type)
				if name == "ended" {
					assert.Equal(t, "1", *r.Events[0].ID)
					assert.Equal(t, "10", *r.Events[0].Retry)
					assert.Equal(t, "2", *r.Events[1].ID)
				}
			}
		})
	}
}

// A request of the newest revision has the headers that repeat its body, under names in the stated case, and shows the
// response.
func TestRequestsOfTheNewestRevision(t *testing.T) {
	var lines []string
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), `"server/discover"`) {
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}`)
			return
		}
		lines = append(lines, r.Header.Get("Mcp-Method")+" "+r.Header.Get("Mcp-Name")+" "+r.Header.Get("Mcp-Protocol-Version"))
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32020,"message":"no"}}`)
	})
	session, err := mcpdriver.NewHTTP(httpdriver.Config{URL: server},
		mcpdriver.Options{Version: mcpdriver.ModernVersion}).Open(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	const body = `"method":"POST","body":{"method":"prompts/get","params":{"name":"p"}}`
	for _, params := range []string{`{` + body + `}`, `{` + body + `,"headers":{"Mcp-Name":"other"},"names":"upper"}`} {
		r := requested(t, session, params)
		assert.Equal(t, http.StatusBadRequest, r.Status)
		assert.JSONEq(t, `{"jsonrpc":"2.0","error":{"code":-32020,"message":"no"}}`, string(r.Response))
	}
	assert.Equal(t, []string{"prompts/get p 2026-07-28", "prompts/get other 2026-07-28"}, lines)
}
