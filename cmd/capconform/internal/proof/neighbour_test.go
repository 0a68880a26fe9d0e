package proof

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	acdsuite "github.com/capconform/capconform/suites/acd"
	acpsuite "github.com/capconform/capconform/suites/acp"
	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/live"
)

// unservedAnswers are answers of servers to requests that they do not serve.
func unservedAnswers() map[string]http.HandlerFunc {
	says := func(status int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body) // the client may be gone
		}
	}
	const html, asJSON = "text/html", "application/json"
	refusal := `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"what?"}}`
	return map[string]http.HandlerFunc{
		"the page of an application":       says(http.StatusOK, html, "<!doctype html><title>Harbour</title>"),
		"an unsupported method":            says(http.StatusNotImplemented, html, "<p>Unsupported method"),
		"a bad request":                    says(http.StatusBadRequest, asJSON, `{"error":"unknown path"}`),
		"a bad request in the form of CHP": says(http.StatusBadRequest, asJSON, `{"error":{"code":"bad","message":"no"}}`),
		"a gateway":                        says(http.StatusForbidden, asJSON, `{"message":"Missing Authentication Token"}`),
		"a fault":                          says(http.StatusInternalServerError, "text/plain", "oops"),
		"gone":                             says(http.StatusGone, "text/plain", ""),
		"nothing":                          says(http.StatusNoContent, asJSON, ""),
		"a health status":                  says(http.StatusOK, asJSON, `{"status":"ok"}`),
		"a JSON-RPC error":                 says(http.StatusOK, asJSON, refusal),
		"a JSON-RPC error with status 400": says(http.StatusBadRequest, asJSON, refusal),
		"silence":                          func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"a redirect":                       func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/harbour", http.StatusFound) },
	}
}

// quickSuite returns the one suite with which a quick test combines the answer.
func quickSuite(manner string) string {
	switch manner {
	case "an unsupported method":
		return "chp"
	case "a gateway":
		return "acd"
	}
	return "cap"
}

// A server of one protocol may answer other requests in any way. That breaks no requirement: the other protocols are
// not spoken, and their paths need not be served.
func TestAnswersToUnservedRequestsBreakNothing(t *testing.T) {
	t.Parallel()
	var all []*suites.Suite
	for _, definition := range []suites.Definition{capsuite.Definition(), chpsuite.Definition(), acpsuite.Definition(), acdsuite.Definition()} {
		s := suiteOf(t, definition)
		all = append(all, s)
	}
	spoken := map[string]func(r *http.Request) bool{
		"cap": func(r *http.Request) bool { return r.URL.Path == "/rpc" && r.Method == http.MethodPost },
		"acd": func(r *http.Request) bool { return r.URL.Path == "/rpc" && r.Method == http.MethodPost },
		"chp": func(r *http.Request) bool {
			return slices.Contains(
				[]string{"host", "capabilities", "invoke", "replay", "health"},
				strings.Split(r.URL.Path, "/")[1],
			)
		},
	}
	for name, manner := range unservedAnswers() {
		for suite, serves := range spoken {
			if quick() && suite != quickSuite(name) {
				continue
			}
			t.Run(suite+"/"+name, func(t *testing.T) {
				t.Parallel()
				host, err := reference.New(reference.Options{Suites: []string{suite}})
				require.NoError(t, err)
				defer func() { require.NoError(t, host.Close()) }()
				handler := host.HTTPHandler()
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if serves(r) {
						handler.ServeHTTP(w, r)
						return
					}
					manner(w, r)
				}))
				defer server.Close()
				var routes []driver.Route
				var others []string
				for _, s := range all {
					routes = append(routes, s.Routes...)
					if s.Name != suite {
						others = append(others, s.Name)
					}
				}
				at := httpdriver.New(httpdriver.Config{URL: server.URL, Bindings: httpdriver.Bindings{}.WithRoutes(routes)})
				subject := &suites.Subject{Name: "neighbour", Driver: at, Invoke: live.InvokeSafe, Seed: seed, Options: map[string]string{}}
				report, err := suites.Run(t.Context(), all, subject, suites.Options{Concurrency: 2})
				require.NoError(t, err)
				if diff := cmp.Diff(others, report.NotSpoken); diff != "" {
					t.Errorf("not spoken (-want +got):\n%s", diff)
				}
				for _, s := range report.Suites {
					for _, q := range s.Requirements {
						if q.Status == reports.Failed || q.Status == reports.Error {
							t.Errorf("%s is %s: %s", q.ID, q.Status, q.Reason)
						}
					}
				}
			})
		}
	}
}
