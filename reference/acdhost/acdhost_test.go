package acdhost_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/acdhost"
)

type object = map[string]any

// outcome returns the result of an operation, or "refused".
func outcome(t *testing.T, h *acdhost.Host, operation string, params object) any {
	t.Helper()
	run := h.Operations()[operation]
	require.NotNil(t, run, operation)
	result, err := run(context.Background(), params)
	if err != nil {
		return "refused"
	}
	return result
}

func call(id, mode string, input object, permissions ...any) object {
	return object{"capability_id": id, "mode": mode, "input": input,
		"principal": object{"id": "test", "permissions": permissions}}
}

func TestEngineRefusesInvalidCalls(t *testing.T) {
	h := acdhost.Profile()
	hi := object{"message": "hi"}
	for _, c := range []struct {
		name   string
		params object
		want   any
	}{
		{"valid", call("conformance.echo", "event", hi), object{"output": object{"message": "hi", "repeat": 1}}},
		{"unknown", call("conformance.none", "direct", hi), "refused"},
		{"no mode", call("conformance.fail", "command", hi), "refused"},
		{"fails", call("conformance.fail", "direct", hi), "refused"},
		{"disabled", call("cap.archive", "direct", hi), "refused"},
		{"no permission", call("conformance.shell", "direct", object{"script": "exit 3"}), "refused"},
		{"permission", call("conformance.shell", "direct", object{"script": "echo on; exit 3"}, "conformance.shell"),
			object{"output": object{"exit_status": 3, "stdout": "on\n"}}},
		{"sandbox", call("conformance.shell", "direct",
			object{"script": "(echo x > " + t.TempDir() + "/x) && echo wrote; exit 4"}, "conformance.shell"),
			object{"output": object{"exit_status": 4, "stdout": ""}}},
	} {
		if diff := cmp.Diff(c.want, outcome(t, h, acdhost.OpInvoke, c.params)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
}

func TestCompositeRequiresConsentOfModel(t *testing.T) {
	asked := 0
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		_, _ = w.Write([]byte(`{"choices":[{"message":{"role":"assistant","content":"yes"}}]}`))
	}))
	defer model.Close()
	h := acdhost.Profile()
	composite, atomic := h.Find("cap.digest"), h.Find("conformance.echo")
	composite["capability_id"], atomic["capability_id"] = "x.composite", "x.atomic"
	require.NotEqual(t, "refused", outcome(t, h, acdhost.OpCreate, object{"descriptor": atomic}))
	require.Equal(t, "refused", outcome(t, h, acdhost.OpCreate, object{"descriptor": composite}))
	require.Nil(t, h.Find("x.composite"))
	outcome(t, h, acdhost.OpConfigure, object{"llm": model.URL})
	require.NotEqual(t, "refused", outcome(t, h, acdhost.OpCreate, object{"descriptor": composite}))
	require.NotNil(t, h.Find("x.composite"))
	require.Equal(t, 1, asked)
	outcome(t, h, acdhost.OpConfigure, object{"llm": nil})
	composite["capability_id"] = "x.more"
	require.Equal(t, "refused", outcome(t, h, acdhost.OpCreate, object{"descriptor": composite}))
}

func TestImmutableCapabilityIsUnchanged(t *testing.T) {
	h := acdhost.Profile()
	before := h.Find("conformance.immutable")
	other := h.Find("conformance.immutable")
	other["name"], other["status"] = "Other", object{"mutable": true}
	for _, operation := range []string{acdhost.OpCreate, acdhost.OpUpdate} {
		require.Equal(t, "refused", outcome(t, h, operation, object{"descriptor": other}))
	}
	require.Equal(t, "refused", outcome(t, h, acdhost.OpDelete, object{"capability_id": "conformance.immutable"}))
	if diff := cmp.Diff(before, h.Find("conformance.immutable")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestLegacyListsEqualQueries(t *testing.T) {
	h := acdhost.Profile()
	for endpoint, filters := range acdhost.Legacy() {
		if diff := cmp.Diff(outcome(t, h, acdhost.OpQuery, filters),
			outcome(t, h, acdhost.OpLegacy, object{"endpoint": endpoint})); diff != "" {
			t.Errorf("%s (-query +list)\n%s", endpoint, diff)
		}
	}
	require.Len(t, h.Query(object{"execution": "agent"}), 2)
	require.Empty(t, h.Query(object{"execution": "bogus"}))
}
