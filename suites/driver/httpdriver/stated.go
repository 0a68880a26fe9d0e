package httpdriver

import (
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"strings"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

// prepareStated returns the request that the params of an operation state.
func prepareStated(op driver.Operation) (prepared, error) {
	stated, err := driver.ReadRequest(op.Params)
	if err == nil && stated.Path == "" {
		err = errors.New("a request to a target whose operations have paths states a path")
	}
	request := Request{Method: stated.Method, Path: stated.Path, Header: http.Header{"Accept": {"application/json"}},
		Body: stated.Message()}
	if request.Body != nil {
		request.Header = jsonHeader()
	}
	request.State(stated)
	return prepared{request: request}, err
}

// requested sends a stated request. Its result is the whole response. Of a stream that does not end in time, it is what
// arrived.
func (s *session) requested(ctx context.Context, op driver.Operation, r Request, exchange driver.Exchange) (
	driver.Answer, error) {
	made, failed := s.client.Respond(ctx, r, s.config.Limits, func(e driver.Event) bool {
		return op.Last != "" && e.Name == op.Last
	})
	if failed != nil && (failed.Kind != driver.ErrTimeout || len(made.Events) == 0) {
		return s.failed(exchange, failed)
	}
	text, err := json.Marshal(made)
	received := []byte(made.Text)
	if made.Type == EventStream {
		received = text
	}
	exchange = exchange.Complete(received, s.client.Secrets())
	exchange.Status = made.Status
	answer, err := jsonrpc.Concluded(exchange, driver.Answer{Outcome: driver.Returned, Result: text}, err)
	if err != nil {
		return answer, err
	}
	return jsonrpc.Within(s.config.Limits, op, answer)
}

// State gives a request the headers that were stated for it.
func (r *Request) State(stated driver.Request) {
	for name, value := range stated.Headers {
		r.Stated = append(r.Stated, name)
		r.Header.Del(name)
		if value != nil {
			r.Header.Set(name, *value)
		}
	}
	r.Names = stated.Names
}

// Heading returns a response without its body.
func (c *Client) Heading(status int, header http.Header) driver.Response {
	made := driver.Response{Status: status, Headers: map[string]string{}, Events: []driver.Event{}, Local: c.IsLocal()}
	made.Type, _, _ = mime.ParseMediaType(header.Get("Content-Type"))
	if id := header.Get(driver.SessionHeader); id != "" {
		made.Session = &id
	}
	for name, values := range header {
		if !strings.Contains(name, "_") && name != driver.SessionHeader && name != "Set-Cookie" {
			made.Headers[strings.ReplaceAll(strings.ToLower(name), "-", "_")] = strings.Join(values, ", ")
		}
	}
	return made
}
