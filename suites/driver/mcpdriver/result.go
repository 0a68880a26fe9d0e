package mcpdriver

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

// toolResult is a CallToolResult. Its parts are parts of the message.
type toolResult struct {
	structured json.RawMessage // nil if there is none
	content    blocks
	failed     bool // isError
}

// translate extracts the answer of an operation from the result of its tool.
func translate(raw json.RawMessage, invoked bool) driver.Answer {
	result, broken := readResult(raw)
	if broken != nil {
		return *broken
	}
	return result.answer(invoked)
}

// readResult reads a CallToolResult. The answer is malformed if it is invalid.
func readResult(raw json.RawMessage) (toolResult, *driver.Answer) {
	var result toolResult
	broken := func(defect string) (toolResult, *driver.Answer) {
		answer := jsonrpc.Malformed(defect)
		return toolResult{}, &answer
	}
	if len(raw) == 0 || raw[0] != '{' {
		return broken("the result of tools/call is not an object")
	}
	defect := ""
	_, err := jsonrpc.Members(raw, func(name string, value json.RawMessage) {
		kind := kindOf(value)
		switch name {
		case "structuredContent":
			result.structured = value
		case "content":
			if result.content = blocks(value); kind != "array" && kind != "null" {
				defect = "content must not be a JSON " + kind
			}
		case "isError":
			if result.failed = string(value) == "true"; kind != "bool" && kind != "null" {
				defect = "isError must not be a JSON " + kind
			}
		}
	})
	switch {
	case err != nil:
		return broken("the result of tools/call can't be read")
	case defect != "":
		return broken("the result of tools/call: " + defect)
	}
	return result, nil
}

// kindOf returns the type of a JSON value.
func kindOf(value json.RawMessage) string {
	switch value[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "bool"
	case 'n':
		return "null"
	}
	return "number"
}

// answer returns the meaning of a result. The result of an invocation is an answer whatever its
// outcome.
func (r toolResult) answer(invoked bool) driver.Answer {
	value, text := r.value()
	switch {
	case value == nil && r.failed:
		return driver.Answer{Outcome: driver.Refused, Error: &driver.ProtocolError{Message: text}}
	case value == nil:
		return jsonrpc.Malformed("the result of tools/call has neither structuredContent nor a text block that is JSON")
	case !r.failed:
		return driver.Answer{Outcome: driver.Returned, Result: value}
	}
	if refused, ordinary := refusal(value); !ordinary || !invoked {
		return driver.Answer{Outcome: driver.Refused, Error: refused}
	}
	return driver.Answer{Outcome: driver.Returned, Result: value}
}

// value returns structuredContent, otherwise the JSON in the first text block, and that text.
func (r toolResult) value() (value json.RawMessage, text string) {
	text = r.content.text()
	if r.structured != nil && string(r.structured) != "null" {
		return r.structured, text
	}
	inText := bytes.TrimSpace([]byte(text))
	if m, err := jsonrpc.Read(inText); err != nil || m.NoJSON {
		return nil, text
	}
	return inText, text
}

// ordinary are the members that identify the result of an invocation, whatever its outcome: isError
// next to one of them is ignored.
var ordinary = []string{"ok", "output", "duration_ms", "outcome", "success", "status", "invocation_id", "data"}

// refusal reads what accompanies isError: a protocol error, unless it is an ordinary result.
func refusal(value json.RawMessage) (refused *driver.ProtocolError, isOrdinary bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(value, &members) != nil {
		return &driver.ProtocolError{Message: string(value)}, false
	}
	e := &driver.ProtocolError{Data: members["error"]}
	var code, message string
	var inner map[string]json.RawMessage
	if json.Unmarshal(members["error"], &inner) == nil {
		_ = json.Unmarshal(inner["code"], &code) // other types are ignored
		_ = json.Unmarshal(inner["message"], &message)
	}
	if e.Code, e.Message = code, message; code == "" && message == "" {
		e.Message = string(value)
	}
	return e, slices.ContainsFunc(ordinary, func(name string) bool { return members[name] != nil })
}
