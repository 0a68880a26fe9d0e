package chp2host_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/chp2host"
)

type object = map[string]any

func send(t *testing.T, h http.Handler, method, path, body string, headers ...string) (int, object) {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	text, err := io.ReadAll(w.Body)
	require.NoError(t, err)
	var value object
	_ = json.Unmarshal(text, &value) // the metrics are no JSON
	return w.Code, value
}

// Each gate gives its outcome, and leaves its events in their order.
func TestGates(t *testing.T) {
	assessed := "safety_assessment_started safety_assessment_completed safety_action_approved "
	for capability, want := range map[string]string{
		`conformance.echo"`:                      "success : " + assessed + "execution_started execution_completed",
		`conformance.fail"`:                      "failure : " + assessed + "execution_started execution_failed",
		`conformance.disabled"`:                  "skipped : execution_skipped",
		`conformance.twice"`:                     "denied capability_not_found: execution_denied",
		`conformance.twice","version":"2.1.0"`:   "success : " + assessed + "execution_started execution_completed",
		`conformance.echo","mode":"stream"`:      "denied unsupported_mode: execution_denied",
		`conformance.risky"`:                     "denied policy_blocked: execution_denied",
		`conformance.restricted"`:                "denied policy_blocked: execution_denied",
		`conformance.guarded"`:                   "denied invariant_failed: execution_denied",
		`conformance.approval"`:                  "denied approval_required: approval_requested execution_denied",
		`conformance.echo","payload":{"text":7}`: "denied input_schema_validation_failed: execution_denied",
		`conformance.misshapen"`:                 "success : " + assessed + "execution_started execution_completed",
		` "`:                                     "denied capability_not_found: execution_denied",
		`conformance.echo","mandate":{}`:         "denied mandate_invalid: execution_denied",
		`conformance.unsafe"`: "denied safety_blocked: safety_assessment_started safety_assessment_completed " +
			"safety_guardrail_triggered safety_action_blocked execution_denied",
		`conformance.echo","requested_capability_version":"^2"`: "denied capability_version_unsupported: execution_denied",
	} {
		h := chp2host.New(chp2host.Settings{})
		status, result := send(t, h, http.MethodPost, "/invoke", `{"correlation_id":"c","capability_id":"`+capability+`}`)
		require.Equal(t, http.StatusOK, status)
		denial, _ := result["denial"].(object)
		code, _ := denial["code"].(string)
		_, replay := send(t, h, http.MethodGet, "/replay/c", "")
		var events []string
		for _, event := range replay["events"].([]any) {
			events = append(events, event.(object)["event_type"].(string))
		}
		assert.Equal(t, want, result["outcome"].(string)+" "+code+": "+strings.Join(events, " "), capability)
	}
}

// A signature covers the header in the form that the text prints.
func TestBundle(t *testing.T) {
	h := chp2host.New(chp2host.Settings{ID: "hôst"})
	invoke := `{"correlation_id":"c","invocation_id":"i","capability_id":"conformance.budgeted"}`
	send(t, h, http.MethodPost, "/invoke", invoke)
	_, again := send(t, h, http.MethodPost, "/invoke", invoke)
	assert.Equal(t, true, again["replayed"])
	_, bundle := send(t, h, http.MethodGet, "/export/c", "")
	require.Len(t, bundle["events"], 5)
	key, err := base64.StdEncoding.DecodeString(bundle["public_key"].(string))
	require.NoError(t, err)
	signature, err := base64.StdEncoding.DecodeString(bundle["signature"].(object)["signature"].(string))
	require.NoError(t, err)
	header := `{"canonicalization": "chp-stable-v1", "created_at": "` + bundle["created_at"].(string) +
		`", "host_id": "h\u00f4st", "protocol_version": "0.2", "root_hash": "` + bundle["root_hash"].(string) + `"}`
	assert.True(t, ed25519.Verify(key, []byte(header), signature))
}

func TestTransport(t *testing.T) {
	h := chp2host.New(chp2host.Settings{Keys: map[string]string{"agent": "secret"}})
	for request, want := range map[string]int{"/host": 401, "/nothing": 401, "/health": 200, "/.well-known/chp-identity": 200} {
		status, _ := send(t, h, http.MethodGet, request, "")
		assert.Equal(t, want, status, request)
	}
	for request, want := range map[string]int{"/host": 200, "/nothing": 404, "/metrics": 200, "/verify/c": 200} {
		status, _ := send(t, h, http.MethodGet, request, "", "X-CHP-Key", "secret")
		assert.Equal(t, want, status, request)
	}
	status, _ := send(t, h, http.MethodPost, "/invoke", "{", "X-CHP-Key", "secret")
	assert.Equal(t, http.StatusBadRequest, status)
	status, refused := send(t, h, http.MethodGet, "/host", "", "X-CHP-Key", "secret", "X-CHP-Version", "9.9")
	assert.Equal(t, http.StatusBadRequest, status)
	assert.Equal(t, "version_unsupported", refused["denial"].(object)["code"])
}
