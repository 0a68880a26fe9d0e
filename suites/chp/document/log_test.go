package chpdocument

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/lint"
	"github.com/capconform/capconform/suites/lint/linttest"
)

func TestBrokenHistories(t *testing.T) {
	const of = `,"outcome":"failure"`
	for _, c := range []broken{
		{"completed without a start", "e.jsonl", logOf(shortEvent{1, started, "i1", ""}, shortEvent{2, failed, "i1", ""},
			shortEvent{3, completed, "i2", ""}), []string{"CHP-8-08 e.jsonl:3:1"}, "no execution_started"},
		{"failed without a start", "e.jsonl", logOf(shortEvent{0, failed, "i1", ""}), []string{"CHP-8-09 e.jsonl:1:1"},
			"no execution_started"},
		{"completed before it started", "e.jsonl", logOf(shortEvent{1, completed, "i1", ""}, shortEvent{2, started, "i1", ""}),
			[]string{"CHP-8-08 e.jsonl:1:1"}, "no execution_started"},
		{"replay with only a completion", "r.json", replayOf("", shortEvent{42, completed, "i1", ""}),
			[]string{"CHP-8-08 r.json:2:1"}, "no execution_started"},
		{"two ends", "e.jsonl", logOf(shortEvent{1, started, "i1", ""}, shortEvent{2, failed, "i1", ""},
			shortEvent{3, completed, "i1", ""}), []string{"CHP-8-13 e.jsonl:3:1"}, "closed before"},
		{"two denials", "e.jsonl", logOf(shortEvent{1, "execution_denied", "i1", ""},
			shortEvent{2, "execution_denied", "i1", ""}), []string{"CHP-8-13 e.jsonl:2:1"}, "closed before"},
		{"skipped after a start", "e.jsonl", logOf(shortEvent{1, started, "i1", ""}, shortEvent{2, "execution_skipped", "i1", ""}),
			[]string{"CHP-8-07 e.jsonl:2:1"}, "follows an execution_started"},
		{"another outcome", "e.jsonl", logOf(shortEvent{1, started, "i1", ""}, shortEvent{2, completed, "i1", of}),
			[]string{"CHP-8-13 e.jsonl:2:276"}, "failure"},
		{"the same event twice", "e.jsonl", logOf(validEvents[0], validEvents[1], validEvents[1], validEvents[2]), []string{"CHP-6-13 e.jsonl:3:13"},
			`"e2" appears again; it is at 2:1`},
		{"one id for two events", "e.jsonl", linttest.Altered(t, logOf(validEvents...), `"e4"`, `"e1"`),
			[]string{"CHP-6-13 e.jsonl:4:13"}, "it is at 1:1"},
		{"an event twice in a replay", "r.json", replayOf("", validEvents[0], validEvents[1], validEvents[1]), []string{"CHP-6-13 r.json:4:13"},
			"again"},
		{"out of order", "r.json", replayOf("", validEvents[0], shortEvent{3, completed, "i1", ""}, shortEvent{2, "acme_seen", "i1", ""}),
			[]string{"CHP-10-10 r.json:4:198"}, "sequence 2 follows 3"},
		{"a query and its result", "x.json", `{"query": {"correlation_id": "c-i1", "limit": 3}, "result": ` +
			linttest.Altered(t, replayOf("", validEvents[:2]...), `"event_count": 2`, `"event_count": 1`) + "}",
			[]string{"CHP-10-08 x.json:4:19"}, "event_count is 1"},
		{"pair out of order", "r.json", replayOf("", shortEvent{5, started, "i0", ""}, validEvents[1], validEvents[0]),
			[]string{"CHP-10-10 r.json:3:208", "CHP-10-10 r.json:4:206"}, "sequence 2 follows 5"},
		{"two correlations", "r.json", strings.Replace(replayOf("", validEvents...), `{"correlation_id":"c-i1"}`,
			`{"correlation_id":"c-i9"}`, 1),
			[]string{"CHP-10-02"}, "c-i9"},
		{"a duplicate sequence", "r.json", linttest.Altered(t, replayOf("", validEvents[:2]...), `"sequence":2`, `"sequence":1`),
			[]string{"CHP-10-10 r.json:3:208"}, "sequence 1 follows 1"},
	} {
		c.check(t)
	}
}

