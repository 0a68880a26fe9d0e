// Package rpc is the JSON-RPC 2.0 part of the reference host: it reads one request, finds the
// operation, and writes one reply. Protocols are mounted as tables of operations.
package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// The numbers of JSON-RPC 2.0 for errors in a request, and one of this project for an error that a
// protocol itself defines.
const (
	ParseError     = -32700
	InvalidRequest = -32600
	MethodNotFound = -32601
	InvalidParams  = -32602
	InternalError  = -32603
	ProtocolError  = -32000
)

// Operation answers one call. Params is never nil, its numbers are json.Number. The result is
// anything that Append can write. An error that is not an *Error is sent as InternalError.
type Operation func(ctx context.Context, params map[string]any) (any, error)

// Provided returns the operations of a table that are not nil.
func Provided(table map[string]Operation) map[string]Operation {
	maps.DeleteFunc(table, func(_ string, operation Operation) bool { return operation == nil })
	return table
}

// Error is an error reply. Code is the code of the protocol and is sent as error.data.code; if it
// is empty, no data is sent.
type Error struct {
	Number  int
	Code    string
	Message string
	Data    map[string]any // further members of error.data
}

// Error returns the code and the message.
func (e *Error) Error() string {
	if e.Code != "" {
		return "rpc: " + e.Code + ": " + e.Message
	}
	return fmt.Sprintf("rpc: %d: %s", e.Number, e.Message)
}

// Refuse returns an error that the protocol defines.
func Refuse(code, message string) *Error {
	return &Error{Number: ProtocolError, Code: code, Message: message}
}

type request struct {
	method   string
	id       any
	answered bool // has an id, so it must be answered
	params   map[string]any
}

// Serve answers one message. It returns nil for a notification, which must not be answered.
func Serve(ctx context.Context, operations map[string]Operation, message []byte) []byte {
	req, fault := parse(message)
	if fault != nil {
		if req.method != "" && !req.answered { // a notification is not answered even if its params are invalid
			return nil
		}
		return reply(req.id, nil, fault)
	}
	operation, known := operations[req.method]
	if !known {
		if !req.answered {
			return nil
		}
		return reply(req.id, nil, &Error{Number: MethodNotFound, Message: "method not found"})
	}
	result, err := operation(ctx, req.params)
	if !req.answered {
		return nil
	}
	return reply(req.id, result, err)
}

func parse(message []byte) (request, error) {
	if !utf8.Valid(message) {
		return request{}, &Error{Number: ParseError, Message: "message is not UTF-8"}
	}
	value, err := Decode(message)
	if err != nil {
		return request{}, &Error{Number: ParseError, Message: "message is not JSON"}
	}
	members, isObject := value.(map[string]any)
	if !isObject {
		return request{}, &Error{Number: InvalidRequest, Message: "request is not an object"}
	}
	req := request{params: map[string]any{}}
	req.id, req.answered = members["id"]
	switch req.id.(type) {
	case nil, string, json.Number:
	default:
		req.id = nil
		return req, &Error{Number: InvalidRequest, Message: "id is neither string, number nor null"}
	}
	if members["jsonrpc"] != "2.0" {
		return req, &Error{Number: InvalidRequest, Message: `jsonrpc is not "2.0"`}
	}
	method, isString := members["method"].(string)
	if !isString {
		return req, &Error{Number: InvalidRequest, Message: "method is not a string"}
	}
	req.method = method
	if params, given := members["params"]; given {
		if req.params, isObject = params.(map[string]any); !isObject {
			return req, &Error{Number: InvalidParams, Message: "params is not an object"}
		}
	}
	return req, nil
}

// Decode parses one JSON value, keeps numbers as they are written, and refuses trailing text. It
// accepts the same texts as encoding/json.
func Decode(text []byte) (any, error) {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(text),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	value, err := decodeValue(decoder)
	if err != nil {
		return nil, fmt.Errorf("rpc: %w", err)
	}
	if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errors.New("rpc: text after the JSON value")
	}
	return value, nil
}

func decodeValue(decoder *jsontext.Decoder) (any, error) {
	token, err := decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case jsontext.KindBeginObject:
		return decodeObject(decoder)
	case jsontext.KindBeginArray:
		return decodeArray(decoder)
	case jsontext.KindString:
		return token.String(), nil
	case jsontext.KindNumber:
		return json.Number(token.String()), nil
	case jsontext.KindTrue, jsontext.KindFalse:
		return token.Bool(), nil
	}
	return nil, nil
}

// decodeObject uses the last of the members with the same name.
func decodeObject(decoder *jsontext.Decoder) (any, error) {
	members := map[string]any{}
	for {
		token, err := decoder.ReadToken()
		if err != nil || token.Kind() == jsontext.KindEndObject {
			return members, err
		}
		name := token.String()
		if members[name], err = decodeValue(decoder); err != nil {
			return nil, err
		}
	}
}

func decodeArray(decoder *jsontext.Decoder) (any, error) {
	items := []any{}
	for decoder.PeekKind() != jsontext.KindEndArray {
		item, err := decodeValue(decoder)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	_, err := decoder.ReadToken()
	return items, err
}

func reply(id, result any, err error) []byte {
	if err != nil {
		return failure(id, err)
	}
	return response(id, `,"result":`, result)
}

func response(id any, name string, value any) []byte {
	return drafted(func(out []byte) []byte {
		out = append(Append(append(out, `{"jsonrpc":"2.0","id":`...), id), name...)
		return append(Append(out, value), '}')
	})
}

func failure(id any, err error) []byte {
	fault := &Error{Number: InternalError, Message: "internal error"}
	errors.As(err, &fault)
	body := map[string]any{"code": fault.Number, "message": fault.Message}
	if fault.Code != "" || len(fault.Data) > 0 {
		data := map[string]any{}
		for name, value := range fault.Data {
			data[name] = value
		}
		if fault.Code != "" {
			data["code"] = fault.Code
		}
		body["data"] = data
	}
	return response(id, `,"error":`, body)
}

// Method returns the method of a request, empty if it names none.
func Method(message []byte) string {
	var members struct {
		Method string `json:"method"`
	}
	if json.Unmarshal(message, &members) != nil {
		return ""
	}
	return members.Method
}

// Fault returns an error reply to a message that could not be read, so its id is null.
func Fault(number int, message string) []byte {
	return failure(nil, &Error{Number: number, Message: message})
}
