package schemas

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// chpSamples returns objects with only the members that the text requires.
func chpSamples() map[string]string {
	return map[string]string{
		"capability-descriptor": `{"id":"a.b","version":"1","description":"","modes":["sync"],"emits":[]}`,
		"host-descriptor":       `{"id":"h","version":"2","protocol_version":"0.1","kind":"local","capabilities":[],"evidence":{"append_only":false}}`,
		"invocation-envelope": `{"invocation_id":"i","capability_id":"a.b","mode":"sync","correlation":{},"subject":{},"payload":{},
			"requested_at":"2026-05-04T10:00:00Z"}`,
		"evidence-event": `{"event_id":"e","event_type":"execution_started","invocation_id":"i","capability_id":"a.b","host_id":"h",
			"correlation":{"correlation_id":"c"},"timestamp":"2026-05-04T10:00:00Z","sequence":0,"payload":{},"redacted":false,"assurance":{}}`,
		"correlation-context": `{"correlation_id":"c"}`,
		"invocation-result":   `{"invocation_id":"i","outcome":"success","success":true,"correlation":{"correlation_id":"c"}}`,
		"replay-query":        `{"correlation_id":"c"}`,
		"replay-result":       `{"correlation_id":"c","events":[],"event_count":0,"replayed_at":"2026-05-04T10:00:00Z"}`,
		"denial":              `{"code":"x","message":"m","retryable":false,"details":{}}`,
	}
}

// edited returns the sample with some members replaced; the value "absent" removes a member.
func edited(t *testing.T, sample, members string) map[string]any {
	t.Helper()
	object, ok := mustDecode(t, sample).(map[string]any)
	require.True(t, ok)
	changes, ok := mustDecode(t, members).(map[string]any)
	require.True(t, ok)
	for name, value := range changes {
		if value == "absent" {
			delete(object, name)
		} else {
			object[name] = value
		}
	}
	return object
}