// Results are compared with the events of their invocations.
func TestResultsAreComparedWithEvents(t *testing.T) {
	result := func(outcome string) string {
		return linttest.Altered(t, resultJSON, `"denied"`, `"`+outcome+`"`)
	}
	retried := logOf(shortEvent{1, started, "i1", ""}, shortEvent{2, completed, "i1", ""}, shortEvent{3, started, "i1", ""},
		shortEvent{4, failed, "i1", ""})
	for _, c := range []struct {
		name, result, log string
		want              []string
	}{
		{"agree", result("success"), logOf(validEvents...), []string{}},
		{"retried with equal outcomes", result("failure"), retried, []string{}},
		{"each attempt has a result", result("failure"),
			retried + strings.ReplaceAll(result("success"), "\n", "") + "\n", []string{}},
		{"another final outcome", result("success"), retried, []string{"CHP-8-13 r.json:3:14"}},
		{"success that failed", result("success"), logOf(validEvents[0], shortEvent{2, failed, "i1", ""}),
			[]string{"CHP-8-08 r.json:3:14"}},
		{"failure that completed", result("failure"), logOf(validEvents...), []string{"CHP-8-09 r.json:3:14"}},
		{"denial that completed", result("denied"), logOf(validEvents...), []string{"CHP-8-13 r.json:3:14"}},
		{"newer outcome", result("indeterminate"), logOf(validEvents...), []string{}},
		{"another invocation", linttest.Altered(t, result("failure"), `"i1"`, `"i9"`), logOf(validEvents...), []string{}},
	} {
		got := inspection.Lint(t, linttest.File{"e.jsonl", c.log}, linttest.File{"r.json", c.result})
		if diff := cmp.Diff(c.want, got.Places()); diff != "" {
			t.Errorf("%s (-want +got):\n%s%s", c.name, diff, got.Lines())
		}
		result, places := strings.ReplaceAll(c.result, "\n", "")+"\n", len(c.want)
		for name, log := range map[string]string{"after its events": c.log + result, "before them": result + c.log} {
			if got := inspection.Lint(t, linttest.File{"e.jsonl", log}).Places(); len(got) != places ||
				places > 0 && got[0][:8] != c.want[0][:8] {
				t.Errorf("%s, in the log %s: got %v; want the requirements of %v", c.name, name, got, c.want)
			}
		}
	}
}

func TestValidDocuments(t *testing.T) {
	nulls := linttest.Altered(t, descriptorJSON, `"acme.add:1.0.0"`, "null", `{"type": "object"}`, "{}",
		`"output_schema": {}`, `"output_schema": {"$schema": "http://json-schema.org/draft-07/schema#"}`)
	for _, c := range []struct{ name, path, text string }{
		{"descriptor", "d.json", descriptorJSON},
		{"nulls", "d.json", nulls},
		{"additional members", "d.json", linttest.Altered(t, descriptorJSON, `"owner"`, `"autonomy": 1, "owner"`)},
		{"draft-04 and empty lists", "d.json", linttest.Altered(t, descriptorJSON, `["execution_started"]`, "[]",
			`[{"id": "i", "kind": "k"}]`, "[]", `["a"]`, "[]")},
		{"two versions", "l.json", `{"capabilities": [` + descriptorJSON + "," + linttest.Altered(t, descriptorJSON,
			`"version": "1.0.0"`, `"version": "2"`, `"acme.add:1.0.0"`, `"acme.add:2"`) + "]}"},
		{"one descriptor twice", "l.json", "[" + descriptorJSON + "," + descriptorJSON + "]"},
		{"host", "h.json", hostJSON},
		{"0.2 with 0.1", "h.json", linttest.Altered(t, hostJSON, `"0.1"`, `"0.2", "supported_versions": ["0.2", "0.1"]`)},
		{"0.1 as a number", "h.json", linttest.Altered(t, hostJSON, `"0.1"`, `0.1`)},
		{"host with capabilities", "h.json", linttest.Altered(t, hostJSON, `[]`, "["+descriptorJSON+"]")},
		{"host in yaml", "h.yaml", "id: h\nversion: \"1\"\nprotocol_version: 0.1\nkind: cli\ncapabilities: []\nevidence: {append_only: false}\n"},
		{"envelope", "v.json", envelopeJSON},
		{"envelope without correlation id", "v.json", linttest.Altered(t, envelopeJSON, `{"correlation_id": "c1"}`, `{}`)},
		{"other modes and times", "v.json", linttest.Altered(t, envelopeJSON, `"sync"`, `"batch"`, "10:00:00Z",
			"10:00:00.123456789+02:00")},
		{"result", "r.json", resultJSON},
		{"denial without invariant", "r.json", linttest.Altered(t, resultJSON, `"i",`, "null,")},
		{"success without data", "r.json", linttest.Altered(t, resultJSON, `"denied"`, `"success"`)},
		{"query", "q.json", `{"correlation_id": "c", "limit": null, "since_sequence": 0, "include_payloads": false}`},
		{"log", "e.jsonl", logOf(validEvents...)},
	} {
		inspection.Valid(t, c.name, linttest.File{c.path, c.text})
	}
}

