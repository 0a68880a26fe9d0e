package proof

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/plainmcp"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/format"
	"github.com/capconform/capconform/reports/verification"
	"github.com/capconform/capconform/suites"
	acdsuite "github.com/capconform/capconform/suites/acd"
	acpsuite "github.com/capconform/capconform/suites/acp"
	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
	"github.com/capconform/capconform/suites/live"
)

// liveSuites are the definitions of all suites.
func liveSuites() []suites.Definition {
	return []suites.Definition{
		capsuite.Definition(), chpsuite.Definition(), acpsuite.Definition(), acdsuite.Definition(),
	}
}

// rpcBinding sends an operation as JSON-RPC, like the driver, but by the jq expressions of a target file.
func rpcBinding(operation, response string) httpdriver.Binding {
	return httpdriver.Binding{
		Method: http.MethodPost, Path: "/rpc", Response: response,
		Body:  fmt.Sprintf(`{jsonrpc: "2.0", id: 1, method: %q, params: .params}`, operation),
		Error: `.body.error | if . then {code: (.data.code // "REFUSED"), message} else null end`,
	}
}

// boundRun examines a host some of whose operations are mapped.
func boundRun(
	t *testing.T,
	def suites.Definition,
	handler http.Handler,
	all map[string]httpdriver.Binding,
) *reports.Suite {
	t.Helper()
	s := suiteOf(t, def)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	bindings, err := httpdriver.CompileBindings(all)
	require.NoError(t, err)
	subject := &suites.Subject{
		Name: "mapped", Driver: httpdriver.New(httpdriver.Config{URL: server.URL, Bindings: bindings}),
		Invoke: live.InvokeSafe, Seed: seed, Options: map[string]string{},
	}
	report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, suites.Options{Explicit: true, Concurrency: 1})
	require.NoError(t, err)
	require.Len(t, report.Suites, 1)
	for operation := range all {
		report.Suites[0].Mappings = append(report.Suites[0].Mappings, reports.Mapping{Operation: operation})
	}
	requireConsistent(t, report)
	return &report.Suites[0]
}

// mappedRun examines a host all of whose operations are mapped.
func mappedRun(
	t *testing.T,
	def suites.Definition,
	handler http.Handler,
	bind func(operation string) httpdriver.Binding,
) *reports.Suite {
	t.Helper()
	all := map[string]httpdriver.Binding{}
	for _, operation := range def.Operations {
		all[operation] = bind(operation)
	}
	return boundRun(t, def, handler, all)
}

// requireConsistent verifies a report as a third party would.
func requireConsistent(t *testing.T, report *reports.Report) {
	t.Helper()
	report.Harness.Name, report.Harness.Version, report.Run.Command = "capconform", "1.0.0", "capconform run"
	json, known := format.Find("json")
	require.True(t, known)
	var document bytes.Buffer
	require.NoError(t, json.Write(&document, report, format.Options{}))
	v := verification.Verify(
		t.Context(),
		verification.Proof{Document: document.Bytes(), Build: reports.Harness{Version: "1.0.0"}},
	)
	require.Empty(t, v.Faults)
}

// TestPlainServerIsMostlyProvided: for a plain MCP server, the adapter provides most of CAP, so the server alone is
// not a conforming source.
func TestPlainServerIsMostlyProvided(t *testing.T) {
	s := suiteOf(t, capsuite.Definition())
	plain, err := plainmcp.New(false)
	require.NoError(t, err)
	server := httptest.NewServer(plain.Handler())
	t.Cleanup(server.Close)
	subject := &suites.Subject{
		Name: "plain", Driver: mcpdriver.NewHTTP(httpdriver.Config{URL: server.URL}, mcpdriver.Options{Operations: s.Operations}),
		Invoke: live.InvokeSafe, Adapter: suites.Adapter{Mode: "auto"}, Seed: seed, Options: map[string]string{},
	}
	report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, suites.Options{Explicit: true, Concurrency: 1})
	require.NoError(t, err)
	requireConsistent(t, report)
	must := report.Suites[0].Counts.Must
	if must.Passed == 0 || must.Provided < must.Passed || must.Failed+must.Inconclusive+must.Error > 0 {
		t.Errorf("counts: %+v", must)
	}
	if report.Verdict != reports.Incomplete {
		t.Errorf("verdict: %s", report.Verdict)
	}
}

