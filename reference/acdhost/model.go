package acdhost

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"github.com/capconform/capconform/reference/rpc"
)

// designer asks the model whether a descriptor may be created.
type designer struct{ *Host }

func (h designer) configure(_ context.Context, params object) (any, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.model = text(params, "llm")
	return object{}, nil
}

// consent asks the model before a composite or a proxy is created (FR-SDK-3).
func (h designer) consent(ctx context.Context, descriptor object) error {
	switch text(descriptor, "kind") {
	case "composite", "proxy":
		return h.Ask(ctx, descriptor)
	default:
		return nil
	}
}

// maxAnswer is the largest number of bytes that is read of the model's answer.
const maxAnswer = 1 << 20

// Ask asks the model about a descriptor. An answer means consent.
func (h *Host) Ask(ctx context.Context, descriptor object) error {
	h.mutex.Lock()
	model := h.model
	h.mutex.Unlock()
	if model == "" {
		return refuse("this needs a language model, and none is configured")
	}
	question := rpc.Append(nil, object{"model": "gpt-4", "messages": []any{
		object{"role": "system", "content": "You design capabilities of an agent."},
		object{"role": "user", "content": "Check this descriptor before it is created: " + encoded(descriptor)},
	}})
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, model+"/chat/completions", bytes.NewReader(question))
	if err != nil {
		return refuse("the address of the model is not a URL")
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := h.client.Do(request)
	if err != nil {
		return refuse("the model does not answer")
	}
	defer response.Body.Close() // the answer was read
	h.mutex.Lock()
	h.calls++
	h.mutex.Unlock()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil || response.StatusCode != http.StatusOK {
		return refuse("the model refuses")
	}
	answer, err := rpc.Decode(body)
	if choices, _ := member(answer, "choices").([]any); err != nil || len(choices) == 0 {
		return refuse("the model returns an empty answer")
	}
	return nil
}
