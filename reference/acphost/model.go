package acphost

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"github.com/capconform/capconform/reference/rpc"
)

// Model is one that the model service offers.
type Model struct {
	ID      string
	Context int // the window in tokens, 0 if it is not told
}

// Call is a tool call of a model. Arguments are JSON in a string.
type Call struct{ ID, Name, Arguments string }

// Reply is what a model answered.
type Reply struct {
	Text    string
	Calls   []Call
	Message object // as it came, for the next request
}

func (h *Host) prompting() Prompting {
	return Prompting{
		System: func(p *Package) string { return p.Prompt }, Role: "system", History: true,
		Offer:      func(p *Package) []Tool { return p.Tools },
		Shape:      func(_ *Turn, request map[string]any) map[string]any { return request },
		Rename:     func(name string) string { return name },
		Parameters: inlined,
		Choose:     choose,
		Complete:   h.ask,
		Say:        say,
	}
}

// request is the first request of a turn: prompt, earlier messages, the message and the tools.
func (h *Host) request(ctx context.Context, turn *Turn) object {
	p := turn.Package
	messages := []any{}
	if system := h.System(p); system != "" {
		messages = append(messages, object{"role": h.Role, "content": system})
	}
	if h.History {
		for _, message := range turn.Conversation.told(p.Name) {
			messages = append(messages, message)
		}
	}
	request := object{
		"model":    h.Choose(h.offered(ctx), p),
		"messages": append(messages, object{"role": "user", "content": turn.Text}),
	}
	var tools []any
	for _, tool := range h.Offer(p) {
		function := maps.Clone(tool.Function)
		shown := h.Rename(tool.Name)
		turn.Shown[shown] = tool.Name
		function["name"] = shown
		if tool.Parameters != nil {
			function["parameters"] = h.Parameters(p, tool)
		}
		tools = append(tools, object{"type": "function", "function": function})
	}
	if tools != nil {
		request["tools"] = tools
	}
	return h.Shape(turn, request)
}

// inlined puts the schema where #/schema refers to it.
func inlined(p *Package, tool Tool) any {
	var put func(value any) any
	put = func(value any) any {
		switch v := value.(type) {
		case object:
			if v["$ref"] == "#/schema" {
				return rpc.Clone(p.Schema)
			}
			for name, member := range v {
				v[name] = put(member)
			}
		case []any:
			for i, element := range v {
				v[i] = put(element)
			}
		}
		return value
	}
	return put(rpc.Clone(tool.Parameters))
}

// offered gives the models of the service, none if it does not tell.
func (h *Host) offered(ctx context.Context) []Model {
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
		return nil // asked again at the next turn
	}
	listed, _ := members(value)["data"].([]any)
	for _, element := range listed {
		model := members(element)
		window, _ := whole(model["context_window"])
		models = append(models, Model{word(model["id"]), window})
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.configuration.LLM == address {
		h.models = models
	}
	return models
}

// choose takes the model that meets most of what a package wants.
func choose(models []Model, p *Package) string {
	const unknown = "default"
	best, most := unknown, -1
	for _, model := range models {
		if met := meets(model, p.requirements()); met > most {
			best, most = model.ID, met
		}
	}
	return best
}

func meets(model Model, wanted object) int {
	met := 0
	if uri := word(wanted["specific_model_uri"]); uri != "" &&
		(uri == model.ID || strings.HasSuffix(uri, "/"+model.ID) || strings.HasSuffix(uri, ":"+model.ID)) {
		met += 4
	}
	for _, family := range texts(wanted["model_family"]) {
		if strings.HasPrefix(model.ID, family) {
			met += 2
			break
		}
	}
	if least, given := whole(wanted["min_context_window"]); given && model.Context >= least {
		met++
	}
	return met
}

// ask is one request to the model service.
func (h *Host) ask(ctx context.Context, request object) (Reply, error) {
	address := h.configured().LLM
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
	choices, _ := members(value)["choices"].([]any)
	if len(choices) == 0 {
		return Reply{}, errors.New("acphost: the model gives no choice")
	}
	return readReply(members(members(choices[0])["message"])), nil
}

func readReply(message object) Reply {
	reply := Reply{Text: word(message["content"]), Message: message}
	calls, _ := message["tool_calls"].([]any)
	for _, element := range calls {
		call := members(element)
		function := members(call["function"])
		reply.Calls = append(reply.Calls, Call{word(call["id"]), word(function["name"]), word(function["arguments"])})
	}
	return reply
}

// readStream puts a streamed answer together.
func readStream(body []byte) (Reply, error) {
	var text strings.Builder
	calls := []any{}
	lines := bufio.NewScanner(bytes.NewReader(body))
	lines.Buffer(nil, maxBody)
	for lines.Scan() {
		data, isData := strings.CutPrefix(lines.Text(), "data:")
		if data = strings.TrimSpace(data); !isData || data == "[DONE]" {
			continue
		}
		value, err := rpc.Decode([]byte(data))
		if err != nil {
			return Reply{}, fmt.Errorf("acphost: model: %w", err)
		}
		choices, _ := members(value)["choices"].([]any)
		if len(choices) == 0 {
			continue
		}
		delta := members(members(choices[0])["delta"])
		text.WriteString(word(delta["content"]))
		parts, _ := delta["tool_calls"].([]any)
		for _, part := range parts {
			calls = joined(calls, members(part))
		}
	}
	message := object{"role": "assistant", "content": text.String()}
	if len(calls) > 0 {
		message["tool_calls"] = calls
	}
	return readReply(message), nil
}

// joined adds a piece of a tool call to those so far.
func joined(calls []any, part object) []any {
	at, _ := whole(part["index"])
	if at < 0 || at > len(calls) {
		at = len(calls)
	}
	if at == len(calls) {
		calls = append(calls, object{"type": "function", "id": "", "function": object{"name": "", "arguments": ""}})
	}
	call, piece := members(calls[at]), members(part["function"])
	function := members(call["function"])
	call["id"] = word(call["id"]) + word(part["id"])
	function["name"] = word(function["name"]) + word(piece["name"])
	function["arguments"] = word(function["arguments"]) + word(piece["arguments"])
	return calls
}

// fallback asks the model alone, without the prompt or the tools of any package.
func (h *Host) fallback(ctx context.Context, _ *Conversation, text string) (string, error) {
	const plain = "No capability fits this message."
	if h.configured().LLM == "" {
		return plain, nil
	}
	none := &Package{Metadata: object{}}
	reply, err := h.complete(ctx, object{
		"model": h.Choose(h.offered(ctx), none), "messages": []any{object{"role": "user", "content": text}},
	})
	if err != nil || reply.Text == "" {
		return plain, nil // a model that is away leaves this
	}
	return reply.Text, nil
}