// TestValidLogs examines logs and replays without findings.
func TestValidLogs(t *testing.T) {
	interleaved := logOf(shortEvent{7, started, "i1", ""}, shortEvent{9, "safety_assessment_started", "i2", ""},
		shortEvent{10, started, "i2", ""},
		shortEvent{30, completed, "i1", `,"outcome":null`}, shortEvent{31, "acme_seen", "i2", `,"x":{"y":1}`},
		shortEvent{32, "execution_indeterminate", "i2", `,"outcome":"indeterminate"`})
	perCorrelation := logOf(shortEvent{0, started, "i1", ""}) + linttest.Altered(t, logOf(shortEvent{0, started, "i2", ""}), `"e0"`,
		`"f0"`) + logOf(shortEvent{1, completed, "i1", ""})
	otherHost := logOf(shortEvent{5, started, "i1", ""}) + linttest.Altered(t, logOf(shortEvent{2, started, "i3", ""}), "host-7",
		"host-8") + logOf(shortEvent{6, completed, "i1", ""})
	routed := logOf(shortEvent{0, started, "i1", ""}) + linttest.Altered(t, logOf(shortEvent{1, completed, "i1", ""}), "host-7",
		"worker") + logOf(shortEvent{2, completed, "i1", ""})
	for _, c := range []struct{ name, path, text string }{
		{"log under another name", "e.ndjson", "\ufeff" + strings.ReplaceAll(logOf(validEvents...), "\n", "\r\n\n")},
		{"gaps and other events between", "e.jsonl", interleaved},
		{"running", "e.jsonl", logOf(validEvents[0])},
		{"repeated attempt", "e.jsonl", logOf(validEvents[0], shortEvent{2, failed, "i1", ""}, shortEvent{3, started, "i1", ""},
			shortEvent{4, completed, "i1", ""})},
		{"denied after it started", "e.jsonl", logOf(validEvents[0], shortEvent{2, "execution_denied", "i1", ""})},
		{"a counter for each correlation", "e.jsonl", perCorrelation},
		{"two hosts", "e.jsonl", otherHost},
		{"forwarded to another host", "e.jsonl", routed},
		{"log that starts in the middle", "e.jsonl", logOf(shortEvent{42, completed, "i0", ""}, shortEvent{43, started, "i1", ""})},
		{"numbers with a fraction of zero", "e.jsonl", linttest.Altered(t, logOf(validEvents...), `"sequence":2`, `"sequence":2.0`)},
		{"torn last line", "e.jsonl", logOf(validEvents...) + `{"event_id":"e5","event_ty`},
		{"torn line in the middle", "e.jsonl", logOf(validEvents[0], validEvents[1]) + "{\"event_id\":\n" + logOf(validEvents[3])},
		{"no line break at the end", "e.jsonl", strings.TrimSpace(logOf(validEvents...))},
		{"two hosts with the same ids", "e.jsonl", logOf(validEvents...) + strings.ReplaceAll(strings.ReplaceAll(logOf(validEvents...),
			`"host_id":"host-7"`, `"host_id":"host-8"`), `"invocation_id":"i`, `"invocation_id":"j`)},
		{"list of events", "e.json", "[" + strings.ReplaceAll(strings.TrimSpace(logOf(validEvents...)), "\n", ",") + "]"},
		{"single event", "e.json", shortEvent{1, completed, "i1", ""}.line()},
		{"replay", "r.json", replayOf("", validEvents...)},
		{"replay with additional members", "r.json", replayOf(`, "truncated": false, "missing_hosts": [], "x": 1`, validEvents...)},
		{"truncated replay", "r.json", linttest.Altered(t, replayOf(`, "truncated": true`, validEvents[1], validEvents[2]),
			`"event_count": 2`, `"event_count": 4`)},
		{"replay with further pages", "r.json", replayOf(`, "hasMore": true`, validEvents[1:]...)},
		{"incomplete replay", "r.json", replayOf(`, "complete": false`, validEvents[1:]...)},
		{"replay with a cursor", "r.json", replayOf(`, "next_cursor": "e4"`, validEvents[1:]...)},
		{"partial replay", "r.json", replayOf(`, "partial": true`, validEvents[1:]...)},
		{"replay without payloads", "r.json", strings.ReplaceAll(replayOf("", validEvents...), `"payload":{},`, "")},
		{"bundle", "b.json", linttest.Altered(t, replayOf("", validEvents...),
			`, "event_count": 4, "replayed_at": "2026-05-04T10:00:02Z"`, `, "signature": "x"`)},
	} {
		inspection.Valid(t, c.name, linttest.File{c.path, c.text})
	}
}

