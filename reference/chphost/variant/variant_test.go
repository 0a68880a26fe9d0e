package chpvariant_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	chpvariant "github.com/capconform/capconform/reference/chphost/variant"
)

// chpAsked sends requests to a capability host, over its HTTP binding.
type chpAsked struct {
	t    *testing.T
	host http.Handler
	all  []string
	sent int
}

func newCHPAsked(t *testing.T, alter func(*reference.Parts)) *chpAsked {
	t.Helper()
	host, err := reference.New(reference.Options{Suites: []string{"chp"}, Alter: func(parts *reference.Parts) {
		made := 0
		parts.CHP.Now = func() time.Time { return time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC) }
		parts.CHP.NewID = func(kind string) string {
			made++
			return fmt.Sprintf("%s-%d", kind, made)
		}
		if alter != nil {
			alter(parts)
		}
	}})
	require.NoError(t, err)
	return &chpAsked{t: t, host: host.HTTPHandler()}
}

// fetch returns the body of the response to one request.
func (a *chpAsked) fetch(method, path, body string) string {
	recorder := httptest.NewRecorder()
	a.host.ServeHTTP(
		recorder,
		httptest.NewRequestWithContext(context.Background(), method, path, strings.NewReader(body)),
	)
	a.all = append(a.all, fmt.Sprint(method, path, body, recorder.Code, recorder.Header(), recorder.Flushed,
		recorder.Body.String()))
	return recorder.Body.String()
}

func (a *chpAsked) ask(method, path, body string) map[string]any {
	a.t.Helper()
	received := a.fetch(method, path, body)
	if strings.Contains(received, `"too_many_requests"`) { // it asks the caller to retry
		received = a.fetch(method, path, body)
	}
	var members map[string]any
	require.NoError(a.t, json.Unmarshal([]byte(received), &members), "%s %s: %s", method, path, received)
	return members
}

// invoke returns the result of an invocation, and the events of the same correlation after the closing event appeared.
func (a *chpAsked) invoke(capability, mode, payload string) (result map[string]any, kinds []string) {
	a.t.Helper()
	a.sent++
	id := fmt.Sprintf("corr-%d-sent", a.sent)
	version := ""
	if capability == "text.measure" { // there are two
		version = `"version":"1.0.0",`
	}
	result = a.ask("POST", "/invoke",
		fmt.Sprintf(`{"invocation_id":"inv-%d","capability_id":%q,%s"mode":%q,"payload":%s,"subject":{},
		"correlation":{"correlation_id":%q},"requested_at":"2026-05-04T10:00:00Z"}`, a.sent, capability, version, mode, payload, id))
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); <-time.After(time.Millisecond) {
		if kinds = a.replay(id); closed(kinds) {
			break
		}
	}
	return result, kinds
}

// closed reports whether the closing event is present and, for an execution, the start.
func closed(kinds []string) bool {
	has := func(some ...string) bool {
		return slices.ContainsFunc(kinds, func(kind string) bool { return slices.Contains(some, kind) })
	}
	return has("execution_denied", "execution_skipped") || has("execution_started") &&
		has("execution_completed", "execution_failed", "execution_indeterminate")
}

// replay returns the types of the events of a correlation, reading all pages.
func (a *chpAsked) replay(id string) (kinds []string) {
	a.t.Helper()
	since := ""
	for {
		result := a.ask("POST", "/replay", fmt.Sprintf(`{"correlation_id":%q%s}`, id, since))
		events, _ := result["events"].([]any)
		for _, element := range events {
			event := element.(map[string]any)
			kinds = append(kinds, event["event_type"].(string))
			since = fmt.Sprintf(`,"since_sequence":%.0f`, event["sequence"])
		}
		if result["truncated"] != true || len(events) == 0 {
			return kinds
		}
	}
}

