package mcphost

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// toolNames are the names of the tools.
func toolNames() []string { return []string{"ask", "blocks", "count", "fail", "remove_all", "sum"} }

// sum is the input and the output of the tool sum. Headers repeat the first summand and the unit.
type (
	summands struct {
		A    int    `json:"a" jsonschema:"the first summand"`
		B    int    `json:"b" jsonschema:"the second summand"`
		Unit string `json:"unit,omitempty" jsonschema:"the unit of both"`
	}
	sum struct {
		Sum int `json:"sum"`
	}
	nothing struct{}
)

func addTools(server *mcp.Server) {
	reads := &mcp.ToolAnnotations{ReadOnlyHint: true}
	mcp.AddTool(server, &mcp.Tool{Name: "sum", Description: "Computes a sum.", Annotations: reads,
		InputSchema: markedSummands()}, add)
	mcp.AddTool(server, &mcp.Tool{Name: "blocks", Description: "Shows a block of each type.", Annotations: reads},
		showBlocks)
	mcp.AddTool(server, &mcp.Tool{Name: "count", Description: "Counts, and reports its progress.", Annotations: reads},
		count)
	mcp.AddTool(server, &mcp.Tool{Name: "ask", Description: "Shows the name that the user states.", Annotations: reads}, ask)
	mcp.AddTool(server, &mcp.Tool{Name: "fail", Description: "Shows a failure.", Annotations: reads}, fail)
	changes := true
	mcp.AddTool(server, &mcp.Tool{Name: "remove_all", Description: "Deletes everything.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &changes}}, fail)
}

// markedSummands returns the schema of the input of the tool sum.
func markedSummands() *jsonschema.Schema {
	schema, err := jsonschema.For[summands](nil)
	if err != nil {
		panic(err) // the type above has a schema
	}
	for property, header := range map[string]string{"a": "First", "unit": "Unit"} {
		schema.Properties[property].Extra = map[string]any{"x-mcp-header": header}
	}
	return schema
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

// ask wants the name of the user, and the same again if the answer lacks it. Its state is nothing that a client could
// misuse.
func ask(_ context.Context, request *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
	able := request.ClientCapabilities()
	switch {
	case able != nil && able.Elicitation != nil && isModern(request):
	case isModern(request):
		data, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{
			RequiredCapabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{}}})
		if err != nil {
			return nil, nil, err
		}
		return nil, nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Data: data,
			Message: "the tool needs elicitation"}
	default:
		return nil, nil, fmt.Errorf("the tool needs the revision %s", Modern)
	}
	if request.Params.InputResponses["name"] != nil {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "thanks"}}}, nil, nil
	}
	return &mcp.CallToolResult{RequestState: "asked", InputRequests: mcp.InputRequestMap{
		"name": &mcp.ElicitParams{Mode: "form", Message: "What is your name?", RequestedSchema: map[string]any{
			"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}}},
	}}, nil, nil
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

func invalid(what string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: what}
}

// metadata returns the metadata of a request, nil if it has no params.
func metadata(request mcp.Request) map[string]any {
	params := request.GetParams()
	if params == nil || reflect.ValueOf(params).IsNil() {
		return nil
	}
	return params.GetMeta()
}

// isModern reports whether a request is one of the revision 2026-07-28.
func isModern(request interface{ ProtocolVersion() string }) bool {
	return request.ProtocolVersion() >= Modern
}

// refuse follows the recommendations of the texts where the SDK does not: it refuses unknown tools, unknown resources
// and unknown levels with the codes of the revision.
func refuse(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
		//lint:ignore SA1019 the revision has it
		if level, stated := metadata(request)[mcp.MetaKeyLogLevel].(string); stated && !slices.Contains(levels(), level) {
			return nil, invalid("there is no level " + level)
		}
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
				code := int64(resourceNotFound)
				if isModern(request) {
					code = jsonrpc.CodeInvalidParams
				}
				return nil, &jsonrpc.Error{Code: code, Message: "there is no resource " + request.Params.URI}
			}
			return result, nil
		}
		return next(ctx, method, request)
	}
}

// resourceNotFound is the code of the revision 2025-11-25 for a resource that does not exist.
const resourceNotFound = -32002

// modernAlone refuses requests without the metadata of the revision 2026-07-28, which the SDK takes for those of an
// earlier one, and names the revision to their clients.
func modernAlone(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
		if strings.HasPrefix(method, "notifications/") {
			return next(ctx, method, request)
		}
		if metadata(request)[mcp.MetaKeyProtocolVersion] == nil {
			return nil, invalid("the request states no revision; the server speaks " + Modern)
		}
		return next(ctx, method, request)
	}
}

func levels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}
