package cli

import (
	"encoding/json"
	"net/http"
	"sync"
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
	_ = json.NewDecoder(r.Body).Decode(&request) // an empty request has no method
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
	_ = json.NewEncoder(w).Encode(answer) // the client may be gone
}
