package lines_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
	"github.com/capconform/capconform/suites/driver/lines"
)

// endless is a pipe whose reads cannot be interrupted, as on Windows.
type endless struct{ *os.File }

func (endless) SetReadDeadline(time.Time) error { return os.ErrNoDeadline }

// counting reports how much was read.
type counting struct {
	*os.File
	read chan int
}

func (c counting) Read(p []byte) (int, error) {
	n, err := c.File.Read(p)
	if n > 0 {
		c.read <- n
	}
	return n, err
}

// peer is the other side of a connection: the lines that it reads and the writer of its answers.
type peer struct {
	asked *bufio.Scanner
	out   *os.File
}

func (p peer) send(t *testing.T, format string, args ...any) {
	t.Helper()
	_, err := fmt.Fprintf(p.out, format, args...)
	require.NoError(t, err)
}

// receive returns the next line.
func (p peer) receive(t *testing.T) string {
	t.Helper()
	require.True(t, p.asked.Scan(), p.asked.Err())
	return p.asked.Text()
}

// connect returns both sides. The connection ends with the test.
func connect(t *testing.T, reading func(*os.File) lines.Reader) (*lines.Conn, peer) {
	t.Helper()
	theirs, ourOut, err := os.Pipe()
	require.NoError(t, err)
	ourIn, out, err := os.Pipe()
	require.NoError(t, err)
	conn := lines.New(lines.Config{In: reading(ourIn), Out: ourOut})
	t.Cleanup(func() {
		_ = out.Close() // a test may have done so
		<-conn.Done()
		for _, f := range []io.Closer{theirs, ourOut, ourIn} {
			require.NoError(t, f.Close())
		}
	})
	return conn, peer{bufio.NewScanner(theirs), out}
}

func interruptible(f *os.File) lines.Reader { return f }

// ways are the ways to read.
var ways = map[string]func(*os.File) lines.Reader{
	"read by the waiting caller": interruptible,
	"read by one goroutine":      func(f *os.File) lines.Reader { return endless{f} },
}

// ask begins a call; the channel receives its result.
func ask(ctx context.Context, c *lines.Conn, id int64) <-chan string {
	result := make(chan string, 1)
	go func() {
		request, err := jsonrpc.Request(id, "m", nil)
		if err != nil {
			result <- err.Error()
			return
		}
		reply, failed := c.Do(ctx, lines.Call{ID: id, Method: "m", Request: request})
		if failed != nil {
			result <- failed.Kind.Error()
			return
		}
		result <- string(reply.Answer.Result)
	}()
	return result
}

func requireResult(t *testing.T, what string, result <-chan string, want string) {
	t.Helper()
	if got := <-result; got != want {
		t.Errorf("%s: got %s, want %s", what, got, want)
	}
}

const answer = `{"jsonrpc":"2.0","id":%d,"result":%d}` + "\n"

func TestRepliesReachTheirCalls(t *testing.T) {
	for name, reading := range ways {
		t.Run(name, func(t *testing.T) {
			conn, other := connect(t, reading)
			for id := range int64(20) { // one after the other
				result := ask(t.Context(), conn, id)
				other.receive(t)
				other.send(t, answer, id, id*10)
				requireResult(t, "alone", result, fmt.Sprint(id*10))
			}
			var all []<-chan string
			for id := range int64(20) { // concurrent calls, answered in reverse order
				all = append(all, ask(t.Context(), conn, 100+id))
			}
			for range all {
				other.receive(t)
			}
			for id := 119; id >= 100; id-- {
				other.send(t, answer, id, id)
			}
			for i, result := range all {
				requireResult(t, "concurrent", result, fmt.Sprint(100+i))
			}
		})
	}
}

