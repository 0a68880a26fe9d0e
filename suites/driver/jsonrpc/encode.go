// Package jsonrpc writes requests and reads replies of JSON-RPC 2.0, to which DESIGN section 9
// binds the operations. It works on bytes, without transport and waiting.
package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// MethodNotFound is the number of the error that an operation is not provided.
const MethodNotFound = -32601

var errParams = errors.New("jsonrpc: params must be one JSON object")

// Request returns a request as one line without line end. Nil params are sent as {}. Params that
// are not an object give an error.
func Request(id int64, method string, params json.RawMessage) ([]byte, error) {
	head := append(make([]byte, 0, len(params)+len(method)+64), `{"jsonrpc":"2.0","id":`...)
	head = strconv.AppendInt(head, id, 10)
	return finish(append(head, ','), method, params)
}

// Notification returns a notification as one line without line end.
func Notification(method string, params json.RawMessage) ([]byte, error) {
	return finish([]byte(`{"jsonrpc":"2.0",`), method, params)
}

// Response returns a response with a result. The id is that of the peer, unchanged.
func Response(id json.RawMessage, result json.RawMessage) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, oneLine(id), oneLine(result))
}

// NotFound returns the answer to a request of the peer: no method is offered.
func NotFound(id json.RawMessage) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"method not found"}}`,
		oneLine(id), MethodNotFound)
}

func finish(head []byte, method string, params json.RawMessage) ([]byte, error) {
	params = bytes.TrimSpace(params)
	if len(params) == 0 {
		params = json.RawMessage("{}")
	}
	if params[0] != '{' || params[len(params)-1] != '}' {
		return nil, errParams
	}
	name, err := json.Marshal(method)
	if err != nil {
		return nil, fmt.Errorf("jsonrpc: method: %w", err)
	}
	head = append(append(head, `"method":`...), name...)
	head = append(append(head, `,"params":`...), oneLine(params)...)
	return append(head, '}'), nil
}

// oneLine removes line ends from a JSON text. They can only be white space there, and a message
// over stdio must not contain one.
func oneLine(value json.RawMessage) json.RawMessage {
	if !bytes.ContainsAny(value, "\r\n") {
		return value
	}
	return bytes.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, value)
}
