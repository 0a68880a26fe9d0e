package schemas

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// chpComplete returns objects with every member of the closed reading.
func chpComplete() map[string]string {
	const digest = `"abababababababababababababababababababababababababababababababab"`
	return map[string]string{
		"capability-descriptor": `{"id":"acme.notes:add_1","version":"1","description":"d","modes":["sync","stream"],"emits":["execution_started"],
			"capability_uri":"u","name":null,"category":"c","provider":"p","owner":null,"status":"draft","input_schema":{},"output_schema":{},
			"idempotency":"optional","side_effects":[],"tags":["t"],"risk":"low","metadata":{"m":1},"timeout_s":1.5,
			"invariants":[{"id":"i","kind":"k","description":"","enforcement":"host","failure_behavior":"deny","parameters":{"p":1}}],
			"assurance":{"level":"S1","evidence_policy":"local","notes":[]},"host_requirements":{"compute":null,"network":"n","locality":"any"},
			"policy":{"risk_tier":"low","auth_required":true,"approval_required":false,"data_classification":null,"allowed_actors":[]},
			"retry":{"max_attempts":1,"backoff_s":0,"retry_on":[]}}`,
		"host-descriptor": `{"id":"h","version":"2","protocol_version":"0.2","kind":"k","capabilities":[{}],"evidence":{"store":"s","append_only":true,"more":1},
			"supported_versions":["0.1","0.2"],"metadata":{},"host_version":"2","assurance":"signed","key_id":"k","public_key":"p",
			"host_identity":{"host_id":"h","public_key":"p","key_id":"k","valid_from":"f","signature":"s","valid_until":null,"anchors":[{"type":"t","more":1}]}}`,
		"invocation-envelope": `{"invocation_id":"i","capability_id":"a","mode":"fire_and_forget","correlation":{"correlation_id":"c"},"subject":{},"payload":{},
			"requested_at":"2026-05-04T10:00:00Z","version":null,"metadata":{},"mandate":{},"actor":{},
			"binding":{"id":"b","version":"1","capability":{"id":"a","version":"1"},"provider":{"id":"p"},"host":{"id":"h"}}}`,
		"evidence-event": `{"event_id":"e","event_type":"t","invocation_id":"i","capability_id":"a","host_id":"h","correlation":{"correlation_id":"c"},
			"timestamp":"2026-05-04T10:00:00.123+02:00","sequence":0,"payload":{},"redacted":true,"assurance":{"level":"S3"},"capability_version":null,
			"outcome":null,"execution_id":"x","admission":{},"error":null,"denial":{"code":"c","message":"m","retryable":true,"invariant_id":null,"details":{}},
			"subject":null,"content_hash":` + digest + `,"prev_hash":null,"hash_scheme":"chp-event-hash-v2","payload_commitment":` + digest + `,
			"action_digest":"sha256:` + strings.Trim(digest, `"`) + `","invocation_digest":"sha256:` + strings.Trim(digest, `"`) + `"}`,
		"correlation-context": `{"correlation_id":"c","causation_id":null,"parent_correlation_id":"p","trace_id":"t","environment":"pilot",
			"baggage":{"a":"s","b":1.5,"c":true,"d":null}}`,
		"invocation-result": `{"invocation_id":"i","capability_id":"a","correlation":{"correlation_id":"c"},"outcome":"success","success":true,"evidence_ids":["e"],
			"completed_at":"2026-05-04t10:00:60z","capability_version":"1","data":[1],"error":{},"denial":null,"started_at":null}`,
		"replay-query": `{"correlation_id":"c","limit":10000,"since_sequence":0,"include_payloads":true}`,
		"replay-result": `{"correlation_id":"c","events":[{}],"event_count":1,"replayed_at":"2026-05-04T10:00:00-00:00","truncated":true,"partial":false,
			"missing_hosts":["h"]}`,
		"denial": `{"code":"c","message":"m","retryable":false,"invariant_id":"i","details":{"d":1}}`,
	}
}

