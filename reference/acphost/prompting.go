package acphost

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"

	"github.com/capconform/capconform/reference/rpc"
)

// prompter sends requests to the model.
type prompter struct{ *Host }

func (h prompter) prompting() Prompting {
	return Prompting{
		System: func(p *Package) string { return p.Prompt }, Role: "system", History: true,
		ToolsOf:       func(p *Package) []Tool { return p.Tools },
		ChangeRequest: func(_ *Turn, request map[string]any) map[string]any { return request },
		Rename:        func(name string) string { return name },
		Parameters:    inlineSchema,
		ChooseModel:   chooseModel,
		Complete:      h.requestCompletion,
		FormatResult:  formatResult,
	}
}

// request returns the first request of a turn: prompt, earlier messages, the message and the tools.
func (h prompter) request(ctx context.Context, turn *Turn) object {
	p := turn.Package
	messages := []any{}
	if system := h.System(p); system != "" {
		messages = append(messages, object{"role": h.Role, "content": system})
	}
	if h.History {
		for _, message := range turn.Conversation.earlierMessages(p.Name) {
			messages = append(messages, message)
		}
	}
	request := object{
		"model":    h.ChooseModel(h.listModels(ctx), p),
		"messages": append(messages, object{"role": "user", "content": turn.Text}),
	}
	var tools []any
	for _, tool := range h.ToolsOf(p) {
		function := maps.Clone(tool.Function)
		shown := h.Rename(tool.Name)
		turn.ToolNames[shown] = tool.Name
		function["name"] = shown
		if tool.Parameters != nil {
			function["parameters"] = h.Parameters(p, tool)
		}
		tools = append(tools, object{"type": "function", "function": function})
	}
	if tools != nil {
		request["tools"] = tools
	}
	return h.ChangeRequest(turn, request)
}

// inlineSchema returns the parameters of a tool with each reference #/schema replaced by the schema.
func inlineSchema(p *Package, tool Tool) any {
	return rpc.Transform(tool.Parameters, func(value any) any {
		if v, isObject := value.(object); isObject && v["$ref"] == "#/schema" {
			return rpc.Clone(p.Schema)
		}
		return value
	})
}

// listModels returns the models of the service, nil if the service does not list them.
func (h prompter) listModels(ctx context.Context) []Model {
	h.mutex.Lock()
	known, address := h.models, h.configuration.LLM
	h.mutex.Unlock()
	if known != nil || address == "" {
		return known
	}
	models := []Model{}
	status, body, err := h.get(ctx, address+"/models")
	value, failed := rpc.Decode(body)
	if err != nil || failed != nil || status != http.StatusOK {
		return nil // the next turn requests them again
	}
	listed, _ := objectOf(value)["data"].([]any)
	for _, element := range listed {
		model := objectOf(element)
		window, _ := integerOf(model["context_window"])
		models = append(models, Model{stringOf(model["id"]), window})
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.configuration.LLM == address {
		h.models = models
	}
	return models
}

// requestCompletion sends one request to the model service.
func (h prompter) requestCompletion(ctx context.Context, request object) (Reply, error) {
	address := h.currentConfiguration().LLM
	if address == "" {
		return Reply{}, refuse("no model is configured")
	}
	status, body, err := h.post(ctx, address+"/chat/completions", request)
	if err != nil {
		return Reply{}, err
	}
	if status != http.StatusOK {
		return Reply{}, fmt.Errorf("acphost: the model answers %d", status)
	}
	if request["stream"] == true {
		return readStream(body)
	}
	value, err := rpc.Decode(body)
	if err != nil {
		return Reply{}, fmt.Errorf("acphost: model: %w", err)
	}
	choices, _ := objectOf(value)["choices"].([]any)
	if len(choices) == 0 {
		return Reply{}, errors.New("acphost: the model returns no choice")
	}
	return readReply(objectOf(objectOf(choices[0])["message"])), nil
}

// fallback asks the model without the prompt or the tools of any package.
func (h prompter) fallback(ctx context.Context, _ *Conversation, text string) (string, error) {
	const plain = "No capability fits this message."
	if h.currentConfiguration().LLM == "" {
		return plain, nil
	}
	none := &Package{Metadata: object{}}
	reply, err := h.complete(ctx, object{
		"model": h.ChooseModel(h.listModels(ctx), none), "messages": []any{object{"role": "user", "content": text}},
	})
	if err != nil || reply.Text == "" {
		return plain, nil // the model is not available
	}
	return reply.Text, nil
}

// withTimeout calls attempt with a time limit. It returns errTimeout if the limit was exceeded before
// the caller cancelled.
func (h prompter) withTimeout(ctx context.Context, attempt func(ctx context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, h.AnswerTimeout())
	defer cancel()
	err := attempt(limited)
	if limited.Err() != nil && ctx.Err() == nil && err != nil {
		return errTimeout
	}
	return err
}

func (h prompter) complete(ctx context.Context, request object) (reply Reply, err error) {
	err = h.withTimeout(ctx, func(ctx context.Context) error {
		reply, err = h.Complete(ctx, request)
		return err
	})
	return reply, err
}

// errTimeout reports that a tool or the model took too long.
var errTimeout = errors.New("acphost: no answer in time")

// formatResult returns any result as text for the model.
func formatResult(r Result) string {
	switch {
	case r.Fault != "":
		return string(rpc.Append(nil, object{"error": object{"message": r.Fault}}))
	case r.Value == nil:
		return r.Text
	}
	return string(rpc.Append(nil, r.Value))
}
