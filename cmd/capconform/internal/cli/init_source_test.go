package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/reports"
)

// countingSource is a capability source that counts its invocations.
type countingSource struct {
	mu    sync.Mutex
	calls map[string]int
}

// ServeHTTP implements http.Handler.
func (s *countingSource) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Ref struct {
				ID string `json:"capability_id"`
			} `json:"ref"`
			Input any `json:"input"`
		} `json:"params"`
	}
	_ = json.NewDecoder(r.Body).Decode(&request) // an empty request names nothing
	answer := map[string]any{"jsonrpc": "2.0", "id": request.ID}
	switch request.Method {
	case "capability.list":
		var all []map[string]any
		for _, id := range []string{"acme.count_echoes", "acme.read_echo", "acme.get_failure", "acme.get_slow_list",
			"acme.remove_restricted", "acme.count_counters"} {
			text := map[string]any{"type": "string", "minLength": 3}
			all = append(all, map[string]any{
				"capability_id": id, "version": "1.0.0", "kind": "tool", "name": id, "description": "Reads.",
				"input_schema": map[string]any{"type": "object", "properties": map[string]any{"text": text},
					"required": []string{"text"}},
			})
		}
		answer["result"] = all
	case "capability.invoke":
		id := request.Params.Ref.ID
		s.mu.Lock()
		s.calls[id]++
		s.mu.Unlock()
		result := map[string]any{"ok": true, "output": map[string]any{"n": 1}, "error": nil, "duration_ms": 0}
		switch id {
		case "acme.read_echo":
			result["output"] = request.Params.Input
		case "acme.get_failure":
			result["ok"], result["output"], result["error"] = false, nil, map[string]any{"code": "EXECUTION_FAILED",
				"message": "no"}
		case "acme.count_counters":
			result["output"] = map[string]any{"executions": 3}
		}
		answer["result"] = result
	default:
		answer["error"] = map[string]any{"code": -32601, "message": "method not found"}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // the client went away
}

// TestInitTriesCapabilitiesOfASource is the same as TestInitProposesWhatItTried, for CAP.
func TestInitTriesCapabilitiesOfASource(t *testing.T) {
	source := &countingSource{calls: map[string]int{}}
	server := httptest.NewServer(source)
	defer server.Close()
	path := filepath.Join(t.TempDir(), "t.yaml")
	var out, err bytes.Buffer
	a := &process.App{In: strings.NewReader(""), Out: &out, Err: &err}
	exit := command(context.Background(), a, []string{"init", "--suite", "cap", "--workflow", "", "--output", path,
		server.URL})
	require.Equal(t, reports.ExitConformant, exit, err.String())
	want := map[string]int{"acme.count_echoes": 1, "acme.read_echo": 1, "acme.get_failure": 1, "acme.get_slow_list": 1,
		"acme.count_counters": 1}
	if diff := cmp.Diff(want, source.calls); diff != "" {
		t.Errorf("invoked (-want +got)\n%s", diff)
	}
	text, readErr := os.ReadFile(path)
	require.NoError(t, readErr)
	for _, line := range []string{
		"\n    echo: {capability: acme.read_echo} # observed once: a capability that ",
		"\n    fails: {capability: acme.get_failure} # observed once: a capability that ",
		"\n    counter: {capability: acme.count_counters} # observed once: a capability that ",
		"\n#   # acme.get_slow_list was tried: the answer to a valid input was not TIMEOUT\n",
		"\n#   # acme.remove_restricted was not tried, because its id contains \"remove\"",
	} {
		if !strings.Contains(string(text), line) {
			t.Errorf("want %q in\n%s", line, text)
		}
	}
}
