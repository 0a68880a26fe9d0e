// Package inproc reaches a host in this process, which is a function from one JSON-RPC message to
// another. They share nothing but bytes.
package inproc

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

// Handler answers one JSON-RPC request. Nil means that the host closed the connection instead. A
// silent host returns when ctx ends. A handler that ignores ctx blocks no caller, but its goroutine
// lives until it returns.
type Handler = func(ctx context.Context, request []byte) []byte

// New returns a driver for the host. The handler must be safe for concurrent use.
func New(name string, handler func(ctx context.Context, request []byte) []byte) driver.Driver {
	return &host{name: name, handler: handler, deadlines: driver.Deadlines{}, limits: driver.Limits{}.WithDefaults()}
}

// NewWith is New with limits and deadlines.
func NewWith(name string, handler Handler, limits driver.Limits, deadlines driver.Deadlines) driver.Driver {
	return &host{name: name, handler: handler, deadlines: deadlines, limits: limits.WithDefaults()}
}

type host struct {
	name      string
	handler   Handler
	limits    driver.Limits
	deadlines driver.Deadlines
}

// Target implements driver.Driver.
func (h *host) Target() driver.Target { return driver.Target{Driver: "inproc", Address: h.name} }

// Open implements driver.Driver.
func (h *host) Open(ctx context.Context) (driver.Session, error) {
	if ctx.Err() != nil {
		return nil, &driver.CallError{Kind: driver.ContextKind(ctx), Detail: "inproc: open"}
	}
	return &session{host: h, done: make(chan struct{}), work: make(chan task)}, nil
}

type session struct {
	host   *host
	nextID atomic.Int64
	closed atomic.Bool
	done   chan struct{}
	work   chan task // received by goroutines that wait for the next call
}

// task is a request with the channel for its reply.
type task struct {
	ctx     context.Context
	request []byte
	replies chan reply
}

// Info implements driver.Session.
func (s *session) Info() driver.Info {
	return driver.Info{Binding: "JSON-RPC 2.0 in process", Protocol: "json-rpc", Messages: true}
}

// Alive reports whether calls can be made. It is always true.
func (s *session) Alive() bool { return !s.closed.Load() }

// Close implements driver.Session.
func (s *session) Close() error {
	if !s.closed.Swap(true) {
		close(s.done)
	}
	return nil
}

// reply is the result of a handler.
type reply struct {
	body  []byte
	panic string
}

// Call implements driver.Session.
func (s *session) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	ctx, cancel := s.host.deadlines.ForCall(ctx)
	defer cancel()
	id := s.nextID.Add(1)
	request, err := op.Body, error(nil)
	if !op.Message {
		request, err = jsonrpc.Request(id, op.Name, op.Params)
	}
	exchange := driver.Begin(op, request)
	none := driver.Secrets{}
	if err != nil {
		return driver.Answer{}, exchange.Fail(driver.ErrConfiguration, err.Error(), none)
	}
	if ctx.Err() != nil {
		return driver.Answer{}, exchange.Fail(driver.ContextKind(ctx), "before the call", none)
	}
	got, ended := s.ask(ctx, request)
	exchange = exchange.Complete(got.body, none)
	switch {
	case ended != nil:
		return driver.Answer{}, exchange.Fail(ended, "", none)
	case got.panic != "":
		return driver.Answer{}, exchange.Fail(driver.ErrClosed, "the handler panicked: "+got.panic, none)
	case got.body == nil && !op.Message:
		return driver.Answer{}, exchange.Fail(driver.ErrClosed, "the handler returned nothing", none)
	case int64(len(got.body)) > s.host.limits.For(op):
		return driver.Answer{}, exchange.Fail(driver.ErrTooLarge, "", none)
	}
	answer, err := reading(op, got.body, id)
	answer, err = jsonrpc.Concluded(exchange, answer, err)
	if err != nil {
		return answer, err
	}
	return jsonrpc.Within(s.host.limits, op, answer)
}

// reading reads what the handler returned.
func reading(op driver.Operation, body []byte, id int64) (driver.Answer, error) {
	if op.Message {
		return jsonrpc.Raw(body)
	}
	return jsonrpc.Reply(body, id)
}

// ask runs the handler in another goroutine, so that a handler that ignores its context can be
// abandoned. The goroutines are reused: a handler needs a deep stack, to which a new goroutine
// would have to grow each time.
func (s *session) ask(ctx context.Context, request []byte) (reply, error) {
	if s.closed.Load() {
		return reply{}, driver.ErrClosed
	}
	t := task{ctx, request, make(chan reply, 1)}
	select {
	case s.work <- t:
	default:
		go s.serve(t)
	}
	select {
	case got := <-t.replies:
		return got, endKind(ctx, got)
	case <-s.done:
		return reply{}, driver.ErrClosed
	case <-ctx.Done():
		return reply{}, driver.ContextKind(ctx)
	}
}

// serve performs a task, and then further tasks until the session is closed.
func (s *session) serve(t task) {
	for {
		t.replies <- s.host.run(t.ctx, t.request)
		select {
		case t = <-s.work:
		case <-s.done:
			return
		}
	}
}

// endKind interprets an empty reply as the end of the context if the context has ended.
func endKind(ctx context.Context, got reply) error {
	if got.body == nil && got.panic == "" && ctx.Err() != nil {
		return driver.ContextKind(ctx)
	}
	return nil
}

func (h *host) run(ctx context.Context, request []byte) (got reply) {
	defer func() {
		if p := recover(); p != nil {
			got = reply{panic: fmt.Sprint(p)}
		}
	}()
	return reply{body: h.handler(ctx, request)}
}
