package acphost

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capconform/capconform/reference/rpc"
)

// tools executes tools by their bindings.
type tools struct{ *Host }

func (h tools) binders() map[string]Binder {
	return map[string]Binder{"http_get": h.callGet, "http_post": h.callPost, "nuwa_a2a": h.callAgent,
		"mcp_service": h.callService, Confined: h.callConfined}
}

var placeholder = regexp.MustCompile(`\{([A-Za-z0-9_.-]+)\}`)

// fillTemplate replaces the placeholders of a template by arguments and returns the names of those that
// it used.
func fillTemplate(template string, arguments object, escape func(string) string) (string, map[string]bool) {
	used := map[string]bool{}
	filled := placeholder.ReplaceAllStringFunc(template, func(found string) string {
		name := found[1 : len(found)-1]
		value, given := arguments[name]
		if !given {
			return found
		}
		used[name] = true
		return escape(argumentText(value))
	})
	return filled, used
}

// argumentText returns a string unchanged, and any other value as JSON.
func argumentText(value any) string {
	if text, isText := value.(string); isText {
		return text
	}
	return string(rpc.Append(nil, value))
}

func bindingURL(binding Binding, arguments object) (*url.URL, map[string]bool, error) {
	filled, used := fillTemplate(stringOf(binding.Members["url"]), arguments, url.PathEscape)
	parsed, err := url.Parse(filled)
	if err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.Host == "" {
		return nil, nil, fmt.Errorf("acphost: the binding has no http or https URL")
	}
	return parsed, used, nil
}

// callGet appends to the query the arguments that the URL itself does not use.
func (h tools) callGet(ctx context.Context, binding Binding, arguments object) (Result, error) {
	to, used, err := bindingURL(binding, arguments)
	if err != nil {
		return Result{}, err
	}
	query := to.Query()
	for name, value := range arguments {
		if !used[name] {
			query.Set(name, argumentText(value))
		}
	}
	to.RawQuery = query.Encode()
	status, body, err := h.get(ctx, to.String())
	return responseResult(status, body, err)
}

func (h tools) callPost(ctx context.Context, binding Binding, arguments object) (Result, error) {
	to, _, err := bindingURL(binding, arguments)
	if err != nil {
		return Result{}, err
	}
	status, body, err := h.post(ctx, to.String(), arguments)
	return responseResult(status, body, err)
}

// callAgent posts to the endpoint of the agent. The text defines no wire format.
func (h tools) callAgent(ctx context.Context, binding Binding, arguments object) (Result, error) {
	did, _ := fillTemplate(stringOf(binding.Members["target_did"]), arguments, func(text string) string { return text })
	endpoint := h.currentConfiguration().Services[did]
	if endpoint == "" {
		return Result{}, fmt.Errorf("acphost: no endpoint is known for %.120q", did)
	}
	status, body, err := h.post(ctx, endpoint, object{"method": stringOf(binding.Members["service_method"]),
		"params": arguments})
	return responseResult(status, body, err)
}

func responseResult(status int, body []byte, err error) (Result, error) {
	switch {
	case err != nil:
		return Result{}, err
	case status < http.StatusOK || status >= http.StatusMultipleChoices:
		return Result{}, fmt.Errorf("acphost: the service answers %d: %.500s", status, body)
	}
	return ReadResult(string(body)), nil
}

// ReadResult reads the response of a service: a value if it is JSON, otherwise a text.
func ReadResult(text string) Result {
	value, err := rpc.Decode([]byte(text))
	if err != nil || value == nil {
		return Result{Text: text}
	}
	return Result{Value: value, Done: objectOf(value)["done"] == true}
}

func (h tools) callService(ctx context.Context, binding Binding, arguments object) (Result, error) {
	uri := stringOf(binding.Members["service_uri"])
	endpoint := h.currentConfiguration().Services[uri]
	if endpoint == "" {
		endpoint = uri
	}
	if !strings.HasPrefix(endpoint, "http://") && !strings.HasPrefix(endpoint, "https://") {
		return Result{}, fmt.Errorf("acphost: no endpoint is known for %.120q", uri)
	}
	session, err := h.session(ctx, endpoint)
	if err != nil {
		return Result{}, err
	}
	called, err := session.CallTool(ctx, &mcp.CallToolParams{
		Name: stringOf(binding.Members["mcp_action"]), Arguments: json.RawMessage(rpc.Append(nil, arguments)),
	})
	if err != nil {
		if ctx.Err() == nil {
			h.dropSession(endpoint, session)
		}
		return Result{}, fmt.Errorf("acphost: service: %w", err)
	}
	return readToolResult(called)
}

// readToolResult returns the structured content or, without it, the first text.
func readToolResult(called *mcp.CallToolResult) (Result, error) {
	var text string
	for _, content := range called.Content {
		if block, isText := content.(*mcp.TextContent); isText {
			text = block.Text
			break
		}
	}
	if called.IsError {
		return Result{}, fmt.Errorf("acphost: the service reports: %.500s", text)
	}
	if called.StructuredContent == nil {
		result := ReadResult(text)
		result.InText = true
		return result, nil
	}
	structured, err := json.Marshal(called.StructuredContent)
	if err != nil {
		return Result{}, fmt.Errorf("acphost: service: %w", err)
	}
	return ReadResult(string(structured)), nil
}

// Confined is the type of a binding whose tool runs in the sandbox of the runtime. The
// tool requests the address among its arguments and returns the result.
const Confined = "conformance.confined"

var errNoNetwork = errors.New("acphost: the sandbox has no network")

// callConfined runs the tool. A refusal of the sandbox is a result of the tool.
func (h tools) callConfined(ctx context.Context, _ Binding, arguments object) (Result, error) {
	result := object{"topic": arguments["topic"]}
	if address := stringOf(arguments["address"]); address != "" {
		result["reached"] = h.ReachFromSandbox(ctx, address) == nil
	}
	return Result{Value: result}, nil
}

// session returns a session with an MCP service and keeps it.
func (h tools) session(ctx context.Context, endpoint string) (*mcp.ClientSession, error) {
	h.mutex.Lock()
	existing := h.services[endpoint]
	h.mutex.Unlock()
	if existing != nil {
		return existing, nil
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "capconform-reference", Version: "1.0.0"}, nil)
	transport := &mcp.StreamableClientTransport{Endpoint: endpoint, HTTPClient: h.client, MaxRetries: -1,
		DisableStandaloneSSE: true}
	connected, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return nil, fmt.Errorf("acphost: service: %w", err)
	}
	h.mutex.Lock()
	existing = h.services[endpoint]
	if existing == nil {
		h.services[endpoint] = connected
	}
	h.mutex.Unlock()
	if existing != nil { // another turn connected first
		_ = connected.Close()
		return existing, nil
	}
	return connected, nil
}

// dropSession drops a session that failed.
func (h tools) dropSession(endpoint string, session *mcp.ClientSession) {
	h.mutex.Lock()
	if h.services[endpoint] == session {
		delete(h.services, endpoint)
	}
	h.mutex.Unlock()
	_ = session.Close()
}
