package acpsuite

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
)

// service is a small indexing service. It follows the registry that it was configured with: it requests the events
// whenever it is called.
type service struct {
	mu     sync.Mutex
	client *http.Client
	where  struct{ Gateway, Registry string }
	since  int
	rows   []row
}

type row struct {
	Metadata object `json:"meta"`
	CID      string `json:"cid"`
}

func (r row) id() string { id, _ := r.Metadata["id"].(string); return id }

func (s *service) fetch(ctx context.Context, method, url, body string) []byte {
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return nil
	}
	response, err := s.client.Do(request)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	content, _ := io.ReadAll(response.Body)
	return content
}

// follow reads new events.
func (s *service) follow(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.where.Registry == "" {
		return
	}
	var reply struct {
		Result struct{ Events []struct{ CID string } }
	}
	asked := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"acp.events","params":{"since":%d}}`, s.since)
	if json.Unmarshal(s.fetch(ctx, http.MethodPost, s.where.Registry+"/rpc", asked), &reply) != nil {
		return
	}
	for _, event := range reply.Result.Events {
		metadata, _ := history.ParseFile(s.fetch(ctx, http.MethodGet, s.where.Gateway+"/ipfs/"+event.CID,
			""))["metadata"].(object)
		s.rows = append(s.rows, row{metadata, event.CID})
		s.since++
	}
}

// resolve returns the requested version, or the latest.
func (s *service) resolve(ctx context.Context, uri string) (row, bool) {
	s.follow(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	var best row
	for _, r := range s.rows {
		n := history.NewRelease(r.id(), "")
		if r.id() == uri {
			return r, true
		}
		if n.URIWithoutVersion() == uri &&
			(best.Metadata == nil || history.Newer(n.Version, history.NewRelease(best.id(), "").Version)) {
			best = r
		}
	}
	return best, best.Metadata != nil
}

func (s *service) search(ctx context.Context, word string) []row {
	s.follow(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	found := []row{}
	for _, r := range s.rows {
		if text, _ := json.Marshal(r.Metadata); bytes.Contains(text, []byte(word)) {
			found = append(found, r)
		}
	}
	return found
}

// offerTool adds a tool whose arguments are strings.
func offerTool(
	server *mcp.Server,
	name string,
	answer func(ctx context.Context, arguments map[string]any) *mcp.CallToolResult,
) {
	server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			arguments := map[string]any{}
			_ = json.Unmarshal(r.Params.Arguments, &arguments)
			return answer(ctx, arguments), nil
		})
}

func inText(value any) *mcp.CallToolResult {
	raw, _ := json.Marshal(value)
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(raw)}}}
}

func argument(arguments map[string]any, name string) string {
	text, _ := arguments[name].(string)
	return text
}

// offerNamed offers the queries by the names and in the form of the text.
func (s *service) offerNamed(server *mcp.Server) {
	offerTool(server, "resolve_capability", func(ctx context.Context, arguments map[string]any) *mcp.CallToolResult {
		r, found := s.resolve(ctx, argument(arguments, "cap_uri"))
		if !found {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "not found"}}}
		}
		return &mcp.CallToolResult{StructuredContent: object{"acp_metadata": r.Metadata, "ipfs_cid": r.CID}}
	})
	offerTool(server, "search_capabilities", func(ctx context.Context, arguments map[string]any) *mcp.CallToolResult {
		results := []any{}
		for _, r := range s.search(ctx, argument(arguments, "query_string")) {
			results = append(results, object{"acp_metadata": r.Metadata, "ipfs_cid": r.CID})
		}
		return inText(results) // a bare list fits only in a text
	})
}

// offerOwn offers the queries by other names and in another form, with errors in the result.
func (s *service) offerOwn(server *mcp.Server) {
	offerTool(server, "cap_lookup", func(ctx context.Context, arguments map[string]any) *mcp.CallToolResult {
		r, found := s.resolve(ctx, argument(arguments, "id"))
		if !found {
			return inText(object{"code": 404, "data": nil})
		}
		return inText(object{"code": 200, "data": r})
	})
	offerTool(server, "cap_page", func(ctx context.Context, arguments map[string]any) *mcp.CallToolResult {
		return inText(object{"code": 200, "data": object{"items": s.search(ctx, argument(arguments, "q")), "page": 1}})
	})
}

func (s *service) offerConfigure(server *mcp.Server) {
	offerTool(server, "acp_configure", func(_ context.Context, arguments map[string]any) *mcp.CallToolResult {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.where.Gateway, s.where.Registry = argument(arguments, "gateway"), argument(arguments, "registry")
		return inText(object{})
	})
}

// own returns the mapping for the tools of offerOwn.
func own() map[string]mcpdriver.Binding {
	return map[string]mcpdriver.Binding{
		opResolve: {
			Tool: "cap_lookup", Params: "{id: .params.cap_uri}", Response: ".body.data | {acp_metadata: .meta, ipfs_cid: .cid}",
			Error: `if .body.code == 404 then "NOT_FOUND" else null end`,
		},
		opSearch: {
			Tool: "cap_page", Params: "{q: .params.query_string}",
			Response: "{list_of_results: [.body.data.items[] | {acp_metadata: .meta, ipfs_cid: .cid}]}",
		},
	}
}

// indexAt serves an index over streamable HTTP.
func indexAt(t *testing.T, offers ...func(*service, *mcp.Server)) (*service, string) {
	t.Helper()
	s := &service{client: &http.Client{Transport: &http.Transport{}, Timeout: 10 * time.Second}}
	server := mcp.NewServer(
		&mcp.Implementation{Name: "index", Version: "1"},
		&mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}},
	)
	for _, add := range offers {
		add(s, server)
	}
	front := httptest.NewServer(
		mcp.NewStreamableHTTPHandler(
			func(*http.Request) *mcp.Server { return server },
			&mcp.StreamableHTTPOptions{Stateless: true},
		),
	)
	t.Cleanup(func() { front.Close(); s.client.CloseIdleConnections() })
	return s, front.URL
}

// indexStatuses examines a subject, and returns the status and reason of each requirement on an index.
func indexStatuses(t *testing.T, subject *suites.Subject) (map[string]reports.Status, map[string]string) {
	t.Helper()
	s, err := suites.New(Definition())
	require.NoError(t, err)
	subject.Deadlines.Slow = 2 * time.Second
	report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, suites.Options{Explicit: true, Concurrency: 2})
	require.NoError(t, err)
	statuses, reasons := map[string]reports.Status{}, map[string]string{}
	for _, q := range report.Suites[0].Requirements {
		r, _ := s.Catalogue.Lookup(q.ID)
		if r.Actor == actorIndex {
			statuses[q.ID], reasons[q.ID] = q.Status, q.Reason
			for _, c := range q.Scenarios {
				if c.Failure != nil {
					reasons[q.ID] = c.Failure.Message
				}
			}
		}
	}
	return statuses, reasons
}

func overMCP(t *testing.T, url string, bindings map[string]mcpdriver.Binding) driver.Driver {
	t.Helper()
	compiled, err := mcpdriver.CompileBindings(bindings)
	require.NoError(t, err)
	return mcpdriver.NewHTTP(
		httpdriver.Config{URL: url},
		mcpdriver.Options{Operations: operations(), Bindings: compiled},
	)
}

// all returns each requirement with the same status, except the given ones.
func all(status reports.Status, but map[string]reports.Status) map[string]reports.Status {
	want := map[string]reports.Status{}
	for _, id := range []string{
		"ACP-REG-04", "ACP-REG-05", "ACP-INDEX-01", "ACP-INDEX-02", "ACP-INDEX-04", "ACP-INDEX-05", "ACP-INDEX-06", "ACP-INDEX-07", "ACP-INDEX-08", "ACP-INDEX-09",
	} {
		want[id] = status
	}
	maps.Copy(want, but)
	return want
}

func TestIndexOverMCP(t *testing.T) {
	unmapped := own()
	b := unmapped[opResolve]
	b.Error = ""
	unmapped[opResolve] = b
	for name, test := range map[string]struct {
		offers   []func(*service, *mcp.Server)
		bindings map[string]mcpdriver.Binding
		want     map[string]reports.Status
	}{
		"by the names of the text": {
			[]func(*service, *mcp.Server){(*service).offerNamed, (*service).offerConfigure}, nil, all(reports.Passed, nil),
		},
		"by other names": {
			[]func(*service, *mcp.Server){(*service).offerOwn, (*service).offerConfigure}, own(),
			all(reports.Provided, nil), // a mapped answer showed that the subject is an index
		},
		"errors in the result, not mapped": {
			[]func(*service, *mcp.Server){(*service).offerOwn, (*service).offerConfigure}, unmapped,
			all(reports.Provided, nil),
		},
		"by unknown names": {
			[]func(*service, *mcp.Server){(*service).offerOwn, (*service).offerConfigure}, nil, all(reports.Inconclusive, nil),
		},
		"without following the registry": {
			[]func(*service, *mcp.Server){(*service).offerNamed}, nil, all(reports.Inconclusive, map[string]reports.Status{"ACP-REG-05": reports.Passed}),
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, url := indexAt(t, test.offers...)
			got, reasons := indexStatuses(t, &suites.Subject{Driver: overMCP(t, url, test.bindings)})
			delete(got, "ACP-INDEX-03")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s%v", diff, reasons)
			}
		})
	}
}

func TestReasonsNameMissingTools(t *testing.T) {
	_, url := indexAt(t, (*service).offerOwn, (*service).offerConfigure)
	_, reasons := indexStatuses(t, &suites.Subject{Driver: overMCP(t, url, nil), Actors: []string{actorIndex}})
	for _, part := range []string{"bindings: {resolve_capability: {tool: NAME}}", "cap_lookup", "cap_page"} {
		if !strings.Contains(reasons["ACP-INDEX-01"], part) {
			t.Errorf("%q does not contain %q", reasons["ACP-INDEX-01"], part)
		}
	}
	_, url = indexAt(t, (*service).offerNamed)
	_, reasons = indexStatuses(t, &suites.Subject{Driver: overMCP(t, url, nil)})
	if want := "known: [{cap_uri: "; !strings.Contains(reasons["ACP-INDEX-01"], want) {
		t.Errorf("%q does not contain %q", reasons["ACP-INDEX-01"], want)
	}
}

func TestIndexOfKnownPackages(t *testing.T) {
	s, url := indexAt(t, (*service).offerNamed)
	var known []suites.Package
	for _, uri := range []string{"did:nuwa:cap:note@1.9.0", "did:nuwa:cap:note@1.10.0", "did:nuwa:cap:weather@0.1.0"} {
		s.rows = append(s.rows, row{object{"id": uri, "name": "Keeper of " + history.NameOf(uri)}, "cid-" + uri})
		known = append(known, suites.Package{CapURI: uri, CID: "cid-" + uri})
	}
	s.rows = append(s.rows, row{object{"id": "did:nuwa:cap:note@2.0.0", "name": "newer than the known version"}, "c"})
	got, reasons := indexStatuses(t, &suites.Subject{Driver: overMCP(t, url, nil), Known: known})
	delete(got, "ACP-INDEX-03")
	want := all(reports.Passed, map[string]reports.Status{"ACP-REG-04": reports.NotApplicable, "ACP-INDEX-04": reports.Inconclusive})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s%v", diff, reasons)
	}
}

func TestIndexThatRequiresCredentials(t *testing.T) {
	ask := func(_ *service, server *mcp.Server) {
		for _, tool := range []string{opResolve, opSearch} {
			offerTool(server, tool, func(context.Context, map[string]any) *mcp.CallToolResult {
				return &mcp.CallToolResult{
					Content: []mcp.Content{
						&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "pay:1", Text: "{}"}},
					},
				}
			})
		}
	}
	_, url := indexAt(t, ask, (*service).offerConfigure)
	got, reasons := indexStatuses(t, &suites.Subject{Driver: overMCP(t, url, nil)})
	delete(got, "ACP-INDEX-03")
	if diff := cmp.Diff(all(reports.Inconclusive, map[string]reports.Status{"ACP-REG-05": reports.Passed}), got); diff != "" {
		t.Errorf("(-want +got)\n%s%v", diff, reasons)
	}
}

// TestIndexInTheEnvironmentOfAChild configures the index only by environment variables.
func TestIndexInTheEnvironmentOfAChild(t *testing.T) {
	for name, test := range map[string]struct {
		obeys bool
		want  map[string]reports.Status
	}{
		"read":     {true, all(reports.Passed, nil)},
		"not read": {false, all(reports.Inconclusive, map[string]reports.Status{"ACP-REG-05": reports.Passed})},
	} {
		t.Run(name, func(t *testing.T) {
			s, url := indexAt(t, (*service).offerNamed)
			played, err := Definition().StartTestDoubles()
			require.NoError(t, err)
			for _, variable := range played.Variables {
				name, value, _ := strings.Cut(variable, "=")
				switch {
				case !test.obeys:
				case name == "ACP_GATEWAY":
					s.where.Gateway = value
				case name == "ACP_REGISTRY":
					s.where.Registry = value
				}
			}
			got, reasons := indexStatuses(t, &suites.Subject{Driver: overMCP(t, url, nil),
				TestDoubles: map[string]suites.TestDoubles{"acp": played}})
			delete(got, "ACP-INDEX-03")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s%v", diff, reasons)
			}
		})
	}
}
