package httpdriver

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"
)

// settleTime is how long the first idle connection stays unused. A server may close a connection
// after any answer without announcing it. A request on its way is then lost, and nothing shows
// whether the server acted on it. Servers that do this do it on every connection, so the first one
// shows it.
const settleTime = 5 * time.Millisecond

// slowAnswer is how long a request waits before the idle connections are closed: some servers serve
// one connection until it ends, and only then the next one.
const slowAnswer = 250 * time.Millisecond

// keepAlive decides whether a request may leave its connection open for another one.
// http.Transport does the rest. It is safe for concurrent use.
type keepAlive struct {
	transport *http.Transport
	settle    time.Duration

	mu        sync.Mutex
	known     bool      // whether the server closes connections without announcing it
	closes    bool      // it does
	firstIdle net.Conn  // the first connection that became idle
	since     time.Time // when it did
	waiting   int       // requests that wait for longer than slowAnswer
}

// roundTrip sends a request and waits for the head of its response.
func (k *keepAlive) roundTrip(request *http.Request) (*http.Response, error) {
	request, err := k.prepared(request)
	if err != nil {
		return nil, err
	}
	answered := k.watch()
	defer answered()
	response, err := k.transport.RoundTrip(request)
	if err == nil && response.StatusCode == http.StatusSwitchingProtocols {
		_ = response.Body.Close() // the body would be the connection, which ends only with the deadline
		response.Body = http.NoBody
	}
	return response, err
}

// prepared sets whether the connection is closed after the request. While the behaviour of the
// server is unknown, it observes the connection.
func (k *keepAlive) prepared(request *http.Request) (*http.Request, error) {
	k.mu.Lock()
	first, remaining := k.firstIdle, k.settle-time.Since(k.since)
	known := k.known
	k.mu.Unlock()
	if !known && first != nil {
		if !pause(request.Context(), remaining) {
			return nil, request.Context().Err()
		}
		k.decide(first)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	request.Close = k.closes || k.waiting > 0
	if k.known {
		return request, nil
	}
	var used net.Conn
	return request.WithContext(httptrace.WithClientTrace(request.Context(), &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) { used = info.Conn },
		PutIdleConn: func(err error) {
			if err == nil {
				k.noteIdle(used)
			}
		},
	})), nil
}

// noteIdle records the first connection that became idle.
func (k *keepAlive) noteIdle(conn net.Conn) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.firstIdle == nil {
		k.firstIdle, k.since = conn, time.Now()
	}
}

// decide concludes from the first idle connection how the server treats the others. The transport
// reads from an idle connection. It closes the connection if the server has closed it or has sent
// something without a request.
func (k *keepAlive) decide(first net.Conn) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.known {
		k.known, k.closes = true, errors.Is(first.SetDeadline(time.Time{}), net.ErrClosed)
	}
}

// watch closes the idle connections from time to time until the request is answered.
func (k *keepAlive) watch() (answered func()) {
	var slow, done bool
	var timer *time.Timer
	k.mu.Lock()
	defer k.mu.Unlock()
	timer = time.AfterFunc(slowAnswer, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		if done {
			return
		}
		if !slow {
			slow = true
			k.waiting++
		}
		k.transport.CloseIdleConnections()
		timer.Reset(slowAnswer)
	})
	return func() {
		timer.Stop()
		k.mu.Lock()
		defer k.mu.Unlock()
		done = true
		if slow {
			k.waiting--
		}
	}
}

// pause waits. It returns false if the context ended first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
