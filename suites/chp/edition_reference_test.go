package chpsuite_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/chp2host"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/prove"
	"github.com/capconform/capconform/suites/record"
)

// examined examines a host over HTTP in the edition 0.2, and returns the report and the record.
func examined(t *testing.T, host http.Handler, key string) (*suites.Suite, *reports.Report, *record.Record) {
	t.Helper()
	server := httptest.NewServer(host)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	s := loaded(t).s
	config := httpdriver.Config{URL: server.URL, Bindings: httpdriver.Bindings{}.WithRoutes(s.Routes)}
	if key != "" {
		config.Header = http.Header{"X-Chp-Key": {key}}
	}
	writer := record.NewWriter(nil)
	t.Cleanup(func() { _ = writer.Close() })
	report, err := suites.Run(t.Context(), []*suites.Suite{s}, &suites.Subject{
		Name: "chp2host", Driver: httpdriver.New(config), Deadlines: driver.Deadlines{Call: 20 * time.Second},
	}, suites.Options{Explicit: true, Record: writer, Concurrency: 1})
	require.NoError(t, err)
	var out bytes.Buffer
	header := writer.Described()
	header.Suites = []record.Suite{{Suite: s.Name, SpecVersion: s.Catalogue.Version, TextDigest: s.TextDigest()}}
	_, err = writer.Save(&out, header)
	require.NoError(t, err)
	stored, err := record.Read(&out)
	require.NoError(t, err)
	stored, err = stored.Load()
	require.NoError(t, err)
	return s, report, stored
}

// alsoBroken are the requirements that one fault breaks together: the schema of a bundle contains that of its events, an
// event that is removed is missing in the chain and in the root hash, and a denial whose code changes is another one.
var alsoBroken = map[string][]string{
	"code-changes":                {"CHP-IDEM-04", "CHP-DENY-01"},
	"event-invocation-id":         {"CHP-GATE-13"},
	"event-removed-from-a-bundle": {"CHP-HASH-03", "CHP-HASH-13"},
	"link-without-hash":           {"CHP-SIGN-02", "CHP-RET-01"},
}

func TestReferenceOfTheEditionIsConformantAndEachDefectIsFound(t *testing.T) {
	own := loaded(t).own
	assert.Empty(t, own.Todo())
	s, report, stored := examined(t, chp2host.New(chp2host.Settings{}), "")
	for _, q := range report.Suites[0].Requirements {
		assert.NotContains(t, []reports.Status{reports.Failed, reports.Inconclusive, reports.Error}, q.Status, "%s: %s", q.ID, q.Reason)
	}
	if testing.Short() {
		return // .ci/run judges each defect
	}
	result, err := prove.Defects(t.Context(), s, own, stored)
	require.NoError(t, err)
	for _, row := range result.Defects {
		assert.True(t, row.Found, "%s: %s", row.Defect, row.Why)
		for _, other := range row.Others {
			q, known := s.Catalogue.Lookup(other)
			assert.True(t, known && !q.Level.Binding() || slices.Contains(alsoBroken[row.Defect], other),
				"%s also breaks %s", row.Defect, other)
		}
	}
	assert.Empty(t, result.Unproven())
}
