package mcp_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
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
		serveChild(revision, os.Getenv(asFault))
		return
	}
	os.Exit(m.Run())
}

// revision is a text and the suite that it makes.
type revision struct {
	own *text.Text
	s   *suites.Suite
}

// revisionsRead contains the revisions by name. They do not change, so the tests share them.
var revisionsRead sync.Map

func loaded(t *testing.T, edition string) revision {
	t.Helper()
	read, _ := revisionsRead.LoadOrStore(edition, sync.OnceValues(func() (revision, error) {
		own, err := mcp.Load(edition)
		if err != nil {
			return revision{}, err
		}
		s, err := suites.New(own.Definition())
		return revision{own, s}, err
	}))
	r, err := read.(func() (revision, error))()
	require.NoError(t, err)
	return r
}

// examined examines a server over HTTP in a revision, and returns the report and the record.
func examined(t *testing.T, edition string, host http.Handler) (*suites.Suite, *reports.Report,
	*record.Record) {
	t.Helper()
	carries := mcpdriver.NewHTTP(httpdriver.Config{URL: serving(t, host)}, mcpdriver.Options{Version: edition})
	return examinedBy(t, edition, carries, 1)
}

// serving serves until the end of a test, and returns the URL.
func serving(t *testing.T, host http.Handler) string {
	t.Helper()
	server := httptest.NewServer(host)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}

func examinedBy(t *testing.T, edition string, carries driver.Driver, concurrency int) (*suites.Suite, *reports.Report,
	*record.Record) {
	t.Helper()
	s := loaded(t, edition).s
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

// Load compiles an expression when it is used.
func TestEachExpressionCompiles(t *testing.T) {
	for _, edition := range mcp.Editions() {
		_, err := text.LoadFrom("mcp", nil, os.DirFS(edition), os.DirFS("common"))
		assert.NoError(t, err)
	}
}

func TestReferenceIsConformantAndEachDefectIsFound(t *testing.T) {
	for _, edition := range mcp.Editions() {
		t.Run(edition, func(t *testing.T) {
			own := loaded(t, edition).own
			assert.Empty(t, own.Todo())
			s, report, stored := examined(t, edition, mcphost.Handler([]string{edition}))
			assertConformant(t, report)
			if testing.Short() && edition != mcphost.Modern {
				return // .ci/run judges each defect
			}
			result, err := prove.Defects(context.Background(), s, own, stored)
			require.NoError(t, err)
			for _, row := range result.Defects {
				assert.True(t, row.Found, "%s: %s", row.Defect, row.Why)
				if !breaksOne(edition, row.Breaks) {
					continue
				}
				for _, other := range row.Others {
					q, known := s.Catalogue.Lookup(other)
					assert.True(t, known && !q.Level.Binding() || slices.Contains(alsoBroken[row.Breaks], other),
						"%s also breaks %s", row.Defect, other)
				}
			}
			assert.Empty(t, result.Unproven())
		})
	}
}

// Some defects show over stdio alone, or on a server that does not complete. With those that the reference shows over
// HTTP, each requirement that can be observed has one.
func TestOtherServersShowTheOtherDefects(t *testing.T) {
	for _, edition := range mcp.Editions() {
		t.Run(edition, func(t *testing.T) {
			t.Parallel()
			own := loaded(t, edition).own
			breaks := map[string]bool{}
			for _, d := range own.Defects() {
				breaks[d.Breaks] = true
			}
			s, _, overStdio := examinedBy(t, edition, overStdio(edition, ""), 1)
			for _, q := range s.Catalogue.Requirements {
				assert.True(t, !q.Testable() || breaks[q.ID], "no defect breaks %s", q.ID)
			}
			_, _, small := examined(t, edition, small(prompts, sdk.ServerOptions{})(edition))
			assertBreaksAlone(t, s, own, overStdio, "MCP-TOOL-04", "MCP-PROMPT-02", "MCP-RES-02")
			assertBreaksAlone(t, s, own, small, "MCP-COMP-04")
		})
	}
}

// assertBreaksAlone asserts that the defects of some requirements break them in a record, and no other requirement.
func assertBreaksAlone(t *testing.T, s *suites.Suite, own *text.Text, stored *record.Record, ids ...string) {
	t.Helper()
	broken := func(of *record.Record) (all []string) {
		report, err := suites.Judge(context.Background(), []*suites.Suite{s}, of, suites.Options{Explicit: true})
		require.NoError(t, err)
		for _, q := range report.Suites[0].Requirements {
			if q.Status == reports.Failed {
				all = append(all, q.ID)
			}
		}
		return all
	}
	var entries []record.Entry
	for e, err := range stored.Entries() {
		require.NoError(t, err)
		entries = append(entries, e)
	}
	before, found := broken(stored), []string{}
	for _, d := range own.Defects() {
		if slices.Contains(ids, d.Breaks) {
			edited, err := own.EditRecord(d, entries)
			require.NoError(t, err)
			assert.ElementsMatch(t, append(slices.Clone(before), d.Breaks), broken(stored.With(edited)), d.Name)
			found = append(found, d.Breaks)
		}
	}
	assert.ElementsMatch(t, ids, found)
}

// overStdio starts the reference in a revision as a child, with a fault if there is one.
func overStdio(edition, fault string) driver.Driver {
	return mcpdriver.NewStdio(stdiodriver.Config{
		Command: []string{os.Args[0]}, Env: []string{asChild + "=" + edition, asFault + "=" + fault},
	}, mcpdriver.Options{Version: edition})
}

// alsoBroken are the MUSTs that one fault breaks together. An answer to a notification is a message that nobody asked
// for, the body of a status 202, and no error status. A server that does not declare resources must not list them either.
var alsoBroken = map[string][]string{
	"MCP-BASE-13": {"MCP-HTTP-10", "MCP-HTTP-11"},
	"MCP-CANC-12": {"MCP-BASE-13", "MCP-HTTP-10", "MCP-HTTP-11"},
	"MCP-HTTP-10": {"MCP-BASE-03", "MCP-BASE-08", "MCP-BASE-13", "MCP-HTTP-11"},
	"MCP-HTTP-11": {"MCP-BASE-13", "MCP-HTTP-10"},
	"MCP-TOOL-17": {"MCP-RES-01"},
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
			_, report, _ := examinedBy(t, edition, overStdio(edition, ""), 4)
			assertConformant(t, report)
			assert.Equal(t, reports.Conformant, report.Verdict)
		})
	}
}

func assertConformant(t *testing.T, report *reports.Report) {
	t.Helper()
	assertBreaksOnly(t, report)
	for _, n := range report.Suites[0].NotInvoked {
		assert.Equal(t, "remove_all", n.Capability)
	}
}

// assertBreaksOnly asserts that a server breaks these requirements, also those that recommend, and keeps all others.
// Another one is open only if what was observed belongs to them.
func assertBreaksOnly(t *testing.T, report *reports.Report, ids ...string) {
	t.Helper()
	for _, q := range report.Suites[0].Requirements {
		open := q.Status == reports.Inconclusive && !strings.HasPrefix(q.Reason, "what was observed belongs to ")
		assert.False(t, open || q.Status == reports.Error, "%s: %s", q.ID, q.Reason)
		assert.Equal(t, slices.Contains(ids, q.ID), q.Status == reports.Failed, "%s: %s", q.ID, q.Reason)
	}
}
