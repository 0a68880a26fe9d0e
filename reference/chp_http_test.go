package reference_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/chphost"
)

const chpEnvelope = `{"invocation_id":"inv-1","capability_id":%q,"mode":"sync","correlation":{"correlation_id":%q},"subject":{},"payload":{},"requested_at":"2026-05-04T10:00:00Z"}`

// fetch returns the status and the body of one request. The path is sent unchanged.
func fetch(t *testing.T, url, request, body string, header http.Header) (int, string) {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r, err := http.NewRequestWithContext(t.Context(), method, url+path, strings.NewReader(body))
	require.NoError(t, err)
	maps.Copy(r.Header, header)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(r)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	received, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(received)
}

func fault(code string) string { return `^\{"error":\{"code":"` + code + `","message":"[^"]+"\}\}$` }

func TestCHPOverItsOwnBinding(t *testing.T) {
	url := serveHTTP(t, newHost(t, reference.Options{}).HTTPHandler())
	tests := map[string]struct {
		request, body, version string
		status                 int
		want                   string
	}{
		"health": {"GET /health", "", "", 200,
			`^\{"host_id":"capconform-reference","host_version":"1.0.0","protocol":"chp","status":"ok","version":"0.1"\}$`},
		"root":         {"GET /", "", "", 200, `"status":"ok"`},
		"host":         {"GET /host", "", "", 200, `^\{"capabilities":\[\{.*"protocol_version":"0.1"`},
		"capabilities": {"GET /capabilities", "", "", 200, `^\{"capabilities":\[\{`},
		"success": {"POST /invoke", fmt.Sprintf(chpEnvelope, "conformance.echo", "c-1"), "", 200,
			`"outcome":"success"`},
		"failure": {"POST /invoke", fmt.Sprintf(chpEnvelope, "conformance.fail", "c-2"), "", 200,
			`"outcome":"failure"`},
		"denied": {"POST /invoke", fmt.Sprintf(chpEnvelope, "conformance.guarded", "c-3"), "", 200,
			`"outcome":"denied"`},
		"skipped": {"POST /invoke", fmt.Sprintf(chpEnvelope, "conformance.disabled", "c-4"), "", 200,
			`"outcome":"skipped"`},
		"no JSON":            {"POST /invoke", `{`, "", 400, fault("invalid_request")},
		"two documents":      {"POST /invoke", `{} {}`, "", 400, fault("invalid_request")},
		"closes the message": {"POST /invoke", `{}},"id":2,"x":{"a":{}`, "", 400, fault("invalid_request")},
		"not UTF-8":          {"POST /invoke", "{\"a\":\"\xff\"}", "", 400, fault("invalid_request")},
		"empty":              {"POST /invoke", ``, "", 400, fault("invalid_request")},
		"an array":           {"POST /invoke", `[]`, "", 400, fault("invalid_request")},
		"members missing":    {"POST /invoke", `{}`, "", 400, fault("invalid_request")},
		"payload not an object": {"POST /invoke", strings.Replace(fmt.Sprintf(chpEnvelope, "conformance.echo", "c"),
			`"payload":{}`, `"payload":7`, 1), "", 400, fault("invalid_request")},
		"too large":           {"POST /invoke", strings.Repeat(" ", 8<<20+1), "", 413, fault("payload_too_large")},
		"replay by path":      {"GET /replay/c-9", "", "", 200, `^\{"correlation_id":"c-9","event_count":0,"events":\[\],`},
		"escaped id":          {"GET /replay/a%2F%2E%2E%2F%2Fb%20%C3%A9", "", "", 200, `"correlation_id":"a/../\\?/b é"`},
		"id named rpc":        {"GET /replay/x%2Frpc", "", "", 200, `"correlation_id":"x/rpc"`},
		"bad escape":          {"GET /replay/", "", "", 400, fault("invalid_request")},
		"replay by query":     {"POST /replay", `{"correlation_id":"c-9"}`, "", 200, `"event_count":0`},
		"query of wrong type": {"POST /replay", `{"correlation_id":7}`, "", 400, fault("invalid_request")},
		"limit beyond":        {"POST /replay", `{"correlation_id":"c","limit":10001}`, "", 400, fault("invalid_request")},
		"unknown route":       {"GET /nowhere", "", "", 404, fault("not_found")},
		"deeper route":        {"GET /replay/a/b", "", "", 404, fault("not_found")},
		"other method":        {"POST /host", "{}", "", 405, fault("method_not_allowed")},
		"version":             {"GET /host", "", "0.1", 200, `"protocol_version"`},
		"unknown version": {"GET /host", "", "7.0", 400,
			`^\{"denial":\{"code":"version_unsupported",.*"requested":"7.0",.*"supported":\["0.1"\]\},"error":\{"code":"version_unsupported"`},
		"beside JSON-RPC": {"POST /rpc",
			`{"jsonrpc":"2.0","id":1,"method":"chp.replay","params":{"correlation_id":"c-9"}}`, "", 200,
			`^\{"jsonrpc":"2.0","id":1,"result":\{"correlation_id":"c-9"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			header := http.Header{}
			if test.version != "" {
				header.Set(chphost.VersionHeader, test.version)
			}
			status, body := fetch(t, url, test.request, test.body, header)
			if status != test.status || !regexp.MustCompile(test.want).MatchString(body) {
				t.Errorf("got %d %.300s\nwant %d %s", status, body, test.status, test.want)
			}
		})
	}
}

func TestKeyIsRequiredOnNonPublicRoutes(t *testing.T) {
	message := `{"jsonrpc":"2.0","id":1,"method":"chp.host","params":{}}`
	for name, suites := range map[string][]string{"all": nil, "cap": {"cap"}} {
		t.Run(name, func(t *testing.T) {
			url := serveHTTP(t, newHost(t, reference.Options{Suites: suites, Key: "k-1"}).HTTPHandler())
			var got []int
			for _, key := range []string{"", "k-2", "k-1"} {
				header := http.Header{}
				if key != "" {
					header.Set(chphost.KeyHeader, key)
				}
				status, _ := fetch(t, url, "POST /rpc", message, header)
				got = append(got, status)
				if suites != nil {
					continue
				}
				for _, request := range []string{"GET /health", "GET /", "GET /host", "GET /replay/x", "GET /nowhere"} {
					status, _ := fetch(t, url, request, "", header)
					got = append(got, status)
				}
			}
			want := []int{401, 200, 200, 401, 401, 401, 401, 200, 200, 401, 401, 401, 200, 200, 200, 200, 200, 404}
			if suites != nil {
				want = []int{401, 401, 200}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("statuses (-want +got)\n%s", diff)
			}
		})
	}
}

func TestKeyIsRequiredOverMCP(t *testing.T) {
	url := serveHTTP(t, reference.MCPHandler(newHost(t, reference.Options{Key: "k-1"}), reference.MCPOptions{}))
	initialize := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	without, _ := fetch(t, url, "POST /mcp", initialize, header)
	header.Set(chphost.KeyHeader, "k-1")
	with, _ := fetch(t, url, "POST /mcp", initialize, header)
	if diff := cmp.Diff([]int{401, 200}, []int{without, with}); diff != "" {
		t.Errorf("statuses without and with the key (-want +got)\n%s", diff)
	}
}

func TestHostAnswersIdenticallyOverEveryFrontEnd(t *testing.T) {
	host := newHost(t, reference.Options{})
	url := serveHTTP(t, host.HTTPHandler())
	result, problem := call(t, host, "chp.invoke", fmt.Sprintf(chpEnvelope, "conformance.observe", "a/b"))
	require.Nil(t, problem)
	require.Equal(t, "success", result.(map[string]any)["outcome"])
	overRPC, _ := call(t, host, "chp.replay", `{"correlation_id":"a/b"}`)
	var replays []any
	for _, path := range []string{"GET /replay/a%2Fb", "POST /replay"} {
		_, body := fetch(t, url, path, `{"correlation_id":"a/b"}`, nil)
		var replay any
		require.NoError(t, json.Unmarshal([]byte(body), &replay), body)
		replays = append(replays, replay.(map[string]any)["events"])
	}
	for i, got := range replays {
		if diff := cmp.Diff(overRPC.(map[string]any)["events"], got); diff != "" {
			t.Errorf("replay %d differs (-JSON-RPC +HTTP)\n%s", i, diff)
		}
	}
}
