package acphost

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"

	"github.com/capconform/capconform/reference/rpc"
)

// Model is a model that the model service offers.
type Model struct {
	ID      string
	Context int // the context window in tokens, 0 if unknown
}

// Call is a tool call of a model. Arguments are JSON in a string.
type Call struct{ ID, Name, Arguments string }

// Reply is the answer of a model.
type Reply struct {
	Text    string
	Calls   []Call
	Message object // as received, for the next request
}

// choose returns the id of the model that meets most requirements of a package.
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

// readStream parses a streamed answer.
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

// joined adds a fragment of a tool call to the earlier fragments.
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
