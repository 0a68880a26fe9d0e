package environment_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/acp/environment"
)

type message = map[string]any

func user(text string) message   { return message{"role": "user", "content": text} }
func system(text string) message { return message{"role": "system", "content": text} }
func result(text string) message {
	return message{"role": "tool", "content": text, "tool_call_id": "call_1"}
}

func shown(names ...string) []any {
	var all []any
	for _, name := range names {
		all = append(all, message{"type": "function", "function": message{"name": name, "parameters": message{"type": "object"}}})
	}
	return all
}

// contentOf returns the content of a completion: a text, or "NAME ARGUMENTS" of a call.
func contentOf(t *testing.T, answer got) string {
	t.Helper()
	var body struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
				Calls   []struct {
					Function struct{ Name, Arguments string } `json:"function"`
				} `json:"tool_calls"`
			} `json:"message"`
			Reason string `json:"finish_reason"`
		} `json:"choices"`
	}
	require.NoError(t, json.Unmarshal([]byte(answer.Body), &body), answer.Body)
	require.Len(t, body.Choices, 1)
	choice := body.Choices[0]
	if len(choice.Message.Calls) > 0 {
		require.Equal(t, "tool_calls", choice.Reason)
		return choice.Message.Calls[0].Function.Name + " " + choice.Message.Calls[0].Function.Arguments
	}
	require.Equal(t, "stop", choice.Reason)
	return choice.Message.Content
}

func TestModelFollowsScript(t *testing.T) {
	run, client := open(t)
	mark := environment.NewMark()
	run.Model.SetScript(environment.Script{
		Mark: mark, Prompt: "You are a note", Text: "Well.",
		Calls: []environment.ToolCall{{Name: "state.create", Arguments: message{"n": 1}},
			{Name: "state.delete", Arguments: "{}", Forced: true}},
		Next: func(results []string) *environment.ToolCall {
			if len(results) > 2 {
				return nil
			}
			return &environment.ToolCall{Name: "more", Arguments: json.RawMessage(`{"of":"` + results[1] + `"}`)}
		},
	})
	prompt := system("You are a note taker")
	for _, test := range []struct {
		name     string
		messages []any
		tools    []any
		want     string
	}{
		{"the first call, under the offered name", []any{prompt, user("do " + mark)}, shown("state__create"), `state__create {"n":1}`},
		{"the second call, not offered, in the same style", []any{prompt, user("do " + mark), result("a")}, shown("state_create"), `state_delete {}`},
		{"the second call, without a style to follow", []any{prompt, user("do " + mark), result("a")}, nil, `state.delete {}`},
		{"a call that depends on the results", []any{prompt, user("do " + mark), result("a"), result("b")}, shown("more"), `more {"of":"b"}`},
		{"the last answer", []any{prompt, user("do " + mark), result("a"), result("b"), result("c")}, shown("more"), "Well. " + mark},
		{"a tool that is not offered", []any{prompt, user("do " + mark)}, shown("other"), "Well. " + mark},
		{"another prompt", []any{system("Classify."), user("do " + mark)}, shown("state_create"), "Well. " + mark},
		{"the second call, in camel case", []any{prompt, user("do " + mark), result("a")}, shown("stateCreate"), `stateDelete {}`},
		{"the second call, with a prefix", []any{prompt, user("do " + mark), result("a")}, shown("note__state_create"), `note__state_delete {}`},
		{"the results of an earlier turn", []any{prompt, user("before"), result("x"), user("do " + mark)}, shown("state.create"), `state.create {"n":1}`},
		{"the mark of an earlier turn", []any{prompt, user("do " + mark), user("now")}, shown("state.create"), "There is nothing that I could add."},
		{"parts", []any{prompt, message{"role": "user", "content": []any{message{"type": "text", "text": mark}}}}, shown("state-create"), `state-create {"n":1}`},
	} {
		answer := post(t, client, run.Configuration().LLM+"/chat/completions", message{"model": "gpt-4", "messages": test.messages, "tools": test.tools})
		if diff := cmp.Diff(test.want, contentOf(t, answer)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", test.name, diff)
		}
	}
	if turn := len(run.Model.RequestsWith(mark)); turn != 11 {
		t.Errorf("the turn has %d requests, want 11", turn)
	}
}

