package proof

import (
	"bytes"
	"context"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/mcphost"
	"github.com/capconform/capconform/reports/format"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
	mcpsuite "github.com/capconform/capconform/suites/mcp"
	"github.com/capconform/capconform/suites/record"
	textsuite "github.com/capconform/capconform/suites/text"
	"github.com/capconform/capconform/suites/transcript"
)

// rows are the rows of defects of a suite that is data, with a recorded run of the reference to which they apply.
type rows struct {
	own     *textsuite.Text
	suite   *suites.Suite
	stored  *record.Record
	entries []record.Entry
}

// editions are the rows of the editions of one suite, the newest first. A requirement is illustrated in the newest that
// shows it.
type editions []*rows

func (e editions) have(id string) bool {
	return slices.ContainsFunc(e, func(r *rows) bool {
		q, known := r.suite.Catalogue.Lookup(id)
		return known && q.Testable()
	})
}

// known reports whether a row has the name and the requirement of an illustration.
func (e editions) known(old *format.Illustration) bool {
	for _, r := range e {
		for _, d := range r.own.Defects() {
			if d.Name == old.Breaker && d.Breaks == old.Requirement {
				return true
			}
		}
	}
	return false
}

// Illustrate implements illustrates.
func (e editions) Illustrate(ctx context.Context, id string) (*format.Illustration, error) {
	for _, r := range e {
		for i, d := range r.own.Defects() {
			if d.Breaks != id {
				continue
			}
			if shown, err := r.illustrate(ctx, i); shown != nil || err != nil {
				return shown, err
			}
		}
	}
	return nil, nil
}

// illustrate shows the row of an index, nil if the reference does not show it over HTTP.
func (r *rows) illustrate(ctx context.Context, index int) (*format.Illustration, error) {
	d := r.own.Defects()[index]
	edited, err := r.own.EditRecord(d, r.entries)
	if err != nil {
		return nil, err
	}
	report, err := suites.Judge(ctx, []*suites.Suite{r.suite}, r.stored.With(edited),
		suites.Options{Explicit: true, Selection: suites.Selection{Requirements: []string{d.Breaks}}})
	if err != nil {
		return nil, err
	}
	failed := failedScenario(report, d.Breaks)
	if failed == nil {
		return nil, nil
	}
	shown := illustration(d.Breaks, d.Name, "", failed.Failure)
	for _, e := range r.entries {
		at := slices.IndexFunc(edited, func(other record.Entry) bool { return other.Begun == e.Begun })
		if at >= 0 {
			shown.Kept, shown.Broken = illustratedEntry(e), illustratedEntry(edited[at])
			break
		}
	}
	return shown, nil
}

func illustratedEntry(e record.Entry) *format.IllustratedCall {
	x := transcript.ExchangeFrom(e)
	call := &format.IllustratedCall{Operation: x.Operation, Sent: string(x.Sent), Received: string(x.Received)}
	if call.Received == "" {
		call.Received = transcript.Line(e)
	}
	return call
}

// examinedRows examines the reference in an edition over HTTP.
func examinedRows(t *testing.T, edition string) *rows {
	t.Helper()
	own, err := mcpsuite.Load(edition)
	require.NoError(t, err)
	server := httptest.NewServer(mcphost.Handler([]string{edition}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	writer := record.NewWriter(nil)
	t.Cleanup(func() { _ = writer.Close() })
	s, err := suites.New(own.Definition())
	require.NoError(t, err)
	_, err = suites.Run(t.Context(), []*suites.Suite{s}, &suites.Subject{Name: "mcphost",
		Driver: mcpdriver.NewHTTP(httpdriver.Config{URL: server.URL}, mcpdriver.Options{Version: edition})},
		suites.Options{Explicit: true, Record: writer, Concurrency: 1})
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
	all := &rows{own: own, suite: s, stored: stored}
	for e, err := range stored.Entries() {
		require.NoError(t, err)
		all.entries = append(all.entries, e)
	}
	return all
}
