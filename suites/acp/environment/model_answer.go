package environment

import (
	"encoding/json"
	"net/http"
	"time"
)

// completion is what the model says to one request: a text, or a call of a tool.
type completion struct {
	model string
	text  string
	call  *ToolCall
	name  string // under which the tool is called
}

// whole answers at once.
func (c completion) whole(w http.ResponseWriter) {
	message := map[string]any{"role": "assistant", "content": c.text}
	if c.call != nil {
		message["content"], message["tool_calls"] = nil, []any{c.called(c.call.encode())}
	}
	body := c.frame("chat.completion",
		map[string]any{"index": 0, "message": message, "finish_reason": c.reason(), "logprobs": nil})
	body["usage"] = usage()
	reply(w, http.StatusOK, body)
}

func (c completion) called(arguments string) map[string]any {
	return map[string]any{
		"id": "call_" + Mark()[2:], "type": "function",
		"function": map[string]any{"name": c.name, "arguments": arguments},
	}
}

func (c completion) reason() string {
	if c.call != nil {
		return "tool_calls"
	}
	return "stop"
}

func (c completion) frame(kind string, choices ...any) map[string]any {
	if choices == nil {
		choices = []any{}
	}
	return map[string]any{
		"id": "chatcmpl-" + Mark()[2:], "object": kind, "created": time.Now().Unix(), "model": c.model, "choices": choices,
	}
}

func usage() map[string]int {
	return map[string]int{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
}

// stream answers with server-sent events, the arguments of a call in two pieces.
func (c completion) stream(w http.ResponseWriter, counted bool) {
	w.Header().Set("Content-Type", "text/event-stream")
	const kind = "chat.completion.chunk"
	frame := c.frame(kind)
	send := func(delta map[string]any, reason any) {
		frame["choices"] = []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason, "logprobs": nil}}
		event(w, frame)
	}
	send(map[string]any{"role": "assistant", "content": ""}, nil)
	if c.call == nil {
		send(map[string]any{"content": c.text}, nil)
	} else {
		arguments := c.call.encode()
		half := len(arguments) / 2
		for half > 0 && arguments[half]&0xc0 == 0x80 {
			half-- // not in the middle of a character
		}
		begun := c.called(arguments[:half])
		begun["index"] = 0
		send(map[string]any{"tool_calls": []any{begun}}, nil)
		send(map[string]any{"tool_calls": []any{map[string]any{"index": 0,
			"function": map[string]any{"arguments": arguments[half:]}}}}, nil)
	}
	send(map[string]any{}, c.reason())
	if counted {
		frame["choices"], frame["usage"] = []any{}, usage()
		event(w, frame)
	}
	_, _ = w.Write([]byte("data: [DONE]\n\n")) // a client that is gone needs no answer
}

func event(w http.ResponseWriter, frame map[string]any) {
	raw, err := json.Marshal(frame)
	if err != nil {
		return // it holds texts and numbers alone
	}
	_, _ = w.Write(append(append([]byte("data: "), raw...), '\n', '\n'))
}
