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

// countingHost is a CHP host that counts its invocations.
type countingHost struct {
	mu    sync.Mutex
	calls map[string]int
}

// ServeHTTP implements http.Handler.
func (h *countingHost) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var all []map[string]any
	for _, c := range []struct{ id, description string }{
		{"acme.get_echo_settings", "Gets the settings of echoes."},
		{"acme.find_echo_title", "Finds the title of a text."},
		{"acme.describe_echo", "Describes what it was given by giving it back."},
		{"acme.list_echo_rooms", "Lists rooms."},
		{"acme.delete_fail", "Deletes what failed."},
		{"acme.send_guarded_mail", "Sends mail."},
		{"acme.find_failures", "Finds failures."},
	} {
		all = append(all, map[string]any{"id": c.id, "version": "1.0.0", "description": c.description,
			"modes": []string{"sync"}, "risk": "low"})
	}
	for _, id := range []string{"acme.set_rooms", "acme.find_rooms", "acme.count_rooms", "acme.read_rooms"} {
		all = append(all, map[string]any{"id": id, "version": "1.0.0", "description": "Reads.", "modes": []string{"sync"},
			"risk": "low", "input_schema": map[string]any{"type": "object"}})
	}
	var answer any
	switch r.URL.Path {
	case "/host":
		answer = map[string]any{"id": "counting", "version": "7.1", "protocol_version": "0.1", "capabilities": all}
	case "/capabilities":
		answer = map[string]any{"capabilities": all}
	case "/invoke":
		var envelope map[string]any
		_ = json.NewDecoder(r.Body).Decode(&envelope) // an empty envelope has no capability_id
		id, _ := envelope["capability_id"].(string)
		h.mu.Lock()
		h.calls[id]++
		h.mu.Unlock()
		result := map[string]any{"capability_id": id, "invocation_id": envelope["invocation_id"],
			"correlation": envelope["correlation"], "outcome": "success", "success": true}
		switch id {
		case "acme.find_echo_title":
			payload, _ := envelope["payload"].(map[string]any)
			text, _ := payload["value"].(string)
			result["data"] = text[:min(len(text), 40)]
		case "acme.describe_echo":
			result["data"] = envelope["payload"]
		case "acme.find_failures", "acme.find_rooms":
			result["outcome"], result["success"] = "failure", false
		}
		answer = result
	default:
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // the client may be gone
}

// writtenByInit runs init on a host of a suite, checks what init invoked, and returns the target file.
func writtenByInit(t *testing.T, suite string, host http.Handler, calls, want map[string]int) string {
	t.Helper()
	server := httptest.NewServer(host)
	defer server.Close()
	path := filepath.Join(t.TempDir(), "t.yaml")
	var out, errs bytes.Buffer
	a := &process.App{In: strings.NewReader(""), Out: &out, Err: &errs}
	exit := command(context.Background(), a, []string{"init", "--suite", suite, "--workflow", "", "--output", path,
		server.URL})
	require.Equal(t, reports.ExitConformant, exit, errs.String())
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Errorf("invoked (-want +got)\n%s", diff)
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// TestInitProposesObservedRoles: init invokes a candidate of a role once if the policy safe admits it, and invokes
// nothing else.
func TestInitProposesObservedRoles(t *testing.T) {
	host, source := &countingHost{calls: map[string]int{}}, &countingSource{calls: map[string]int{}}
	for _, c := range []struct {
		suite       string
		host        http.Handler
		calls, want map[string]int
		lines       []string
	}{
		{
			"chp", host, host.calls,
			map[string]int{"acme.get_echo_settings": 1, "acme.find_echo_title": 1, "acme.describe_echo": 1,
				"acme.find_failures": 1, "acme.find_rooms": 1, "acme.count_rooms": 1},
			[]string{
				"\nname: \"counting\" # goes into the report\nversion: \"7.1\"\n",
				"\n    typed: {capability: acme.count_rooms} # observed once: a capability that has an input_schema\n",
				"\n    echo: {capability: acme.describe_echo} # observed once: a capability that returns the value of its payload in data\n",
				"\n    fails: {capability: acme.find_failures} # observed once: a capability that fails during execution\n",
				"\n#   # acme.send_guarded_mail was not tried, because its id contains \"send\" (run admits it by --invoke acme.send_guarded_mail)\n",
				"\n#   guarded: {capability: ID} # one that is denied for the payload {}\n",
			},
		},
		{
			"cap", source, source.calls,
			map[string]int{"acme.count_echoes": 1, "acme.read_echo": 1, "acme.get_failure": 1, "acme.get_slow_list": 1,
				"acme.count_counters": 1},
			[]string{
				"\n    echo: {capability: acme.read_echo} # observed once: a capability that ",
				"\n    fails: {capability: acme.get_failure} # observed once: a capability that ",
				"\n    counter: {capability: acme.count_counters} # observed once: a capability that ",
				"\n#   # acme.get_slow_list was tried: the answer to a valid input was not TIMEOUT\n",
				"\n#   # acme.remove_restricted was not tried, because its id contains \"remove\"",
			},
		},
	} {
		t.Run(c.suite, func(t *testing.T) {
			text := writtenByInit(t, c.suite, c.host, c.calls, c.want)
			for _, line := range c.lines {
				if !strings.Contains(text, line) {
					t.Errorf("want %q in\n%s", line, text)
				}
			}
		})
	}
}
