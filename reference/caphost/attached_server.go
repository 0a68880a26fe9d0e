package caphost

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capconform/capconform/reference/rpc"
)

// offersOfServer connects to an MCP server on loopback and lists its tools.
func (h *Host) offersOfServer(ctx context.Context, endpoint string) ([]Offer, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" || !net.ParseIP(u.Hostname()).IsLoopback() {
		return nil, errors.New("caphost: an attached server must be on loopback")
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "capconform-reference", Version: "1.0.0"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: endpoint, MaxRetries: -1, DisableStandaloneSSE: true,
		HTTPClient: &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}},
	}, nil)
	if err != nil {
		return nil, fmt.Errorf("caphost: attached server: %w", err)
	}
	h.session = session
	var offers []Offer
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return nil, fmt.Errorf("caphost: attached server: %w", err)
		}
		o := Offer{Kind: "tool", Name: tool.Name, Description: tool.Description, Origin: endpoint,
			Run: calls(session, tool.Name)}
		if o.Input, err = asJSON(tool.InputSchema); err == nil {
			o.Output, err = asJSON(tool.OutputSchema)
		}
		if err != nil {
			return nil, err
		}
		offers = append(offers, o)
	}
	return offers, nil
}

// calls returns a handler that calls a tool of an attached server.
func calls(session *mcp.ClientSession, tool string) Handler {
	return func(ctx context.Context, _ *Host, input map[string]any) (any, error) {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: input})
		if err != nil {
			return nil, fmt.Errorf("caphost: attached tool: %w", err)
		}
		reply, err := json.Marshal(result)
		if err != nil {
			return nil, fmt.Errorf("caphost: attached tool: %w", err)
		}
		return resultOf(reply)
	}
}

// asJSON converts a value of the SDK to decoded JSON.
func asJSON(value any) (any, error) {
	if value == nil {
		return nil, nil // null is a value of JSON
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("caphost: attached server: %w", err)
	}
	decoded, err := rpc.Decode(raw)
	if err != nil {
		return nil, fmt.Errorf("caphost: attached server: %w", err)
	}
	return decoded, nil
}

// resultOf returns the output of a call, or the error that the tool returned.
func resultOf(reply []byte) (any, error) {
	value, err := rpc.Decode(reply)
	if err != nil {
		return nil, fmt.Errorf("caphost: attached tool: %w", err)
	}
	result, _ := value.(map[string]any)
	if result["isError"] == true {
		return nil, errors.New(joinedText(result))
	}
	if structured, isObject := result["structuredContent"].(map[string]any); isObject {
		return structured, nil
	}
	return map[string]any{"content": result["content"]}, nil
}

// joinedText joins the texts of a result.
func joinedText(result map[string]any) string {
	blocks, _ := result["content"].([]any)
	var all []string
	for _, b := range blocks {
		block, _ := b.(map[string]any)
		all = append(all, text(block["text"], ""))
	}
	return strings.Join(all, "\n")
}
