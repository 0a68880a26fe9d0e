package mcp_test

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
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capconform/capconform/reference/mcphost"
	"github.com/capconform/capconform/suites/mcp"
)

// style is a lawful way of a server to serve HTTP.
type style struct {
	name    string
	edition string   // the only one that it is for; empty for each
	without []string // the requirements that the SDK breaks in the style; the others are kept
	host    func(edition string) http.Handler
}

// reference returns the reference server of one revision alone.
func reference(edition string, styles ...mcphost.Style) http.Handler {
	return mcphost.Handler([]string{edition}, styles...)
}

// answering returns the reference with some requests that are answered in another way.
func answering(by func(w http.ResponseWriter, r *http.Request) (answered bool)) func(string) http.Handler {
	return func(edition string) http.Handler {
		host := reference(edition)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !by(w, r) {
				host.ServeHTTP(w, r)
			}
		})
	}
}

// refusing returns the reference, which answers a method of HTTP with status 405 and this header.
func refusing(method, allow string) func(string) http.Handler {
	return answering(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != method {
			return false
		}
		if allow != "" {
			w.Header().Set("Allow", allow)
		}
		w.WriteHeader(http.StatusMethodNotAllowed)
		return true
	})
}

// refusingOrigins returns the reference, which answers a foreign origin with status 403 and this body.
func refusingOrigins(kind, body string) func(string) http.Handler {
	return answering(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Origin") == "" {
			return false
		}
		if kind != "" {
			w.Header().Set("Content-Type", kind)
		}
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, body)
		return true
	})
}

// refused answers with an error.
func refused(w http.ResponseWriter, status int, body string) bool {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
	return true
}

// bodyOf returns the body of a request, which can be read again.
func bodyOf(r *http.Request) []byte {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body
}

// message is what a style reads of the body of a request.
type message struct {
	ID     json.RawMessage
	Method string
}

func read(r *http.Request) (m message) {
	_ = json.Unmarshal(bodyOf(r), &m) // any other body has neither
	return m
}

// small returns a server with some features of the reference alone, without log messages.
func small(add func(*sdk.Server), options sdk.ServerOptions) func(string) http.Handler {
	return func(edition string) http.Handler {
		if options.SupportedProtocolVersions = []string{edition}; options.Capabilities == nil {
			options.Capabilities = &sdk.ServerCapabilities{}
		}
		server := sdk.NewServer(&sdk.Implementation{Name: "small", Version: "1"}, &options)
		add(server)
		return mcphost.Serve(server, []string{edition})
	}
}

// tool adds a tool that answers with a text.
func tool(one sdk.Tool) func(*sdk.Server) {
	return func(server *sdk.Server) {
		sdk.AddTool(server, &one, func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "done"}}}, nil, nil
		})
	}
}

func prompts(server *sdk.Server) {
	server.AddPrompt(&sdk.Prompt{Name: "greet", Arguments: []*sdk.PromptArgument{{Name: "who"}}},
		func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{
				{Role: "assistant", Content: &sdk.TextContent{Text: "hello"}}}}, nil
		})
}

func resources(server *sdk.Server) {
	server.AddResource(&sdk.Resource{URI: "file:///a%20b", Name: "a b"},
		func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, Text: "a"}}}, nil
		})
}

func nothing(*sdk.Server) {}

// inBlocks returns blocks in which texts are what an argument says.
func inBlocks(uri, media string) []sdk.Content {
	return []sdk.Content{
		&sdk.ResourceLink{URI: uri, Name: uri},
		&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: uri, MIMEType: media, Text: uri}},
		&sdk.ImageContent{Data: []byte(uri), MIMEType: media},
		&sdk.AudioContent{Data: []byte(uri), MIMEType: media},
		&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "memo://a", Blob: []byte(uri)}},
	}
}

