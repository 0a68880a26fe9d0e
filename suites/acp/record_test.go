package acpsuite

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/judge"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// onRegistries are the judgements on registries, by requirement.
var onRegistries = map[string]func(*judge.Judge) verdict.Verdict{
	"ACP-CHAIN-01": func(j *judge.Judge) verdict.Verdict { return j.Stored(history.MemberURI) },
	"ACP-CHAIN-02": (*judge.Judge).EmittedOnce,
	"ACP-CHAIN-03": func(j *judge.Judge) verdict.Verdict { return j.Stored(history.MemberVersion) },
	"ACP-CHAIN-04": func(j *judge.Judge) verdict.Verdict { return j.Stored(history.MemberCID) },
	"ACP-CHAIN-05": func(j *judge.Judge) verdict.Verdict { return j.Stored(history.MemberDigest) },
	"ACP-CHAIN-06": func(j *judge.Judge) verdict.Verdict { return j.EventContains(history.MemberURI) },
	"ACP-CHAIN-07": func(j *judge.Judge) verdict.Verdict { return j.EventContains(history.MemberVersion) },
	"ACP-CHAIN-08": func(j *judge.Judge) verdict.Verdict { return j.EventContains(history.MemberCID) },
	"ACP-CHAIN-09": func(j *judge.Judge) verdict.Verdict { return j.EventContains(history.MemberDigest) },
	"ACP-CHAIN-10": (*judge.Judge).RefusedNotReported,
	"ACP-MOT-03":   (*judge.Judge).StaysUnchanged,
	"ACP-PUB-03":   (*judge.Judge).NoText,
	"ACP-TERM-03":  (*judge.Judge).OtherAuthorRefused,
}

// readAgain returns a judge of the history in a saved record.
func readAgain(t *testing.T, w *record.Writer) *judge.Judge {
	t.Helper()
	var out bytes.Buffer
	_, err := w.Save(&out, record.Header{})
	require.NoError(t, err)
	read, err := record.Read(&out)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, read.Close()) })
	h := history.New()
	for e, err := range read.Entries() {
		require.NoError(t, err)
		h.Add(e)
	}
	return judge.New(h)
}

// The record of a run contains everything on which the judgement of a registry depends: judging it returns the same
// statuses.
func TestRegistryIsJudgedByItsRecord(t *testing.T) {
	for name, l := range map[string]*ledger{
		"valid": {authors: true}, "other notation": {authors: true, written: otherNotation}, "two events": {authors: true, twice: true},
		"no authors": {}, "no events": {authors: true, silent: true},
		"events of refused publications": {authors: true, leaks: true, refuses: func(record object) bool { return record[history.MemberCID] == "" }},
		"no hash of later versions": {authors: true, written: func(record object) object {
			if !strings.HasSuffix(record[history.MemberURI].(string), "@1.0.0") {
				delete(record, history.MemberDigest)
			}
			return record
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := suites.New(Definition())
			require.NoError(t, err)
			subject := &suites.Subject{
				Driver: inproc.New("ledger", newLedger(l).handle),
				Actors: []string{actorRegistry},
			}
			opts := suites.Options{Explicit: true, Record: record.NewWriter(nil)}
			t.Cleanup(func() { require.NoError(t, opts.Record.Close()) })
			report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, opts)
			require.NoError(t, err)
			if diff := cmp.Diff(compare(report, onRegistries, readAgain(t, opts.Record))); diff != "" {
				t.Errorf("(-run +record)\n%s", diff)
			}
		})
	}
}

// onIndexes are the judgements on indexing services, by requirement.
var onIndexes = map[string]func(*judge.Judge) verdict.Verdict{
	"ACP-REG-04": (*judge.Judge).LearnsReleases, "ACP-INDEX-01": (*judge.Judge).ResolvesVersions,
	"ACP-INDEX-02": (*judge.Judge).WordsFind,
	"ACP-INDEX-04": (*judge.Judge).ResolvesWholeMetadata, "ACP-INDEX-05": (*judge.Judge).ResolvesHighest,
	"ACP-INDEX-07": (*judge.Judge).FiltersOptional, "ACP-INDEX-08": (*judge.Judge).NothingFound, "ACP-INDEX-09": (*judge.Judge).ResolvesCIDs,
}

// The record of a run also contains the publications for an index, and its requests.
func TestIndexIsJudgedByItsRecord(t *testing.T) {
	broken := func(s *service, server *mcp.Server) {
		offerTool(server, opResolve, func(ctx context.Context, arguments map[string]any) *mcp.CallToolResult {
			r, _ := s.resolve(
				ctx,
				strings.TrimSuffix(argument(arguments, history.MemberURI), "0"),
			) // 1.10.0 becomes 1.10.
			return &mcp.CallToolResult{StructuredContent: object{"acp_metadata": r.Metadata, "ipfs_cid": r.CID}}
		})
	}
	for name, offers := range map[string][]func(*service, *mcp.Server){
		"valid":  {(*service).offerNamed, (*service).offerConfigure},
		"broken": {(*service).offerNamed, broken, (*service).offerConfigure},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := suites.New(Definition())
			require.NoError(t, err)
			_, url := indexAt(t, offers...)
			opts := suites.Options{Explicit: true, Record: record.NewWriter(nil)}
			t.Cleanup(func() { require.NoError(t, opts.Record.Close()) })
			report, err := suites.Run(
				t.Context(),
				[]*suites.Suite{s},
				&suites.Subject{Driver: overMCP(t, url, nil)},
				opts,
			)
			require.NoError(t, err)
			require.Equal(t, name == "broken", report.Suites[0].Verdict == reports.Nonconformant)
			if diff := cmp.Diff(compare(report, onIndexes, readAgain(t, opts.Record))); diff != "" {
				t.Errorf("(-run +record)\n%s", diff)
			}
		})
	}
}

// compare returns the statuses of a run, and those according to its record.
func compare(
	report *reports.Report,
	by map[string]func(*judge.Judge) verdict.Verdict,
	again *judge.Judge,
) (want, got map[string]reports.Status) {
	want, got = map[string]reports.Status{}, map[string]reports.Status{}
	for _, q := range report.Suites[0].Requirements {
		if decide := by[q.ID]; decide != nil {
			want[q.ID], got[q.ID] = q.Status, statusOf(decide(again))
		}
	}
	return want, got
}

// statusOf returns the status that corresponds to a verdict.
func statusOf(v verdict.Verdict) reports.Status {
	switch {
	case len(v.Breaches) > 0:
		return reports.Failed
	case v.Open != nil || v.Judged == 0:
		return reports.Inconclusive
	}
	return reports.Passed
}
