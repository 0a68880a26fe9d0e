package environment

import (
	"encoding/json"
	"net/http"
	"time"
)

// completion is the answer of the model to one request: a text, or tool calls.
type completion struct {
	model string
	text  string
	calls []ToolCall
	names []string // the names under which the tools are called
}

// writeWhole sends the answer in one response.
func (c completion) writeWhole(w http.ResponseWriter) {
	message := map[string]any{"role": "assistant", "content": c.text}
	if len(c.calls) > 0 {
		var all []any
		for i := range c.calls {
			all = append(all, toolCallObject(c.names[i], c.calls[i].encode()))
		}
		message["content"], message["tool_calls"] = nil, all
	}
	body := c.frame("chat.completion",
		map[string]any{"index": 0, "message": message, "finish_reason": c.finishReason(), "logprobs": nil})
	body["usage"] = usage()
	writeJSON(w, http.StatusOK, body)
}

func toolCallObject(name, arguments string) map[string]any {
	return map[string]any{
		"id": "call_" + NewMark()[2:], "type": "function",
		"function": map[string]any{"name": name, "arguments": arguments},
	}
}

func (c completion) finishReason() string {
	if len(c.calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

func (c completion) frame(kind string, choices ...any) map[string]any {
	if choices == nil {
		choices = []any{}
	}
	return map[string]any{
		"id": "chatcmpl-" + NewMark()[2:], "object": kind, "created": time.Now().Unix(), "model": c.model, "choices": choices,
	}
}

func usage() map[string]int {
	return map[string]int{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
}

// writeStream sends the answer as server-sent events, with the arguments of each call in two parts.
func (c completion) writeStream(w http.ResponseWriter, withUsage bool) {
	w.Header().Set("Content-Type", "text/event-stream")
	const kind = "chat.completion.chunk"
	frame := c.frame(kind)
	send := func(delta map[string]any, reason any) {
		frame["choices"] = []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason, "logprobs": nil}}
		writeEvent(w, frame)
	}
	send(map[string]any{"role": "assistant", "content": ""}, nil)
	if len(c.calls) == 0 {
		send(map[string]any{"content": c.text}, nil)
	}
	for i := range c.calls {
		arguments := c.calls[i].encode()
		middle := len(arguments) / 2
		for middle > 0 && arguments[middle]&0xc0 == 0x80 {
			middle-- // do not split a UTF-8 character
		}
		first := toolCallObject(c.names[i], arguments[:middle])
		first["index"] = i
		send(map[string]any{"tool_calls": []any{first}}, nil)
		send(map[string]any{"tool_calls": []any{map[string]any{"index": i,
			"function": map[string]any{"arguments": arguments[middle:]}}}}, nil)
	}
	send(map[string]any{}, c.finishReason())
	if withUsage {
		frame["choices"], frame["usage"] = []any{}, usage()
		writeEvent(w, frame)
	}
	_, _ = w.Write([]byte("data: [DONE]\n\n")) // the client may have closed the connection
}

func writeEvent(w http.ResponseWriter, frame map[string]any) {
	raw, err := json.Marshal(frame)
	if err != nil {
		return // cannot happen: a frame contains only texts and numbers
	}
	_, _ = w.Write(append(append([]byte("data: "), raw...), '\n', '\n'))
}