func TestStatuses(t *testing.T) {
	torn := logOf(validEvents[0]) + "{\"event_id\":\n" + logOf(validEvents[3])
	page := linttest.Altered(t, replayOf("", validEvents[1], validEvents[2]), `"event_count": 2`, `"event_count": 9`)
	bare := strings.ReplaceAll(replayOf("", validEvents...), `"payload":{},`, "")
	query := `{"correlation_id": "c-i1", "since_sequence": 1, "include_payloads": false}`
	for _, c := range []struct {
		name  string
		files []linttest.File
		id    string
		want  reports.Status
	}{
		{"a descriptor is not a log", []linttest.File{{"d.json", descriptorJSON}}, "CHP-6-03", reports.NotApplicable},
		{"a descriptor is not from a caller", []linttest.File{{"d.json", descriptorJSON}}, "CHP-5-02", reports.NotApplicable},
		{"envelope", []linttest.File{{"v.json", envelopeJSON}}, "CHP-5-02", reports.Passed},
		{"an envelope is not from a host", []linttest.File{{"v.json", envelopeJSON}}, "CHP-3-01", reports.NotApplicable},
		{"no risk", []linttest.File{{"d.json", without(t, descriptorJSON, "risk")}}, "CHP-3-11", reports.NotApplicable},
		{"a sum", []linttest.File{{"d.json", descriptorJSON}}, "CHP-11-01", reports.Passed},
		{"remote reference", []linttest.File{{"d.json", linttest.Altered(t, descriptorJSON, `{"type": "object"}`,
			`{"$ref": "https://x.example/y"}`)}}, "CHP-3-08", reports.Inconclusive},
		{"no denial", []linttest.File{{"e.jsonl", logOf(validEvents...)}}, "CHP-9-08", reports.NotApplicable},
		{"no custom event", []linttest.File{{"e.jsonl", logOf(validEvents...)}}, "CHP-6-14", reports.NotApplicable},
		{"log that starts in the middle", []linttest.File{{"e.jsonl", logOf(shortEvent{42, completed, "i0", ""})}}, "CHP-8-08",
			reports.Inconclusive},
		{"start in an unreadable line", []linttest.File{{"e.jsonl", torn}}, "CHP-8-09", reports.Inconclusive},
		{"order with a torn line", []linttest.File{{"e.jsonl", torn}}, "CHP-10-10", reports.Inconclusive},
		{"a log out of order", []linttest.File{{"e.jsonl", logOf(validEvents[1], validEvents[0])}}, "CHP-10-10", reports.Inconclusive},
		{"torn last line", []linttest.File{{"e.jsonl", logOf(validEvents...) + "{"}}, "CHP-6-03", reports.Passed},
		{"a page without its query", []linttest.File{{"r.json", page}}, "CHP-10-08", reports.Failed},
		{"a page with its query", []linttest.File{{"r.json", page}, {"q.json", query}}, "CHP-10-08", reports.Passed},
		{"the start before a page", []linttest.File{{"r.json", page}, {"q.json", query}}, "CHP-8-08", reports.Inconclusive},
		{"without payloads", []linttest.File{{"r.json", bare}}, "CHP-6-10", reports.Inconclusive},
		{"without payloads, with the query", []linttest.File{{"r.json", bare}, {"q.json", query}}, "CHP-6-10", reports.Passed},
		{"closed reading", []linttest.File{{"d.json", descriptorJSON}}, "CHP-3-19", reports.NotApplicable},
		{"large sequence", []linttest.File{{"e.jsonl", linttest.Altered(t, logOf(validEvents...), `"sequence":4`,
			`"sequence":99999999999999999999`)}}, "CHP-10-10", reports.Error},
	} {
		inspection.Status(t, c.name, c.files, c.id, c.want)
	}
}

