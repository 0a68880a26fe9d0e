package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/record"
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

// A run sends nothing that its record does not contain: it asks nothing before it begins.
func TestRunSendsWhatItsRecordContains(t *testing.T) {
	host, err := reference.New(reference.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = host.Close() })
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		host.HTTPHandler().ServeHTTP(w, r)
	}))
	defer server.Close()
	for _, suite := range [][]string{nil, {"--suite", "chp"}} {
		requests.Store(0)
		path := filepath.Join(t.TempDir(), "run.jsonl")
		args := append([]string{"run", "-q", "--requirement", "CHP-7-01", "--record", path}, suite...)
		var out, errs bytes.Buffer
		require.Zero(t, Main(append(args, server.URL), strings.NewReader(""), &out, &errs), errs.String())
		require.LessOrEqual(t, requests.Load(), int64(len(callsIn(t, path))), suite)
	}
}

// callsIn returns the entries of a record that were sent to the target.
func callsIn(t *testing.T, path string) []record.Entry {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	held, err := record.Read(file)
	require.NoError(t, err)
	defer held.Close()
	var all []record.Entry
	for e, err := range held.Entries() {
		require.NoError(t, err)
		if e.Party == record.Target && e.Operation != "" && e.Outcome != record.NotSent {
			all = append(all, e)
		}
	}
	return all
}

// A target that is starting closes connections and answers 404 at first. Run waits until it speaks a suite, and the
// record contains only the attempt that was judged.
func TestWaitForATargetThatSpeaks(t *testing.T) {
	host, err := reference.New(reference.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = host.Close() })
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch n := requests.Add(1); {
		case n <= 4:
			panic(http.ErrAbortHandler)
		case n <= 40:
			http.NotFound(w, r)
		default:
			host.HTTPHandler().ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	var out, errs bytes.Buffer
	args := []string{"run", "-q", "--wait", "60s", "--suite", "chp", "--record", path, server.URL}
	require.Zero(t, Main(args, strings.NewReader(""), &out, &errs), errs.String())
	begun := map[record.Tick]bool{}
	for _, e := range callsIn(t, path) {
		require.False(t, begun[e.Begun], "two entries begin at tick %d", e.Begun)
		begun[e.Begun] = true
	}
	require.Zero(t, Main([]string{"judge", "-q", path}, strings.NewReader(""), &out, &errs), errs.String())
}