// brokenParts returns the names of the parts below $defs that the value breaks, each once.
func brokenParts(t *testing.T, s *Schema, value any) string {
	t.Helper()
	err := s.Validate(value)
	if err == nil {
		return "ok"
	}
	var parts []string
	for _, c := range invalidity(t, err).Causes {
		part, found := strings.CutPrefix(c.SchemaPointer, "/$defs/")
		if !found {
			part = strings.TrimPrefix(c.SchemaPointer, "/")
		}
		part, _, _ = strings.Cut(part, "/")
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

func invalidity(t *testing.T, err error) *Invalidity {
	t.Helper()
	e, ok := err.(*Invalidity)
	require.True(t, ok, "%v", err)
	return e
}

func chpSchema(t *testing.T, name string) *Schema {
	t.Helper()
	s, err := Own("chp/" + name + ".schema.json")
	require.NoError(t, err)
	return s
}

// chpCase is an edit of a sample, with the part that it breaks.
type chpCase struct{ schema, members, want string }

// chpLawful returns styles that no text forbids.
func chpLawful() []chpCase {
	var out []chpCase
	for name := range chpSamples() {
		out = append(out, chpCase{name, `{}`, "ok"}, chpCase{name, `{"x_more":{"deep":[1]},"y":null}`, "ok"})
	}
	lawful := func(schema string, edits ...string) {
		for _, edit := range edits {
			out = append(out, chpCase{schema, edit, "ok"})
		}
	}
	lawful("capability-descriptor",
		`{"modes":["sync","async","batch"],"emits":["execution_observed"],"id":"Ünusual id"}`,
		`{"input_schema":null,"output_schema":null,"invariants":null,"risk":null,"assurance":null,"owner":null,"tags":null,"metadata":null,"capability_uri":null}`,
		`{"input_schema":{},"output_schema":true,"invariants":[{"id":"i"}],"risk":"critical","assurance":{"any":1},"owner":"o","tags":["t"],"metadata":{"m":1},"capability_uri":"a.b:1"}`)
	lawful("host-descriptor",
		`{"protocol_version":0.1}`, `{"protocol_version":"0.2"}`,
		`{"protocol_version":"0.2","supported_versions":["0.1","0.2"]}`,
		`{"protocol_version":"0.3","supported_versions":["0.3","0.1"]}`,
		`{"kind":"toaster","capabilities":[{}],"evidence":{"append_only":true,"store":7}}`)
	lawful("invocation-envelope",
		`{"correlation":{"correlation_id":null}}`,
		`{"mode":"stream","version":null,"payload":{"a":1},"requested_at":"2026-05-04 10:00"}`)
	lawful("evidence-event",
		`{"event_type":"com.acme.seen","outcome":null,"denial":null,"sequence":12.0,"timestamp":"2026-05-04T10:00:00.123456789+02:00"}`,
		`{"correlation":{"correlation_id":"c","trace_id":null,"environment":"dev"},"assurance":{"level":"S9"}}`)
	lawful("invocation-result",
		`{"outcome":"indeterminate","success":false,"capability_id":null,"evidence_ids":null,"data":null,"error":null,"denial":null}`,
		`{"outcome":"denied","success":false,"evidence_ids":["e"],"capability_id":"a.b"}`,
		`{"outcome":"skipped","success":false}`,
		`{"outcome":"failure","success":false,"error":"as you like","replayed":true}`, `{"success":false}`)
	lawful("host-descriptor", `{"evidence":{}}`, `{"evidence":{"appendOnly":"yes"}}`)
	lawful("invocation-result", `{"invocation_id":7,"success":"yes","capability_id":1,"evidence_ids":"e"}`,
		`{"invocation_id":null,"success":null}`)
	lawful("evidence-event", `{"timestamp":1777888000.5}`)
	lawful("replay-query", `{"limit":"5","since_sequence":1.5,"include_payloads":"no"}`)
	lawful("correlation-context", `{"causation_id":null,"parent_correlation_id":7,"baggage":{"a":{}}}`)
	lawful("replay-query", `{"limit":null,"since_sequence":null,"include_payloads":null}`,
		`{"limit":20000,"since_sequence":0,"include_payloads":false}`)
	lawful("replay-result", `{"events":[{}],"event_count":1.0,"truncated":null}`)
	lawful("denial", `{"invariant_id":null}`, `{"invariant_id":"i","details":{"fields":["text"]}}`)
	return out
}

// chpRequired returns the required members with values that they must not have, in addition to null and absence.
func chpRequired() map[string]map[string][]string {
	text, object := []string{`""`, `1`, `["a"]`}, []string{`"{}"`, `[]`}
	moment := []string{`""`, `true`}
	return map[string]map[string][]string{
		"capability-descriptor": {
			"id": text, "version": text, "description": {`1`, `{}`}, "modes": {`{}`, `"sync"`, `["sync",1]`},
			"emits": {`"x"`, `[1]`, `{}`},
		},
		"host-descriptor": {
			"id": text, "version": text, "kind": text, "capabilities": {`{}`, `["a.b"]`, `[null]`}, "evidence": object,
			"protocol_version": {`"1.0"`, `""`, `1`, `["0.1"]`, `"0.10"`},
		},
		"invocation-envelope": {
			"invocation_id": text, "capability_id": text, "mode": text, "correlation": {`"c"`, `[]`, `{"correlation_id":1}`},
			"subject": object, "payload": object, "requested_at": moment,
		},
		"evidence-event": {
			"event_id": text, "event_type": text, "invocation_id": text, "capability_id": text, "host_id": text,
			"correlation": {`"c"`, `{}`, `{"correlation_id":null}`, `{"correlation_id":""}`, `{"correlation_id":7}`},
			"timestamp":   moment, "sequence": {`-1`, `1.5`, `"1"`}, "payload": object, "redacted": {`"false"`, `0`},
			"assurance": object,
		},
		"correlation-context": {"correlation_id": text},
		"invocation-result": {
			"outcome":     {`"ok"`, `"Success"`, `""`, `true`},
			"correlation": {`"c"`, `{}`, `{"correlation_id":null}`, `{"correlation_id":""}`},
		},
		"replay-query": {"correlation_id": text},
		"replay-result": {"correlation_id": text, "events": {`{}`, `["e"]`}, "event_count": {`-1`, `"0"`, `0.5`},
			"replayed_at": moment},
		"denial": {"code": text, "message": text, "retryable": {`"no"`, `0`}, "details": object},
	}
}

// chpBroken returns edits that each break one part.
func chpBroken() []chpCase {
	out := []chpCase{
		{"capability-descriptor", `{"modes":["async"]}`, "sync"},
		{"capability-descriptor", `{"modes":[]}`, "sync"},
		{"capability-descriptor", `{"input_schema":"object"}`, "input_schema"},
		{"capability-descriptor", `{"output_schema":[]}`, "output_schema"},
		{"capability-descriptor", `{"invariants":{}}`, "invariants"},
		{"capability-descriptor", `{"invariants":["i"]}`, "invariants"},
		{"capability-descriptor", `{"risk":"LOW"}`, "risk"},
		{"capability-descriptor", `{"risk":1}`, "risk"},
		{"capability-descriptor", `{"assurance":"S1"}`, "assurance"},
		{"capability-descriptor", `{"owner":1}`, "owner"},
		{"capability-descriptor", `{"tags":"a,b"}`, "tags"},
		{"capability-descriptor", `{"tags":[1]}`, "tags"},
		{"capability-descriptor", `{"metadata":[]}`, "metadata"},
		{"capability-descriptor", `{"capability_uri":1}`, "capability_uri"},
		{"host-descriptor", `{"protocol_version":"0.3","supported_versions":["0.3"]}`, "protocol_version"},
		{"host-descriptor", `{"protocol_version":"0.3","supported_versions":"0.1"}`, "protocol_version"},
		{"invocation-result", `{"outcome":"failure"}`, "success"},
		{"invocation-result", `{"outcome":"denied"}`, "success"},
		{"invocation-result", `{"outcome":"skipped"}`, "success"},
		{"invocation-result", `{"outcome":"indeterminate"}`, "success"},
		{"denial", `{"invariant_id":""}`, "invariant_id"},
		{"denial", `{"invariant_id":1}`, "invariant_id"},
	}
	for schema, members := range chpRequired() {
		for member, values := range members {
			for _, value := range append(values[:len(values):len(values)], `null`, `"absent"`) {
				out = append(out, chpCase{schema, `{"` + member + `":` + value + `}`, member})
			}
		}
	}
	return out
}

func TestChpSchemasReportBrokenParts(t *testing.T) {
	compiled := map[string]*Schema{}
	for name := range chpSamples() {
		compiled[name] = chpSchema(t, name)
	}
	for _, c := range append(chpLawful(), chpBroken()...) {
		if got := brokenParts(t, compiled[c.schema], edited(t, chpSamples()[c.schema], c.members)); got != c.want {
			t.Errorf("%s with %s breaks %s, want %s", c.schema, c.members, got, c.want)
		}
	}
	for name, s := range compiled {
		for _, value := range []string{`null`, `[]`, `"x"`, `1`} {
			if got := brokenParts(t, s, mustDecode(t, value)); got != "type" {
				t.Errorf("%s of %s breaks %s", name, value, got)
			}
		}
	}
}

// Every part is applied, and some case breaks it.
func TestChpPartsAreAppliedAndTested(t *testing.T) {
	seen := map[string]map[string]bool{}
	for _, c := range chpBroken() {
		if seen[c.schema] == nil {
			seen[c.schema] = map[string]bool{}
		}
		for _, part := range strings.Fields(c.want) {
			seen[c.schema][part] = true
		}
	}
	for name := range chpSamples() {
		raw, err := Read("chp/" + name + ".schema.json")
		require.NoError(t, err)
		var doc struct {
			AllOf []map[string]string `json:"allOf"`
			Defs  map[string]any      `json:"$defs"`
		}
		require.NoError(t, json.Unmarshal(raw, &doc))
		applied, defined := map[string]bool{}, map[string]bool{}
		for _, entry := range doc.AllOf {
			applied[strings.TrimPrefix(entry["$ref"], "#/$defs/")] = true
		}
		for part := range doc.Defs {
			defined[part] = true
		}
		if diff := cmp.Diff(defined, applied); diff != "" {
			t.Errorf("%s: parts (-defined +applied):\n%s", name, diff)
		}
		if diff := cmp.Diff(defined, seen[name]); diff != "" {
			t.Errorf("%s: parts (-defined +broken by some case):\n%s", name, diff)
		}
		// A schema with a pattern validates one value at a time, which is too slow for events.
		if strings.Contains(string(raw), `"pattern"`) {
			t.Errorf("%s has a pattern", name)
		}
	}
}
