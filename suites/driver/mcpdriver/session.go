package mcpdriver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	bindings   Bindings
	warnings   []string
	handshake  driver.Answer                       // the answer that began the session
	connect    func(context.Context) (wire, error) // see Options
}

// Info implements driver.Session.
func (s *session) Info() driver.Info {
	how := "tools"
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
		Mapped:     s.mapped(),
		Messages:   s.wire.Messages(),
		Hears:      true,
		Requests:   s.requester() != nil,
		Apart:      s.connect != nil && s.isModern(),
		Noise:      s.wire.Noise(),
		Warnings:   slices.Concat(s.warnings, s.wire.Warnings()),
	}
}

// mapped returns the operations that a mapping carries by an offered tool.
func (s *session) mapped() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.bindings.tools)),
		func(operation string) bool { return !s.offers(operation) })
}

// Alive reports whether the server can still be called.
func (s *session) Alive() bool { return s.wire.Alive() }

// Close implements driver.Session.
func (s *session) Close() error { return s.wire.Close() }

// Call implements driver.Session. A name with a slash is a method of MCP itself, whose result or
// error is returned unchanged.
func (s *session) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	if op.Message && s.wire.Messages() {
		answer, err := s.wire.Message(ctx, op)
		if err != nil {
			return answer, err
		}
		return jsonrpc.Within(s.wire.Limits(), op, answer)
	}
	if op.Heard {
		return s.wire.Heard(op)
	}
	if by := s.requester(); op.Request && by != nil {
		answer, err := by.Requested(ctx, op)
		if err != nil {
			return answer, err
		}
		return jsonrpc.Within(s.wire.Limits(), op, answer)
	}
	if op.Method && op.Name == initializeMethod {
		return s.initialize(ctx, op)
	}
	if op.Apart {
		return s.apart(ctx, op)
	}
	if op.Method || strings.Contains(op.Name, "/") {
		answer, err := s.wire.Request(ctx, op)
		if err != nil {
			return answer, err
		}
		return jsonrpc.Within(s.wire.Limits(), op, answer)
	}
	if !s.operations || !s.offers(op.Name) {
		return driver.Answer{
			Outcome:  driver.NotProvided,
			Error:    &driver.ProtocolError{Message: "no tool is named " + s.tool(op.Name)},
			Exchange: driver.Begin(op, op.Params).Complete(nil, driver.Secrets{}),
		}, nil
	}
	return s.callTool(ctx, op)
}

// requester is a wire of HTTP.
type requester interface {
	// Requested sends a request of HTTP that the operation states.
	Requested(ctx context.Context, op driver.Operation) (driver.Answer, error)
}

// requester returns the wire if it is one of HTTP, otherwise nil.
func (s *session) requester() requester {
	by, _ := below(s.wire).(requester)
	return by
}

// below returns the wire without the metadata of ModernVersion.
func below(w wire) wire {
	if m, is := w.(modern); is {
		return m.wire
	}
	return w
}

func (s *session) isModern() bool {
	_, is := s.wire.(modern)
	return is
}

// initializeMethod is the method of the handshake.
const initializeMethod = "initialize"

// initialize returns the answer to the handshake of the session. With params, it makes another handshake on a further
// connection, which it closes: a session has one handshake.
func (s *session) initialize(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	if params := bytes.TrimSpace(op.Params); len(params) == 0 || string(params) == "{}" {
		answer := s.handshake
		answer.Exchange = answer.Exchange.Of(op)
		return answer, nil
	}
	if s.connect == nil {
		return driver.Answer{}, &driver.CallError{Kind: driver.ErrConfiguration, Detail: "there is no second connection"}
	}
	second, err := s.connect(ctx)
	if err != nil {
		return driver.Answer{}, err
	}
	defer second.Close()
	return second.Request(ctx, op)
}

// apart sends a request as the first one on a further connection. A revision with a handshake has none such.
func (s *session) apart(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	if s.connect == nil || !s.isModern() {
		return driver.Answer{}, &driver.CallError{Kind: driver.ErrConfiguration,
			Detail: "there is no further connection without a handshake"}
	}
	second, err := s.connect(ctx)
	if err != nil {
		return driver.Answer{}, err
	}
	defer second.Close()
	m := second.Modern()
	if from, is := below(s.wire).(*overHTTP); is {
		below(m).(*overHTTP).knowTools(from.mirroredTools())
	}
	answer, err := m.Request(ctx, op)
	if err != nil {
		return answer, err
	}
	return jsonrpc.Within(s.wire.Limits(), op, answer)
}

func (s *session) callTool(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	params := op.Params
	if len(bytes.TrimSpace(params)) == 0 {
		params = json.RawMessage("{}")
	}
	mapped := s.bindings.tools[op.Name]
	arguments, err := mapped.arguments(ctx, params)
	if err != nil {
		return driver.Answer{}, err
	}
	call := fmt.Appendf(nil, `{"name":%q,"arguments":%s}`, s.tool(op.Name), arguments)
	answer, err := s.wire.Request(ctx,
		driver.Operation{Name: "tools/call", Params: call, List: op.List, Single: op.Single})
	var failed *driver.CallError
	if errors.As(err, &failed) {
		named := *failed
		named.Exchange = ofOperation(named.Exchange, op, mapped != nil)
		return driver.Answer{}, &named
	}
	exchange := ofOperation(answer.Exchange, op, mapped != nil)
	if answer, err = jsonrpc.Decodable(s.wire.Limits(), op, answer); errors.As(err, &failed) {
		failed.Exchange = exchange
		return driver.Answer{}, failed
	}
	switch {
	case answer.Outcome != driver.Returned:
	case mapped != nil:
		if answer, err = mapped.answer(ctx, arguments, answer.Result); err != nil {
			return driver.Answer{}, err
		}
	default:
		answer = translate(answer.Result, strings.HasSuffix(op.Name, invocation))
	}
	answer.Exchange = exchange
	return jsonrpc.Within(s.wire.Limits(), op, answer)
}

// invocation ends the names of operations whose results report errors themselves: isError next to
// such a result is ignored (DESIGN section 9).
const invocation = ".invoke"

// ofOperation turns the exchange of a tool call into that of the operation. The params are the
// arguments in the exchange, where secrets are masked, unless a mapping changed the params.
func ofOperation(e driver.Exchange, op driver.Operation, mapped bool) driver.Exchange {
	var call struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	if !mapped && json.Unmarshal(e.Params, &call) == nil {
		op.Params = call.Arguments
	}
	return e.Of(op)
}

// initialized is the relevant part of an initialize result.
type initialized struct {
	ProtocolVersion string                     `json:"protocolVersion"`
	Capabilities    map[string]json.RawMessage `json:"capabilities"`
	ServerInfo      struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"serverInfo"`
}

// offers reports whether an operation is among the tools.
func (s *session) offers(operation string) bool {
	return slices.Contains(s.tools, s.tool(operation))
}

// tool returns the name of the tool that carries an operation: the name of the operation if a tool has it.
func (s *session) tool(operation string) string {
	if s.bindings.tools[operation] == nil && slices.Contains(s.tools, operation) {
		return operation
	}
	return s.bindings.tool(operation)
}
