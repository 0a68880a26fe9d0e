package driver

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// maxReopenings bounds how often a target that died is started again in one run.
const maxReopenings = 100

// Reopened is a session that is opened again when the one below it has ended. It is
// safe for concurrent use.
type Reopened struct {
	driver Driver
	memory int64 // Limits.Memory

	mu      sync.Mutex
	current Session
	info    Info // of the last session, kept for when there is none
	deaths  int
	barren  int // sessions in a row that died without an answer
	lastErr error
	closed  bool
}

type lasting struct {
	Driver
	memory int64
}

// Lasting returns a driver whose sessions are *Reopened: a call after the target died
// starts it again, so that one death costs the calls under way and no others.
func Lasting(d Driver) Driver { return LastingWithin(d, Limits{}) }

// LastingWithin is Lasting with the bound of Limits.Memory: calls fail with ErrTooLarge
// while it is exceeded.
func LastingWithin(d Driver, limits Limits) Driver { return lasting{d, limits.Memory} }

// Open implements Driver.
func (l lasting) Open(ctx context.Context) (Session, error) {
	first, err := l.Driver.Open(ctx)
	if err != nil {
		return nil, err
	}
	return &Reopened{driver: l.Driver, memory: l.memory, current: first, info: first.Info()}, nil
}

// Call implements Session. The call that meets the death fails with ErrClosed or
// ErrUnreachable; it is not sent twice.
func (r *Reopened) Call(ctx context.Context, op Operation) (Answer, error) {
	if err := memoryFailure(op, r.memory); err != nil {
		return Answer{}, err
	}
	session, err := r.session(ctx, op)
	if err != nil {
		return Answer{}, err
	}
	answer, err := session.Call(ctx, op)
	r.note(session, err)
	return answer, err
}

// Info implements Session.
func (r *Reopened) Info() Info {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.current != nil {
		r.info = r.current.Info()
	}
	return r.info
}

// Close implements Session.
func (r *Reopened) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.current == nil {
		return nil
	}
	return r.current.Close()
}

// barrenLimit is how many sessions in a row may die without one answer: two by a call and its
// repetition, one by the control behind them, and one more.
const barrenLimit = 4

// session returns the one to use. Opening is done under the lock: all who call
// meanwhile need the new one.
func (r *Reopened) session(ctx context.Context, op Operation) (Session, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	exchange := Begin(op, op.Params)
	switch {
	case r.current != nil:
		return r.current, nil
	case r.closed:
		return nil, exchange.Fail(ErrClosed, "the session was closed", Secrets{})
	case r.deaths > maxReopenings, r.barren >= barrenLimit:
		return nil, exchange.Fail(ErrUnreachable, fmt.Sprintf("it ended %d times: %v", r.deaths, r.lastErr), Secrets{})
	}
	session, err := r.driver.Open(ctx)
	if err != nil {
		r.barren++
		r.lastErr = err
		var failed *CallError
		if errors.As(err, &failed) {
			return nil, exchange.Fail(failed.Kind, failed.Detail, Secrets{})
		}
		return nil, exchange.Fail(ErrUnreachable, err.Error(), Secrets{})
	}
	r.current = session
	return session, nil
}

// note drops a session that has ended.
func (r *Reopened) note(session Session, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.barren = 0
		return
	}
	if !dead(session, err) || session != r.current || r.closed || reconnects(session) {
		return
	}
	r.deaths++
	r.barren++
	r.lastErr = err
	r.info = session.Info()
	r.current = nil
	_ = session.Close()
}

// reconnects tells a session that a closed connection costs one call and no more, such as one over HTTP.
func reconnects(session Session) bool {
	switch s := session.(type) {
	case *Reopened:
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.current != nil && reconnects(s.current)
	case interface{ Unwrap() Session }:
		return reconnects(s.Unwrap())
	case interface{ Alive() bool }:
		return s.Alive()
	}
	return false
}

// dead reports whether a session is of no more use. One that can tell is asked: over
// HTTP a connection that was closed costs one call, and the next gets another.
func dead(session Session, err error) bool {
	if able, ok := session.(interface{ Alive() bool }); ok {
		return !able.Alive()
	}
	return errors.Is(err, ErrClosed) || errors.Is(err, ErrUnreachable)
}
