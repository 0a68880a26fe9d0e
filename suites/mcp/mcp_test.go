package mcp_test

import (
	"bytes"
	"context"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/mcphost"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
	"github.com/capconform/capconform/suites/mcp"
	"github.com/capconform/capconform/suites/prove"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/text"
)

// examined examines the reference and returns the report and the record.
func examined(t *testing.T, own *text.Text) (*suites.Suite, *reports.Report, *record.Record) {
	t.Helper()
	s, err := suites.New(own.Definition())
	require.NoError(t, err)
	server := httptest.NewServer(mcphost.Handler())
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	writer := record.NewWriter(nil)
	t.Cleanup(func() { _ = writer.Close() })
	report, err := suites.Run(context.Background(), []*suites.Suite{s}, &suites.Subject{
		Name: "mcphost", Driver: mcpdriver.NewHTTP(httpdriver.Config{URL: server.URL}, mcpdriver.Options{}),
	}, suites.Options{Explicit: true, Record: writer})
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
	own, err := mcp.Load()
	require.NoError(t, err)
	assert.Empty(t, own.Todo())
	s, report, stored := examined(t, own)
	for _, q := range report.Suites[0].Requirements {
		assert.NotContains(t, []reports.Status{reports.Failed, reports.Inconclusive, reports.Error}, q.Status,
			"%s: %s", q.ID, q.Reason)
	}
	for _, n := range report.Suites[0].NotInvoked {
		assert.Equal(t, "remove_all", n.Capability)
	}
	result, err := prove.Defects(context.Background(), s, own, stored)
	require.NoError(t, err)
	for _, row := range result.Defects {
		assert.True(t, row.Found, "%s: %s", row.Defect, row.Why)
	}
	assert.Empty(t, result.Unproven())
}
