package environment_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/acp/environment"
)

func TestHTTPTool(t *testing.T) {
	run, client := open(t)
	for behaviour, test := range map[environment.Behaviour]struct {
		status int
		want   map[string]any
	}{
		environment.Echo:       {200, map[string]any{"received": map[string]any{"q": "1"}}},
		environment.Done:       {200, map[string]any{"done": true}},
		environment.NotDone:    {200, map[string]any{"done": false}},
		environment.DoneString: {200, map[string]any{"done": "true"}},
		environment.Fails:      {500, map[string]any{"error": "the tool fails, as the harness requested"}},
	} {
		mark := environment.NewMark()
		answer := get(t, client, run.Tools.URL(behaviour, mark)+"?q=1")
		calls := run.Tools.Calls(mark)
		require.Len(t, calls, 1)
		test.want["reply"] = calls[0].Reply
		if diff := cmp.Diff(test.want, parsed(t, answer)); diff != "" || answer.Status != test.status {
			t.Errorf("%s: status %d (-want +got)\n%s", behaviour, answer.Status, diff)
		}
	}
	mark := environment.NewMark()
	text := post(t, client, run.Tools.URL(environment.EchoText, mark), map[string]any{"b": []int{1}})
	call := run.Tools.Calls(mark)[0]
	if diff := cmp.Diff([]string{"reply: " + call.Reply, "POST", `{"b":[1]}`, "http"}, []string{text.Body, call.Method, string(call.Body), call.Kind}); diff != "" {
		t.Errorf("text (-want +got)\n%s", diff)
	}
}

func TestHangingToolIsReleased(t *testing.T) {
	run, client := open(t)
	mark := environment.NewMark()
	run.Tools.Release(mark)
	run.Tools.Release(mark)
	answer := get(t, client, run.Tools.URL(environment.Hangs, mark))
	if want := run.Tools.Calls(mark)[0].Reply; parsed(t, answer)["reply"] != want {
		t.Errorf("got %v, want the reply %s", answer, want)
	}
}

func TestCallsHaveMarks(t *testing.T) {
	first, last := environment.NewMark(), environment.NewMark()
	for _, test := range []struct {
		name string
		call environment.Call
		mark string
	}{
		{"in the path", environment.Call{Path: "x-" + first}, first},
		{"in the query", environment.Call{Query: map[string][]string{"q": {first}}}, first},
		{"in the body, followed by another", environment.Call{Path: first, Body: []byte(`{"a":"` + last + `"}`)}, last},
		{"in the arguments", environment.Call{Arguments: []byte(`{"a":["` + first + `"]}`)}, first},
		{"nowhere", environment.Call{Path: "mk12", Body: []byte("mk")}, ""},
	} {
		if got := test.call.Mark(); got != test.mark {
			t.Errorf("%s: the mark is %q, want %q", test.name, got, test.mark)
		}
	}
}

func TestAgent(t *testing.T) {
	run, client := open(t)
	for _, did := range []string{environment.Agent, environment.OtherAgent} {
		mark := environment.NewMark()
		answer := post(t, client, run.Configuration().Services[did], map[string]any{"method": "tell", "params": map[string]any{"text": mark}})
		calls := run.Tools.Calls(mark)
		require.Len(t, calls, 1)
		want := map[string]any{"reply": calls[0].Reply, "received": map[string]any{"method": "tell", "params": map[string]any{"text": mark}}}
		if diff := cmp.Diff(want, parsed(t, answer)); diff != "" || calls[0].Service != did || calls[0].Kind != "agent" {
			t.Errorf("%s: call %+v (-want +got)\n%s", did, calls[0], diff)
		}
	}
}

func TestMCPService(t *testing.T) {
	run, client := open(t)
	connected := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := connected.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: run.Configuration().Services[environment.OtherService], HTTPClient: client,
	}, nil)
	require.NoError(t, err)
	defer session.Close()
	listed, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	if len(listed.Tools) != len(environment.Behaviours()) {
		t.Errorf("%d tools", len(listed.Tools))
	}
	for behaviour, test := range map[environment.Behaviour]struct {
		structured, isError bool
		text                string
	}{
		environment.Echo: {true, false, `"received":{`}, environment.EchoText: {false, false, "reply: reply-mk"},
		environment.Done: {true, false, `"done":true`}, environment.DoneInText: {false, false, `"done":true`},
		environment.NotDone: {true, false, `"done":false`}, environment.Fails: {true, true, `"error":`},
	} {
		mark := environment.NewMark()
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: string(behaviour), Arguments: json.RawMessage(`{"big": 12345678901234567890, "m": "` + mark + `"}`)})
		require.NoError(t, err)
		text := result.Content[0].(*mcp.TextContent).Text
		calls := run.Tools.Calls(mark)
		require.Len(t, calls, 1)
		if (result.StructuredContent != nil) != test.structured || result.IsError != test.isError || !strings.Contains(text, test.text) || !strings.Contains(text, calls[0].Reply) {
			t.Errorf("%s: structured %v, isError %v, %s", behaviour, result.StructuredContent != nil, result.IsError, text)
		}
		if calls[0].Service != environment.OtherService ||
			!strings.Contains(string(calls[0].Arguments), "12345678901234567890") {
			t.Errorf("%s: recorded %+v", behaviour, calls[0])
		}
	}
}

// TestMCPWithoutHandshake: a minimal client that skips the handshake is served.
func TestMCPWithoutHandshake(t *testing.T) {
	run, client := open(t)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, run.Configuration().Services[environment.Service],
		strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":1}}}`))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	response, err := client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	var answer struct {
		Result struct {
			Structured map[string]any `json:"structuredContent"`
		} `json:"result"`
	}
	require.NoError(t, json.NewDecoder(response.Body).Decode(&answer))
	if diff := cmp.Diff(map[string]any{"a": 1.0}, answer.Result.Structured["received"]); diff != "" {
		t.Errorf("received (-want +got)\n%s", diff)
	}
}
