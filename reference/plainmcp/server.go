// Package plainmcp is an MCP server without any knowledge of CAP: its tools are the tools of the
// reference. It tests the adapter that presents such a server as a capability source. It implements
// MCP itself, since an SDK cannot send the messages of a misbehaving server.
package plainmcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/rpc"
)

// revisions are the revisions of MCP with an initialize; the last is the newest.
var revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}

// Server is an MCP server. The behaviours are set before the first message and not
// changed afterwards; the server may then serve several sessions concurrently.
type Server struct {
	// Host provides the tools.
	Host *caphost.Host
	// Name and Version identify the server in the result of initialize.
	Name, Version string
	// Publish returns a tool for tools/list.
	Publish func(c *caphost.Capability) map[string]any
	// Page returns one page of tools/list, and the cursor of the next page if there is one.
	Page func(session *Session, tools []any, cursor string) (page []any, next string)
	// Answer makes the result of tools/call, or its protocol error.
	Answer func(c *caphost.Capability, outcome caphost.Outcome) (any, error)
	// Unknown answers the call of an unknown tool.
	Unknown func(name string) (any, error)
	// Before runs at the start of a call, while the client waits. It may be nil.
	Before func(ctx context.Context, session *Session)
	// Initialized runs when the client has been initialized. It may be nil.
	Initialized func(ctx context.Context, session *Session)
	// Streams makes the server answer over HTTP with events instead of plain JSON.
	Streams bool
}

// New makes a conforming server with the tools of the fixture profile and the ordinary tools,
// or with the ordinary tools only. Of an id with several versions it has only the first: MCP
// has no versions of tools.
func New(noFixtures bool) (*Server, error) {
	source := caphost.Profile
	if noFixtures {
		source = caphost.Ordinary
	}
	host, err := source()
	if err != nil {
		return nil, fmt.Errorf("plainmcp: %w", err)
	}
	seen := map[string]bool{}
	for _, c := range host.Capabilities() {
		// A tool that exchanges or attaches others would change the list without notice to the client.
		if seen[c.ID] || c.Manifest()["kind"] != "tool" || c.ID == "conformance.replace" || c.ID == caphost.Attach {
			host.Remove(c.Ref)
		}
		seen[c.ID] = true
	}
	return &Server{
		Host: host, Name: "plain", Version: "1.2.3",
		Publish: tool, Answer: answer,
		Page: func(_ *Session, tools []any, _ string) ([]any, string) { return tools, "" },
		Unknown: func(name string) (any, error) {
			return nil, &rpc.Error{Number: rpc.InvalidParams, Message: "Unknown tool: " + name}
		},
	}, nil
}

// tool publishes an output schema only if MCP permits it, that is, for objects.
func tool(c *caphost.Capability) map[string]any {
	manifest := c.Manifest()
	published := map[string]any{
		"name": c.ID, "title": manifest["name"], "description": manifest["description"],
		"inputSchema": manifest["input_schema"],
	}
	if schema, isObject := manifest["output_schema"].(map[string]any); isObject && schema["type"] == "object" {
		published["outputSchema"] = schema
	}
	return published
}

// answer follows the newest revision: every error of a tool, invalid input included, is a
// result with isError.
func answer(_ *caphost.Capability, outcome caphost.Outcome) (any, error) {
	if outcome.Failure != nil {
		return map[string]any{"content": Text(outcome.Failure.Message), "isError": true}, nil
	}
	return map[string]any{"content": Text(string(rpc.Append(nil, outcome.Output))), "structuredContent": outcome.Output},
		nil
}

// Text returns content of one text block.
func Text(text string) []any { return []any{map[string]any{"type": "text", "text": text}} }

// Session is the session of one client with the server.
type Session struct {
	server *Server
	mutex  sync.Mutex
	client map[string]any // the client's capabilities
	asked  int
	wait   map[string]chan struct{}
}

func (s *Server) newSession() *Session {
	return &Session{server: s, wait: map[string]chan struct{}{}}
}

// sender is the context key of the function that sends messages of the server to the client.
// It belongs to the current request: over HTTP, each request has its own response.
type sender struct{}

func send(ctx context.Context, message map[string]any) {
	if carry, possible := ctx.Value(sender{}).(func([]byte)); possible {
		carry(rpc.Append(nil, message))
	}
}

