package mcp_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/mcphost"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
	"github.com/capconform/capconform/suites/driver/stdiodriver"
	"github.com/capconform/capconform/suites/mcp"
	"github.com/capconform/capconform/suites/prove"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/text"
)

// asChild is the variable by which the tests start their own binary as the reference over stdio, in a revision.
const asChild = "MCP_TEST_CHILD"

func TestMain(m *testing.M) {
	if revision := os.Getenv(asChild); revision != "" {
		_ = mcphost.New(revision).Run(context.Background(), &sdk.StdioTransport{}) // it ends with its input
		return
	}
	os.Exit(m.Run())
}

// examined examines a server over HTTP in a revision, and returns the report and the record.
func examined(t *testing.T, own *text.Text, edition string, host http.Handler) (*suites.Suite, *reports.Report,
	*record.Record) {
	t.Helper()
	server := httptest.NewServer(host)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return examinedBy(t, own, mcpdriver.NewHTTP(httpdriver.Config{URL: server.URL}, mcpdriver.Options{Version: edition}), 1)
}

func examinedBy(t *testing.T, own *text.Text, carries driver.Driver, concurrency int) (*suites.Suite, *reports.Report,
	*record.Record) {
	t.Helper()
	s, err := suites.New(own.Definition())
	require.NoError(t, err)
	writer := record.NewWriter(nil)
	t.Cleanup(func() { _ = writer.Close() })
	report, err := suites.Run(context.Background(), []*suites.Suite{s}, &suites.Subject{
		Name: "mcphost", Driver: carries, Deadlines: driver.Deadlines{Call: 5 * time.Second},
	}, suites.Options{Explicit: true, Record: writer, Concurrency: concurrency})
	require.NoError(t, err)
	var out bytes.Buffer
	header := writer.Described()
	header.Suites = []record.Suite{{Suite: s.Name}}
	_, err = writer.Save(&out, header)
	require.NoError(t, err)
	stored, err := record.Read(&out)
	require.NoError(t, err)
	stored, err = stored.Load()
	require.NoError(t, err)
	return s, report, stored
}

func TestReferenceIsConformantAndEachDefectIsFound(t *testing.T) {
	for _, edition := range mcp.Editions() {
		t.Run(edition, func(t *testing.T) {
			own, err := mcp.Load(edition)
			require.NoError(t, err)
			assert.Empty(t, own.Todo())
			s, report, stored := examined(t, own, edition, mcphost.Handler(nil))
			assertConformant(t, report)
			result, err := prove.Defects(context.Background(), s, own, stored)
			require.NoError(t, err)
			for _, row := range result.Defects {
				assert.True(t, row.Found, "%s: %s", row.Defect, row.Why)
				if !breaksOne(edition, row.Breaks) {
					continue
				}
				for _, other := range row.Others {
					q, known := s.Catalogue.Lookup(other)
					assert.True(t, known && !q.Level.Binding(), "%s also breaks %s", row.Defect, other)
				}
			}
			assert.Empty(t, result.Unproven())
		})
	}
}

// breaksOne reports whether the rows of a requirement break no other MUST. In the older edition, only those of HTTP and
// of running requests do, except an answer to a notification, and a response on another stream, which answers nothing.
func breaksOne(edition, id string) bool {
	if edition == mcphost.Modern {
		return true
	}
	more := []string{"MCP-HTTP-10", "MCP-HTTP-11", "MCP-HTTP-33"}
	return (strings.HasPrefix(id, "MCP-HTTP") || id == "MCP-LIFE-06" || id == "MCP-PROG-10") && !slices.Contains(more, id)
}

// A server of one revision alone is conformant over stdio, also if scenarios run concurrently.
func TestReferenceIsConformantOverStdio(t *testing.T) {
	for _, edition := range mcp.Editions() {
		t.Run(edition, func(t *testing.T) {
			t.Parallel()
			own, err := mcp.Load(edition)
			require.NoError(t, err)
			_, report, _ := examinedBy(t, own, mcpdriver.NewStdio(stdiodriver.Config{
				Command: []string{os.Args[0]}, Env: []string{asChild + "=" + edition},
			}, mcpdriver.Options{Version: edition}), 4)
			assertConformant(t, report)
			assert.Equal(t, reports.Conformant, report.Verdict)
		})
	}
}

func assertConformant(t *testing.T, report *reports.Report) {
	t.Helper()
	for _, q := range report.Suites[0].Requirements {
		assert.NotContains(t, []reports.Status{reports.Failed, reports.Inconclusive, reports.Error}, q.Status,
			"%s: %s", q.ID, q.Reason)
	}
	for _, n := range report.Suites[0].NotInvoked {
		assert.Equal(t, "remove_all", n.Capability)
	}
}

// answering returns a server that answers some requests by itself.
func answering(host http.Handler, by func(w http.ResponseWriter, r *http.Request) (answered bool)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !by(w, r) {
			host.ServeHTTP(w, r)
		}
	})
}

// refusing returns a server that answers a method with status 405.
func refusing(method string, host http.Handler) http.Handler {
	return answering(host, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == method {
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
		return r.Method == method
	})
}

func TestLawfulStylesOfHTTPAreNotAccused(t *testing.T) {
	own, err := mcp.Load(mcphost.Legacy)
	require.NoError(t, err)
	also := map[string]string{ // what the SDK breaks in a style
		"without sessions": "MCP-LOG-03",  // it accepts a level and forgets it
		"JSON":             "MCP-HTTP-32", // it sends the progress of a request on the stream of a GET
	}
	for name, host := range map[string]http.Handler{
		"without sessions": mcphost.Handler(nil, mcphost.Stateless()),
		"JSON":             mcphost.Handler(nil, mcphost.JSON()),
		"JSON, stateless":  mcphost.Handler(nil, mcphost.JSON(), mcphost.Stateless()),
		"no GET":           refusing(http.MethodGet, mcphost.Handler(nil)),
		"GET without a head": answering(mcphost.Handler(nil), func(_ http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodGet {
				<-r.Context().Done()
			}
			return r.Method == http.MethodGet
		}),
		"no DELETE": refusing(http.MethodDelete, mcphost.Handler(nil)),
		"origin refused without a body": answering(mcphost.Handler(nil), func(w http.ResponseWriter, r *http.Request) bool {
			if r.Header.Get("Origin") != "" {
				w.WriteHeader(http.StatusForbidden)
			}
			return r.Header.Get("Origin") != ""
		}),
		"origin refused with an error response": answering(mcphost.Handler(nil),
			func(w http.ResponseWriter, r *http.Request) bool {
				if r.Header.Get("Origin") != "" {
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(http.StatusForbidden)
					_, _ = w.Write([]byte(`{"jsonrpc":"2.0","error":{"code":-32000,"message":"no"}}`))
				}
				return r.Header.Get("Origin") != ""
			}),
		"a session is needed": answering(mcphost.Handler(nil), func(w http.ResponseWriter, r *http.Request) bool {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			lacks := r.Header.Get("Mcp-Session-Id") == "" && !bytes.Contains(body, []byte(`"initialize"`))
			if lacks {
				w.WriteHeader(http.StatusBadRequest)
			}
			return lacks
		}),
	} {
		if testing.Short() && also[name] == "" {
			continue // .ci/run tries these
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, report, _ := examined(t, own, mcphost.Legacy, host)
			for _, q := range report.Suites[0].Requirements {
				if q.ID == also[name] {
					continue
				}
				assert.NotContains(t, []reports.Status{reports.Failed, reports.Inconclusive, reports.Error}, q.Status,
					"%s: %s", q.ID, q.Reason)
			}
		})
	}
}
