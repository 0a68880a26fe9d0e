package driver

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// maxReopenings bounds how often a target that died is started again in one run.
const maxReopenings = 100

// Reopened is a session that is opened again when the session below it has ended. It is safe for
// concurrent use.
type Reopened struct {
	driver Driver
	memory int64 // Limits.Memory

	mu             sync.Mutex
	current        Session
	info           Info // of the last session, for the time without a session
	deaths         int
	failedSessions int // consecutive sessions that died without an answer
	lastErr        error
	closed         bool
}

type reopening struct {
	Driver
	memory int64
}

// Reopening returns a driver whose sessions are *Reopened: a call after the target died starts it
// again, so that a death affects only the calls in progress.
func Reopening(d Driver) Driver { return ReopeningWithin(d, Limits{}) }

// ReopeningWithin is Reopening with the bound of Limits.Memory: calls fail with ErrTooLarge while it is
// exceeded.
func ReopeningWithin(d Driver, limits Limits) Driver { return reopening{d, limits.Memory} }

// Open implements Driver.
func (l reopening) Open(ctx context.Context) (Session, error) {
	first, err := l.Driver.Open(ctx)
	if err != nil {
		return nil, err
	}
	return &Reopened{driver: l.Driver, memory: l.memory, current: first, info: first.Info()}, nil
}

// Call implements Session. A call during which the target dies fails with ErrClosed or
// ErrUnreachable; it is not repeated.
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

// Endings returns how often a session ended during a call, and the error of the last such call.
func (r *Reopened) Endings() (times int, last error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.deaths, r.lastErr
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

// failedSessionsLimit is how many consecutive sessions may end without an answer: two by a call and its
// repetition, one by the control after them, and one more.
const failedSessionsLimit = 4

// session returns the session to use. It opens a session under the lock: all concurrent callers
// need the new one.
func (r *Reopened) session(ctx context.Context, op Operation) (Session, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	exchange := Begin(op, op.Params)
	switch {
	case r.current != nil:
		return r.current, nil
	case r.closed:
		return nil, exchange.Fail(ErrClosed, "the session was closed", Secrets{})
	case r.deaths > maxReopenings, r.failedSessions >= failedSessionsLimit:
		return nil, exchange.Fail(ErrUnreachable, fmt.Sprintf("it ended %d times: %v", r.deaths, r.lastErr), Secrets{})
	}
	session, err := r.driver.Open(ctx)
	if err != nil {
		r.failedSessions++
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
		r.failedSessions = 0
		return
	}
	if !isDead(session, err) || session != r.current || r.closed || isReconnecting(session) {
		return
	}
	r.deaths++
	r.failedSessions++
	r.lastErr = err
	r.info = session.Info()
	r.current = nil
	_ = session.Close()
}

// isReconnecting is implemented by sessions in which a closed connection affects only one call, such as
// those over HTTP.
func isReconnecting(session Session) bool {
	switch s := session.(type) {
	case *Reopened:
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.current != nil && isReconnecting(s.current)
	case interface{ Unwrap() Session }:
		return isReconnecting(s.Unwrap())
	case interface{ Alive() bool }:
		return s.Alive()
	}
	return false
}

// isDead reports whether a session is no longer usable. It asks a session that can report it. Over
// HTTP, a closed connection affects only one call, and the next call gets another connection.
func isDead(session Session, err error) bool {
	if able, ok := session.(interface{ Alive() bool }); ok {
		return !able.Alive()
	}
	return errors.Is(err, ErrClosed) || errors.Is(err, ErrUnreachable)
}
