// Package plainmcp is an MCP server that knows nothing of CAP: its tools are
// the reference's tools. It is for examining the adapter that makes a
// capability source of such a server. It speaks MCP by hand, since an SDK
// can't say what a misbehaving server says.
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

// Server is an MCP server. The behaviours are set before the first message and
// not changed afterwards; it may then serve several sessions at once.
type Server struct {
	// Host is where the tools come from.
	Host *caphost.Host
	// Name and Version are what initialize tells of the server.
	Name, Version string
	// Publish gives a tool as tools/list tells it.
	Publish func(c *caphost.Capability) map[string]any
	// Page gives one page of tools/list, and the cursor of the next if there is one.
	Page func(session *Session, tools []any, cursor string) (page []any, next string)
	// Answer makes the result of tools/call, or its protocol error.
	Answer func(c *caphost.Capability, outcome caphost.Outcome) (any, error)
	// Unknown answers a call of an unknown tool.
	Unknown func(name string) (any, error)
	// Before is called at the start of a call, while the client waits. Nil does nothing.
	Before func(ctx context.Context, session *Session)
	// Initialized is called when the client has been initialized. Nil does nothing.
	Initialized func(ctx context.Context, session *Session)
	// Streams answers over HTTP by events instead of plain JSON.
	Streams bool
}

// New makes a sound server with the tools of the fixture profile and the
// ordinary ones, or with the ordinary ones alone. Of an id in several versions
// it has the first: MCP knows no version of a tool.
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
		// What exchanges a tool, or attaches others, would change the list behind a client's back.
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

// tool gives an output schema only where MCP takes it: for objects.
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

// answer follows the newest revision: whatever goes wrong in a tool, its input
// included, is a result with isError.
func answer(_ *caphost.Capability, outcome caphost.Outcome) (any, error) {
	if outcome.Failure != nil {
		return map[string]any{"content": Text(outcome.Failure.Message), "isError": true}, nil
	}
	return map[string]any{"content": Text(string(rpc.Append(nil, outcome.Output))), "structuredContent": outcome.Output},
		nil
}

// Text is content of one text block.
func Text(text string) []any { return []any{map[string]any{"type": "text", "text": text}} }

// Session is one client's conversation with the server.
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

// sender is the key of what carries our own messages to the client. It travels
// with the request under way: over HTTP each has its own response.
type sender struct{}

func send(ctx context.Context, message map[string]any) {
	if carry, possible := ctx.Value(sender{}).(func([]byte)); possible {
		carry(rpc.Append(nil, message))
	}
}

// handle answers one message, nil if no reply is owed. Our own messages go out by carry.
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

// Supports tells whether the client declared a capability.
func (s *Session) Supports(capability string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.client[capability] != nil
}

// Notify sends a notification to the client.
func (s *Session) Notify(ctx context.Context, method string, params map[string]any) {
	send(ctx, map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// Ask sends a request to the client and waits for its response, whatever it
// says. It fails when ctx ends first.
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

// response takes a message that answers one of our requests.
func (s *Session) response(message []byte) bool {
	var members struct {
		ID     any             `json:"id"`
		Method *string         `json:"method"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if json.Unmarshal(message, &members) != nil || members.Method != nil || members.Result == nil && members.Error == nil {
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

// errNoSession is what a request over HTTP without a known session gets.
var errNoSession = errors.New("plainmcp: no such session")

func isInitialize(message []byte) bool { return rpc.Method(message) == "initialize" }

func isNotification(message []byte) bool {
	return strings.HasPrefix(rpc.Method(message), "notifications/")
}
