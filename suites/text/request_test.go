package text_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
)

// over returns an MCP server over streamable HTTP that answers a ping, and everything else with status 400, and notes
// the requests.
func over(t *testing.T, seen *messages) *suites.Subject {
	t.Helper()
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		seen.add([]byte(r.Method + " " + r.Header.Get("Origin") + " " + string(body)))
		switch {
		case strings.Contains(string(body), `"initialize"`):
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`)
		case strings.Contains(string(body), `"ping"`):
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":2,"result":{}}`)
		case strings.Contains(string(body), "notifications/"):
			w.WriteHeader(http.StatusAccepted)
		default:
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	t.Cleanup(server.Close)
	return &suites.Subject{Driver: mcpdriver.NewHTTP(httpdriver.Config{URL: server.URL}, mcpdriver.Options{})}
}

func requestFiles(params, must string) map[string]string {
	edit := messageFiles("- stimulus: s\n  call: wire\n  params: "+params+"\n", must)
	edit["protocol.yaml"] = "suite: count\nmethods: true\noperations:\n  ping: {reads: true}\n  wire: {request: true}\n" +
		"  count.reset: {}\nkinds:\n  exchange: {of: wire}\n"
	return edit
}

func TestRequestsAreJudged(t *testing.T) {
	for params, c := range map[string]struct{ must, want, sent string }{
		`{method: '"GET"', headers: {Origin: '"http://a.test"'}}`:      {"exchange.result.status == 400", "passed", "GET http://a.test "},
		`{method: '"POST"', body: {method: '"ping"'}}`:                 {"exchange.result.status == 400", "failed", `POST  {"method":"ping"}`},
		`{method: '"DELETE"', headers: {Mcp-Session-Id: "null"}}`:      {"true", "not_applicable: not observed: a session that can be ended", ""},
		`{method: '"DELETE"', headers: {Mcp-Session-Id: '"a"'}}`:       {"exchange.result.session == 'a'", "passed", "DELETE  "},
		`{method: '"POST"', body: {method: '"count.reset"'}}`:          {"true", "inconclusive: count.reset was not invoked", ""},
		`{method: '"POST"', body: '"{\"method\":\"count.reset\"}"'}`:   {"true", "inconclusive: count.reset was not invoked", ""},
		`{method: '"POST"', headers: {Host: '"a.test"'}, body: "1"}`:   {"true", "error", ""},
		`{method: '"POST"', headers: {Cookie: '"a=b"'}, body: '"{}"'}`: {"true", "error", ""},
	} {
		t.Run(params, func(t *testing.T) {
			var seen messages
			got := statuses(t, folder(t, requestFiles(params, c.must)), over(t, &seen))["COUNT-1-01"]
			assert.Truef(t, strings.HasPrefix(got, c.want), "%s, want %s", got, c.want)
			sent := strings.Join(seen.all(), "\n")
			assert.Contains(t, sent, c.sent)
			assert.NotContains(t, sent, "count.reset")
		})
	}
}

func TestRequestsNeedHTTP(t *testing.T) {
	var seen messages
	edit := requestFiles(`{method: '"GET"'}`, "true")
	edit["protocol.yaml"] = strings.Replace(edit["protocol.yaml"], "  ping: {reads: true}\n", "  count.next: {reads: true}\n", 1)
	got := statuses(t, folder(t, edit), wire(&seen))["COUNT-1-01"]
	assert.Contains(t, got, "a request of HTTP; this transport sends messages only")
}
