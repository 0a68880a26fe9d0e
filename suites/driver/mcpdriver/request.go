package mcpdriver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

// endTime is how long a stream may last after the response, and how long a stream is read that answers no request.
const endTime = time.Second

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
	got, failed := h.client.Send(ctx, request)
	if failed != nil {
		return driver.Response{Status: failed.Exchange.Status, Headers: map[string]string{}, Events: []driver.Event{}}, failed
	}
	defer got.Body.Close()
	made := h.client.Heading(got.StatusCode, got.Header)
	if id := got.Header.Get(sessionHeader); id != "" {
		made.Session = &id
	} else if id := request.Header.Get(sessionHeader); id != "" {
		made.Session = &id
	}
	if made.Type == eventStream {
		made.Events, made.Ended, failed = h.eventsOf(ctx, got.Body, request.Method == http.MethodGet)
		if ctx.Err() != nil {
			failed = &driver.CallError{Kind: driver.ContextKind(ctx)}
		}
		for _, e := range made.Events {
			if response := responseIn([]byte(e.Data)); response != nil {
				made.Response = response
			}
		}
		return made, failed
	}
	body, failed := h.client.Read(ctx, got, h.config.Limits.Message)
	made.Text, made.Ended = string(body), failed == nil
	made.Response = responseIn(body)
	return made, failed
}

// eventsOf returns the events of a stream, and whether the target ended it. It reads until a time after the response
// or, if the stream answers no request, after the beginning.
func (h *overHTTP) eventsOf(ctx context.Context, in io.ReadCloser, standing bool) ([]driver.Event, bool,
	*driver.CallError) {
	stop := func() bool { return true } // reports whether the stream was not closed here
	closeLater := func() {
		stop()
		stop = time.AfterFunc(endTime, func() { _ = in.Close() }).Stop
	}
	defer func() { stop() }()
	if standing {
		closeLater()
	}
	all := []driver.Event{}
	stream := newEvents(in, h.config.Limits.Message, h.config.Limits.Total)
	for {
		e, err := stream.any()
		switch {
		case errors.Is(err, errEventTooLong):
			return all, false, &driver.CallError{Kind: driver.ErrTooLarge, Detail: err.Error()}
		case err != nil:
			return all, errors.Is(err, io.EOF) || ctx.Err() == nil && stop(), nil
		}
		one := driver.Event{ID: e.own, Retry: e.retry, Name: e.name, Data: string(e.data), Form: formOf(e)}
		if all = append(all, one); one.Form == "response" && !standing {
			closeLater()
		}
	}
}

// responseIn returns a message that has a result or an error, also without id, and nil for any other.
func responseIn(message []byte) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(message, &members) != nil || members["result"] == nil && members["error"] == nil {
		return nil
	}
	return message
}

// formOf returns the form of the message in an event.
func formOf(e event) string {
	m, err := jsonrpc.Read(e.data)
	switch {
	case len(e.data) == 0:
		return ""
	case err != nil || m.Defect != "" || e.name != "" && e.name != "message":
		return "other"
	case m.IsRequest():
		return "request"
	case m.IsNotification():
		return "notification"
	case m.IsResponse():
		return "response"
	}
	return "other"
}
