package mcphost

import (
	"context"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// toolNames are the names of the tools.
func toolNames() []string { return []string{"blocks", "count", "fail", "remove_all", "sum"} }

// sum is the input and the output of the tool sum.
type (
	summands struct {
		A int `json:"a" jsonschema:"the first summand"`
		B int `json:"b" jsonschema:"the second summand"`
	}
	sum struct {
		Sum int `json:"sum"`
	}
	nothing struct{}
)

func addTools(server *mcp.Server) {
	reads := &mcp.ToolAnnotations{ReadOnlyHint: true}
	mcp.AddTool(server, &mcp.Tool{Name: "sum", Description: "Computes a sum.", Annotations: reads}, add)
	mcp.AddTool(server, &mcp.Tool{Name: "blocks", Description: "Shows a block of each type.", Annotations: reads},
		showBlocks)
	mcp.AddTool(server, &mcp.Tool{Name: "count", Description: "Counts, and reports its progress.", Annotations: reads},
		count)
	mcp.AddTool(server, &mcp.Tool{Name: "fail", Description: "Shows a failure.", Annotations: reads}, fail)
	changes := true
	mcp.AddTool(server, &mcp.Tool{Name: "remove_all", Description: "Deletes everything.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &changes}}, fail)
}

func add(_ context.Context, _ *mcp.CallToolRequest, in summands) (*mcp.CallToolResult, sum, error) {
	return nil, sum{in.A + in.B}, nil
}

func showBlocks(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, any, error) {
	return &mcp.CallToolResult{Content: blocks()}, nil, nil
}

func fail(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, any, error) {
	return nil, nil, fmt.Errorf("the tool has failed")
}

// count sends three log messages, and a progress notification after each if the request has a token.
func count(ctx context.Context, request *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
	for i := 1; i <= 3; i++ {
		//lint:ignore SA1019 the revision 2025-11-25 has log messages
		_ = request.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Logger: "count", Data: i})
		if token := request.Params.GetProgressToken(); token != nil {
			_ = request.Session.NotifyProgress(ctx,
				&mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(i), Total: 3})
		}
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "three"}}}, nil, nil
}

// resourceNotFound is the code of the revision 2025-11-25 for a resource that does not exist.
const resourceNotFound = -32002

// refuse follows the recommendations of the revision 2025-11-25 where the SDK does not: it refuses unknown tools,
// unknown resources and unknown levels with the codes of the text.
func refuse(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
		invalid := func(what string) error { return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: what} }
		switch request := request.(type) {
		case *mcp.CallToolRequest:
			if !slices.Contains(toolNames(), request.Params.Name) {
				return nil, invalid("there is no tool " + request.Params.Name)
			}
		//lint:ignore SA1019 the revision 2025-11-25 has it
		case *mcp.ServerRequest[*mcp.SetLoggingLevelParams]:
			if !slices.Contains(levels(), string(request.Params.Level)) {
				return nil, invalid("there is no level " + string(request.Params.Level))
			}
		case *mcp.ReadResourceRequest:
			result, err := next(ctx, method, request)
			if err != nil {
				return nil, &jsonrpc.Error{Code: resourceNotFound, Message: "there is no resource " + request.Params.URI}
			}
			return result, nil
		}
		return next(ctx, method, request)
	}
}

func levels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}
