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

// endless is a pipe whose reads can't be interrupted, as those of Windows.
type endless struct{ *os.File }

func (endless) SetReadDeadline(time.Time) error { return os.ErrNoDeadline }

// counting tells how much was read.
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

// peer is the other side of a connection: what it reads and what it writes.
type peer struct {
	asked *bufio.Scanner
	out   *os.File
}

func (p peer) says(t *testing.T, format string, args ...any) {
	t.Helper()
	_, err := fmt.Fprintf(p.out, format, args...)
	require.NoError(t, err)
}

// hears returns the next line.
func (p peer) hears(t *testing.T) string {
	t.Helper()
	require.True(t, p.asked.Scan(), p.asked.Err())
	return p.asked.Text()
}

// connect returns both sides. The connection has ended when the test has.
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

func plainly(f *os.File) lines.Reader { return f }

// ways are those to read.
var ways = map[string]func(*os.File) lines.Reader{
	"read by who waits": plainly,
	"read by one":       func(f *os.File) lines.Reader { return endless{f} },
}

// ask begins a call; the channel tells what came of it.
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

func wants(t *testing.T, what string, result <-chan string, want string) {
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
				other.hears(t)
				other.says(t, answer, id, id*10)
				wants(t, "alone", result, fmt.Sprint(id*10))
			}
			var all []<-chan string
			for id := range int64(20) { // all at once, answered from the last
				all = append(all, ask(t.Context(), conn, 100+id))
			}
			for range all {
				other.hears(t)
			}
			for id := 119; id >= 100; id-- {
				other.says(t, answer, id, id)
			}
			for i, result := range all {
				wants(t, "concurrent", result, fmt.Sprint(100+i))
			}
		})
	}
}

// A call that is given up in the middle of a line leaves the rest to the next.
func TestGivenUpInTheMiddleOfALine(t *testing.T) {
	read := make(chan int, 10)
	conn, other := connect(t, func(f *os.File) lines.Reader { return counting{f, read} })
	first, whole := ask(t.Context(), conn, 1), fmt.Sprintf(answer, 2, 20)
	other.hears(t)
	other.says(t, answer, 1, 10)
	wants(t, "the call before", first, "10")
	<-read
	ctx, cancel := context.WithCancel(t.Context())
	result := ask(ctx, conn, 2)
	other.hears(t)
	other.says(t, "%s", whole[:20])
	<-read
	cancel()
	wants(t, "the call that was given up", result, driver.ErrCancelled.Error())
	next := ask(t.Context(), conn, 3)
	other.hears(t)
	other.says(t, "%s", whole[20:])
	other.says(t, answer, 3, 30)
	wants(t, "the call behind it", next, "30")
	if odd := conn.Warnings(); len(odd) > 0 {
		t.Errorf("the late line was not understood: %q", odd)
	}
}

// Who reads for himself learns at once that the connection was ended, and one who
// waits beside him reads on where he gives up.
func TestReadersGiveWay(t *testing.T) {
	for name, reading := range ways {
		t.Run(name, func(t *testing.T) {
			conn, other := connect(t, reading)
			first := ask(t.Context(), conn, 1)
			other.hears(t)
			other.says(t, answer, 1, 10)
			wants(t, "the one before", first, "10")
			ctx, cancel := context.WithCancel(t.Context())
			reading := ask(ctx, conn, 2)
			other.hears(t)
			beside := ask(t.Context(), conn, 3)
			other.hears(t)
			cancel()
			wants(t, "the one that gave up", reading, driver.ErrCancelled.Error())
			other.says(t, answer, 3, 30)
			wants(t, "the one beside it", beside, "30")
			last := ask(t.Context(), conn, 4)
			other.hears(t)
			conn.Fail(&driver.CallError{Kind: driver.ErrClosed})
			wants(t, "the one whose connection was ended", last, driver.ErrClosed.Error())
		})
	}
}

// What a peer asks while nobody waits for a reply is answered, and its end is seen.
func TestNobodyWaits(t *testing.T) {
	conn, other := connect(t, plainly)
	for range 3 {
		result := ask(t.Context(), conn, 1)
		other.hears(t)
		other.says(t, answer, 1, 10)
		wants(t, "a call", result, "10")
		other.says(t, `{"jsonrpc":"2.0","id":"q","method":"ping"}`+"\n")
		if got := other.hears(t); !strings.Contains(got, `"id":"q"`) || !strings.Contains(got, "-32601") {
			t.Errorf("a request of the peer's got %s", got)
		}
	}
	require.NoError(t, other.out.Close())
	<-conn.Done()
	if death := conn.Death(); death == nil || !errors.Is(death, driver.ErrClosed) {
		t.Errorf("the end was seen as %v", death)
	}
}

// A host may reply to a notification, although it must not. That reply is not the answer to the
// next call, unless nothing else arrives.
func TestRepliesToNotifications(t *testing.T) {
	const refusal = `{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"unknown"}}`
	for name, test := range map[string]struct {
		more []string
		want string
	}{
		"and to the call":         {[]string{`{"jsonrpc":"2.0","id":1,"result":7}`}, "returned 7"},
		"and, twice, to the call": {[]string{refusal}, "malformed id is null, the request's is an integer"},
		"alone":                   {nil, "malformed id is null, the request's is an integer"},
	} {
		t.Run(name, func(t *testing.T) {
			conn, target := connect(t, plainly)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			require.Nil(t, conn.Notify(ctx, []byte(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`)))
			go func() {
				target.hears(t)
				target.hears(t)
				for _, line := range append([]string{refusal}, test.more...) {
					target.says(t, "%s\n", line)
				}
			}()
			reply, failed := conn.Do(ctx, lines.Call{ID: 1, Method: "m", Request: []byte(`{"jsonrpc":"2.0","id":1,"method":"m"}`)})
			require.Nil(t, failed)
			require.Equal(t, test.want, strings.TrimSpace(fmt.Sprint(reply.Answer.Outcome, " ", reply.Answer.Defect, string(reply.Answer.Result))))
		})
	}
}