// If a call is cancelled in the middle of a line, the next call reads the rest.
func TestCallCancelledWithinLine(t *testing.T) {
	read := make(chan int, 10)
	conn, other := connect(t, func(f *os.File) lines.Reader { return counting{f, read} })
	first, whole := ask(t.Context(), conn, 1), fmt.Sprintf(answer, 2, 20)
	other.receive(t)
	other.send(t, answer, 1, 10)
	requireResult(t, "the call before", first, "10")
	<-read
	ctx, cancel := context.WithCancel(t.Context())
	result := ask(ctx, conn, 2)
	other.receive(t)
	other.send(t, "%s", whole[:20])
	<-read
	cancel()
	requireResult(t, "the cancelled call", result, driver.ErrCancelled.Error())
	next := ask(t.Context(), conn, 3)
	other.receive(t)
	other.send(t, "%s", whole[20:])
	other.send(t, answer, 3, 30)
	requireResult(t, "the next call", next, "30")
	if odd := conn.Warnings(); len(odd) > 0 {
		t.Errorf("the late line was not recognised: %q", odd)
	}
}

// A caller that reads for itself learns at once that the connection ended, and a concurrent caller continues to read
// when it is cancelled.
func TestNextCallerTakesOverReading(t *testing.T) {
	for name, reading := range ways {
		t.Run(name, func(t *testing.T) {
			conn, other := connect(t, reading)
			first := ask(t.Context(), conn, 1)
			other.receive(t)
			other.send(t, answer, 1, 10)
			requireResult(t, "the call before", first, "10")
			ctx, cancel := context.WithCancel(t.Context())
			reading := ask(ctx, conn, 2)
			other.receive(t)
			concurrent := ask(t.Context(), conn, 3)
			other.receive(t)
			cancel()
			requireResult(t, "the cancelled call", reading, driver.ErrCancelled.Error())
			other.send(t, answer, 3, 30)
			requireResult(t, "the concurrent call", concurrent, "30")
			last := ask(t.Context(), conn, 4)
			other.receive(t)
			conn.Fail(&driver.CallError{Kind: driver.ErrClosed})
			requireResult(t, "the call on the closed connection", last, driver.ErrClosed.Error())
		})
	}
}

// A request of the peer is answered, and its end is noticed, even if no call waits for a reply.
func TestRequestsOfPeerAreAnsweredWithoutCall(t *testing.T) {
	conn, other := connect(t, interruptible)
	for range 3 {
		result := ask(t.Context(), conn, 1)
		other.receive(t)
		other.send(t, answer, 1, 10)
		requireResult(t, "a call", result, "10")
		other.send(t, `{"jsonrpc":"2.0","id":"q","method":"ping"}`+"\n")
		if got := other.receive(t); !strings.Contains(got, `"id":"q"`) || !strings.Contains(got, "-32601") {
			t.Errorf("the reply to a request of the peer is %s", got)
		}
	}
	require.NoError(t, other.out.Close())
	<-conn.Done()
	if death := conn.Death(); death == nil || !errors.Is(death, driver.ErrClosed) {
		t.Errorf("want the end of the connection, got %v", death)
	}
}

// A host may incorrectly reply to a notification. That reply is not the answer to the next call, unless nothing else
// arrives.
func TestRepliesToNotifications(t *testing.T) {
	const refusal = `{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"unknown"}}`
	for name, test := range map[string]struct {
		more []string
		want string
	}{
		"and the call":                        {[]string{`{"jsonrpc":"2.0","id":1,"result":7}`}, "returned 7"},
		"and the call, with the same refusal": {[]string{refusal}, "malformed id is null, the request's is an integer"},
		"only the notification":               {nil, "malformed id is null, the request's is an integer"},
	} {
		t.Run(name, func(t *testing.T) {
			conn, target := connect(t, interruptible)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			require.Nil(t, conn.Notify(ctx, []byte(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`)))
			go func() {
				target.receive(t)
				target.receive(t)
				for _, line := range append([]string{refusal}, test.more...) {
					target.send(t, "%s\n", line)
				}
			}()
			reply, failed := conn.Do(ctx, lines.Call{ID: 1, Method: "m", Request: []byte(`{"jsonrpc":"2.0","id":1,"method":"m"}`)})
			require.Nil(t, failed)
			require.Equal(
				t,
				test.want,
				strings.TrimSpace(
					fmt.Sprint(reply.Answer.Outcome, " ", reply.Answer.Defect, string(reply.Answer.Result)),
				),
			)
		})
	}
}