// echoing adds a tool and a prompt that make what they return of their arguments.
func echoing(server *sdk.Server) {
	type input struct {
		Path  string `json:"path"`
		Media string `json:"media"`
	}
	sdk.AddTool(server, &sdk.Tool{Name: "show", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *sdk.CallToolRequest, in input) (*sdk.CallToolResult, any, error) {
			return &sdk.CallToolResult{Content: inBlocks(in.Path, in.Media)}, nil, nil
		})
	server.AddPrompt(&sdk.Prompt{Name: "show", Arguments: []*sdk.PromptArgument{{Name: "path"}, {Name: "media"}}},
		func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			result := &sdk.GetPromptResult{}
			for _, block := range inBlocks("./"+r.Params.Arguments["path"], r.Params.Arguments["media"]) {
				result.Messages = append(result.Messages, &sdk.PromptMessage{Role: "user", Content: block})
			}
			return result, nil
		})
}

// echoes are the texts of the arguments, in base64, and as they are.
func echoes() *strings.Replacer {
	var all []string
	for _, text := range []string{"example", "./urn:capconform:a"} {
		all = append(all, base64.StdEncoding.EncodeToString([]byte(text)), text)
	}
	return strings.NewReplacer(all...)
}

func together(all ...func(*sdk.Server)) func(*sdk.Server) {
	return func(server *sdk.Server) {
		for _, add := range all {
			add(server)
		}
	}
}