// TestMappedAnswersAreProvided examines the reference host through a mapping that changes nothing. Every fulfilled
// requirement rests on a mapped answer, so nothing is passed and the host is not conformant.
func TestMappedAnswersAreProvided(t *testing.T) {
	for i, def := range liveSuites() {
		t.Run(def.Name, func(t *testing.T) {
			sampled(t, i, len(liveSuites()))
			host, err := reference.New(reference.Options{Suites: []string{def.Name}})
			require.NoError(t, err)
			defer host.Close() // the test is over
			got := mappedRun(t, def, host.HTTPHandler(), func(operation string) httpdriver.Binding {
				return rpcBinding(operation, ".body.result | .")
			})
			kept := 0
			for _, q := range got.Requirements {
				kept += len(q.Scenarios)
				if q.Status == reports.Passed {
					t.Errorf("%s is passed, although a mapping made its answers", q.ID)
				}
				if slices.Contains([]reports.Status{reports.Failed, reports.Error}, q.Status) {
					t.Errorf("%s is %s: %s", q.ID, q.Status, q.Reason)
				}
			}
			if got.Verdict != reports.Incomplete || got.Counts.Must.Provided == 0 || kept == 0 {
				t.Errorf("the verdict is %s, with %d MUSTs provided", got.Verdict, got.Counts.Must.Provided)
			}
		})
	}
}

// TestMappingWithoutHostIsNotConformant examines servers that implement nothing, through mappings that make the
// answers.
func TestMappingWithoutHostIsNotConformant(t *testing.T) {
	constant := func(body string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
	}
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = fmt.Fprintf(w, `{"json": %s}`, body)
	})
	manifest := `{capability_id: "a.b", version: "1.0.0", kind: "tool", name: "A", description: "B", input_schema: {type: "object"}}`
	answers := fmt.Sprintf(`{"capability.list": [%s], "capability.describe": %s, "capability.invoke": {ok: true, output: {}}}`, manifest, manifest)
	for name, c := range map[string]struct {
		handler http.Handler
		bind    func(operation string) httpdriver.Binding
	}{
		"params": {constant("{}"), func(operation string) httpdriver.Binding {
			return httpdriver.Binding{Method: http.MethodPost, Path: "/x", Response: fmt.Sprintf(`if .params.input then {ok: true, output: .params.input} else %s[%q] end`, answers, operation)}
		}},
		"constants": {constant("{}"), func(operation string) httpdriver.Binding {
			return httpdriver.Binding{Path: "/x", Response: fmt.Sprintf(`%s[%q]`, answers, operation)}
		}},
		"refusals": {constant("{}"), func(string) httpdriver.Binding {
			return httpdriver.Binding{Path: "/x", Response: ".body", Error: `"NOT_FOUND"`}
		}},
		"echoed requests": {echo, func(operation string) httpdriver.Binding {
			return httpdriver.Binding{
				Method: http.MethodPost, Path: "/x", Response: ".body.json.answer",
				Body: fmt.Sprintf(`{answer: (if .params.input then {ok: true, output: .params.input} else %s[%q] end)}`, answers, operation),
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got := mappedRun(t, capsuite.Definition(), c.handler, c.bind)
			if got.Verdict == reports.Conformant || got.Counts.Must.Passed > 0 {
				t.Errorf("the verdict is %s, with %d MUSTs passed", got.Verdict, got.Counts.Must.Passed)
			}
		})
	}
}
