package httpdriver_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
)

// step is one action of a server on a connection: it reads a request and writes an answer.
type step struct {
	write string
	end   bool          // closes the connection after it
	rests time.Duration // before it closes it
}

// stepping serves each connection with its own steps, and records on which connection each request arrived.
type stepping struct {
	url   string
	mu    sync.Mutex
	came  []int
	ended chan struct{} // receives a value for each connection that the server closed
}

func newStepping(t *testing.T, connections ...[]step) *stepping {
	t.Helper()
	s := &stepping{ended: make(chan struct{}, 16)}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	s.url = "http://" + listener.Addr().String()
	go func() {
		for number := 0; ; {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			in := bufio.NewReader(conn)
			if _, err := in.Peek(1); err != nil { // the driver only checked whether anybody listens
				_ = conn.Close()
				continue
			}
			go s.serve(conn, in, number, connections[min(number, len(connections)-1)])
			number++
		}
	}()
	return s
}

func (s *stepping) serve(conn net.Conn, in *bufio.Reader, number int, steps []step) {
	defer conn.Close()
	for _, step := range steps {
		request, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, request.Body)
		s.mu.Lock()
		s.came = append(s.came, number)
		s.mu.Unlock()
		_, _ = io.WriteString(conn, step.write)
		if step.end {
			<-time.After(step.rests)
			_ = conn.Close()
			s.ended <- struct{}{}
			return
		}
	}
	_, _ = in.Peek(1)
}

// seen returns the connection of each request.
func (s *stepping) seen() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.came)
}

