package mcpdriver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

// session implements driver.Session.
type session struct {
	wire       wire
	peer       initialized
	tools      []string
	operations bool
	warnings   []string
}

// Info implements driver.Session.
func (s *session) Info() driver.Info {
	how := "tools of its own"
	if s.operations {
		how = "operations as tools"
	}
	return driver.Info{
		Binding:    fmt.Sprintf("MCP over %s, %s", s.wire.Name(), how),
		Protocol:   "mcp",
		Negotiated: s.peer.ProtocolVersion,
		Name:       s.peer.ServerInfo.Name,
		Version:    s.peer.ServerInfo.Version,
		Operations: slices.Clone(s.tools),
		Warnings:   slices.Concat(s.warnings, s.wire.Warnings()),
	}
}

// Alive tells whether the server can still be spoken to.
func (s *session) Alive() bool { return s.wire.Alive() }

// Close implements driver.Session.
func (s *session) Close() error { return s.wire.Close() }

// Call implements driver.Session. A name with a slash is a method of MCP itself, whose
// result or error is handed on as it is.
func (s *session) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	if strings.Contains(op.Name, "/") {
		answer, err := s.wire.Request(ctx, op)
		if err != nil {
			return answer, err
		}
		return jsonrpc.Within(s.wire.Limits(), op, answer)
	}
	if !s.operations || !s.offers(op.Name) {
		return driver.Answer{
			Outcome:  driver.NotProvided,
			Error:    &driver.ProtocolError{Message: "no tool is named " + toolName(op.Name)},
			Exchange: driver.Begin(op, op.Params).Ended(nil, driver.Secrets{}),
		}, nil
	}
	arguments := op.Params
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = json.RawMessage("{}")
	}
	params := fmt.Appendf(nil, `{"name":%q,"arguments":%s}`, toolName(op.Name), arguments)
	answer, err := s.wire.Request(ctx, driver.Operation{Name: "tools/call", Params: params, List: op.List})
	var failed *driver.CallError
	if errors.As(err, &failed) {
		named := *failed
		named.Exchange = ofOperation(named.Exchange, op)
		return driver.Answer{}, &named
	}
	exchange := ofOperation(answer.Exchange, op)
	if answer.Outcome == driver.Returned {
		answer = translate(answer.Result)
	}
	answer.Exchange = exchange
	return jsonrpc.Within(s.wire.Limits(), op, answer)
}

// ofOperation is the exchange of a tool's call as one of the operation that it
// carried. The arguments are taken from the exchange, where secrets are masked.
func ofOperation(e driver.Exchange, op driver.Operation) driver.Exchange {
	var call struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	if json.Unmarshal(e.Params, &call) == nil {
		op.Params = call.Arguments
	}
	return e.Of(op)
}

// toolResult is a CallToolResult.
type toolResult struct {
	StructuredContent json.RawMessage   `json:"structuredContent"`
	Content           []json.RawMessage `json:"content"`
	IsError           *bool             `json:"isError"`
}

// translate takes the answer of an operation out of the result of its tool.
func translate(raw json.RawMessage) driver.Answer {
	var result toolResult
	if len(raw) == 0 || raw[0] != '{' {
		return jsonrpc.Malformed("the result of tools/call is no object")
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return jsonrpc.Malformed(fmt.Sprintf("the result of tools/call: %s must not be a JSON %s", wrong.Field, wrong.Value))
		}
		return jsonrpc.Malformed("the result of tools/call can't be read")
	}
	value, text := result.value()
	isError := result.IsError != nil && *result.IsError
	switch {
	case value == nil && isError:
		return driver.Answer{Outcome: driver.Refused, Error: &driver.ProtocolError{Message: text}}
	case value == nil:
		return jsonrpc.Malformed("the result of tools/call has neither structuredContent nor a text block that is JSON")
	case !isError:
		return driver.Answer{Outcome: driver.Returned, Result: value}
	}
	if refused, ordinary := refusal(value); !ordinary {
		return driver.Answer{Outcome: driver.Refused, Error: refused}
	}
	return driver.Answer{Outcome: driver.Returned, Result: value}
}

// value gives structuredContent, else the JSON in the first text block, and that text.
func (r toolResult) value() (value json.RawMessage, text string) {
	for _, raw := range r.Content {
		var block struct {
			Type string  `json:"type"`
			Text *string `json:"text"`
		}
		if json.Unmarshal(raw, &block) == nil && block.Type == "text" && block.Text != nil {
			text = *block.Text
			break
		}
	}
	if s := bytes.TrimSpace(r.StructuredContent); len(s) > 0 && string(s) != "null" {
		return r.StructuredContent, text
	}
	inText := bytes.TrimSpace([]byte(text))
	if m, err := jsonrpc.Read(inText); err != nil || m.NoJSON {
		return nil, text
	}
	return inText, text
}

// ordinary are the members by which the result of an invocation is known, whatever
// its outcome: isError beside one of them is ignored.
var ordinary = []string{"ok", "output", "duration_ms", "outcome", "success", "status", "invocation_id", "data"}

// refusal reads what stands beside isError: a protocol error, unless it is an
// ordinary result.
func refusal(value json.RawMessage) (refused *driver.ProtocolError, isOrdinary bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(value, &members) != nil {
		return &driver.ProtocolError{Message: string(value)}, false
	}
	for _, name := range ordinary {
		if members[name] != nil {
			return nil, true
		}
	}
	e := &driver.ProtocolError{Data: members["error"]}
	var code, message string
	var inner map[string]json.RawMessage
	if json.Unmarshal(members["error"], &inner) == nil {
		_ = json.Unmarshal(inner["code"], &code) // no string says nothing
		_ = json.Unmarshal(inner["message"], &message)
	}
	if e.Code, e.Message = code, message; code == "" && message == "" {
		e.Message = string(value)
	}
	return e, false
}
