package mcpdriver

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

// Messages implements wire.
func (h *overHTTP) Messages() bool { return true }

// Heard implements wire.
func (h *overHTTP) Heard(op driver.Operation) (driver.Answer, error) {
	return h.heard.Answer(op, h.client.Secrets())
}

// Message implements wire.
func (h *overHTTP) Message(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	ctx, cancel := h.config.Deadlines.ForCall(ctx)
	defer cancel()
	ctx, stop := driver.WithLife(ctx, h.life)
	defer stop()
	request := h.request(http.MethodPost, op.Body)
	if tools := h.mirroredTools(); tools != nil {
		mirrorMessage(request.Header, op.Body, tools)
	}
	exchange, secrets := driver.Begin(op, op.Body), h.client.Secrets()
	exchange.Repeat = h.repeat(request)
	response, failed := h.client.Send(ctx, request)
	if failed != nil && failed.Kind == httpdriver.ErrNoHTTP {
		answer, err := jsonrpc.Malformed(httpdriver.ErrNoHTTP.Error()), error(nil)
		return jsonrpc.Concluded(exchange.Complete(failed.Exchange.Received, secrets), answer, err)
	}
	if failed != nil {
		exchange.Status = failed.Exchange.Status
		return driver.Answer{}, exchange.Complete(nil, secrets).Fail(failed.Kind, failed.Detail, secrets)
	}
	defer response.Body.Close()
	exchange.Status = response.StatusCode
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if kind == eventStream && response.StatusCode == http.StatusOK {
		arrived, failed := h.firstIn(ctx, op, response)
		exchange = exchange.Complete(arrived, secrets)
		if failed != nil {
			return driver.Answer{}, exchange.Fail(failed.Kind, failed.Detail, secrets)
		}
		answer, err := jsonrpc.Raw(arrived)
		return jsonrpc.Concluded(exchange, answer, err)
	}
	body, failed := h.client.Read(ctx, response, h.config.Limits.Message)
	exchange = exchange.Complete(body, secrets)
	if failed != nil {
		return driver.Answer{}, exchange.Fail(failed.Kind, failed.Detail, secrets)
	}
	answer, err := httpdriver.RawAnswer(httpdriver.Response{Status: response.StatusCode, Body: body})
	return jsonrpc.Concluded(exchange, answer, err)
}

// quietTime is how long a stream is read for an answer if none is expected.
const quietTime = time.Second

// firstIn is messageIn for the answer to a message. If no answer is expected, it ends the stream after a moment.
func (h *overHTTP) firstIn(ctx context.Context, op driver.Operation, response *http.Response) ([]byte,
	*driver.CallError) {
	if op.Quiet {
		stop := time.AfterFunc(quietTime, func() { _ = response.Body.Close() })
		defer stop.Stop()
	}
	begun := time.Now()
	arrived, failed := h.messageIn(ctx, httpdriver.NewEvents(response.Body, h.config.Limits.Message, h.config.Limits.Total))
	if failed != nil && op.Quiet && failed.Kind == driver.ErrClosed && time.Since(begun) >= quietTime {
		return nil, nil
	}
	return arrived, failed
}

// messageIn returns the first message of a stream that is neither a request nor a notification of the server, nil if
// the stream ends without one.
func (h *overHTTP) messageIn(ctx context.Context, stream *httpdriver.Events) ([]byte, *driver.CallError) {
	for {
		e, err := stream.Next()
		switch {
		case ctx.Err() != nil:
			return nil, &driver.CallError{Kind: driver.ContextKind(ctx)}
		case errors.Is(err, io.EOF):
			return nil, nil
		case errors.Is(err, httpdriver.ErrEventTooLong):
			return nil, &driver.CallError{Kind: driver.ErrTooLarge, Detail: err.Error()}
		case err != nil:
			return nil, &driver.CallError{Kind: driver.ErrClosed, Detail: err.Error()}
		case e.Name != "" && e.Name != "message":
			continue
		}
		m, _ := jsonrpc.Read(e.Data)
		switch {
		case m.Defect == "" && m.IsNotification():
			h.heard.Add("notification", "message", e.Data)
		case m.Defect == "" && m.IsRequest():
			h.heard.Add("request", "message", e.Data)
			if h.serve(ctx, m) != nil {
				return nil, &driver.CallError{Kind: driver.ErrClosed, Detail: "a request of the server could not be answered"}
			}
		default:
			return e.Data, nil
		}
	}
}
