package proof

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
)

// A host that closes the connection of each later replay, and serves everything else, is not given up: it fails the
// requirement that the replays are owed by.
func TestClosedReplays(t *testing.T) {
	t.Parallel()
	host, err := reference.New(reference.Options{Suites: []string{"chp"}})
	require.NoError(t, err)
	handler, replays := host.HTTPHandler(), atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/replay") && replays.Add(1) > 20 {
			panic(http.ErrAbortHandler)
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	s := suiteOf(t, chpsuite.Definition())
	config := httpdriver.Config{URL: server.URL, Bindings: httpdriver.Bindings{}.WithRoutes(s.Routes)}
	subject := &suites.Subject{
		Name: "closing", Driver: driver.Lasting(httpdriver.New(config)), Invoke: suites.InvokeSafe, Seed: seed,
		Options: map[string]string{},
	}
	report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, suites.Options{Concurrency: 2})
	require.NoError(t, err)
	var failed []string
	for _, q := range report.Suites[0].Requirements {
		if q.Status == reports.Failed {
			failed = append(failed, q.ID)
		}
	}
	require.Equal(t, []string{"CHP-10-01", "CHP-11-08"}, failed)
}
