package mcpdriver

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

// Requested implements requester.
func (h *overHTTP) Requested(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	exchange, secrets := driver.Begin(op, op.Params), h.client.Secrets()
	stated, err := driver.ReadRequest(op.Params)
	if err == nil && stated.Path != "" {
		err = errors.New("a request of MCP states no path")
	}
	if err != nil {
		return driver.Answer{}, exchange.Fail(driver.ErrConfiguration, err.Error(), secrets)
	}
	ctx, cancel := h.config.Deadlines.ForCall(ctx)
	defer cancel()
	ctx, stop := driver.WithLife(ctx, h.life)
	defer stop()
	request := h.request(stated.Method, stated.Message())
	if tools := h.mirroredTools(); tools != nil {
		mirrorMessage(request.Header, stated.Message(), tools)
	}
	request.State(stated)
	exchange.Repeat = h.repeat(request)
	made, failed := h.response(ctx, request)
	if failed != nil && failed.Kind == driver.ErrTimeout && stated.Method == http.MethodGet {
		failed = nil // the head may follow with the first event
	}
	exchange.Status = made.Status
	if failed != nil && failed.Kind == httpdriver.ErrNoHTTP {
		answer, err := jsonrpc.Malformed(httpdriver.ErrNoHTTP.Error()), error(nil)
		return jsonrpc.Concluded(exchange.Complete(failed.Exchange.Received, secrets), answer, err)
	}
	if failed != nil {
		return driver.Answer{}, exchange.Complete(nil, secrets).Fail(failed.Kind, failed.Detail, secrets)
	}
	text, err := json.Marshal(made)
	return jsonrpc.Concluded(exchange.Complete(text, secrets), driver.Answer{Outcome: driver.Returned, Result: text}, err)
}

// response sends a request and reads the answer.
func (h *overHTTP) response(ctx context.Context, request httpdriver.Request) (driver.Response, *driver.CallError) {
	made, failed := h.client.Respond(ctx, request, h.config.Limits, func(e driver.Event) bool { return e.Form == "response" })
	if id := request.Header.Get(sessionHeader); made.Session == nil && id != "" {
		made.Session = &id
	}
	for _, e := range made.Events {
		if response := responseIn([]byte(e.Data)); response != nil {
			made.Response = response
		}
	}
	if made.Type != eventStream {
		made.Response = responseIn([]byte(made.Text))
	}
	return made, failed
}

// responseIn returns a message that has a result or an error, also without id, and nil for any other.
func responseIn(message []byte) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(message, &members) != nil || members["result"] == nil && members["error"] == nil {
		return nil
	}
	return message
}
