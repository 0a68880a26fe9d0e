// Package mcphost is a server of the Model Context Protocol with every feature that the suite mcp examines: tools with
// and without structured output, and one that wants input, resources, templates, prompts, completion and logging, in
// pages of two. It speaks the revisions 2025-11-25 and 2026-07-28, or one of them. It is made with the official SDK,
// which shares no code with the suite.
package mcphost

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pageSize is the number of elements of one page of a list.
const pageSize = 2

// The revisions that the server speaks.
const (
	Legacy = "2025-11-25"
	Modern = "2026-07-28"
)

// New returns a server that speaks these revisions, all if there are none.
func New(revisions ...string) *mcp.Server {
	if len(revisions) == 0 {
		revisions = []string{Modern, Legacy}
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "mcphost", Title: "Reference server", Version: "1.0.0"},
		&mcp.ServerOptions{
			Instructions: "A server for the examination of MCP.", PageSize: pageSize, CompletionHandler: complete,
			SupportedProtocolVersions: revisions,
			SubscribeHandler:          func(context.Context, *mcp.SubscribeRequest) error { return nil },
			UnsubscribeHandler:        func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		})
	server.AddReceivingMiddleware(refuse)
	if !slices.Contains(revisions, Legacy) {
		server.AddReceivingMiddleware(modernAlone)
	}
	addTools(server)
	addResources(server)
	addPrompts(server)
	return server
}

// Style is a lawful difference from the way in which a server is served over HTTP.
type Style func(*mcp.StreamableHTTPOptions)

// Stateless returns the style without sessions, which answers GET and DELETE with 405.
func Stateless() Style { return func(o *mcp.StreamableHTTPOptions) { o.Stateless = true } }

// JSON returns the style that answers with single objects.
func JSON() Style { return func(o *mcp.StreamableHTTPOptions) { o.JSONResponse = true } }

// Handler returns the server over streamable HTTP.
func Handler(revisions []string, styles ...Style) http.Handler {
	return Serve(New(revisions...), revisions, styles...)
}

// Serve returns a server of these revisions, all if there are none, over streamable HTTP. It refuses foreign origins.
// Requests of the revision without sessions are those with its header; the streams of the others can be resumed.
func Serve(server *mcp.Server, revisions []string, styles ...Style) http.Handler {
	of := func(*http.Request) *mcp.Server { return server }
	modernOptions := &mcp.StreamableHTTPOptions{PropagateRequestCancellation: true}
	options := &mcp.StreamableHTTPOptions{EventStore: mcp.NewMemoryEventStore(nil)}
	for _, style := range styles {
		style(options)
		style(modernOptions)
	}
	modernOptions.Stateless = true
	stateless, stateful := mcp.NewStreamableHTTPHandler(of, modernOptions), mcp.NewStreamableHTTPHandler(of, options)
	modern := len(revisions) > 0 && !slices.Contains(revisions, Legacy)
	return http.NewCrossOriginProtection().Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case modern && refusesHandshake(w, r):
		case modern || r.Header.Get("Mcp-Protocol-Version") >= Modern:
			stateless.ServeHTTP(w, asModern(w, r))
		default:
			stateful.ServeHTTP(w, r)
		}
	}))
}

