package proof

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	acdsuite "github.com/capconform/capconform/suites/acd"
	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/live"
)

// closable is a request over HTTP whose connection may be closed.
type closable struct {
	path    string
	method  string // of JSON-RPC
	count   int    // the number of requests with this path and method so far
	members map[string]any
}

func (r closable) has(name string) bool { return r.members[name] != nil }

func (r closable) of(capability string) bool {
	id, _ := r.members["capability_id"].(string)
	return strings.HasPrefix(id, capability)
}

// A host that closes some connections instead of answering, also on the retry, and serves everything else, is still
// examined: it fails the requirement of the missing answer.
func TestClosedConnections(t *testing.T) {
	t.Parallel()
	replays := func(r closable) bool { return strings.HasPrefix(r.path, "/replay") }
	after := func(n int, path string) func(closable) bool {
		return func(r closable) bool { return r.path == path && r.count > n }
	}
	undiscovered := []string{"CHP-11-02", "CHP-4-08"}
	undescribed := []string{
		"CHP-11-02", "CHP-4-01", "CHP-4-02", "CHP-4-03", "CHP-4-04", "CHP-4-05", "CHP-4-06", "CHP-4-08",
	}
	hosts := map[string]struct {
		closes func(closable) bool
		fails  []string
	}{
		"later replays": {
			func(r closable) bool { return replays(r) && r.count > 20 }, []string{"CHP-10-01", "CHP-11-08"},
		},
		"since_sequence, failing and restricted capabilities": {
			func(r closable) bool {
				return r.has("since_sequence") || r.of("conformance.fail") || r.of("conformance.restricted")
			}, []string{"CHP-10-04", "CHP-11-06", "CHP-8-05", "CHP-9-05"},
		},
		"limit with since_sequence, unknown and disabled capabilities": {
			func(r closable) bool {
				return r.has("limit") && r.has("since_sequence") || r.of("capconform.unknown") || r.of("conformance.disabled")
			}, []string{"CHP-10-03", "CHP-11-07", "CHP-9-02", "CHP-9-04"},
		},
		"include_payloads, guarded capabilities": {
			func(r closable) bool { return r.has("include_payloads") || r.of("conformance.guarded") },
			[]string{"CHP-10-05", "CHP-8-06"},
		},
		"discovery":                       {after(0, "/capabilities"), undiscovered},
		"discovery after a probe":         {after(1, "/capabilities"), undiscovered},
		"discovery after two requests":    {after(2, "/capabilities"), undiscovered},
		"descriptions":                    {after(0, "/host"), undescribed},
		"descriptions after two requests": {after(2, "/host"), undescribed},
		"some connections, but not on the retry": {
			func(r closable) bool {
				return r.path == "/capabilities" && r.count%2 == 0 || r.path == "/host" && r.count == 3
			}, nil,
		},
	}
	for i, name := range slices.Sorted(maps.Keys(hosts)) {
		t.Run(name, func(t *testing.T) {
			sampled(t, i, 4)
			t.Parallel()
			host := hosts[name]
			require.Equal(t, host.fails, failedBy(t, chpsuite.Definition(), closingAt(t, "chp", host.closes)))
		})
	}
}

// A host that closes the connection of each message that is not an envelope shows neither that it refuses them nor that
// it executes them.
func TestClosedConnectionsOfMalformedEnvelopes(t *testing.T) {
	t.Parallel()
	malformed := func(r closable) bool {
		id, _ := r.members["capability_id"].(string)
		return r.path == "/invoke" && id == ""
	}
	q := statusesAt(t, chpsuite.Definition(), closingAt(t, "chp", malformed))
	require.Equal(t, reports.Inconclusive, q["CHP-5-10"].Status)
	require.Contains(t, q["CHP-5-10"].Reason, "closes the connection instead of answering")
	require.NotEqual(t, reports.Passed, q["CHP-5-11"].Status)
	require.Equal(t, reports.Passed, q["CHP-5-01"].Status)
}

