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

// chooseModel returns the id of the model that meets most requirements of a package.
func chooseModel(models []Model, p *Package) string {
	const unknown = "default"
	best, most := unknown, -1
	for _, model := range models {
		if met := countMet(model, p.requirements()); met > most {
			best, most = model.ID, met
		}
	}
	return best
}

func countMet(model Model, requirements object) int {
	met := 0
	if uri := stringOf(requirements["specific_model_uri"]); uri != "" &&
		(uri == model.ID || strings.HasSuffix(uri, "/"+model.ID) || strings.HasSuffix(uri, ":"+model.ID)) {
		met += 4
	}
	for _, family := range stringsOf(requirements["model_family"]) {
		if strings.HasPrefix(model.ID, family) {
			met += 2
			break
		}
	}
	if minimum, given := integerOf(requirements["min_context_window"]); given && model.Context >= minimum {
		met++
	}
	return met
}

func readReply(message object) Reply {
	reply := Reply{Text: stringOf(message["content"]), Message: message}
	calls, _ := message["tool_calls"].([]any)
	for _, element := range calls {
		call := objectOf(element)
		function := objectOf(call["function"])
		reply.Calls = append(reply.Calls, Call{stringOf(call["id"]), stringOf(function["name"]),
			stringOf(function["arguments"])})
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
		choices, _ := objectOf(value)["choices"].([]any)
		if len(choices) == 0 {
			continue
		}
		delta := objectOf(objectOf(choices[0])["delta"])
		text.WriteString(stringOf(delta["content"]))
		parts, _ := delta["tool_calls"].([]any)
		for _, part := range parts {
			calls = appendFragment(calls, objectOf(part))
		}
	}
	message := object{"role": "assistant", "content": text.String()}
	if len(calls) > 0 {
		message["tool_calls"] = calls
	}
	return readReply(message), nil
}

// appendFragment adds a fragment of a tool call to the earlier fragments.
func appendFragment(calls []any, part object) []any {
	at, _ := integerOf(part["index"])
	if at < 0 || at > len(calls) {
		at = len(calls)
	}
	if at == len(calls) {
		calls = append(calls, object{"type": "function", "id": "", "function": object{"name": "", "arguments": ""}})
	}
	call, fragment := objectOf(calls[at]), objectOf(part["function"])
	function := objectOf(call["function"])
	call["id"] = stringOf(call["id"]) + stringOf(part["id"])
	function["name"] = stringOf(function["name"]) + stringOf(fragment["name"])
	function["arguments"] = stringOf(function["arguments"]) + stringOf(fragment["arguments"])
	return calls
}
