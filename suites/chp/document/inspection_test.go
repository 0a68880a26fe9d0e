package chpdocument

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/judge"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint/linttest"
)

const descriptorJSON = `{
  "id": "acme.add",
  "version": "1.0.0",
  "description": "Adds.",
  "modes": ["sync"],
  "emits": ["execution_started"],
  "capability_uri": "acme.add:1.0.0",
  "input_schema": {"type": "object"},
  "output_schema": {},
  "invariants": [{"id": "i", "kind": "k"}],
  "risk": "low",
  "assurance": {"level": "S1"},
  "owner": "acme",
  "tags": ["a"],
  "metadata": {}
}`

const hostJSON = `{
  "id": "host-7",
  "version": "2.3.0",
  "protocol_version": "0.1",
  "kind": "service",
  "capabilities": [],
  "evidence": {"store": "sqlite", "append_only": true}
}`

const envelopeJSON = `{
  "invocation_id": "i1",
  "capability_id": "acme.add",
  "mode": "sync",
  "correlation": {"correlation_id": "c1"},
  "subject": {"id": "tester"},
  "payload": {},
  "requested_at": "2026-05-04T10:00:00Z"
}`

const resultJSON = `{
  "invocation_id": "i1", "capability_id": "acme.add", "correlation": {"correlation_id": "c1"},
  "outcome": "denied", "success": false, "evidence_ids": [], "completed_at": "2026-05-04T10:00:01Z",
  "denial": {
    "code": "no",
    "message": "Not now.",
    "invariant_id": "i",
    "retryable": true,
    "details": {}
  }
}`

// ofCorrelation matches the correlation of an event, which is named after its invocation.
var ofCorrelation = regexp.MustCompile(`"c-i\d+"`)

// shortEvent is an event of a log in short form.
type shortEvent struct {
	sequence         int
	kind, invocation string
	more             string // more members, each preceded by a comma
}

const (
	started   = "execution_started"
	completed = "execution_completed"
	failed    = "execution_failed"
)

// line returns an event on one line; its correlation is that of its invocation.
func (h shortEvent) line() string {
	return fmt.Sprintf(`{"event_id":"e%d","event_type":%q,"invocation_id":%q,"capability_id":"acme.add","host_id":"host-7","correlation":{"correlation_id":"c-%s"},"timestamp":"2026-05-04T10:00:00.1Z","sequence":%d,"payload":{},"redacted":true,"assurance":{"level":"S1"}%s}`,
		h.sequence, h.kind, h.invocation, h.invocation, h.sequence, h.more)
}

func logOf(happenings ...shortEvent) string {
	var text strings.Builder
	for _, h := range happenings {
		text.WriteString(h.line() + "\n")
	}
	return text.String()
}

// replayOf returns a replay result, with each event except the first on a separate line.
func replayOf(more string, happenings ...shortEvent) string {
	events := strings.ReplaceAll(strings.TrimSpace(logOf(happenings...)), "\n", ",\n")
	events = ofCorrelation.ReplaceAllString(events, `"c-i1"`)
	return fmt.Sprintf("{\"correlation_id\": \"c-i1\", \"events\": [\n%s\n], \"event_count\": %d, \"replayed_at\": \"2026-05-04T10:00:02Z\"%s}", events, len(happenings), more)
}

var validEvents = []shortEvent{
	{1, started, "i1", ""},
	{2, completed, "i1", ""},
	{3, started, "i2", ""},
	{4, failed, "i2", ""},
}

// without removes a member that is on a separate line.
func without(t *testing.T, text, name string) string {
	t.Helper()
	var kept []string
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(line, `  "`+name+`":`) {
			kept = append(kept, line)
		}
	}
	require.Len(t, kept, strings.Count(text, "\n"), "%s in the document", name)
	return strings.Replace(strings.Join(kept, "\n"), ",\n}", "\n}", 1)
}

// definition is the part of the suite that examines documents.
func definition() suites.Definition {
	return suites.Definition{
		Name: "chp", Recognises: Recognises, Sentences: Steps,
		Inspect: func(subject *suites.Subject) (suites.Examination, error) { return Inspect(subject, judge.CompileForms) },
	}
}

var inspection = linttest.Inspection{Suite: definition}

// broken is a document with one defect.
type broken struct {
	name, path, text string
	want             []string
	message          string // part of the message of the first finding
}

func (c broken) check(t *testing.T) {
	t.Helper()
	inspection.Broken(t, c.name, linttest.File{c.path, c.text}, c.want, c.message)
}