func TestModelRecordsRequests(t *testing.T) {
	run, client := open(t)
	mark := environment.NewMark()
	post(t, client, run.Configuration().LLM+"/chat/completions", message{
		"model": "claude-3-opus", "messages": []any{system("one"), message{"role": "developer", "content": "two"}, user("hello " + mark)}, "tools": shown("a", "b"),
	})
	q := run.Model.RequestsWith(mark)[0]
	wantTools := []environment.Tool{{Name: "a", Parameters: json.RawMessage(`{"type":"object"}`)}, {Name: "b", Parameters: json.RawMessage(`{"type":"object"}`)}}
	if diff := cmp.Diff(wantTools, q.Tools); diff != "" {
		t.Errorf("tools (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"claude-3-opus", "one\ntwo", "hello " + mark}, []string{q.Model, q.System(), strings.Join(q.Users(), "|")}); diff != "" {
		t.Errorf("request (-want +got)\n%s", diff)
	}
	if answer, err := ask(t, client, "POST", run.Configuration().LLM+"/chat/completions", "application/json", "nonsense "+mark); err != nil || answer.Status != 400 {
		t.Errorf("an invalid request: %v, %v", answer, err)
	}
}

func TestModelStreams(t *testing.T) {
	run, client := open(t)
	mark := environment.NewMark()
	run.Model.SetScript(environment.Script{Mark: mark,
		Calls: []environment.ToolCall{{Name: "fetch", Arguments: message{"url": "ü"}}}})
	answer := post(t, client, run.Configuration().LLM+"/chat/completions", message{
		"model": "gpt-4", "messages": []any{user(mark)}, "tools": shown("fetch"), "stream": true, "stream_options": message{"include_usage": true},
	})
	var name, arguments, reason string
	var usage bool
	lines := strings.Split(strings.TrimSpace(answer.Body), "\n\n")
	for _, line := range lines[:len(lines)-1] {
		var frame struct {
			Choices []struct {
				Delta struct {
					Calls []struct {
						Function struct{ Name, Arguments string } `json:"function"`
					} `json:"tool_calls"`
				} `json:"delta"`
				Reason string `json:"finish_reason"`
			} `json:"choices"`
			Usage any `json:"usage"`
		}
		require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &frame), line)
		usage = usage || frame.Usage != nil
		for _, c := range frame.Choices {
			reason += c.Reason
			for _, call := range c.Delta.Calls {
				name, arguments = name+call.Function.Name, arguments+call.Function.Arguments
			}
		}
	}
	want := []any{"fetch", `{"url":"ü"}`, "tool_calls", true, "data: [DONE]"}
	if diff := cmp.Diff(want, []any{name, arguments, reason, usage, lines[len(lines)-1]}); diff != "" {
		t.Errorf("stream (-want +got)\n%s", diff)
	}
}

func TestModelsAreListed(t *testing.T) {
	run, client := open(t)
	var ids []string
	for _, m := range parsed(t, get(t, client, run.Configuration().LLM+"/models"))["data"].([]any) {
		ids = append(ids, m.(map[string]any)["id"].(string))
	}
	if diff := cmp.Diff(environment.Families(), ids); diff != "" {
		t.Errorf("models (-want +got)\n%s", diff)
	}
}

func TestSameTool(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"state.create", "state_create", true}, {"state.create", "state__create", true}, {"state.create", "state-create", true},
		{"state.create", "state.creates", false}, {"statecreate", "state.create", false},
		{"stateCreate", "state.create", true}, {"note__state_create", "state.create", true}, {"state_create_of_note", "state.create", true},
		{"common16087a", "common_16087a", true}, {"noteCommon16087a", "common_16087a", true}, {"common_16087a_4f", "common_16087a", true},
		{"state_create_16ab", "state.create", true}, {"common16087a", "common_16087", false}, {"uncommon16087a", "common_16087a", false},
		{"estate_create", "state.create", false}, {"state", "state.create", false},
	} {
		if environment.SameTool(test.a, test.b) != test.want {
			t.Errorf("%s, %s: want %v", test.a, test.b, test.want)
		}
	}
}
