package mcpdriver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
	"github.com/capconform/capconform/suites/driver/mapping"
)

// Binding is the tool for one operation in the target file (DESIGN section 8). Params is jq over
// {params}, the others over {body, text, is_error}: body is structuredContent, otherwise the JSON
// in the first text block, otherwise null; text is that block.
type Binding struct {
	Tool     string `json:"tool" yaml:"tool"`         // the tool's own name; empty: the operation's, with _ for .
	Params   string `json:"params" yaml:"params"`     // yields the arguments; empty: params
	Response string `json:"response" yaml:"response"` // yields the result; empty means .body
	Error    string `json:"error" yaml:"error"`       // yields null, the code of a protocol error, or {code, message}
}

// Bindings contains compiled tools by the names of operations. The zero value contains none.
type Bindings struct{ tools map[string]*bound }

// bound is a compiled Binding.
type bound struct {
	operation, tool string
	params, refused mapping.Expression
	result          mapping.Response
}

// CompileBindings checks and compiles mappings. Its error joins one error per fault, each with
// operation and field, and wraps driver.ErrConfiguration.
func CompileBindings(bindings map[string]Binding) (Bindings, error) {
	compiled := Bindings{tools: map[string]*bound{}}
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(bindings)) {
		b := bindings[name]
		m := &bound{operation: name, tool: b.Tool}
		if m.tool == "" {
			m.tool = toolName(name)
		}
		note := func(field string, err error) {
			if err != nil {
				faults = append(faults,
					fmt.Errorf("%w: mcpdriver: bindings: %s: %s: %w", driver.ErrConfiguration, name, field, err))
			}
		}
		var err error
		m.params, err = mapping.Compile(b.Params)
		note("params", err)
		m.refused, err = mapping.Compile(b.Error)
		note("error", err)
		m.result, err = mapping.CompileResponse(b.Response)
		note("response", err)
		compiled.tools[name] = m
	}
	if err := errors.Join(faults...); err != nil {
		return Bindings{}, err
	}
	return compiled, nil
}

// tool returns the name of the tool that carries an operation.
func (b Bindings) tool(operation string) string {
	if m := b.tools[operation]; m != nil {
		return m.tool
	}
	return toolName(operation)
}

// fault returns the error of a mapping: it blames the target file, not the target.
func (m *bound) fault(field string, err error) error {
	return &driver.CallError{Kind: driver.ErrConfiguration,
		Detail: fmt.Sprintf("mapping %s: %s: %v", m.operation, field, err)}
}

// arguments returns the arguments of the tool.
func (m *bound) arguments(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	if m == nil || !m.params.IsSet() {
		return params, nil
	}
	value, err := mapping.Decode(params)
	if err != nil {
		return nil, m.fault("params", err)
	}
	made, err := m.params.YieldJSON(ctx, map[string]any{"params": value})
	if err != nil {
		return nil, m.fault("params", err)
	}
	return made, nil
}

// answer maps the result of a tool. It sees the result and nothing of the call, except that a
// result that is contained in the arguments, as the mapping made them, is not an answer of the
// target. An answer of the target itself is judged unchanged; what the mapping makes of it is
// marked as provided.
func (m *bound) answer(ctx context.Context, arguments, raw json.RawMessage) (driver.Answer, error) {
	result, broken := readResult(raw)
	if broken != nil {
		return *broken, nil
	}
	value, text := result.value()
	var body any
	var err error
	if value != nil {
		if _, err := jsonrpc.Decodable(driver.Limits{}, driver.Operation{}, driver.Answer{Result: value}); err != nil {
			return driver.Answer{}, err
		}
		if body, err = mapping.Decode(value); err != nil {
			return jsonrpc.Malformed("the result of tools/call can't be read"), nil
		}
	}
	input := map[string]any{"body": body, "text": text, "is_error": result.failed}
	provided := "mapping " + m.operation
	refused, err := m.refused.YieldRefusal(ctx, input)
	switch {
	case err != nil:
		return driver.Answer{}, m.fault("error", err)
	case refused != nil:
		if refused.Message == "" {
			refused.Message = text
		}
		return driver.Answer{Outcome: driver.Refused, Error: refused, Provided: provided}, nil
	case result.failed, value == nil:
		return result.answer(false), nil
	}
	taken, own, err := m.result.Result(ctx, input, value)
	if err != nil {
		return jsonrpc.Malformed(fmt.Sprintf("the mapping finds no result in it: response: %v", err)), nil
	}
	answer := driver.Answer{Outcome: driver.Returned, Result: taken}
	if !own || m.reflects(taken, arguments) {
		answer.Provided = provided
	}
	return answer, nil
}

// reflects reports whether a result is contained in arguments that the mapping made.
func (m *bound) reflects(result, arguments json.RawMessage) bool {
	if !m.params.IsSet() {
		return false
	}
	made, err := mapping.Decode(arguments)
	return err == nil && mapping.Reflected(result, made)
}

// toolName returns the name of the tool for an operation.
func toolName(operation string) string { return strings.ReplaceAll(operation, ".", "_") }
