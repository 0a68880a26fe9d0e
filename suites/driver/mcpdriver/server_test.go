package mcpdriver_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
)

// message is a request that a fake server reads.
type message struct {
	ID     json.RawMessage
	Method string
	Params struct{ Cursor, RequestID json.RawMessage }
}

const validInitialize = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"fake"}}`

// fake serves results by method; a result that does not begin with "{" is sent as a status.
func fake(t *testing.T, answer func(m message, w http.ResponseWriter) string) driver.Driver {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var m message
		body, _ := io.ReadAll(r.Body)
		if json.Unmarshal(body, &m) != nil || m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if result := answer(m, w); result != "" {
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
		}
	})
	return mcpdriver.NewHTTP(httpdriver.Config{URL: url}, mcpdriver.Options{})
}

func TestPages(t *testing.T) {
	page := func(name, cursor string) string {
		if cursor == "" {
			return `{"tools":[{"name":"` + name + `"}]}`
		}
		return `{"tools":[{"name":"` + name + `"}],"nextCursor":"` + cursor + `"}`
	}
	tests := map[string]struct {
		list func(cursor string) string
		want string
	}{
		"one": {func(string) string { return page("a", "") }, "[a] []"},
		"three": {func(c string) string {
			return map[string]string{"": page("a", "1"), `"1"`: page("b", "2"), `"2"`: page("c", "")}[c]
		}, "[a b c] []"},
		"circle": {func(c string) string { return page("a", "again") },
			"[a a] [tools/list returns the same cursor again]"},
		"endless": {func(c string) string { return page("a", c[min(1, len(c)):max(0, len(c)-1)]+"x") },
			"1000 [tools/list has more than 1000 pages]"},
		"odd":        {func(string) string { return `{"tools":[{"name":5},7,{"name":"b"}]}` }, "[b] []"},
		"not a list": {func(string) string { return `{"tools":{}}` }, "[] [tools/list can't be read]"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			session, err := fake(t, func(m message, _ http.ResponseWriter) string {
				if m.Method == "initialize" {
					return validInitialize
				}
				return test.list(string(m.Params.Cursor))
			}).Open(t.Context())
			require.NoError(t, err)
			defer session.Close()
			info := session.Info()
			got := fmt.Sprint(info.Operations, " ", info.Warnings)
			if len(info.Operations) == 1000 {
				got = fmt.Sprint(1000, " ", info.Warnings)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("tools and warnings (-want +got):\n%s", diff)
			}
			if info.Negotiated != "2025-06-18" || info.Operations == nil {
				t.Errorf("info %+v", info)
			}
		})
	}
}

func TestNoHandshake(t *testing.T) {
	tests := map[string]func(w http.ResponseWriter) string{
		"404":             func(w http.ResponseWriter) string { w.WriteHeader(404); return "" },
		"401":             func(w http.ResponseWriter) string { w.WriteHeader(401); return "" },
		"empty object":    func(http.ResponseWriter) string { return "{}" },
		"no capabilities": func(http.ResponseWriter) string { return `{"protocolVersion":"2025-11-25"}` },
		"garbage":         func(w http.ResponseWriter) string { _, _ = io.WriteString(w, "hello"); return "" },
	}
	for name, answer := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := fake(t, func(_ message, w http.ResponseWriter) string { return answer(w) }).Open(t.Context())
			if !errors.Is(err, mcpdriver.ErrNoMCP) || !errors.Is(err, driver.ErrUnreachable) {
				t.Errorf("got %v, want ErrNoMCP and ErrUnreachable", err)
			}
			var failed *driver.CallError
			require.ErrorAs(t, err, &failed)
		})
	}
}

// TestHeaders checks what streamable HTTP requires of a client.
func TestHeaders(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var m message
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &m)
		mu.Lock()
		seen = append(seen, fmt.Sprintf("%s %s %s %q %q", r.Method, m.Method, r.Header.Get("Accept"),
			r.Header.Get("Mcp-Session-Id"), r.Header.Get("Mcp-Protocol-Version")))
		mu.Unlock()
		switch m.Method {
		case "initialize":
			w.Header().Set("Mcp-Session-Id", "abc")
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{}}}`, m.ID)
		case "x/silent":
			<-r.Context().Done()
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	})
	config := httpdriver.Config{URL: url, Deadlines: driver.Deadlines{Call: 50 * time.Millisecond}}
	session, err := mcpdriver.NewHTTP(config, mcpdriver.Options{}).Open(t.Context())
	require.NoError(t, err)
	_, err = session.Call(t.Context(), driver.Operation{Name: "x/silent"})
	require.ErrorIs(t, err, driver.ErrTimeout)
	require.Eventually(
		t,
		func() bool { mu.Lock(); defer mu.Unlock(); return len(seen) == 5 },
		5*time.Second,
		time.Millisecond,
	)
	require.NoError(t, session.Close())
	const both = "application/json, text/event-stream"
	want := []string{
		"POST initialize " + both + ` "" ""`,
		"POST notifications/initialized " + both + ` "abc" "2025-06-18"`,
		"POST x/silent " + both + ` "abc" "2025-06-18"`,
		"POST notifications/cancelled " + both + ` "abc" "2025-06-18"`,
		"DELETE  " + both + ` "abc" "2025-06-18"`,
	}
	// The stream of the server is opened concurrently.
	const standing = `GET  text/event-stream "abc" "2025-06-18"`
	if diff := cmp.Diff(want, slices.DeleteFunc(slices.Clone(seen),
		func(s string) bool { return s == standing })); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if !slices.Contains(seen, standing) {
		t.Errorf("requests %q, want %q among them", seen, standing)
	}
}

