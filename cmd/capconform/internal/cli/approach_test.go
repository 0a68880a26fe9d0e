package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
)

// A URL of an MCP server without mcp+ is refused with a message that names the right target: under the JSON-RPC
// binding, the server would fail everything.
func TestURLOfAnMCPServer(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct{ Method string }
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &m)
		switch {
		case r.URL.Path == "/sse" && r.Method == http.MethodGet:
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "event: endpoint\ndata: /messages\n\n")
		case r.URL.Path == "/mcp" && m.Method == "initialize":
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{}}}`)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	for path, want := range map[string]string{
		"/mcp":   "run: %[1]s is an MCP server over streamable HTTP; the target is mcp+%[1]s",
		"/sse":   "run: %[1]s: the server appears to use the transport HTTP+SSE of MCP 2024-11-05",
		"/other": "",
	} {
		for _, suite := range [][]string{nil, {"--suite", "cap"}} {
			var out, errs bytes.Buffer
			url := server.URL + path
			exit := Main(append(append([]string{"run"}, suite...), url), strings.NewReader(""), &out, &errs)
			if want == "" {
				require.NotEqual(t, int(reports.ExitUsage), exit, errs.String())
				continue
			}
			require.Equal(t, int(reports.ExitUsage), exit, out.String())
			require.Contains(t, errs.String(), fmt.Sprintf(want, url))
			require.Empty(t, out.String())
		}
	}
}
