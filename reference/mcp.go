package reference

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// MCPOptions selects how streamable HTTP is spoken. The zero value keeps sessions and answers with
// event streams.
type MCPOptions struct {
	Stateless    bool // no sessions, which also offers the revision 2026-07-28
	JSONResponse bool // answers application/json instead of text/event-stream
}

// MCPHandler serves the operations as MCP tools over streamable HTTP, on /mcp only. If the host
// requires a key, /mcp requires it too.
func MCPHandler(host *Host, options MCPOptions) http.Handler {
	server := newMCPServer(host)
	streamable := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: options.Stateless, JSONResponse: options.JSONResponse})
	mux := http.NewServeMux()
	mux.Handle("/mcp", host.requireKey(streamable))
	return mux
}

// ServeMCP serves the operations as MCP tools over lines. It returns nil at the end of input or
// when ctx ends. It owns in and out and may close them.
func ServeMCP(ctx context.Context, in io.ReadCloser, out io.WriteCloser, host *Host) error {
	err := newMCPServer(host).Run(ctx, &mcp.IOTransport{Reader: in, Writer: out})
	if err == nil || ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return fmt.Errorf("reference: mcp: %w", err)
}

func newMCPServer(host *Host) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "capconform-reference", Version: "1.0.0"},
		&mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{}})
	for _, operation := range host.Operations() {
		server.AddTool(&mcp.Tool{
			Name:        strings.ReplaceAll(operation, ".", "_"),
			Description: "The operation " + operation + ". Arguments are its params.",
			InputSchema: json.RawMessage(`{"type":"object"}`),
		}, func(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return callTool(ctx, host, operation, request.Params.Arguments)
		})
	}
	return server
}

func callTool(ctx context.Context, host *Host, operation string, params json.RawMessage) (*mcp.CallToolResult, error) {
	result, refused, err := host.call(ctx, operation, params)
	switch {
	case err != nil:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "no reply"}
	case refused == nil:
		return toolResult(result, operation, false), nil
	}
	var data map[string]any
	if json.Unmarshal(refused.Data, &data) != nil || data["code"] == nil {
		return nil, &jsonrpc.Error{Code: refused.number(), Message: refused.Message, Data: refused.Data}
	}
	data["message"] = refused.Message
	body, err := json.Marshal(map[string]any{"error": data})
	if err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	return toolResult(body, operation, true), nil
}

// toolResult puts a result into structuredContent, which accepts only objects: a list is wrapped,
// other values are only in the text.
func toolResult(body json.RawMessage, operation string, isError bool) *mcp.CallToolResult {
	if bytes.HasPrefix(body, []byte("[")) && strings.HasSuffix(operation, ".list") {
		body = append(append([]byte(`{"capabilities":`), body...), '}')
	}
	result := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(body)}}, IsError: isError}
	if bytes.HasPrefix(body, []byte("{")) {
		result.StructuredContent = body
	}
	return result
}
