// Package mapping runs the jq of a target file, which translates between the wire format of a
// target and the binding (DESIGN section 8). It is independent of transports.
package mapping

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/itchyny/gojq"

	"github.com/capconform/capconform/suites/driver"
)

// Expression is compiled jq. The zero value is no expression.
type Expression struct{ code *gojq.Code }

// Compile compiles jq. An empty text has no expression. Environment variables are not accessible
// to it.
func Compile(text string) (Expression, error) {
	if text == "" {
		return Expression{}, nil
	}
	query, err := gojq.Parse(text)
	if err != nil {
		return Expression{}, fmt.Errorf("mapping: %w", err)
	}
	code, err := gojq.Compile(query, gojq.WithEnvironLoader(func() []string { return nil }))
	if err != nil {
		return Expression{}, fmt.Errorf("mapping: %w", err)
	}
	return Expression{code}, nil
}

// IsSet reports whether there is an expression.
func (x Expression) IsSet() bool { return x.code != nil }

// Yield runs jq and returns its first value, or nil if it yields none.
func (x Expression) Yield(ctx context.Context, input map[string]any) (any, error) {
	value, ok := x.code.RunWithContext(ctx, input).Next()
	if !ok {
		return nil, nil
	}
	if err, failed := value.(error); failed {
		return nil, err
	}
	return value, nil
}

var errNothing = errors.New("yields nothing")

// YieldJSON runs jq and returns its first value, which must not be null, as JSON.
func (x Expression) YieldJSON(ctx context.Context, input map[string]any) (json.RawMessage, error) {
	value, err := x.Yield(ctx, input)
	if err == nil && value == nil {
		err = errNothing
	}
	if err != nil {
		return nil, err
	}
	return gojq.Marshal(value)
}

// YieldRefusal runs the jq of an error. It yields null, the code of a protocol error, or {code,
// message}. The result is nil if there is no expression, or for null.
func (x Expression) YieldRefusal(ctx context.Context, input map[string]any) (*driver.ProtocolError, error) {
	if !x.IsSet() {
		return nil, nil
	}
	value, err := x.Yield(ctx, input)
	if err != nil {
		return nil, err
	}
	switch v := value.(type) {
	case nil:
		return nil, nil
	case string:
		return &driver.ProtocolError{Code: v}, nil
	case map[string]any:
		code, isText := v["code"].(string)
		message, _ := v["message"].(string)
		if isText {
			return &driver.ProtocolError{Code: code, Message: message}, nil
		}
	}
	return nil, errors.New("must yield null, a string, or an object with code")
}

// Decode parses JSON for jq, with numbers unchanged.
func Decode(raw []byte) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, errors.New("there is more text after its end")
	}
	return value, nil
}

// Response extracts a result from the answer of a target: by jq, or by the path of a part that is
// returned unchanged and is thus still the answer of the target.
type Response struct {
	mapped Expression
	part   []string
}

var (
	purePath = regexp.MustCompile(`^\.body((?:\.[A-Za-z_]\w*|\["[^"\\]+"\])*)$`)
	pathName = regexp.MustCompile(`\.([A-Za-z_]\w*)|\["([^"\\]+)"\]`)
)

// CompileResponse compiles jq over an input with the member body. An empty text means .body.
func CompileResponse(text string) (Response, error) {
	if text == "" {
		text = ".body"
	}
	if found := purePath.FindStringSubmatch(strings.TrimSpace(text)); found != nil {
		var r Response
		for _, step := range pathName.FindAllStringSubmatch(found[1], -1) {
			r.part = append(r.part, step[1]+step[2])
		}
		return r, nil
	}
	mapped, err := Compile(text)
	return Response{mapped: mapped}, err
}

// Result returns the result. own reports whether the result is an unchanged part of body, and thus
// the target's.
func (r Response) Result(
	ctx context.Context, input map[string]any, body []byte,
) (result json.RawMessage, own bool, err error) {
	if r.mapped.IsSet() {
		result, err = r.mapped.YieldJSON(ctx, input)
		return result, false, err
	}
	part, ok := member(bytes.TrimSpace(body), r.part)
	if !ok {
		return nil, true, errors.New("there is nothing at ." + strings.Join(append([]string{"body"}, r.part...), "."))
	}
	return part, true, nil
}

// member returns a part of a JSON text unchanged.
func member(raw json.RawMessage, path []string) (json.RawMessage, bool) {
	for _, name := range path {
		var object map[string]json.RawMessage
		if json.Unmarshal(raw, &object) != nil {
			return nil, false
		}
		raw = object[name]
	}
	return raw, len(raw) > 0 && string(raw) != "null"
}
