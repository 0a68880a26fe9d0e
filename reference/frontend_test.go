package reference_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
)

const ping = `{"jsonrpc":"2.0","id":%d,"method":"capability.describe","params":{"capability_id":"no","version":"%d"}}`

// serveHTTP starts a handler on a TCP socket and returns its URL. When the test ends, the server is stopped and its
// result checked.
func serveHTTP(t *testing.T, handler http.Handler) string {
	t.Helper()
	listener, err := reference.Listen(t.Context(), ":0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- reference.ServeHTTP(ctx, listener, handler) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("ServeHTTP ended with %v", err)
		}
	})
	return "http://" + listener.Addr().String()
}

func TestHTTPServesPostOnAnyPathEndingInRPC(t *testing.T) {
	host := newHost(t, reference.Options{})
	url := serveHTTP(t, reference.HTTPHandler(host.Handle))
	request := fmt.Sprintf(ping, 1, 1)
	tests := map[string]struct {
		method, path, body string
		status             int
		want               string
	}{
		"rpc":          {"POST", "/rpc", request, 200, string(host.Handle(t.Context(), []byte(request)))},
		"mounted":      {"POST", "/a/b/rpc?x=y", request, 200, string(host.Handle(t.Context(), []byte(request)))},
		"notification": {"POST", "/rpc", `{"jsonrpc":"2.0","method":"capability.list"}`, 204, ""},
		"no JSON": {"POST", "/rpc", `{`, 200,
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"message is not JSON"}}`},
		"elsewhere": {"POST", "/", request, 404, "404 page not found\n"},
		"get":       {"GET", "/rpc", "", 405, "POST only\n"},
		"too large": {"POST", "/rpc", strings.Repeat(" ", 8<<20+1), 413,
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"message is over 8 MiB"}}`},
	}
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(client.CloseIdleConnections)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(
				t.Context(),
				test.method,
				url+test.path,
				strings.NewReader(test.body),
			)
			require.NoError(t, err)
			response, err := client.Do(request)
			require.NoError(t, err)
			body, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			if diff := cmp.Diff(fmt.Sprint(test.status, test.want), fmt.Sprint(response.StatusCode, string(body))); diff != "" {
				t.Errorf("status and body (-want +got)\n%s", diff)
			}
		})
	}
}

func TestListenWithoutHostUsesLoopback(t *testing.T) {
	listener, err := reference.Listen(t.Context(), ":0")
	require.NoError(t, err)
	defer func() { require.NoError(t, listener.Close()) }()
	if got := listener.Addr().String(); !strings.HasPrefix(got, "127.0.0.1:") {
		t.Errorf("listening on %s, want 127.0.0.1", got)
	}
	if _, err := reference.Listen(t.Context(), "nonsense"); err == nil {
		t.Error("an address without port was accepted")
	}
}

