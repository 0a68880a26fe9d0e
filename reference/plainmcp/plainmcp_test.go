package plainmcp_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/plainmcp"
)

// transports connects to one server over lines, and over HTTP with and without event streams.
func transports(t *testing.T, alter func(*plainmcp.Server)) map[string]mcp.Transport {
	t.Helper()
	server, err := plainmcp.New(false)
	require.NoError(t, err)
	alter(server)
	ctx, cancel := context.WithCancel(context.Background())
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 3)
	go func() { ended <- server.ServeStdio(ctx, in, out) }()
	reached := map[string]mcp.Transport{"stdio": &mcp.IOTransport{Reader: fromServer, Writer: toServer}}
	for name, streams := range map[string]bool{"http": false, "http events": true} {
		copied := *server
		copied.Streams = streams
		listener, err := reference.Listen(t.Context(), ":0")
		require.NoError(t, err)
		go func() { ended <- reference.ServeHTTP(ctx, listener, copied.Handler()) }()
		reached[name] = &mcp.StreamableClientTransport{Endpoint: "http://" + listener.Addr().String() + "/mcp",
			DisableStandaloneSSE: true, MaxRetries: -1}
	}
	t.Cleanup(func() {
		cancel()
		for range 3 {
			if err := <-ended; err != nil {
				t.Errorf("a front end ended with %v", err)
			}
		}
	})
	return reached
}

func connect(t *testing.T, transport mcp.Transport) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"},
		&mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func TestSDKClientIsServed(t *testing.T) {
	for name, transport := range transports(t, func(*plainmcp.Server) {}) {
		t.Run(name, func(t *testing.T) {
			session := connect(t, transport)
			listed, err := session.ListTools(t.Context(), nil)
			require.NoError(t, err)
			if len(listed.Tools) < 12 {
				t.Errorf("%d tools, want at least 12", len(listed.Tools))
			}
			for _, test := range []struct {
				tool       string
				arguments  any
				isError    bool
				structured bool
			}{
				{"conformance.echo", map[string]any{"message": "hi"}, false, true},
				{"conformance.echo", map[string]any{"message": 1}, true, false},
				{"conformance.fail", map[string]any{}, true, false},
				{"conformance.malformed", map[string]any{}, true, false},
			} {
				result, err := session.CallTool(
					t.Context(),
					&mcp.CallToolParams{Name: test.tool, Arguments: test.arguments},
				)
				require.NoError(t, err)
				if result.IsError != test.isError || (result.StructuredContent != nil) != test.structured {
					t.Errorf("%s %v returned isError %v and structured content %v", test.tool, test.arguments, result.IsError,
						result.StructuredContent)
				}
			}
			_, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "no.such"})
			var fault *jsonrpc.Error
			if !errors.As(err, &fault) || fault.Code != -32602 {
				t.Errorf("an unknown tool returned %v, want the error -32602", err)
			}
		})
	}
}

func TestServerMaySendRequestDuringCall(t *testing.T) {
	for name, transport := range transports(t, func(server *plainmcp.Server) {
		server.Before = func(ctx context.Context, session *plainmcp.Session) {
			session.Notify(ctx, "notifications/message", map[string]any{"level": "info", "data": "now"})
			if err := session.Ask(ctx, "ping"); err != nil {
				t.Errorf("ping: %v", err)
			}
		}
	}) {
		t.Run(name, func(t *testing.T) {
			result, err := connect(t, transport).CallTool(t.Context(),
				&mcp.CallToolParams{Name: "conformance.echo", Arguments: map[string]any{"message": "hi"}})
			require.NoError(t, err)
			if result.IsError {
				t.Errorf("the call failed: %v", result.Content)
			}
		})
	}
}

func TestRequestWithoutSessionIsRefused(t *testing.T) {
	server, err := plainmcp.New(true)
	require.NoError(t, err)
	listener, err := reference.Listen(t.Context(), ":0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- reference.ServeHTTP(ctx, listener, server.Handler()) }()
	defer func() {
		cancel()
		require.NoError(t, <-ended)
	}()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for method, want := range map[string]int{"POST": 404, "GET": 405, "DELETE": 200} {
		request, err := http.NewRequestWithContext(t.Context(), method, "http://"+listener.Addr().String()+"/mcp", nil)
		require.NoError(t, err)
		response, err := client.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		if response.StatusCode != want {
			t.Errorf("%s returned %d, want %d", method, response.StatusCode, want)
		}
	}
}
