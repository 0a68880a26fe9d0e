// Package httpdriver reaches a target over HTTP: by JSON-RPC 2.0 at one path, or by separate routes
// for some operations (DESIGN sections 8 and 9).
package httpdriver

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

// Config describes what to reach and how.
type Config struct {
	URL           string
	RPCPath       string            // path of JSON-RPC below the path of the URL; empty means "/rpc"
	Header        http.Header       // sent with every request; never shown, except Accept and the like
	SecretSources map[string]string // for headers: the value in a shell command, such as "Bearer $TOKEN"
	Secrets       driver.Secrets    // other texts that must not appear
	Limits        driver.Limits
	Deadlines     driver.Deadlines
	Bindings      Bindings // operations with their own route
}

// New returns a driver for the address. Open reports errors in the configuration.
func New(config Config) driver.Driver {
	if config.RPCPath == "" {
		config.RPCPath = "/rpc"
	}
	config.Limits = config.Limits.WithDefaults()
	return &target{config: config}
}

type target struct{ config Config }

// Target implements driver.Driver.
func (t *target) Target() driver.Target {
	client, err := NewClient(t.config)
	if err != nil {
		return driver.Target{Driver: "http", Address: "(unreadable URL)"}
	}
	return driver.Target{Driver: "http", Address: client.Address()}
}

// Open implements driver.Driver. HTTP has no handshake: Open only checks whether the target
// listens.
func (t *target) Open(ctx context.Context) (driver.Session, error) {
	client, err := NewClient(t.config)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, t.config.Deadlines.WithDefaults().Handshake)
	defer cancel()
	if err := client.Reach(ctx); err != nil {
		return nil, err
	}
	life, end := context.WithCancel(context.Background())
	return &session{config: t.config, client: client, life: life, end: end}, nil
}

type session struct {
	config Config
	client *Client
	nextID atomic.Int64
	life   context.Context
	end    context.CancelFunc
}

// Info implements driver.Session.
func (s *session) Info() driver.Info {
	binding := "JSON-RPC 2.0 over HTTP"
	mapped, native := s.config.Bindings.counts()
	if mapped > 0 {
		binding += fmt.Sprintf(", operations mapped by the target file: %d", mapped)
	}
	return driver.Info{Binding: binding, Protocol: "json-rpc", Bodies: native > 0, Messages: true, Requests: native > 0}
}

// Alive reports whether calls can be made. It is always true, because a closed connection is
// replaced.
func (s *session) Alive() bool { return s.life.Err() == nil }

// Close implements driver.Session.
func (s *session) Close() error {
	s.end()
	s.client.Close()
	return nil
}

// prepared is the request for an operation, with the way to interpret its response.
type prepared struct {
	request Request
	answer  func(ctx context.Context, response Response) (driver.Answer, error)
}

// Call implements driver.Session.
func (s *session) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	ctx, cancel := s.config.Deadlines.ForCall(ctx)
	defer cancel()
	ctx, stop := driver.WithLife(ctx, s.life)
	defer stop()
	p, err := s.prepare(ctx, op)
	sent := p.request.Body
	if sent == nil {
		sent = []byte(p.request.Method + " " + s.client.Shown(p.request))
	}
	secrets := s.client.Secrets()
	exchange := driver.Begin(op, sent)
	exchange.Repeat = func() string { return s.client.Repeat(p.request) }
	if err != nil {
		exchange.Sent, exchange.Repeat = op.Params, nil
		return driver.Answer{}, exchange.Complete(nil, secrets).Fail(driver.ErrConfiguration, err.Error(), secrets)
	}
	if op.Request {
		return s.requested(ctx, op, p.request, exchange)
	}
	response, failed := s.client.Do(ctx, p.request, s.config.Limits.For(op))
	if failed != nil {
		return s.failed(exchange, failed)
	}
	exchange = exchange.Complete(response.Body, secrets)
	exchange.Status = response.Status
	answer, err := p.answer(ctx, response)
	answer, err = jsonrpc.Concluded(exchange, answer, err)
	if err != nil {
		return answer, err
	}
	return jsonrpc.Within(s.config.Limits, op, answer)
}

