package reference

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/capconform/capconform/reference/rpc"
)

// errorReply is an error reply in its form on the wire.
type errorReply struct {
	Code    json.Number     `json:"code"` // a style may print it with an exponent
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// number returns the code as an integer. If it is not an integer, number returns the code of an
// internal error.
func (r *errorReply) number() int64 {
	number, err := r.Code.Float64()
	if err != nil {
		return rpc.InternalError
	}
	return int64(number)
}

// call performs an operation through Handle, so that a defect in the bytes shows over every front
// end. Params and result are JSON text; no params are {}. It returns an error if there is no reply,
// or none that is JSON-RPC.
func (h *Host) call(ctx context.Context, operation string, params []byte) (json.RawMessage, *errorReply, error) {
	if len(params) == 0 || bytes.Equal(params, []byte("null")) {
		params = []byte(`{}`)
	}
	var reply struct {
		Result json.RawMessage `json:"result"`
		Error  *errorReply     `json:"error"`
	}
	request := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, operation, params)
	if err := json.Unmarshal(h.Handle(ctx, request), &reply); err != nil {
		return nil, nil, fmt.Errorf("reference: reply: %w", err)
	}
	return reply.Result, reply.Error, nil
}

// route performs an operation for the HTTP binding of CHP. A refusal is its error.
func (h *Host) route(ctx context.Context, operation string, params []byte) ([]byte, error) {
	result, refused, err := h.call(ctx, operation, params)
	if err != nil || refused == nil {
		return result, err
	}
	var data struct {
		Code string `json:"code"`
	}
	_ = json.Unmarshal(refused.Data, &data) // an error without a code is not defined by the protocol
	return nil, &rpc.Error{Number: int(refused.number()), Code: data.Code, Message: refused.Message}
}
