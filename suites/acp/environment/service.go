package environment

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcpServer returns an MCP server over streamable HTTP. It has no sessions and answers with JSON, so
// that it works with the simplest clients.
func mcpServer(uri string, record func(context.Context, Call) Call) http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: "capconform-tools", Version: "1.0.0"},
		&mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{}})
	for _, behaviour := range Behaviours() {
		server.AddTool(&mcp.Tool{
			Name:        string(behaviour),
			Description: "A tool of the harness. It takes any arguments.",
			InputSchema: json.RawMessage(`{"type":"object"}`),
		}, func(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			arguments := request.Params.Arguments
			if arguments == nil {
				arguments = json.RawMessage(`{}`)
			}
			return record(ctx, Call{Kind: "mcp", Service: uri, Behaviour: behaviour, Arguments: arguments}).result()
		})
	}
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
}

func (c Call) result() (*mcp.CallToolResult, error) {
	body, err := json.Marshal(c.answer())
	if err != nil {
		return nil, fmt.Errorf("environment: %w", err)
	}
	text := string(body)
	if c.Behaviour == EchoText {
		text = "reply: " + c.Reply
	}
	result := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: c.Behaviour == Fails}
	if c.Behaviour != EchoText && c.Behaviour != DoneInText {
		result.StructuredContent = json.RawMessage(body)
	}
	return result, nil
}