// handle answers one message; it returns nil if the message needs no reply. The function carry
// sends messages of the server itself.
func (s *Session) handle(ctx context.Context, message []byte, carry func(message []byte)) []byte {
	if s.response(message) {
		return nil
	}
	ctx = context.WithValue(ctx, sender{}, carry)
	return rpc.Serve(ctx, map[string]rpc.Operation{
		"initialize":                s.initialize,
		"notifications/initialized": s.initialized,
		"ping":                      func(context.Context, map[string]any) (any, error) { return map[string]any{}, nil },
		"tools/list":                s.list,
		"tools/call":                s.call,
	}, message)
}

func (s *Session) initialize(_ context.Context, params map[string]any) (any, error) {
	revision, _ := params["protocolVersion"].(string)
	if !slices.Contains(revisions, revision) {
		revision = revisions[len(revisions)-1]
	}
	s.mutex.Lock()
	s.client, _ = params["capabilities"].(map[string]any)
	s.mutex.Unlock()
	return map[string]any{
		"protocolVersion": revision,
		"capabilities":    map[string]any{"tools": map[string]any{"listChanged": true}},
		"serverInfo":      map[string]any{"name": s.server.Name, "version": s.server.Version},
	}, nil
}

func (s *Session) initialized(ctx context.Context, _ map[string]any) (any, error) {
	if s.server.Initialized != nil {
		s.server.Initialized(ctx, s)
	}
	return nil, nil
}

func (s *Session) list(_ context.Context, params map[string]any) (any, error) {
	var tools []any
	for _, c := range s.server.Host.Catalogue() {
		tools = append(tools, s.server.Publish(c))
	}
	cursor, _ := params["cursor"].(string)
	page, next := s.server.Page(s, tools, cursor)
	result := map[string]any{"tools": page}
	if page == nil {
		result["tools"] = []any{}
	}
	if next != "" {
		result["nextCursor"] = next
	}
	return result, nil
}

func (s *Session) call(ctx context.Context, params map[string]any) (any, error) {
	name, isString := params["name"].(string)
	arguments, given := params["arguments"]
	if _, isObject := arguments.(map[string]any); !isString || given && !isObject {
		return nil, &rpc.Error{Number: rpc.InvalidParams, Message: "a call needs a name, and an object as arguments"}
	}
	if !given {
		arguments = map[string]any{}
	}
	host := s.server.Host
	at := slices.IndexFunc(host.Capabilities(), func(c *caphost.Capability) bool { return c.ID == name })
	if at < 0 {
		return s.server.Unknown(name)
	}
	if s.server.Before != nil {
		s.server.Before(ctx, s)
	}
	c := host.Capabilities()[at]
	return s.server.Answer(c, host.Perform(ctx, c, arguments))
}

// Supports reports whether the client declared a capability.
func (s *Session) Supports(capability string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.client[capability] != nil
}

// Notify sends a notification to the client.
func (s *Session) Notify(ctx context.Context, method string, params map[string]any) {
	send(ctx, map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// Ask sends a request to the client and waits for any response. It fails if ctx ends first.
func (s *Session) Ask(ctx context.Context, method string) error {
	s.mutex.Lock()
	s.asked++
	id := fmt.Sprintf("ask-%d", s.asked)
	answered := make(chan struct{})
	s.wait[id] = answered
	s.mutex.Unlock()
	send(ctx, map[string]any{"jsonrpc": "2.0", "id": id, "method": method})
	select {
	case <-answered:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("plainmcp: %s: %w", method, ctx.Err())
	}
}

// response reports whether a message answers a request of the server, and handles it if so.
func (s *Session) response(message []byte) bool {
	var members struct {
		ID     any             `json:"id"`
		Method *string         `json:"method"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if json.Unmarshal(message,
		&members) != nil || members.Method != nil || members.Result == nil && members.Error == nil {
		return false
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	id, _ := members.ID.(string)
	if answered := s.wait[id]; answered != nil {
		delete(s.wait, id)
		close(answered)
	}
	return true
}

// errNoSession is the error for a request over HTTP without a known session.
var errNoSession = errors.New("plainmcp: no such session")

func isInitialize(message []byte) bool { return rpc.Method(message) == "initialize" }

func isNotification(message []byte) bool {
	return strings.HasPrefix(rpc.Method(message), "notifications/")
}