// Every required member is removed, set to null and given a wrong type; the finding is at the object or at the value.
func TestMembers(t *testing.T) {
	texts := map[form]string{formDescriptor: descriptorJSON, formHost: hostJSON, formEnvelope: envelopeJSON}
	for f, text := range texts {
		for _, d := range membersOf(t, f) {
			line, column := 0, 0
			for i, l := range strings.Split(text, "\n") {
				if strings.HasPrefix(l, `  "`+d.Member+`": `) {
					line, column = i+1, len(`  "`+d.Member+`": `)+1
				}
			}
			require.NotZero(t, line, d.Member)
			l := strings.Split(text, "\n")[line-1]
			comma := strings.TrimLeft(l[len(l)-1:], `"}]`)
			wrong := "1"
			if strings.HasPrefix(d.Want, "a time") { // a number may be a time
				wrong = "true"
			}
			given := strings.Replace(text, l, `  "`+d.Member+`": `+wrong+comma, 1)
			there := fmt.Sprintf("%s x.json:%d:%d", d.Requirement, line, column)
			broken{d.Member + " is " + wrong, "x.json", given, []string{there}, d.Member + " is " + wrong}.check(t)
			if d.Given == nil {
				null := strings.Replace(text, l, `  "`+d.Member+`": null`+comma, 1)
				broken{d.Member + " is null", "x.json", null, []string{there}, d.Member + " is null"}.check(t)
				broken{d.Member + " is missing", "x.json", without(t, text, d.Member), []string{d.Requirement + " x.json:1:1"},
					d.Member + " is missing"}.check(t)
			}
		}
	}
}

// The same applies to events in a log and in a replay, and to replay results.
func TestMembersOfEvents(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(logOf(validEvents...)), "\n")
	for _, d := range membersOf(t, formEvent) {
		for _, defect := range []string{"missing", "null", "a list"} {
			file, err := document.Parse("x.json", []byte(lines[1]), document.Limits{})
			require.NoError(t, err)
			m := file.Roots[0].Member(d.Member)
			require.NotNil(t, m)
			next := strings.Index(lines[1][m.Column-1:], `,"`) + m.Column
			want, event := fmt.Sprintf("%s x.jsonl:2:%d", d.Requirement, m.Value.Column), ""
			switch defect {
			case "missing":
				want, event = d.Requirement+" x.jsonl:2:1", strings.Replace(lines[1], lines[1][m.Column-1:next], "", 1)
				if d.Member == "assurance" {
					event = lines[1][:m.Column-2] + "}"
				}
			case "null":
				event = lines[1][:m.Value.Column-1] + "null" + lines[1][next-1:]
			default:
				event = lines[1][:m.Value.Column-1] + "[]" + lines[1][next-1:]
			}
			if d.Member == "assurance" && defect != "missing" {
				event = lines[1][:m.Value.Column-1] + map[string]string{"null": "null", "a list": "[]"}[defect] + "}"
			}
			text := strings.Join([]string{lines[0], event, lines[2], lines[3]}, "\n") + "\n"
			broken{d.Member + " is " + defect, "x.jsonl", text, []string{want}, d.Member}.check(t)
		}
	}
}

