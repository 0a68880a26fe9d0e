package mcpdriver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
	"github.com/capconform/capconform/suites/driver/stdiodriver"
)

// sdkServer is a server of the official SDK, which shares no code with this project.
func sdkServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "sdk", Version: "9.9.9"}, &mcp.ServerOptions{PageSize: 2})
	add := func(name string, handle func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error)) {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}}, handle)
	}
	text := func(s string) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
	}
	add("capability_list", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		r := text("two")
		r.StructuredContent = map[string]any{"capabilities": []any{}}
		return r, nil
	})
	add("capability_describe", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		r := text(`{"error": {"code": "NOT_FOUND", "message": "no"}}`)
		r.IsError = true
		return r, nil
	})
	add("capability_invoke", func(_ context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return text(`{"ok": true, "output": ` + string(request.Params.Arguments) + `}`), nil
	})
	add("talks", func(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ping := request.Session.Ping(ctx, nil)
		_, roots := request.Session.ListRoots(ctx, nil) //lint:ignore SA1019 servers of older revisions do ask
		_ = request.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: "t", Progress: 1})
		return text(fmt.Sprint(ping == nil, roots != nil)), nil
	})
	return server
}

var capOperations = mcpdriver.Options{
	Operations: []string{"capability.list", "capability.describe", "capability.invoke"},
}

// sdkPeers connects to an SDK server over each transport.
func sdkPeers(t *testing.T, options mcpdriver.Options) map[string]driver.Driver {
	overHTTP := func(o *mcp.StreamableHTTPOptions) driver.Driver {
		server := sdkServer()
		handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, o)
		web := httptest.NewServer(handler)
		t.Cleanup(func() {
			for s := range server.Sessions() {
				_ = s.Close()
			}
			web.CloseClientConnections()
			web.Close()
		})
		return mcpdriver.NewHTTP(httpdriver.Config{URL: web.URL}, options)
	}
	return map[string]driver.Driver{
		"stdio": mcpdriver.NewStdio(stdiodriver.Config{Command: []string{os.Args[0]}, Env: []string{asChild + "=sdk"}},
			options),
		"json": overHTTP(&mcp.StreamableHTTPOptions{JSONResponse: true}),
		"sse":  overHTTP(nil),
	}
}

func TestAgainstSDK(t *testing.T) {
	calls := map[string]struct{ op, params, want string }{
		"structured": {"capability.list", "", `returned {"capabilities":[]} ""`},
		"refused":    {"capability.describe", `{"capability_id":"x"}`, `refused  "NOT_FOUND"`},
		"in text": {"capability.invoke", `{"n": 123456789012345678901234567890}`,
			`returned {"ok": true, "output": {"n": 123456789012345678901234567890}} ""`},
		"unlisted":   {"chp.host", "", `not provided  ""`},
		"raw method": {"prompts/get", `{"name":"none"}`, `refused  ""`},
	}
	for wire, d := range sdkPeers(t, capOperations) {
		t.Run(wire, func(t *testing.T) {
			session, err := d.Open(t.Context())
			require.NoError(t, err)
			defer session.Close()
			info := session.Info()
			got := fmt.Sprint(info.Protocol, info.Negotiated, info.Name, info.Version, info.Operations, info.Warnings)
			if diff := cmp.Diff("mcp2025-11-25sdk9.9.9[capability_describe capability_invoke capability_list talks] []",
				got); diff != "" {
				t.Errorf("info (-want +got):\n%s", diff)
			}
			for name, call := range calls {
				answer, err := session.Call(
					t.Context(),
					driver.Operation{Name: call.op, Params: json.RawMessage(call.params)},
				)
				require.NoError(t, err)
				code := ""
				if answer.Error != nil {
					code = answer.Error.Code
				}
				if diff := cmp.Diff(call.want, fmt.Sprintf("%v %s %q", answer.Outcome, answer.Result, code)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
		})
	}
}

func TestServerSendsRequestsDuringCall(t *testing.T) {
	for wire, d := range sdkPeers(t, mcpdriver.Options{}) {
		if wire == "json" {
			continue // this server cannot send requests: there is no stream
		}
		t.Run(wire, func(t *testing.T) {
			session, err := d.Open(t.Context())
			require.NoError(t, err)
			defer session.Close()
			answer, err := session.Call(t.Context(),
				driver.Operation{Name: "tools/call", Params: []byte(`{"name":"talks","arguments":{}}`)})
			require.NoError(t, err)
			if !strings.Contains(string(answer.Result), `"true true"`) {
				t.Errorf("ping answered, roots refused: got %s", answer.Result)
			}
			plain, err := session.Call(t.Context(), driver.Operation{Name: "capability.list"})
			require.NoError(t, err)
			if plain.Outcome != driver.NotProvided {
				t.Errorf("an operation of a plain server: %v", plain.Outcome)
			}
		})
	}
}

// TestRepeat repeats a call with the command of the report.
func TestRepeat(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	for wire, d := range sdkPeers(t, capOperations) {
		t.Run(wire, func(t *testing.T) {
			session, err := d.Open(t.Context())
			require.NoError(t, err)
			answer, err := session.Call(t.Context(), driver.Operation{Name: "capability.list"})
			require.NoError(t, err)
			require.NoError(t, session.Close())
			out, err := exec.Command("sh", "-c", answer.Exchange.Repeat()).CombinedOutput()
			require.NoError(t, err, "%s\n%s", answer.Exchange.Repeat(), out)
			if !strings.Contains(string(out), `"structuredContent":{"capabilities":[]}`) {
				t.Errorf("%s\nreturned %s", answer.Exchange.Repeat(), out)
			}
		})
	}
}

func TestSessionsOverHTTP(t *testing.T) {
	var ended atomic.Int64
	server := sdkServer()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	var stale atomic.Bool
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			ended.Add(1)
		}
		if stale.Load() && r.Header.Get("Mcp-Session-Id") != "" && r.Method == http.MethodPost {
			stale.Store(false)
			w.WriteHeader(http.StatusNotFound)
			return
		}
		handler.ServeHTTP(w, r)
	})
	session, err := driver.Reopening(mcpdriver.NewHTTP(httpdriver.Config{URL: url}, capOperations)).Open(t.Context())
	require.NoError(t, err)
	list := driver.Operation{Name: "capability.list"}
	_, err = session.Call(t.Context(), list)
	require.NoError(t, err)
	stale.Store(true)
	_, err = session.Call(t.Context(), list)
	require.ErrorIs(t, err, driver.ErrClosed)
	answer, err := session.Call(t.Context(), list)
	require.NoError(t, err)
	require.NoError(t, session.Close())
	if answer.Outcome != driver.Returned || ended.Load() != 2 {
		t.Errorf("after a stale session: %v, %d sessions ended", answer.Outcome, ended.Load())
	}
}