// TestStreams checks answers that arrive as events.
func TestStreams(t *testing.T) {
	const ok = `{"jsonrpc":"2.0","id":2,"result":{}}`
	tests := map[string]struct{ first, rest, want string }{
		"one event":    {"data: " + ok + "\n\n", "", "returned <nil>"},
		"other events": {"event: x\ndata: 1\n\n: c\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\ndata: " + ok + "\n\n", "", "returned <nil>"},
		"no JSON":      {"data: hello\n\n", "", "malformed <nil>"},
		"other id":     {"data: " + strings.Replace(ok, "2,", "3,", 1) + "\n\n", "", "malformed <nil>"},
		"ends": {"data:\n\n", "",
			"returned connection closed before the answer: the stream ended without an answer"},
		"ends and continues": {"id: 7\nretry: 1\ndata:\n\n", "data: " + ok + "\n\n", "returned <nil>"},
		"ends finally": {"id: 7\nretry: 1\ndata:\n\n", "-",
			"returned connection closed before the answer: the stream ended without an answer"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				var m message
				body, _ := io.ReadAll(r.Body)
				_ = json.Unmarshal(body, &m)
				switch {
				case m.Method == "initialize":
					_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`)
				case m.Method == "x/stream":
					w.Header().Set("Content-Type", "text/event-stream")
					_, _ = io.WriteString(w, test.first)
				case r.Method == http.MethodGet && r.Header.Get("Last-Event-Id") == "7":
					w.Header().Set("Content-Type", "text/event-stream")
					_, _ = io.WriteString(w, test.rest)
				}
			})
			session, err := mcpdriver.NewHTTP(httpdriver.Config{URL: url}, mcpdriver.Options{}).Open(t.Context())
			require.NoError(t, err)
			defer session.Close()
			answer, err := session.Call(t.Context(), driver.Operation{Name: "x/stream"})
			if diff := cmp.Diff(test.want, fmt.Sprint(answer.Outcome, " ", err)); diff != "" {
				t.Errorf("call (-want +got):\n%s", diff)
			}
		})
	}
}