func TestBrokenDocuments(t *testing.T) {
	list := func(items ...string) string { return `{"capabilities": [` + strings.Join(items, ",\n") + "]}" }
	for _, c := range []broken{
		{"no sync", "d.json", linttest.Altered(t, descriptorJSON, `["sync"]`, `["async"]`), []string{"CHP-3-05 d.json:5:12"},
			"sync"},
		{"no mode", "d.json", linttest.Altered(t, descriptorJSON, `["sync"]`, `[]`), []string{"CHP-3-05 d.json:5:12"},
			"sync"},
		{"mode is a number", "d.json", linttest.Altered(t, descriptorJSON, `["sync"]`, `["sync", 1]`),
			[]string{"CHP-3-04 d.json:5:21"}, "modes has an item"},
		{"no owner", "d.json", without(t, descriptorJSON, "owner"), []string{"CHP-3-07 d.json:1:1"}, "lacks owner"},
		{"input schema", "d.json", linttest.Altered(t, descriptorJSON, `{"type": "object"}`, `{"type": "objekt"}`),
			[]string{"CHP-3-08 d.json:8:28"}, `input_schema is not a JSON Schema: /type is "objekt"; it must be`},
		{"output schema", "d.json", linttest.Altered(t, descriptorJSON, `"output_schema": {}`, `"output_schema": "x"`),
			[]string{"CHP-3-09 d.json:9:20"}, "not a JSON Schema"},
		{"invariant is a text", "d.json", linttest.Altered(t, descriptorJSON, `[{"id"`, `["x", {"id"`),
			[]string{"CHP-3-10 d.json:10:18"}, `"x"`},
		{"risk", "d.json", linttest.Altered(t, descriptorJSON, `"low"`, `"Low"`), []string{"CHP-3-11 d.json:11:11"},
			"low, medium"},
		{"uri", "d.json", linttest.Altered(t, descriptorJSON, `acme.add:1.0.0`, `acme.add@1.0.0`),
			[]string{"CHP-3-14 d.json:7:21"}, `"acme.add:1.0.0"`},
		{"pair", "l.json", list(descriptorJSON, linttest.Altered(t, descriptorJSON, "Adds.", "Adds")),
			[]string{"CHP-3-15 l.json:17:1"}, "a different descriptor at l.json:1:19"},
		{"protocol version", "h.json", linttest.Altered(t, hostJSON, `"0.1"`, `"0.3"`), []string{"CHP-4-03 h.json:4:23"},
			"0.3"},
		{"0.2 alone", "h.json", linttest.Altered(t, hostJSON, `"0.1"`, `"0.2"`), []string{"CHP-4-10 h.json:4:23"},
			"supported_versions"},
		{"capability is an id", "h.json", linttest.Altered(t, hostJSON, `[]`, `["acme.add"]`),
			[]string{"CHP-4-05 h.json:6:20"}, `"acme.add"`},
		{"capability of a host", "h.json", linttest.Altered(t, hostJSON, `[]`, "["+without(t, descriptorJSON, "emits")+"]"),
			[]string{"CHP-3-06 h.json:6:20"}, "emits is missing"},
		{"append-only", "h.json", linttest.Altered(t, hostJSON, `, "append_only": true`, ""),
			[]string{"CHP-4-07 h.json:7:15"}, "append_only is missing"},
		{"code", "r.json", linttest.Altered(t, resultJSON, `"no"`, `""`), []string{"CHP-9-08 r.json:5:13"}, "code"},
		{"message", "r.json", linttest.Altered(t, resultJSON, `"Not now."`, `1`), []string{"CHP-9-09 r.json:6:16"},
			"message"},
		{"invariant", "r.json", linttest.Altered(t, resultJSON, `"invariant_id": "i"`, `"invariant_id": {}`),
			[]string{"CHP-9-10 r.json:7:21"}, "invariant_id"},
		{"retryable", "r.json", linttest.Altered(t, resultJSON, `true`, `"yes"`), []string{"CHP-9-11 r.json:8:18"},
			"retryable"},
		{"details", "r.json", linttest.Altered(t, resultJSON, `{}`, `null`), []string{"CHP-9-12 r.json:9:16"}, "details"},
		{"denial of an event", "e.jsonl",
			logOf(shortEvent{1, "execution_denied", "i1", `,"denial":{"code":"a","message":"b","retryable":false}`}),
			[]string{"CHP-9-12 e.jsonl:1:272"}, "details is missing"},
		{"query without id", "q.json", `{"limit": 3, "include_payloads": true}`, []string{"CHP-10-13 q.json:1:1"},
			"correlation_id"},
		{"query with an empty id", "q.json", `{"correlation_id": "", "limit": "3"}`, []string{"CHP-10-13 q.json:1:20"},
			"correlation_id"},
		{"custom event", "e.jsonl", logOf(validEvents...) + linttest.Altered(t, shortEvent{5, "acme_seen", "i3", ""}.line(),
			`"redacted":true,`, ""), []string{"CHP-6-14 e.jsonl:5:1"}, "redacted"},
		{"replayed event is a text", "r.json", linttest.Altered(t, replayOf("", validEvents...), "\n], \"event_count\": 4",
			",\n7], \"event_count\": 5"), []string{"CHP-10-07 r.json:6:1"}, "7"},
		{"no replayed_at", "r.json", linttest.Altered(t, replayOf("", validEvents...), `, "replayed_at": "2026-05-04T10:00:02Z"`, ""),
			[]string{"CHP-10-09 r.json:1:1"}, "replayed_at"},
		{"no correlation id", "r.json", linttest.Altered(t, replayOf("", validEvents...), `"correlation_id": "c-i1", `, ""),
			[]string{"CHP-10-06 r.json:1:1"}, "correlation_id"},
		{"no events", "r.json", `{"correlation_id": "c", "event_count": 0, "replayed_at": "2026-05-04T10:00:02Z"}`,
			[]string{"CHP-10-07 r.json:1:1"}, "events"},
		{"count", "r.json", linttest.Altered(t, replayOf("", validEvents...), `"event_count": 4`, `"event_count": 5`),
			[]string{"CHP-10-08 r.json:6:19"}, "there are 4"},
		{"count of a part", "r.json", linttest.Altered(t, replayOf(`, "truncated": true`, validEvents...), `"event_count": 4`,
			`"event_count": 3`), []string{"CHP-10-08 r.json:6:19"}, "there are 4"},
	} {
		c.check(t)
	}
}