// The same applies to an agent of ACD. An agent that closes a connection only once has no failures.
func TestClosedConnectionsOfAgent(t *testing.T) {
	t.Parallel()
	always := func(method string) func(closable) bool {
		return func(r closable) bool { return r.method == method }
	}
	agents := map[string]struct {
		closes func(closable) bool
		fails  []string
	}{
		"entries": {
			func(r closable) bool { return r.method == "acd.registry.get" }, []string{"ACD-SDK1-02", "ACD-SDK1-09"},
		},
		"declarations": {
			func(r closable) bool { return r.method == "acd.channel.declare" }, []string{"ACD-SDK5-01", "ACD-SDK5-02"},
		},
		"creations": {always("acd.registry.create"), []string{"ACD-SDK1-02", "ACD-SDK1-08"}},
		"updates":   {always("acd.registry.update"), []string{"ACD-SDK1-02", "ACD-SDK1-10"}},
		"deletions": {always("acd.registry.delete"), []string{"ACD-SDK1-02", "ACD-SDK1-11"}},
		"queries": {always("acd.registry.query"), []string{
			"ACD-LEG-05", "ACD-SDK1-03", "ACD-SDK1-04", "ACD-SDK1-05", "ACD-SDK1-06", "ACD-SDK1-12",
		}},
		"old lists":   {always("acd.legacy"), []string{"ACD-LEG-01", "ACD-LEG-02", "ACD-LEG-03", "ACD-LEG-04"}},
		"invocations": {always("acd.invoke"), []string{"ACD-SDK2-01", "ACD-SDK4-01"}},
		"projections": {always("acd.channel.project"), []string{
			"ACD-SDK5-01", "ACD-SDK5-03", "ACD-SDK5-04", "ACD-SDK5-05",
		}},
		"documentation":                     {always("acd.docs"), []string{"ACD-EX4-01"}},
		"records":                           {always("acd.audit"), []string{"ACD-SDK6-01"}},
		"the second request of each method": {func(r closable) bool { return r.method != "" && r.count == 2 }, nil},
	}
	for i, name := range slices.Sorted(maps.Keys(agents)) {
		t.Run(name, func(t *testing.T) {
			sampled(t, i, 6)
			t.Parallel()
			agent := agents[name]
			require.Equal(t, agent.fails, failedBy(t, acdsuite.Definition(), closingAt(t, "acd", agent.closes)))
		})
	}
}

// A CAP source that serves describe but closes list fails the requirement of the list.
func TestClosedLists(t *testing.T) {
	t.Parallel()
	closes := func(r closable) bool { return r.method == "capability.list" && r.count > 1 }
	require.Equal(t, []string{"CAP-DIS-01"}, failedBy(t, capsuite.Definition(), closingAt(t, "cap", closes)))
}

// closingAt serves the reference over HTTP and closes the connection of some requests.
func closingAt(t *testing.T, suite string, closes func(closable) bool) string {
	host, err := reference.New(reference.Options{Suites: []string{suite}})
	require.NoError(t, err)
	handler := host.HTTPHandler()
	var counting sync.Mutex
	counts := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		asked := closable{path: r.URL.Path}
		_ = json.Unmarshal(body, &asked.members) // a body that is not an object has no members
		asked.method, _ = asked.members["method"].(string)
		counting.Lock()
		counts[asked.path+asked.method]++
		asked.count = counts[asked.path+asked.method]
		counting.Unlock()
		if closes(asked) {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// failedBy examines a host over HTTP and returns the requirements that it fails.
func failedBy(t *testing.T, definition suites.Definition, url string) []string {
	var failed []string
	for id, q := range statusesAt(t, definition, url) {
		if q.Status == reports.Failed {
			failed = append(failed, id)
		}
	}
	slices.Sort(failed)
	return failed
}

// statusesAt examines a host over HTTP and returns its requirements by id.
func statusesAt(t *testing.T, definition suites.Definition, url string) map[string]reports.Requirement {
	s := suiteOf(t, definition)
	config := httpdriver.Config{URL: url, Bindings: httpdriver.Bindings{}.WithRoutes(s.Routes)}
	subject := &suites.Subject{
		Name: "closing", Driver: driver.Reopening(httpdriver.New(config)), Invoke: live.InvokeSafe, Seed: seed,
		Options: map[string]string{},
	}
	report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, suites.Options{Concurrency: 2})
	require.NoError(t, err)
	require.Nil(t, report.Run.Stopped)
	all := map[string]reports.Requirement{}
	for _, q := range report.Suites[0].Requirements {
		all[q.ID] = q
	}
	return all
}
