// Package fake contains test doubles that the harness offers to a subject: an MCP server and a
// folder of skills. They record what the subject does with them and judge nothing.
package fake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxCalls bounds the recorded calls: a subject that calls without end must not fill the memory
// of the harness.
const maxCalls = 1000

// Tool is a tool of the MCP server, with inputs that conform to its schema and inputs that break
// it.
type Tool struct {
	Name           string
	InputSchema    json.RawMessage
	Valid, Invalid []json.RawMessage
	Fails          bool // every call is answered with isError

	description string
	output      json.RawMessage
}

// ToolCall is one tools/call that reached the server.
type ToolCall struct {
	Name      string
	Arguments json.RawMessage
	Reply     string // a fresh word in the answer
}

// MCPServer is an MCP server over streamable HTTP on loopback. It validates no arguments, so a
// subject that forwards an invalid input gets a success.
type MCPServer struct {
	URL     string // of the endpoint
	Address string // host and port
	Tools   []Tool

	http  *http.Server
	ended chan struct{}
	mu    sync.Mutex
	calls []ToolCall
}

// NewMCPServer starts a server whose tools have fresh names. The caller must close it.
func NewMCPServer() (*MCPServer, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // no name is resolved
	if err != nil {
		return nil, fmt.Errorf("fake: %w", err)
	}
	address := listener.Addr().String()
	s := &MCPServer{URL: "http://" + address + "/mcp", Address: address, Tools: tools(freshWord()),
		ended: make(chan struct{})}
	mux := http.NewServeMux()
	mux.Handle("/mcp", s.handler())
	s.http = &http.Server{
		Handler: http.MaxBytesHandler(mux, 1<<20), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute,
		ErrorLog: log.New(io.Discard, "", 0), // a subject may close its connections at any time
	}
	go func() {
		defer close(s.ended)
		_ = s.http.Serve(listener) // ends with ErrServerClosed
	}()
	return s, nil
}

// Close stops the server.
func (s *MCPServer) Close() error {
	err := s.http.Close()
	<-s.ended
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("fake: %w", err)
	}
	return nil
}

// Calls returns the calls so far, oldest first.
func (s *MCPServer) Calls() []ToolCall {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]ToolCall(nil), s.calls...)
}

// handler returns a handler that needs no sessions and answers with JSON, so that the simplest
// client is sufficient.
func (s *MCPServer) handler() http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: "capconform-tools", Version: "1.0.0"},
		&mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{}})
	for _, t := range s.Tools {
		declared := &mcp.Tool{
			Name: t.Name, Description: t.description, InputSchema: t.InputSchema,
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
		}
		if t.output != nil {
			declared.OutputSchema = t.output
		}
		server.AddTool(declared, func(_ context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return t.answer(s.record(t.Name, request.Params.Arguments)), nil
		})
	}
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
			if call, isCall := request.(*mcp.CallToolRequest); isCall && !s.has(call.Params.Name) {
				s.record(call.Params.Name, call.Params.Arguments) // the server refuses it
			}
			return next(ctx, method, request)
		}
	})
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
}

func (s *MCPServer) has(name string) bool {
	for _, t := range s.Tools {
		if t.Name == name {
			return true
		}
	}
	return false
}

func (s *MCPServer) record(name string, arguments json.RawMessage) ToolCall {
	if arguments == nil {
		arguments = json.RawMessage(`{}`)
	}
	c := ToolCall{Name: name, Arguments: arguments, Reply: "reply-" + freshWord()}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.calls) < maxCalls {
		s.calls = append(s.calls, c)
	}
	return c
}

func (t Tool) answer(c ToolCall) *mcp.CallToolResult {
	if t.Fails {
		return &mcp.CallToolResult{IsError: true,
			Content: []mcp.Content{&mcp.TextContent{Text: "The tool fails on every input."}}}
	}
	body := json.RawMessage(`{"reply":"` + c.Reply + `"}`)
	result := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(body)}}}
	if t.output != nil {
		result.StructuredContent = body
	}
	return result
}

// tools returns three tools: one with structured output, one that answers only with text, and one
// that fails.
func tools(fresh string) []Tool {
	raw := func(text string) json.RawMessage { return json.RawMessage(text) }
	return []Tool{
		{
			Name: "capconform_" + fresh + "_repeat", description: "Describes how a text is repeated.",
			InputSchema: raw(`{"type":"object","properties":{"text":{"type":"string","minLength":1,"maxLength":60},` +
				`"times":{"type":"integer","minimum":1,"maximum":3}},"required":["text"],"additionalProperties":false}`),
			output:  raw(`{"type":"object","properties":{"reply":{"type":"string"}},"required":["reply"]}`),
			Valid:   []json.RawMessage{raw(`{"text":"first ` + fresh + `"}`), raw(`{"text":"second ` + fresh + `","times":3}`)},
			Invalid: []json.RawMessage{raw(`{"text":7}`), raw(`{"times":1}`)},
		},
		{
			Name: "capconform_" + fresh + "_locate", description: "Describes where a point is.",
			InputSchema: raw(`{"type":"object","properties":{"point":{"type":"object",` +
				`"properties":{"x":{"type":"number"},"y":{"type":"number"}},` +
				`"required":["x","y"],"additionalProperties":false},"unit":{"enum":["metre","mile"]}},` +
				`"required":["point"],"additionalProperties":false}`),
			Valid:   []json.RawMessage{raw(`{"point":{"x":1.5,"y":-2},"unit":"mile"}`)},
			Invalid: []json.RawMessage{raw(`{"point":{"x":1.5},"unit":"mile"}`)},
		},
		{
			Name: "capconform_" + fresh + "_fail", description: "Fails on every input.", Fails: true,
			InputSchema: raw(`{"type":"object","properties":{"reason":{"type":"string"}},` +
				`"required":["reason"],"additionalProperties":false}`),
			Valid: []json.RawMessage{raw(`{"reason":"none"}`)}, Invalid: []json.RawMessage{raw(`{}`)},
		},
	}
}

// freshWord returns a fresh word.
func freshWord() string { return strings.ReplaceAll(uuid.NewString(), "-", "")[:10] }
