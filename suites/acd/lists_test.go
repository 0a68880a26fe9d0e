package acdsuite

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/lint/linttest"
	"github.com/capconform/capconform/suites/live"
)

// lister serves an agent with only the paths of the text.
func lister(t *testing.T, shown func(c *history.Item) any, ignored string) *httptest.Server {
	t.Helper()
	var entries []*history.Item
	for _, e := range []struct{ id, kind, substrate, mode, scope string }{
		{"a.one", "atomic", "symbolic", "direct", "public"}, {"a.two", "composite", "llm", "command", "human"},
		{"a.sub", "proxy", "agent", "message", "agent"}, {"a.web", "atomic", "transport", "ui_action", "channel"},
	} {
		var members object
		require.NoError(t, json.Unmarshal([]byte(echoJSON), &members))
		members["capability_id"], members["kind"] = e.id, e.kind
		history.Set(members, "execution.substrate", e.substrate)
		history.Set(members, "invocation.modes", []any{e.mode})
		history.Set(members, "exposure.scope", e.scope)
		entries = append(entries, &history.Item{ID: e.id, Members: members})
	}
	mux := http.NewServeMux()
	list := func(path string, asked func(r *http.Request) map[string]string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			found := []any{}
			for _, c := range entries {
				fit := true
				for name, value := range asked(r) {
					fit = fit && (name == ignored || history.Fits(c.Members, name, value))
				}
				if fit {
					found = append(found, shown(c))
				}
			}
			_ = json.NewEncoder(w).Encode(found) // the client may be gone
		})
	}
	list("/listCapabilities", func(r *http.Request) map[string]string {
		asked := map[string]string{}
		for _, name := range history.Filters[:3] {
			if value := r.URL.Query().Get(name); value != "" {
				asked[name] = value
			}
		}
		return asked
	})
	for _, l := range history.Legacies {
		list(l.Endpoint, func(*http.Request) map[string]string { return map[string]string{l.Filter: l.Value} })
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

func examined(t *testing.T, url string) reports.Suite {
	t.Helper()
	suite, err := suites.New(Definition())
	require.NoError(t, err)
	config := httpdriver.Config{URL: url, Bindings: httpdriver.Bindings{}.WithRoutes(suite.Routes)}
	subject := &suites.Subject{Driver: httpdriver.New(config), Invoke: live.InvokeSafe}
	report, err := suites.Run(t.Context(), []*suites.Suite{suite}, subject, suites.Options{Concurrency: 2})
	require.NoError(t, err)
	require.Len(t, report.Suites, 1)
	return report.Suites[0]
}

// An agent that serves only the lists is examined by them; the missing operations are named, and are not failures.
func TestAgentsWithOnlyLists(t *testing.T) {
	whole := func(c *history.Item) any { return c.Members }
	for _, c := range []struct {
		name, ignored string
		shown         func(c *history.Item) any
		want          map[string]reports.Status
	}{
		{"valid", "", whole, map[string]reports.Status{
			"ACD-DESC-07": reports.Passed, "ACD-LEG-01": reports.Passed, "ACD-LEG-02": reports.Passed, "ACD-LEG-03": reports.Passed, "ACD-LEG-04": reports.Passed,
			"ACD-LEG-05": reports.Passed, "ACD-SDK1-03": reports.Passed, "ACD-SDK1-04": reports.Passed, "ACD-SDK1-05": reports.Inconclusive,
			"ACD-SDK1-12": reports.Inconclusive, "ACD-MAN-03": reports.Inconclusive, "ACD-EX1-01": reports.NotApplicable,
		}},
		{"only ids", "", func(c *history.Item) any { return c.ID }, map[string]reports.Status{"ACD-DESC-07": reports.Inconclusive, "ACD-LEG-01": reports.Inconclusive}},
		{"an unknown filter", "execution", whole, map[string]reports.Status{
			"ACD-LEG-03": reports.Failed, "ACD-LEG-04": reports.Failed, "ACD-SDK1-03": reports.Failed, "ACD-LEG-01": reports.Passed, "ACD-SDK1-04": reports.Passed,
		}},
	} {
		got := examined(t, lister(t, c.shown, c.ignored).URL)
		for id, want := range c.want {
			if s := (linttest.Report{Suite: got}).Status(id); s != want {
				t.Errorf("%s: %s is %s, want %s", c.name, id, s, want)
			}
		}
		for _, q := range got.Requirements {
			if q.Status == reports.Error || q.Status == reports.Failed && c.want[q.ID] != reports.Failed {
				t.Errorf("%s: %s is %s: %s", c.name, q.ID, q.Status, q.Reason)
			}
		}
		if !slices.ContainsFunc(
			got.Requirements,
			func(q reports.Requirement) bool { return q.Status == reports.Inconclusive && q.Reason != "" },
		) {
			t.Errorf("%s: no reason names the missing operations", c.name)
		}
	}
}
