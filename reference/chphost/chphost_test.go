package chphost_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/rpc"
)

func newHost(t testing.TB, source func(*chphost.Store) (*chphost.Host, error)) *chphost.Host {
	t.Helper()
	host, err := source(chphost.NewStore(nil))
	require.NoError(t, err)
	return host
}

// call sends params as JSON text and returns the decoded JSON result.
func call(t testing.TB, operation rpc.Operation, params string) (map[string]any, error) {
	t.Helper()
	value, err := rpc.Decode([]byte(params))
	require.NoError(t, err)
	members, isObject := value.(map[string]any)
	require.True(t, isObject)
	result, err := operation(context.Background(), members)
	if err != nil {
		return nil, err
	}
	var travelled map[string]any
	require.NoError(t, json.Unmarshal(rpc.Append(nil, result), &travelled))
	return travelled, nil
}

func envelope(id, capability, payload string, more ...string) string {
	return fmt.Sprintf(`{"invocation_id":%q,"capability_id":%q,"payload":%s,"subject":{"id":"tester"},"requested_at":"2026-05-04T10:00:00Z",
		"mode":"sync","correlation":{"correlation_id":%q}%s}`, "inv-"+id, capability, payload, "corr-"+id, strings.Join(append([]string{""}, more...), ","))
}

// eventsOf returns the events of a correlation as "type outcome".
func eventsOf(t testing.TB, host *chphost.Host, correlation string) []string {
	t.Helper()
	replay, err := call(t, host.Replay, fmt.Sprintf(`{"correlation_id":%q}`, correlation))
	require.NoError(t, err)
	types := []string{}
	for _, element := range replay["events"].([]any) {
		event := element.(map[string]any)
		types = append(types, strings.TrimPrefix(event["event_type"].(string), "execution_"))
	}
	return types
}

func TestInvocationRecordsOutcomeAndEvidence(t *testing.T) {
	tests := map[string]struct {
		capability, payload, more string
		outcome, code             string
		events                    []string
	}{
		"echo":              {"conformance.echo", `{"value":[1]}`, "", "success", "", []string{"started", "completed"}},
		"echo, nothing":     {"conformance.echo", `{}`, "", "success", "", []string{"started", "completed"}},
		"fail":              {"conformance.fail", `{}`, "", "failure", "", []string{"started", "failed"}},
		"guarded":           {"conformance.guarded", `{}`, "", "denied", "invariant_failed", []string{"denied"}},
		"guarded, admitted": {"conformance.guarded", `{"value":1}`, "", "success", "", []string{"started", "completed"}},
		"disabled":          {"conformance.disabled", `{}`, "", "skipped", "", []string{"skipped"}},
		"observe": {"conformance.observe", `{"a":1}`, "", "success", "",
			[]string{"started", "value_observed", "completed"}},
		"typed": {"conformance.typed", `{"text":"a","times":2}`, "", "success", "",
			[]string{"started", "completed"}},
		"typed, invalid": {"conformance.typed", `{"text":7}`, "", "denied", "input_schema_validation_failed",
			[]string{"denied"}},
		"typed, exponent": {"conformance.typed", `{"text":"a","times":1e1000001}`, "", "denied",
			"input_schema_validation_failed", []string{"denied"}},
		"unknown": {"no.such", `{}`, "", "denied", "capability_not_found", []string{"denied"}},
		"unknown version": {"conformance.echo", `{}`, `"version":"9"`, "denied", "capability_not_found",
			[]string{"denied"}},
		"known version": {"conformance.echo", `{}`, `"version":"1.0.0"`, "success", "", []string{"started", "completed"}},
		"no id":         {"", `{}`, "", "denied", "capability_not_found", []string{"denied"}},
		"one version of two": {"text.measure", `{"texts":["a"]}`, `"version":"2.0.0"`, "success", "",
			[]string{"started", "completed"}},
		"no version of two": {"text.measure", `{"texts":["a"]}`, "", "denied", "capability_not_found", []string{"denied"}},
		"async": {"calendar.find_season", `{"month":1}`, `"mode":"async"`, "success", "",
			[]string{"started", "completed"}},
		"mode not declared": {"conformance.echo", `{}`, `"mode":"async"`, "denied", "unsupported_mode", []string{"denied"}},
		"mode, disabled":    {"conformance.disabled", `{}`, `"mode":"async"`, "skipped", "", []string{"skipped"}},
	}
	host := newHost(t, chphost.Profile)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			more := []string{}
			if test.more != "" {
				more = append(more, test.more)
			}
			result, err := call(t, host.Invoke, envelope(name, test.capability, test.payload, more...))
			require.NoError(t, err)
			denial, _ := result["denial"].(map[string]any)
			code, _ := denial["code"].(string)
			got := fmt.Sprintln(result["outcome"], code, result["success"], eventsOf(t, host, "corr-"+name),
				len(result["evidence_ids"].([]any)))
			want := fmt.Sprintln(test.outcome, test.code, test.outcome == "success", test.events, len(test.events))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("outcome, code, success, events, ids (-want +got)\n%s", diff)
			}
		})
	}
}

func TestSamplesReturnSuccess(t *testing.T) {
	for name, source := range map[string]func(*chphost.Store) (*chphost.Host, error){"profile": chphost.Profile,
		"ordinary": chphost.Ordinary} {
		host := newHost(t, source)
		sampled := 0
		for _, c := range host.Capabilities() {
			if c.Sample == nil {
				continue
			}
			sampled++
			result, err := call(t, host.Invoke, envelope(name+c.ID, c.ID, string(rpc.Append(nil, c.Sample)),
				fmt.Sprintf(`"version":%q`, c.Version)))
			require.NoError(t, err)
			if result["outcome"] != "success" || result["data"] == nil {
				t.Errorf("%s %s: %v", c.ID, c.Version, result)
			}
		}
		if sampled < 7 {
			t.Errorf("%s: %d samples, want at least 7", name, sampled)
		}
	}
}