// failed returns the outcome of a request without a complete response.
func (s *session) failed(exchange driver.Exchange, failed *driver.CallError) (driver.Answer, error) {
	secrets := s.client.Secrets()
	exchange = exchange.Complete(failed.Exchange.Received, secrets)
	exchange.Status = failed.Exchange.Status
	switch {
	case failed.Kind == ErrNoHTTP:
		answer := jsonrpc.Malformed(ErrNoHTTP.Error())
		answer.Exchange = exchange
		return answer, nil
	case s.life.Err() != nil:
		return driver.Answer{}, exchange.Fail(driver.ErrClosed, "the session was closed", secrets)
	}
	return driver.Answer{}, exchange.Fail(failed.Kind, failed.Detail, secrets)
}

func (s *session) prepare(ctx context.Context, op driver.Operation) (prepared, error) {
	if op.Request {
		return prepareStated(op)
	}
	if op.Message {
		return prepared{
			request: Request{Method: http.MethodPost, Path: s.config.RPCPath, Header: jsonHeader(), Body: op.Body},
			answer:  func(_ context.Context, r Response) (driver.Answer, error) { return RawAnswer(r) },
		}, nil
	}
	if r := s.config.Bindings.routes[op.Name]; r != nil {
		return r.prepare(ctx, op)
	}
	id := s.nextID.Add(1)
	body, err := jsonrpc.Request(id, op.Name, op.Params)
	return prepared{
		request: Request{Method: http.MethodPost, Path: s.config.RPCPath, Header: jsonHeader(), Body: body},
		answer: func(_ context.Context, response Response) (driver.Answer, error) {
			answer, err := jsonrpc.Reply(response.Body, id)
			if err != nil || answer.Outcome != driver.Malformed {
				return answer, err
			}
			return withStatus(answer, response), nil
		},
	}, err
}

// RawAnswer reads the answer to a message that was sent unchanged. The status of a message of JSON-RPC does not matter;
// an error of HTTP with another body is no answer to the message.
func RawAnswer(response Response) (driver.Answer, error) {
	answer, err := jsonrpc.Raw(response.Body)
	failed := response.Status < 200 || response.Status > 299
	if err != nil || !failed {
		return answer, err
	}
	if answer.Outcome == driver.Returned {
		m, err := jsonrpc.Read(answer.Result)
		if batch := m.Defect != "" && !m.NoJSON; err != nil || batch || m.Version != nil || m.ID != nil {
			return answer, err
		}
		answer = jsonrpc.Malformed("the body is no message of JSON-RPC")
	}
	return withStatus(answer, response), nil
}

func jsonHeader() http.Header {
	return http.Header{"Accept": {"application/json"}, "Content-Type": {"application/json"}}
}

// withStatus describes a body that is not an answer, together with its status.
func withStatus(answer driver.Answer, response Response) driver.Answer {
	m, err := jsonrpc.Read(response.Body)
	spoken := err == nil && m.Version != nil
	switch status := response.Status; {
	case isAbsent(status) && !spoken:
		return driver.Answer{
			Outcome: driver.NotProvided, Error: &driver.ProtocolError{Message: fmt.Sprintf("status %d", status)},
		}
	case status >= 300 && status < 400:
		return jsonrpc.Malformed(fmt.Sprintf("status %d, a redirect, which is not followed", status))
	case status < 200 || status > 299:
		return jsonrpc.Malformed(fmt.Sprintf("status %d, and %s", status, answer.Defect))
	}
	return answer
}

// isAbsent reports whether a status means that nothing is offered at an address.
func isAbsent(status int) bool {
	switch status {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone, http.StatusNotImplemented:
		return true
	}
	return false
}