func TestChpClosedReadings(t *testing.T) {
	compiled := map[string]*Schema{}
	for name, sample := range chpComplete() {
		compiled[name] = chpSchema(t, name+".closed")
		if err := compiled[name].Validate(mustDecode(t, sample)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	tests := []struct{ schema, members, want string }{
		{"capability-descriptor", `{"id":"a b"}`, "pattern /id"},
		{"capability-descriptor", `{"modes":["sync","batch"]}`, "enum /modes/1"},
		{"capability-descriptor", `{"risk":null}`, "enum /risk"},
		{"capability-descriptor", `{"input_schema":true}`, "type /input_schema"},
		{"capability-descriptor", `{"assurance":{}}`, "required /assurance"},
		{"capability-descriptor", `{"assurance":{"level":"S9"}}`, "enum /assurance/level"},
		{"capability-descriptor", `{"invariants":[{"id":"i"}]}`, "required /invariants/0"},
		{"capability-descriptor", `{"invariants":[{"id":"i","kind":"k","x":1}]}`, "additionalProperties /invariants/0"},
		{"capability-descriptor", `{"host_requirements":{"locality":"moon"}}`, "enum /host_requirements/locality"},
		{"capability-descriptor", `{"policy":{"auth_required":"no"}}`, "type /policy/auth_required"},
		{"capability-descriptor", `{"retry":{"max_attempts":0}}`, "minimum /retry/max_attempts"},
		{"host-descriptor", `{"protocol_version":0.1}`, "enum /protocol_version"},
		{"host-descriptor", `{"supported_versions":["0.1","0.1"]}`, "uniqueItems /supported_versions"},
		{"host-descriptor", `{"evidence":{"append_only":true}}`, "required /evidence"},
		{"host-descriptor", `{"assurance":"S1"}`, "enum /assurance"},
		{"host-descriptor", `{"host_identity":{}}`, "required /host_identity"},
		{"invocation-envelope", `{"mode":"batch"}`, "enum /mode"},
		{"invocation-envelope", `{"requested_at":"2026-05-04 10:00:00Z"}`, "pattern /requested_at"},
		{"invocation-envelope", `{"correlation":{}}`, "required /correlation"},
		{"invocation-envelope", `{"binding":{"id":"b"}}`, "required /binding"},
		{"evidence-event", `{"timestamp":"2026-13-04T10:00:00Z"}`, "pattern /timestamp"},
		{"evidence-event", `{"timestamp":"2026-05-04T10:00:00"}`, "pattern /timestamp"},
		{"evidence-event", `{"outcome":"done"}`, "enum /outcome"},
		{"evidence-event", `{"denial":{"code":"c"}}`, "anyOf /denial"},
		{"evidence-event", `{"content_hash":"ABC"}`, "anyOf /content_hash"},
		{"evidence-event", `{"action_digest":"abc"}`, "pattern /action_digest"},
		{"correlation-context", `{"baggage":{"a":{}}}`, "type /baggage/a"},
		{"correlation-context", `{"environment":"stage"}`, "enum /environment"},
		{"invocation-result", `{"completed_at":"absent"}`, "required "},
		{"invocation-result", `{"evidence_ids":"absent"}`, "required "},
		{"invocation-result", `{"started_at":"now"}`, "anyOf /started_at"},
		{"invocation-result", `{"error":"text"}`, "type /error"},
		{"replay-query", `{"limit":10001}`, "maximum /limit"},
		{"replay-query", `{"limit":0}`, "minimum /limit"},
		{"replay-query", `{"include_payloads":null}`, "type /include_payloads"},
		{"replay-result", `{"replayed_at":"today"}`, "pattern /replayed_at"},
		{"replay-result", `{"missing_hosts":[1]}`, "type /missing_hosts/0"},
		{"denial", `{"retryable":"absent"}`, "required "},
	}
	for _, test := range tests {
		err := compiled[test.schema].Validate(edited(t, chpComplete()[test.schema], test.members))
		if err == nil {
			t.Errorf("%s with %s was accepted", test.schema, test.members)
			continue
		}
		first := invalidity(t, err).Causes[0]
		if got := first.Keyword + " " + first.InstancePointer; got != test.want {
			t.Errorf("%s with %s: %s, want %s", test.schema, test.members, got, test.want)
		}
	}
	for name, s := range compiled {
		require.Error(t, s.Validate(edited(t, chpComplete()[name], `{"x_more":1}`)), "%s accepts unknown members", name)
	}
}

// The closed reading refuses everything that the deciding one refuses.
func TestChpClosedReadingsAreNarrower(t *testing.T) {
	compiled := map[string]*Schema{}
	for name := range chpSamples() {
		compiled[name] = chpSchema(t, name+".closed")
	}
	for _, c := range chpBroken() {
		if compiled[c.schema].Validate(edited(t, chpComplete()[c.schema], c.members)) == nil {
			t.Errorf("%s: the closed reading accepts %s", c.schema, c.members)
		}
	}
}
