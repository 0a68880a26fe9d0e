package chphost_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/chphost"
)

func TestReplayAppliesQuery(t *testing.T) {
	host := newHost(t, chphost.Profile)
	for i := range 3 { // sequences 1 to 9
		_, err := call(t, host.Invoke, strings.Replace(envelope(fmt.Sprint(i), "conformance.observe", `{"a":1}`),
			fmt.Sprintf("corr-%d", i), "corr", 1))
		require.NoError(t, err)
	}
	tests := map[string]struct{ query, want string }{
		"all":               {``, `[1 2 3 4 5 6 7 8 9] 9 false 3`},
		"nulls":             {`,"limit":null,"since_sequence":null,"include_payloads":null`, `[1 2 3 4 5 6 7 8 9] 9 false 3`},
		"limit":             {`,"limit":2`, `[1 2] 2 true 1`},
		"limit, in full":    {`,"limit":10000`, `[1 2 3 4 5 6 7 8 9] 9 false 3`},
		"limit, with point": {`,"limit":2.0`, `[1 2] 2 true 1`},
		"since":             {`,"since_sequence":7`, `[8 9] 2 false 1`},
		"since the start":   {`,"since_sequence":0`, `[1 2 3 4 5 6 7 8 9] 9 false 3`},
		"since the end":     {`,"since_sequence":9223372036854775807`, `[] 0 false 0`},
		"since and limit":   {`,"since_sequence":3,"limit":2`, `[4 5] 2 true 1`},
		"no payloads":       {`,"include_payloads":false`, `[1 2 3 4 5 6 7 8 9] 9 false 0`},
		"limit 0":           {`,"limit":0`, `refused`},
		"limit, half":       {`,"limit":1.5`, `refused`},
		"limit, text":       {`,"limit":"2"`, `refused`},
		"since, negative":   {`,"since_sequence":-1`, `refused`},
		"payloads, text":    {`,"include_payloads":"no"`, `refused`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := "refused"
			if replay, err := call(t, host.Replay, `{"correlation_id":"corr"`+test.query+`}`); err == nil {
				sequences, payloads := []int{}, 0
				for _, element := range replay["events"].([]any) {
					event := element.(map[string]any)
					sequences = append(sequences, int(event["sequence"].(float64)))
					if len(event["payload"].(map[string]any)) > 0 {
						payloads++
					}
				}
				got = fmt.Sprint(sequences, replay["event_count"], replay["truncated"], payloads)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("sequences, count, truncated, payloads (-want +got)\n%s", diff)
			}
		})
	}
}

func TestCorrelationIsRetainedOrGenerated(t *testing.T) {
	tests := map[string]struct{ given, want string }{
		"whole":   {`"correlation":{"correlation_id":"a/ü %","causation_id":"b","parent_correlation_id":"c","trace_id":null,"baggage":{"n":1.50},"x":[1]}`, `map[baggage:map[n:1.5] causation_id:b correlation_id:a/ü % parent_correlation_id:c trace_id:<nil> x:[1]]`},
		"missing": {`"x":1`, `made`},
		"null":    {`"correlation":null`, `made`},
		"empty":   {`"correlation":{}`, `made`},
		"null id": {`"correlation":{"correlation_id":null}`, `made`},
		"no id":   {`"correlation":{"correlation_id":""}`, `made`},
		"number":  {`"correlation":{"correlation_id":7}`, `refused`},
		"array":   {`"correlation":[]`, `refused`},
	}
	host, made := newHost(t, chphost.Profile), map[any]bool{}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := "refused"
			result, err := call(t, host.Invoke,
				`{"invocation_id":"i","capability_id":"no.such","mode":"sync","subject":{},"payload":{},"requested_at":"2026-05-04T10:00:00+02:00",`+test.given+`}`)
			if err == nil {
				correlation := result["correlation"].(map[string]any)
				id := correlation["correlation_id"].(string)
				got = fmt.Sprint(correlation)
				if strings.HasPrefix(id, "corr-") && !made[id] {
					made[id], got = true, "made"
				}
				if len(eventsOf(t, host, id)) != 1 {
					t.Errorf("the replay of %q does not contain the invocation", id)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("correlation (-want +got)\n%s", diff)
			}
		})
	}
}

// A replay returns a hundred thousand events under one correlation in order, with many concurrent callers.
func TestManyEventsUnderOneCorrelation(t *testing.T) {
	host := newHost(t, chphost.Ordinary)
	const callers, each = 20, 2500
	var group sync.WaitGroup
	for caller := range callers {
		group.Go(func() {
			for i := range each {
				inv := &chphost.Invocation{ID: fmt.Sprint(caller, i), CapabilityID: "word.reverse",
					Correlation: map[string]any{"correlation_id": "corr"}}
				if host.Emit(inv, map[string]any{"event_type": chphost.EventStarted}) != nil ||
					host.Emit(inv, map[string]any{"event_type": chphost.EventCompleted}) != nil {
					t.Error("an event was not stored")
				}
			}
		})
	}
	group.Wait()
	records := host.Store.Events("corr")
	if len(records) != 2*callers*each {
		t.Fatalf("%d events, want %d", len(records), 2*callers*each)
	}
	for i, record := range records {
		if record.Sequence != int64(i+1) {
			t.Fatalf("event %d has the sequence %d", i, record.Sequence)
		}
	}
}