// The closed readings are advice, only in a strict run, and not for what the text itself refuses.
func TestClosedReadings(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       []string
	}{
		{"d.json", descriptorJSON, []string{}},
		{"d.json", linttest.Altered(t, descriptorJSON, `["sync"]`, `["sync", "batch"]`), []string{"CHP-3-19 d.json:5:21"}},
		{"d.json", linttest.Altered(t, descriptorJSON, `["sync"]`, `["batch"]`), []string{"CHP-3-05 d.json:5:12"}},
		{"h.json", linttest.Altered(t, hostJSON, `"id"`, `"x": 1, "id"`), []string{"CHP-4-11 h.json:1:1"}},
		{"v.json", linttest.Altered(t, envelopeJSON, `"sync"`, `"batch"`), []string{"CHP-5-13 v.json:4:11"}},
		{"e.jsonl", logOf(shortEvent{1, started, "i1", `,"x":1`}), []string{"CHP-6-18 e.jsonl:1:1"}},
		{"e.jsonl", linttest.Altered(t, logOf(validEvents[0]), `{"correlation_id":"c-i1"}`,
			`{"correlation_id":"c-i1","environment":"moon"}`), []string{"CHP-7-08 e.jsonl:1:171"}},
		{"q.json", `{"correlation_id": "c", "limit": 0}`, []string{"CHP-10-11 q.json:1:34"}},
		{"r.json", replayOf(`, "x": 1`, validEvents...), []string{"CHP-10-12 r.json:1:1"}},
	} {
		strict := linttest.Inspection{Suite: definition, Strict: true}
		if diff := cmp.Diff(c.want, strict.Lint(t, linttest.File{c.path, c.text}).Places()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
		for _, p := range inspection.Lint(t, linttest.File{c.path, c.text}).Places() {
			require.Equal(t, "CHP-3-05", strings.Fields(p)[0])
		}
	}
}

func TestFindingsAreBounded(t *testing.T) {
	line := linttest.Altered(
		t,
		shortEvent{1, "acme_seen", "i1", ""}.line(),
		`"redacted":true,`,
		"",
		`"event_id":"e1",`,
		"",
	)
	got := inspection.Lint(t, linttest.File{"e.jsonl", strings.Repeat(line+"\n", 2500)})
	require.Len(t, got.Places(), 2*lint.MaxShownPerFile) // CHP-6-14 and the order
	for _, q := range got.Requirements {
		if q.ID == idCustom {
			if want := "5000 places"; !strings.HasPrefix(q.Scenarios[0].Failure.Got, want) {
				t.Errorf("got %q, want %s", q.Scenarios[0].Failure.Got, want)
			}
		}
	}
}

func TestTornLineIsRemarked(t *testing.T) {
	report := inspection.Lint(t, linttest.File{"e.jsonl", logOf(validEvents...) + "{\"event_id\""})
	require.Len(t, report.Notes, 1)
	if !strings.Contains(report.Notes[0], "e.jsonl:5:12: ") {
		t.Errorf("note %q does not name the place", report.Notes[0])
	}
}

func TestBoundedSet(t *testing.T) {
	var m boundedSet
	const more = maxSlots * 2
	for i := uint64(1); i <= more; i++ {
		m.add(i*0x9e3779b97f4a7c15, uint32(i))
	}
	require.True(t, m.discarded)
	for _, c := range []struct {
		key         uint64
		detail      uint32
		known, same bool
	}{
		{more, uint32(more), true, true}, {more - rememberedAtLeast + 1, uint32(more - rememberedAtLeast + 1), true, true},
		{more, 7, true, false}, {1, 1, false, false}, {more + 1, 0, false, false},
	} {
		known, same := m.find(c.key*0x9e3779b97f4a7c15, c.detail)
		if got, want := fmt.Sprint(known, same), fmt.Sprint(c.known, c.same); got != want {
			t.Errorf("%d: %s, want %s", c.key, got, want)
		}
	}
	require.LessOrEqual(t, len(m.now.keys), maxSlots)
	require.LessOrEqual(t, len(m.before.keys), maxSlots)
}