func TestStdioAnswersEveryLineThenReturns(t *testing.T) {
	host := newHost(t, reference.Options{})
	var in strings.Builder
	var want []string
	for i := range 100 {
		request := fmt.Sprintf(ping, i, i)
		fmt.Fprintln(&in, request)
		want = append(want, string(host.Handle(t.Context(), []byte(request))))
	}
	fmt.Fprintln(&in)
	fmt.Fprintln(&in, `{"jsonrpc":"2.0","method":"capability.list"}`)
	fmt.Fprintln(&in, strings.Repeat("x", 8<<20+1))
	in.WriteString("{") // the last line need not end with a line break
	want = append(want,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"message is over 8 MiB"}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"message is not JSON"}}`)
	var out strings.Builder
	require.NoError(t, reference.ServeStdio(t.Context(), strings.NewReader(in.String()), &out, host.Handle))
	got := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("replies (-want +got)\n%s", diff)
	}
}

func TestStdioAnswersOutOfOrder(t *testing.T) {
	host := newHost(t, reference.Options{})
	release := make(chan struct{})
	in, toHost := io.Pipe()
	fromHost, out := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- reference.ServeStdio(ctx, in, out, func(ctx context.Context, request []byte) []byte {
			if strings.Contains(string(request), `"id":1,`) {
				<-release
			}
			return host.Handle(ctx, request)
		})
	}()
	lines := bufio.NewScanner(fromHost)
	for _, id := range []int{1, 2} {
		_, err := fmt.Fprintf(toHost, ping+"\n", id, id)
		require.NoError(t, err)
	}
	require.True(t, lines.Scan())
	if !strings.Contains(lines.Text(), `"id":2,`) {
		t.Errorf("first reply %s, want the one to request 2", lines.Text())
	}
	close(release)
	require.True(t, lines.Scan())
	if !strings.Contains(lines.Text(), `"id":1,`) {
		t.Errorf("second reply %s, want the one to request 1", lines.Text())
	}
	cancel() // the input stays open: cancelling ctx suffices
	if err := <-ended; err != nil {
		t.Errorf("ServeStdio ended with %v", err)
	}
}

// connectMCP returns a client session with the reference over one of its MCP front ends.
func connectMCP(t *testing.T, transport mcp.Transport) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"},
		&mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func mcpTransports(t *testing.T, host *reference.Host) map[string]mcp.Transport {
	in, toHost := io.Pipe()
	fromHost, out := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- reference.ServeMCP(ctx, in, out, host) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("ServeMCP ended with %v", err)
		}
	})
	transports := map[string]mcp.Transport{"stdio": &mcp.IOTransport{Reader: fromHost, Writer: toHost}}
	for name, options := range map[string]reference.MCPOptions{
		"http events": {}, "http json": {JSONResponse: true}, "http stateless": {Stateless: true},
	} {
		transports[name] = &mcp.StreamableClientTransport{
			Endpoint: serveHTTP(t, reference.MCPHandler(host, options)) + "/mcp", DisableStandaloneSSE: true, MaxRetries: -1,
		}
	}
	return transports
}

// duration matches durations, which vary with the load of the machine.
var duration = regexp.MustCompile(`"duration_ms":\d+`)

func TestMCPOffersOperationsAsTools(t *testing.T) {
	host := newHost(t, reference.Options{})
	for name, transport := range mcpTransports(t, host) {
		t.Run(name, func(t *testing.T) {
			session := connectMCP(t, transport)
			listed, err := session.ListTools(t.Context(), nil)
			require.NoError(t, err)
			var names []string
			for _, tool := range listed.Tools {
				names = append(names, tool.Name)
			}
			if diff := cmp.Diff([]string{
				"acd_audit", "acd_channel_declare", "acd_channel_project", "acd_configure", "acd_docs", "acd_execlog", "acd_invoke",
				"acd_legacy", "acd_llm_calls",
				"acd_manifest", "acd_registry_create", "acd_registry_delete", "acd_registry_get", "acd_registry_list",
				"acd_registry_query", "acd_registry_update",
				"acp_author", "acp_configure", "acp_events", "acp_get", "acp_install", "acp_message", "acp_publish", "acp_state",
				"acp_uninstall",
				"capability_describe", "capability_invoke", "capability_list", "chp_capabilities", "chp_host", "chp_invoke",
				"chp_replay",
				"resolve_capability", "search_capabilities",
			}, names); diff != "" {
				t.Errorf("tools (-want +got)\n%s", diff)
			}
			for tool, test := range map[string]struct {
				arguments map[string]any
				isError   bool
				want      string
			}{
				"capability_list": {nil, false, `{"capabilities":[{"capability_id":"text.measure",`},
				"capability_describe": {map[string]any{"capability_id": "no", "version": "1"}, true,
					`{"error":{"code":"NOT_FOUND","message":"no capability`},
				"capability_invoke": {map[string]any{"ref": map[string]any{"capability_id": "conformance.fail", "version": "1.0.0"},
					"input": map[string]any{}},
					false, `{"duration_ms":0,"error":{"code":"EXECUTION_FAILED",`},
				"chp_host":         {nil, false, `{"capabilities":[{`},
				"chp_capabilities": {nil, false, `{"capabilities":[{`},
				"chp_replay": {map[string]any{"correlation_id": "nobody"}, false,
					`{"correlation_id":"nobody","event_count":0,"events":[],`},
				"chp_invoke": {nil, true, `{"error":{"code":"invalid_request","message":`},
				"acp_events": {nil, false, `{"events":[]}`},
				"acp_get": {map[string]any{"cap_uri": "did:nuwa:cap:no@1.0.0"}, true,
					`{"error":{"code":"NOT_FOUND","message":`},
			} {
				result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: test.arguments})
				require.NoError(t, err)
				text := duration.ReplaceAllString(result.Content[0].(*mcp.TextContent).Text, `"duration_ms":0`)
				if !strings.HasPrefix(text, test.want) || result.IsError != test.isError ||
					result.StructuredContent == nil {
					t.Errorf("%s returned isError %v, structured %v, %s\nwant isError %v, %s", tool, result.IsError,
						result.StructuredContent != nil, text, test.isError, test.want)
				}
			}
		})
	}
}