// refusesHandshake answers a handshake with the revision that the server speaks, and reports whether it did. The SDK
// refuses it without.
func refusesHandshake(w http.ResponseWriter, r *http.Request) bool {
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	var request struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if err != nil || json.Unmarshal(body, &request) != nil || request.Method != "initialize" {
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"the server speaks %s","data":{"supported":[%[3]q]}}}`,
		request.ID, mcp.CodeUnsupportedProtocolVersion, Modern)
	return true
}

// asModern does what the text demands of the headers of the revision 2026-07-28 where the SDK does not: it decodes the
// name, ignores Last-Event-ID, and tells proxies not to buffer streams.
func asModern(w http.ResponseWriter, r *http.Request) *http.Request {
	w.Header().Set("X-Accel-Buffering", "no")
	r = r.Clone(r.Context())
	r.Header.Del("Last-Event-Id")
	if encoded, is := strings.CutPrefix(r.Header.Get("Mcp-Name"), "=?base64?"); is {
		if name, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(encoded, "?=")); err == nil {
			r.Header.Set("Mcp-Name", string(name))
		}
	}
	return r
}

// colours are the words that completion proposes.
func colours() []string { return []string{"blue", "green", "grey", "red"} }

// complete proposes colours for any argument of a prompt that exists.
func complete(_ context.Context, request *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	ref := request.Params.Ref
	if request.Params.Argument.Name == "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "there is no argument"}
	}
	if ref.Type == "ref/prompt" && !slices.Contains(promptNames(), ref.Name) {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "there is no prompt " + ref.Name}
	}
	values := []string{}
	for _, colour := range colours() {
		if strings.HasPrefix(colour, request.Params.Argument.Value) {
			values = append(values, colour)
		}
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: len(values)}}, nil
}

// picture is an image with one pixel.
func picture() []byte {
	data, err := base64.StdEncoding.DecodeString(
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
	if err != nil {
		panic(err) // the text above is base64
	}
	return data
}

// resourceURIs are the URIs of the listed resources. No template has the scheme of the last.
func resourceURIs() []string {
	return []string{"memo://first", "memo://second", "memo://picture", "note://third"}
}

func addResources(server *mcp.Server) {
	annotations := &mcp.Annotations{Audience: []mcp.Role{"user"}, Priority: 0.5, LastModified: "2026-01-02T03:04:05Z"}
	for _, uri := range resourceURIs() {
		_, name, _ := strings.Cut(uri, "://")
		server.AddResource(&mcp.Resource{URI: uri, Name: name, MIMEType: "text/plain", Annotations: annotations}, read)
	}
	for _, name := range []string{"colour", "shape", "size"} {
		server.AddResourceTemplate(&mcp.ResourceTemplate{Name: name, URITemplate: "memo://" + name + "/{value}"}, read)
	}
}

// read returns the contents of a resource: a picture, or its URI as text.
func read(_ context.Context, request *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	contents := &mcp.ResourceContents{URI: request.Params.URI, MIMEType: "text/plain", Text: request.Params.URI}
	if strings.HasSuffix(request.Params.URI, "picture") {
		contents = &mcp.ResourceContents{URI: request.Params.URI, MIMEType: "image/png", Blob: picture()}
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{contents}}, nil
}

// promptNames are the names of the prompts.
func promptNames() []string { return []string{"describe", "greet", "show"} }

func addPrompts(server *mcp.Server) {
	argument := &mcp.PromptArgument{Name: "colour", Description: "the name of a colour", Required: true}
	server.AddPrompt(&mcp.Prompt{Name: "describe", Arguments: []*mcp.PromptArgument{argument}}, get)
	server.AddPrompt(&mcp.Prompt{Name: "greet"}, get)
	server.AddPrompt(&mcp.Prompt{Name: "show"}, get)
}

// get returns the messages of a prompt, with a block of each type for show.
func get(_ context.Context, request *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	colour := request.Params.Arguments["colour"]
	if request.Params.Name == "describe" && colour == "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "there is no colour"}
	}
	result := &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
		{Role: "user", Content: &mcp.TextContent{Text: "Write about " + request.Params.Name + " " + colour}}}}
	if request.Params.Name == "show" {
		for _, block := range blocks() {
			result.Messages = append(result.Messages, &mcp.PromptMessage{Role: "assistant", Content: block})
		}
	}
	return result, nil
}

// blocks returns a block of content of each type.
func blocks() []mcp.Content {
	return []mcp.Content{
		&mcp.TextContent{Text: "a text", Annotations: &mcp.Annotations{Audience: []mcp.Role{"user", "assistant"},
			Priority: 1}},
		&mcp.ImageContent{Data: picture(), MIMEType: "image/png"},
		&mcp.AudioContent{Data: []byte("RIFF"), MIMEType: "audio/wav"},
		&mcp.ResourceLink{URI: "memo://first", Name: "first"},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "memo://second", MIMEType: "text/plain", Text: "second"}},
	}
}