// styles are the ways in which a correct server may serve.
func styles() []style {
	// The SDK refuses unknown resources with the code of another revision.
	unknownResources := []string{"MCP-RES-15"}
	reads, shut := &sdk.ToolAnnotations{ReadOnlyHint: true}, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"no"}}`
	all := []style{
		{name: "both revisions", host: func(string) http.Handler { return mcphost.Handler(nil) }},
		{name: "GET refused", host: refusing(http.MethodGet, "")},
		{name: "GET refused with Allow", host: refusing(http.MethodGet, "POST")},
		{name: "DELETE refused", host: refusing(http.MethodDelete, "")},
		{name: "DELETE refused with Allow", host: refusing(http.MethodDelete, "GET, POST")},
		{name: "origin refused without a body", host: refusingOrigins("", "")},
		{name: "origin refused with an error response", host: refusingOrigins("application/json", shut)},
		{name: "origin refused with a page", host: refusingOrigins("text/html; charset=utf-8", "<p>no</p>")},
		{name: "slow", host: answering(func(_ http.ResponseWriter, r *http.Request) bool {
			select {
			case <-time.After(20 * time.Millisecond):
			case <-r.Context().Done():
			}
			return false
		})},
		{name: "connections that end", host: answering(func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Connection", "close")
			return false
		})},
		{name: "cookies and further headers", host: answering(func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Set-Cookie", "a=b")
			w.Header()["Vary"] = []string{"Accept", "Origin"}
			w.Header().Set("X-Request-Id", "1")
			w.Header().Set("Strict-Transport-Security", "max-age=1")
			return false
		})},
		{name: "no feature", host: small(nothing, sdk.ServerOptions{})},
		{name: "tools alone", host: small(tool(sdk.Tool{Name: "show", Annotations: reads}), sdk.ServerOptions{})},
		{name: "prompts alone", host: small(prompts, sdk.ServerOptions{})},
		{name: "resources alone", without: unknownResources, host: small(resources, sdk.ServerOptions{})},
		{name: "pages of one", without: unknownResources, host: small(together(resources, prompts,
			tool(sdk.Tool{Name: "a.b-c_D1", Annotations: reads}), tool(sdk.Tool{Name: "second", Annotations: reads})),
			sdk.ServerOptions{PageSize: 1})},
		{name: "60 pages", host: small(func(server *sdk.Server) {
			for i := range 60 {
				tool(sdk.Tool{Name: fmt.Sprintf("remove-%d", i)})(server)
			}
		}, sdk.ServerOptions{PageSize: 1})},
		{name: "a tool that may not be called", host: small(tool(sdk.Tool{Name: "remove"}), sdk.ServerOptions{})},
		{name: "echoes", without: unknownResources, host: rewrittenOf(
			small(together(echoing, resources), sdk.ServerOptions{}),
			rewriting{event: func(_ int, event string) string { return echoes().Replace(event) }})},
		{name: "instructions", host: small(nothing, sdk.ServerOptions{Instructions: "Ask.",
			Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true}}})},
	}
	return slices.Concat(all, legacyStyles(), modernStyles(), rewritingStyles())
}

func legacyStyles() []style {
	only := func(name string, host func(string) http.Handler, without ...string) style {
		return style{name: name, edition: mcphost.Legacy, without: without, host: host}
	}
	in := func(styles ...mcphost.Style) func(string) http.Handler {
		return func(edition string) http.Handler { return reference(edition, styles...) }
	}
	return []style{
		only("without sessions", in(mcphost.Stateless()), "MCP-LOG-03"), // it accepts a level and forgets it
		only("JSON", in(mcphost.JSON()), "MCP-HTTP-32"),                 // it sends progress on the stream of a GET
		only("JSON, stateless", in(mcphost.JSON(), mcphost.Stateless())),
		only("GET without a head", answering(func(_ http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodGet {
				<-r.Context().Done()
			}
			return r.Method == http.MethodGet
		})),
		only("a session is needed", answering(func(w http.ResponseWriter, r *http.Request) bool {
			lacks := r.Header.Get("Mcp-Session-Id") == "" && !bytes.Contains(bodyOf(r), []byte(`"initialize"`))
			if lacks {
				w.WriteHeader(http.StatusBadRequest)
			}
			return lacks
		})),
	}
}

// modernStyles are those of the revision 2026-07-28.
func modernStyles() []style {
	only := func(name string, by func(w http.ResponseWriter, r *http.Request) bool) style {
		return style{name: name, edition: mcphost.Modern, host: answering(by)}
	}
	version := func(r *http.Request) string { return r.Header.Get("Mcp-Protocol-Version") }
	return []style{
		{name: "JSON of the newest revision", edition: mcphost.Modern, host: func(edition string) http.Handler {
			return reference(edition, mcphost.JSON())
		}},
		only("the version is decided first", func(w http.ResponseWriter, r *http.Request) bool {
			return version(r) != "" && version(r) != mcphost.Modern && refused(w, http.StatusBadRequest,
				`{"jsonrpc":"2.0","id":`+string(read(r).ID)+`,"error":{"code":-32022,"message":"no","data":{"supported":`+
					`["2026-07-28"],"requested":"`+version(r)+`"}}}`)
		}),
		only("missing headers are refused without the id", func(w http.ResponseWriter, r *http.Request) bool {
			return r.Method == http.MethodPost && (version(r) == "" || r.Header.Get("Mcp-Method") == "") &&
				refused(w, http.StatusBadRequest, `{"jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"no"}}`)
		}),
		only("notifications are refused", func(w http.ResponseWriter, r *http.Request) bool {
			return r.Method == http.MethodPost && !bytes.Contains(bodyOf(r), []byte(`"id"`)) &&
				refused(w, http.StatusBadRequest, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}`)
		}),
		only("notifications are refused without a body", func(w http.ResponseWriter, r *http.Request) bool {
			refuses := r.Method == http.MethodPost && !bytes.Contains(bodyOf(r), []byte(`"id"`))
			if refuses {
				w.WriteHeader(http.StatusNotImplemented)
			}
			return refuses
		}),
		only("an unknown method is refused with data", func(w http.ResponseWriter, r *http.Request) bool {
			sent := read(r)
			return strings.HasPrefix(sent.Method, "unknown-") && sent.ID != nil && version(r) == mcphost.Modern &&
				r.Header.Get("Origin") == "" &&
				refused(w, http.StatusNotFound, `{"error":{"code":-32601,"data":{"a":[]},"message":""},"id":`+string(sent.ID)+
					`,"jsonrpc":"2.0"}`)
		}),
	}
}

func TestLawfulStylesOfHTTPAreNotAccused(t *testing.T) {
	for _, edition := range mcp.Editions() {
		for _, one := range styles() {
			if one.edition != "" && one.edition != edition || testing.Short() && one.without == nil {
				continue // .ci/run tries these
			}
			t.Run(edition+"/"+one.name, func(t *testing.T) {
				t.Parallel()
				_, report, _ := examined(t, edition, one.host(edition))
				assertBreaksOnly(t, report, one.without...)
			})
		}
	}
}
