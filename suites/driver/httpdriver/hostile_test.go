package httpdriver_test

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
)

// raw serves each connection with the output of a function after the first request.
func raw(t *testing.T, write func(conn net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					write(conn)
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String()
}

// forever writes until the other side closes the connection.
func forever(conn net.Conn, piece string) {
	for {
		if _, err := conn.Write([]byte(piece)); err != nil {
			return
		}
	}
}

func TestHostileServers(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\n"
	long := strings.Repeat("x", 4096)
	tests := map[string]struct {
		write func(net.Conn)
		want  error
	}{
		"endless headers":    {func(c net.Conn) { _, _ = c.Write([]byte(head)); forever(c, "X-A: "+long+"\r\n") }, driver.ErrTooLarge},
		"one endless header": {func(c net.Conn) { _, _ = c.Write([]byte(head + "X-A: ")); forever(c, long) }, driver.ErrTooLarge},
		"endless body":       {func(c net.Conn) { _, _ = c.Write([]byte(head + "\r\n{\"x\":\"")); forever(c, long) }, driver.ErrTooLarge},
		"endless chunks": {func(c net.Conn) {
			_, _ = c.Write([]byte(head + "Transfer-Encoding: chunked\r\n\r\n"))
			forever(c, "1000\r\n"+long+"\r\n")
		}, driver.ErrTooLarge},
		"a terabyte promised":         {func(c net.Conn) { _, _ = c.Write([]byte(head + "Content-Length: 1099511627776\r\n\r\n{")) }, driver.ErrClosed},
		"half of the promised length": {func(c net.Conn) { _, _ = c.Write([]byte(head + "Content-Length: 100\r\n\r\n{}")) }, driver.ErrClosed},
		"nothing":                     {func(net.Conn) {}, driver.ErrClosed},
		"only the head, then nothing": {func(c net.Conn) {
			_, _ = c.Write([]byte(head + "Content-Length: 5\r\n\r\n"))
			_, _ = c.Read(make([]byte, 1))
		}, driver.ErrTimeout},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			session := open(t, httpdriver.Config{
				URL: raw(t, test.write), Limits: driver.Limits{Message: 1 << 20}, Deadlines: driver.Deadlines{Call: 2 * time.Second},
			})
			_, err := session.Call(t.Context(), driver.Operation{Name: "x"})
			var failed *driver.CallError
			if !errors.As(err, &failed) || !errors.Is(err, test.want) {
				t.Fatalf("got %v, want %v", err, test.want)
			}
			if len(failed.Exchange.Received) > 1<<20+1 {
				t.Errorf("%d bytes were stored", len(failed.Exchange.Received))
			}
		})
	}
}

func TestRequestsDeclineCompression(t *testing.T) {
	seen := make(chan string, 1)
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		seen <- fmt.Sprintf("%s %q", r.Header.Get("Content-Type"), r.Header["Accept-Encoding"])
	})
	_, err := call(t, open(t, httpdriver.Config{URL: url}), driver.Operation{Name: "x"})
	require.NoError(t, err)
	if diff := cmp.Diff("application/json []", <-seen); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
}