// probe requests everything that a variant may change.
func (a *chpAsked) probe() {
	a.fetch("GET", "/host", "")
	a.fetch("GET", "/capabilities", "")
	a.fetch("GET", "/metrics", "")
	for _, c := range []struct{ capability, mode, payload string }{
		{"text.measure", "sync", `{"text":"a"}`},
		{"text.measure", "async", `{"text":"a"}`},
		{"colour.compute_mix", "sync", `{"first":1,"second":3}`},
		{"no.such", "sync", `{}`},
		{"conformance.fail", "sync", `{}`},
		{"conformance.guarded", "sync", `{}`},
		{"conformance.disabled", "sync", `{}`},
		{"conformance.observe", "sync", `{"a":1}`},
	} {
		a.invoke(c.capability, c.mode, c.payload)
	}
	var many strings.Builder
	for i := range 70 {
		fmt.Fprintf(&many, `,"m%d":0`, i)
	}
	a.invoke("conformance.observe", "sync", `{"a":1`+many.String()+`}`)
	again := `{"invocation_id":"again","capability_id":"conformance.echo","mode":"sync","payload":{},"subject":{},"correlation":{"correlation_id":"shared"},"requested_at":"2026-05-04T10:00:00Z"}`
	for range 3 {
		a.fetch("POST", "/invoke", again)
	}
	a.fetch("POST", "/invoke", strings.Replace(again, `"mode":`, `"version":"1.0.0","mode":`, 1))
	a.fetch("POST", "/invoke", `{"invocation_id":"short","capability_id":"conformance.echo"}`)
	a.fetch("POST", "/invoke", strings.Replace(again, `"correlation":`, `"correlation_id":"short","x":`, 1))
	a.fetch("POST", "/invoke", strings.Replace(again, `"capability_id":`, `"x":`, 1))
	for _, more := range []string{``, `,"limit":2`, `,"limit":0`, `,"limit":50`, `,"since_sequence":21`,
		`,"since_sequence":99999`, `,"include_payloads":false`} {
		a.fetch("POST", "/replay", `{"correlation_id":"shared"`+more+`}`)
		a.fetch("POST", "/replay", `{"correlation_id":"corr-8-sent"`+more+`}`)
		a.fetch("POST", "/replay", `{"correlation_id":"nobody"`+more+`}`)
	}
	for range 3 {
		a.fetch("POST", "/invoke", again)
	}
	// hosts may have changed these
	for _, capability := range []string{"text.measure", "conformance.fail", "conformance.fail"} {
		a.invoke(capability, "sync", `{"text":"a"}`)
	}
	a.invoke("conformance.echo", "sync", `{"value":"`+strings.Repeat("long ", 1000)+`"}`)
	a.fetch("GET", "/capabilities", "")
	for i := range 80 { // hosts may delete events when there are more
		id := fmt.Sprintf(`"invocation_id":"later-%d"`, i)
		a.fetch("POST", "/invoke", strings.Replace(strings.Replace(again, `"invocation_id":"again"`, id, 1), `"shared"`,
			`"later"`, 1))
	}
	a.fetch("POST", "/replay", `{"correlation_id":"shared"}`)
}

// Two variants return the same bytes as the reference here: one answers later, one adds a route to the HTTP binding.
var chpAlike = []string{"chp-asynchronous", "chp-reply-more-members"}

func TestEveryVariantDiffersFromTheReference(t *testing.T) {
	original := newCHPAsked(t, nil)
	original.probe()
	for _, v := range chpvariant.All() {
		t.Run(v.Name, func(t *testing.T) {
			styled := newCHPAsked(t, v.Apply)
			styled.probe()
			if cmp.Equal(original.all, styled.all) != slices.Contains(chpAlike, v.Name) {
				t.Errorf("answers equal those of the reference: %v, want %v", !slices.Contains(chpAlike, v.Name),
					slices.Contains(chpAlike, v.Name))
			}
		})
	}
}

// No style may change the outcomes, the correlations, or the order of the events that each outcome requires.
func TestEveryVariantKeepsTheContract(t *testing.T) {
	tests := []struct {
		capability, mode, payload, outcome string
		kinds                              []string
	}{
		{"text.measure", "sync", `{"text":"a"}`, "success", []string{"execution_started", "execution_completed"}},
		{"conformance.echo", "sync", `{"value":"a"}`, "success", []string{"execution_started", "execution_completed"}},
		{"conformance.fail", "sync", `{}`, "failure", []string{"execution_started", "execution_failed"}},
		{"conformance.guarded", "sync", `{}`, "denied", []string{"execution_denied"}},
		{"no.such", "sync", `{}`, "denied", []string{"execution_denied"}},
		{"conformance.disabled", "sync", `{}`, "skipped", []string{"execution_skipped"}},
		{"conformance.typed", "sync", `{"text":7}`, "denied", []string{"execution_denied"}},
		{"text.measure", "async", `{"text":"a"}`, "denied", []string{"execution_denied"}},
	}
	for _, v := range chpvariant.All() {
		t.Run(v.Name, func(t *testing.T) {
			a := newCHPAsked(t, v.Apply)
			for _, test := range tests {
				outcome, kinds := test.outcome, test.kinds
				switch {
				case v.Name == "chp-disabled-denied" && outcome == "skipped":
					outcome, kinds = "denied", []string{"execution_denied"}
				case (v.Name == "chp-every-mode" || v.Name == "chp-mode-ignored") && test.mode == "async":
					outcome, kinds = "success", []string{"execution_started", "execution_completed"}
				case strings.HasPrefix(v.Name, "chp-denies-echo") && test.capability == "conformance.echo",
					strings.HasPrefix(v.Name, "chp-denies-fails") && test.capability == "conformance.fail":
					outcome, kinds = "denied", []string{"execution_denied"}
				}
				result, left := a.invoke(test.capability, test.mode, test.payload)
				correlation, _ := result["correlation"].(map[string]any)
				says := result["success"] == (outcome == "success") ||
					slices.Contains([]string{"chp-result-without-success", "chp-success-in-words"}, v.Name)
				if result["outcome"] != outcome || !says ||
					correlation["correlation_id"] != fmt.Sprintf("corr-%d-sent", a.sent) {
					t.Errorf("%s: %v, want %s", test.capability, result, outcome)
				}
				if !inOrder(left, kinds) {
					t.Errorf("%s: events %v, want %v among them", test.capability, left, kinds)
				}
			}
		})
	}
}

// inOrder reports whether all wanted values occur in this order.
func inOrder(got, want []string) bool {
	for _, kind := range want {
		at := slices.Index(got, kind)
		if at < 0 {
			return false
		}
		got = got[at+1:]
	}
	return true
}