func TestConnectionsAreReused(t *testing.T) {
	const (
		head   = "HTTP/1.1 200 OK\r\n"
		answer = head + "Content-Length: 2\r\n\r\n{}"
	)
	three := func(write string) []step { return []step{{write: write}, {write: write}, {write: write}} }
	once := func(write string) []step { return []step{{write: write, end: true}} }
	tests := map[string]struct {
		connection []step
		want       []int // the connection of each of three requests
	}{
		"kept":                        {three(answer), []int{0, 0, 0}},
		"in chunks":                   {three(head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"), []int{0, 0, 0}},
		"no body":                     {three("HTTP/1.1 204 No Content\r\n\r\n"), []int{0, 0, 0}},
		"announced":                   {three("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + answer), []int{0, 0, 0}},
		"1.0 with keep-alive":         {three("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n{}"), []int{0, 0, 0}},
		"1.0":                         {once("HTTP/1.0 200 OK\r\n\r\n{}"), []int{0, 1, 2}},
		"closed as announced":         {once(head + "Connection: close\r\n\r\n{}"), []int{0, 1, 2}},
		"closed without announcement": {once(answer), []int{0, 1, 2}},
		"more than the answer":        {three(answer + answer), []int{0, 1, 2}},
		"another protocol":            {three("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"), []int{0, 1, 2}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			server := newStepping(t, test.connection)
			client, err := httpdriver.NewClient(httpdriver.Config{URL: server.url})
			require.NoError(t, err)
			defer client.Close()
			for range 3 {
				_, failed := client.Do(
					t.Context(),
					httpdriver.Request{Method: http.MethodPost, Body: []byte("{}")},
					1<<10,
				)
				require.Nil(t, failed)
				if test.connection[0].end {
					<-server.ended
				}
			}
			if diff := cmp.Diff(test.want, server.seen()); diff != "" {
				t.Errorf("connections (-want +got):\n%s", diff)
			}
		})
	}
}

// bodies have a short and a long size: the transport begins to send a long body before it knows whether the
// connection takes all of it.
var bodies = map[string]int{"short": 2, "long": 40 << 10}

// TestUnannouncedClose: no request is lost if the server closes each connection shortly after an answer that does not
// announce it.
func TestUnannouncedClose(t *testing.T) {
	for name, size := range bodies {
		t.Run(name, func(t *testing.T) {
			server := newStepping(
				t,
				[]step{
					{write: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", end: true, rests: 2 * time.Millisecond},
				},
			)
			client, err := httpdriver.NewClient(httpdriver.Config{URL: server.url})
			require.NoError(t, err)
			defer client.Close()
			client.Settle(200 * time.Millisecond)
			for range 12 {
				_, failed := client.Do(
					t.Context(),
					httpdriver.Request{Method: http.MethodPost, Body: make([]byte, size)},
					1<<10,
				)
				require.Nil(t, failed)
			}
			if diff := cmp.Diff([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, server.seen()); diff != "" {
				t.Errorf("connections (-want +got):\n%s", diff)
			}
		})
	}
}

// TestOneConnectionAtATime: a server that serves only one connection at a time serves concurrent callers one after
// the other.
func TestOneConnectionAtATime(t *testing.T) {
	var turn sync.Mutex
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				turn.Lock()
				defer turn.Unlock()
				defer conn.Close()
				for in := bufio.NewReader(conn); ; {
					request, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, request.Body)
					_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
				}
			}()
		}
	}()
	for name, size := range bodies {
		t.Run(name, func(t *testing.T) {
			client, err := httpdriver.NewClient(httpdriver.Config{URL: "http://" + listener.Addr().String()})
			require.NoError(t, err)
			defer client.Close()
			var callers sync.WaitGroup
			for range 3 {
				callers.Go(func() {
					for range 4 {
						ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
						_, failed := client.Do(
							ctx,
							httpdriver.Request{Method: http.MethodPost, Body: make([]byte, size)},
							1<<10,
						)
						cancel()
						if failed != nil {
							t.Errorf("got %v, want an answer", failed)
							return
						}
					}
				})
			}
			callers.Wait()
		})
	}
}

// TestRequestLostOnReusedConnection: the server reads a second request and closes the connection. A read-only request
// is repeated, one that may have an effect is not.
func TestRequestLostOnReusedConnection(t *testing.T) {
	tests := map[string]struct {
		request httpdriver.Request
		came    []int
		lost    bool
	}{
		"a read-only request":    {httpdriver.Request{Method: http.MethodGet}, []int{0, 0, 1}, false},
		"a request with effects": {httpdriver.Request{Method: http.MethodPost, Body: []byte("{}")}, []int{0, 0}, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			answer := step{write: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"}
			server := newStepping(t, []step{answer, {end: true}}, []step{answer})
			client, err := httpdriver.NewClient(httpdriver.Config{URL: server.url})
			require.NoError(t, err)
			defer client.Close()
			_, failed := client.Do(t.Context(), test.request, 1<<10)
			require.Nil(t, failed)
			_, failed = client.Do(t.Context(), test.request, 1<<10)
			if lost := failed != nil && errors.Is(failed, driver.ErrClosed); lost != test.lost {
				t.Errorf("lost: %v (%v), want %v", lost, failed, test.lost)
			}
			if diff := cmp.Diff(test.came, server.seen()); diff != "" {
				t.Errorf("connections (-want +got):\n%s", diff)
			}
		})
	}
}

// TestUnreadBody: closing an endless body returns at once, and the next request has its own connection.
func TestUnreadBody(t *testing.T) {
	server := newStepping(
		t,
		[]step{{write: "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + strings.Repeat("x", 10)}},
		[]step{{write: "HTTP/1.1 204 No Content\r\n\r\n"}},
	)
	client, err := httpdriver.NewClient(httpdriver.Config{URL: server.url})
	require.NoError(t, err)
	defer client.Close()
	request := httpdriver.Request{Method: http.MethodGet}
	response, failed := client.Send(t.Context(), request)
	require.Nil(t, failed)
	require.NoError(t, response.Body.Close())
	_, failed = client.Do(t.Context(), request, 1<<10)
	require.Nil(t, failed)
	if diff := cmp.Diff([]int{0, 1}, server.seen()); diff != "" {
		t.Errorf("connections (-want +got):\n%s", diff)
	}
}

// TestConnectionIsNotReusedAfterCancel: a connection whose exchange was cancelled is not reused.
func TestConnectionIsNotReusedAfterCancel(t *testing.T) {
	server := newStepping(
		t,
		[]step{{write: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n{}"}},
		[]step{{write: "HTTP/1.1 204 No Content\r\n\r\n"}},
	)
	client, err := httpdriver.NewClient(httpdriver.Config{URL: server.url})
	require.NoError(t, err)
	defer client.Close()
	request := httpdriver.Request{Method: http.MethodGet}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, failed := client.Do(ctx, request, 1<<10)
	if failed == nil || !errors.Is(failed, driver.ErrTimeout) || string(failed.Exchange.Received) != "{}" {
		t.Errorf("got %v, want ErrTimeout with the bytes that had arrived", failed)
	}
	_, failed = client.Do(t.Context(), request, 1<<10)
	require.Nil(t, failed)
	if diff := cmp.Diff([]int{0, 1}, server.seen()); diff != "" {
		t.Errorf("connections (-want +got):\n%s", diff)
	}
}
