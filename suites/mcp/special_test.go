package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/mcphost"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
	"github.com/capconform/capconform/suites/mcp"
)

// Faults of a server over stdio, by the value of the variable asFault.
const (
	asFault   = "MCP_TEST_FAULT"
	banner    = "banner"
	endsEarly = "ends"
)

// serveChild serves the reference over stdio in a revision, with a fault.
func serveChild(revision, fault string) {
	out := io.WriteCloser(os.Stdout)
	switch fault {
	case banner:
		fmt.Println("Server started on stdio")
	case endsEarly:
		out = endingWriter{out}
	}
	transport := &sdk.IOTransport{Reader: os.Stdin, Writer: out}
	_ = mcphost.New(revision).Run(context.Background(), transport) // it ends with its input
}

// endingWriter ends the process after each response but that to a handshake.
type endingWriter struct{ io.WriteCloser }

// Write implements io.Writer.
func (w endingWriter) Write(line []byte) (int, error) {
	n, err := w.WriteCloser.Write(line)
	var response struct {
		ID     json.RawMessage `json:"id"`
		Result struct {
			Version string `json:"protocolVersion"`
		} `json:"result"`
	}
	if json.Unmarshal(line, &response) == nil && response.ID != nil && response.Result.Version == "" {
		os.Exit(0)
	}
	return n, err
}

// A server with one fault breaks the requirement of the fault and no other.
func TestServersWithOneFault(t *testing.T) {
	for _, one := range []struct {
		name    string
		breaks  []string
		carries func(t *testing.T, edition string) driver.Driver
	}{
		{"a banner on standard output", []string{"MCP-STDIO-04"}, faulty(banner)},
		{"an inputSchema for texts", []string{"MCP-TOOL-06"}, listing(`{"type":"string"}`)},
		{"required is within properties", []string{"MCP-SCHEMA-07"},
			listing(`{"type":"object","properties":{"path":{"type":"string"},"required":["path"]}}`)},
		{"a file name in place of a URI", []string{"MCP-PROMPT-08"}, overHTTP(small(constant, withTools()))},
		{"a page that names itself", []string{"MCP-PAGE-02", "MCP-TOOL-13"}, overHTTP(paging("again", false))},
	} {
		for _, edition := range mcp.Editions() {
			t.Run(one.name+"/"+edition, func(t *testing.T) {
				t.Parallel()
				_, report, _ := examinedBy(t, edition, one.carries(t, edition), 1)
				assertBreaksOnly(t, report, one.breaks...)
			})
		}
	}
}

// A server that ends after an answer is not judged: the error says that it ended.
func TestServerThatEndsAfterEachAnswer(t *testing.T) {
	for _, edition := range mcp.Editions() {
		s := loaded(t, edition).s
		_, err := suites.Run(context.Background(), []*suites.Suite{s},
			&suites.Subject{Name: "ends", Driver: overStdio(edition, endsEarly), Deadlines: driver.Deadlines{Call: 5 * time.Second}},
			suites.Options{Explicit: true, Concurrency: 1})
		assert.ErrorContains(t, err, "the child ended (exit status 0)")
	}
}

// A server of one revision is examined in the edition of this revision, whatever others the suite has.
func TestServerOfOneRevisionIsExaminedInIt(t *testing.T) {
	var all []*suites.Suite
	for _, edition := range mcp.Editions() {
		all = append(all, loaded(t, edition).s)
	}
	for _, edition := range mcp.Editions() {
		report, err := suites.Run(context.Background(), all, &suites.Subject{Name: "one", Deadlines: driver.Deadlines{Call: 5 * time.Second},
			Driver: overHTTP(func(edition string) http.Handler { return reference(edition) })(t, edition)},
			suites.Options{Explicit: true, Concurrency: 1})
		require.NoError(t, err)
		require.Len(t, report.Suites, 1)
		assert.Equal(t, edition, report.Suites[0].SpecVersion)
		assertConformant(t, report)
	}
}

// An empty cursor names a page in the revision that says so.
func TestEmptyCursorIsFollowed(t *testing.T) {
	_, report, _ := examined(t, mcphost.Modern, paging("", true)(mcphost.Modern))
	assertBreaksOnly(t, report)
	assert.Len(t, report.Suites[0].NotInvoked, 2)
}

// faulty starts the reference over stdio with a fault.
func faulty(fault string) func(*testing.T, string) driver.Driver {
	return func(_ *testing.T, edition string) driver.Driver { return overStdio(edition, fault) }
}

// overHTTP reaches a server over HTTP.
func overHTTP(host func(string) http.Handler) func(*testing.T, string) driver.Driver {
	return func(t *testing.T, edition string) driver.Driver {
		t.Helper()
		return mcpdriver.NewHTTP(httpdriver.Config{URL: serving(t, host(edition))}, mcpdriver.Options{})
	}
}

// withTools are the options of a server that has tools and resources, and no log messages.
func withTools() sdk.ServerOptions {
	return sdk.ServerOptions{Capabilities: &sdk.ServerCapabilities{
		Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{}}}
}

// listing returns a small server whose tool has this inputSchema.
func listing(schema string) func(*testing.T, string) driver.Driver {
	declared := regexp.MustCompile(`"inputSchema":\{[^}]*\}`)
	shows := tool(sdk.Tool{Name: "show", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}})
	return overHTTP(rewrittenOf(small(shows, withTools()), rewriting{event: func(_ int, event string) string {
		return declared.ReplaceAllLiteralString(event, `"inputSchema":`+schema)
	}}))
}

// constant adds a tool with an argument, whose result does not depend on it.
func constant(server *sdk.Server) {
	type input struct {
		Path string `json:"path"`
	}
	sdk.AddTool(server, &sdk.Tool{Name: "show", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}},
		func(context.Context, *sdk.CallToolRequest, input) (*sdk.CallToolResult, any, error) {
			return &sdk.CallToolResult{Content: inBlocks("/etc/motd", "text/plain")}, nil, nil
		})
}

// paging returns a server of two pages with this cursor. It names the second page, which is the last, or the first.
func paging(cursor string, ends bool) func(string) http.Handler {
	return func(edition string) http.Handler {
		next, named := regexp.MustCompile(`"nextCursor":"([^"]*)"`), fmt.Appendf(nil, `"cursor":%q`, cursor)
		var own atomic.Value
		options := withTools()
		options.PageSize = 1
		host := rewrittenOf(small(together(tool(sdk.Tool{Name: "remove"}), tool(sdk.Tool{Name: "store"})), options),
			rewriting{event: func(_ int, event string) string {
				if found := next.FindStringSubmatch(event); found != nil {
					own.Store(found[1])
				}
				return next.ReplaceAllLiteralString(event, fmt.Sprintf(`"nextCursor":%q`, cursor))
			}})(edition)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			meant := []byte(`"none":0`)
			if ends {
				meant = fmt.Appendf(nil, `"cursor":"%v"`, own.Load())
			}
			r.Body = io.NopCloser(bytes.NewReader(bytes.ReplaceAll(bodyOf(r), named, meant)))
			host.ServeHTTP(w, r)
		})
	}
}
