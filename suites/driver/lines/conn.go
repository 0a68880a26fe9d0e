// Package lines speaks JSON-RPC 2.0 over two streams, one message per line. Calls may be
// concurrent, and answered in any order.
package lines

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

// Reader is the source of lines. The deadline interrupts a read whose result is no longer needed.
// If deadlines have no effect, as on pipes of Windows, one goroutine does all reading.
type Reader interface {
	io.Reader
	SetReadDeadline(t time.Time) error
}

// Writer is the destination of lines. The deadline interrupts a write that the peer does not read,
// as with *os.File and net.Conn.
type Writer interface {
	io.Writer
	SetWriteDeadline(t time.Time) error
}

// Config configures a Conn.
type Config struct {
	In     Reader
	Out    Writer
	Limits driver.Limits
	// Serve answers a request of the peer with a result. If Serve or its result is nil, nothing is
	// offered, and the peer gets -32601.
	Serve func(method string) json.RawMessage
	// Heard keeps what the peer sends besides answers; nil keeps nothing.
	Heard *driver.Hearing
	// Ended is called once, after the reading has ended and before the calls in progress fail. It
	// returns their error.
	Ended func(End) *driver.CallError
}

// End describes how a connection ended.
type End struct {
	Cause    error // io.EOF, ErrFlood, or what reading gave
	Answered bool  // at least one reply had arrived
}

// Call is one request.
type Call struct {
	ID      int64
	Method  string
	Request []byte // one line without line end
	Limit   int64  // bytes of the reply; 0 means Limits.Message
}

// Reply is a complete line that belongs to a call.
type Reply struct {
	Line   []byte
	Answer driver.Answer // without Exchange
}

// Conn is one connection. It is safe for concurrent use.
type Conn struct {
	config Config
	limits driver.Limits
	turn   chan struct{} // held by the writer; a channel, so that a caller can stop waiting for it
	ended  chan struct{}
	// exchanging is held by the only exchange of a message that is sent unchanged.
	exchanging chan struct{}

	// The caller that waits for a reply reads it, so that no other goroutine must be woken. While
	// no caller waits, a goroutine reads: see unawaitedTimer.
	reading        chan struct{} // held by the reader
	in             *bufio.Reader // used by the holder of ear, like the next two
	begun          []byte        // the beginning of the line that is being read
	long           bool          // it is beyond its limit: the rest is not kept
	unawaitedTimer *time.Timer

	mu           sync.Mutex
	deliveredAny bool // something was delivered since this was last unset
	waiting      map[int64]*waiter
	arrivals     *arrivals // of the exchange in progress
	abandoned    map[int64]bool
	last         int64  // the highest id issued
	partial      []byte // the incomplete line at the end of the stream
	answered     bool
	death        *driver.CallError
	warnings     warnings
	noise        driver.Noise
	unsolicited  int64 // bytes since the last answer that belong to no answer
	notices      int   // notifications to which the peer may reply although it must not
	replies      int   // answers to the peer's requests that are being written
}

// waiter is a call in progress.
type waiter struct {
	call      Call
	delivered chan delivery
	candidate *delivery // an answer that may belong to this call: used if no better one arrives
}

type delivery struct {
	reply Reply
	err   *driver.CallError
}

// unawaitedDelay is how long nobody reads before the goroutine does. It is too short to block a target,
// or to leave its end unnoticed.
const unawaitedDelay = 20 * time.Millisecond

// New starts to read. Its goroutines end when In ends.
func New(config Config) *Conn {
	c := &Conn{
		config: config, limits: config.Limits.WithDefaults(), turn: make(chan struct{}, 1), ended: make(chan struct{}),
		exchanging: make(chan struct{}, 1),
		reading:    make(chan struct{}, 1), in: bufio.NewReaderSize(config.In, 64<<10),
		waiting: map[int64]*waiter{}, abandoned: map[int64]bool{},
	}
	if config.In.SetReadDeadline(time.Time{}) != nil { // reading can't be interrupted
		c.reading <- struct{}{}
		go c.listen(func() bool { return false })
	}
	c.mu.Lock() // for rest, which readUnawaited uses
	defer c.mu.Unlock()
	c.unawaitedTimer = time.AfterFunc(0, c.readUnawaited)
	return c
}

// Do sends a request and waits for its reply. The Exchange of the error contains only the received
// bytes, if any.
func (c *Conn) Do(ctx context.Context, call Call) (Reply, *driver.CallError) {
	w := &waiter{call: call, delivered: make(chan delivery, 1)}
	if death := c.enter(w); death != nil {
		return Reply{}, death
	}
	if partial, err := c.send(ctx, call.Request); err != nil {
		if partial {
			defer c.endPartial() // after this call has left with its own error
		}
		return c.leave(w, err)
	}
	for {
		select {
		case d := <-w.delivered:
			return d.reply, d.err
		case <-ctx.Done():
			return c.leave(w, &driver.CallError{Kind: driver.ContextKind(ctx)})
		case c.reading <- struct{}{}:
			stop := context.AfterFunc(ctx, c.interrupt)
			c.listen(func() bool { return len(w.delivered) > 0 || ctx.Err() != nil })
			stop()
		}
	}
}

func (c *Conn) enter(w *waiter) *driver.CallError {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.death != nil {
		return c.death
	}
	c.waiting[w.call.ID] = w
	c.last = max(c.last, w.call.ID)
	return nil
}

// leave abandons a call. It returns a reply that was delivered meanwhile, even one that could not
// be matched with certainty.
func (c *Conn) leave(w *waiter, err *driver.CallError) (Reply, *driver.CallError) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, w.call.ID)
	select {
	case d := <-w.delivered:
		return d.reply, d.err
	default:
	}
	c.abandoned[w.call.ID] = true
	if w.candidate != nil {
		return w.candidate.reply, w.candidate.err
	}
	return Reply{}, err
}

// Send writes one line.
func (c *Conn) Send(ctx context.Context, line []byte) *driver.CallError {
	partial, err := c.send(ctx, line)
	if partial {
		c.endPartial()
	}
	return err
}

// Notify writes a notification. A peer that replies to it with an error without an id must not be
// taken for one that answers the next call in this way.
func (c *Conn) Notify(ctx context.Context, line []byte) *driver.CallError {
	c.mu.Lock()
	c.notices++
	c.mu.Unlock()
	return c.Send(ctx, line)
}

// endPartial ends the connection after a line was written in part: the next line would be read as
// the rest of it.
func (c *Conn) endPartial() {
	c.end(&driver.CallError{Kind: driver.ErrClosed, Detail: "a request could not be written completely"})
}

// send writes one line, and reports whether only a part of it was written.
func (c *Conn) send(ctx context.Context, line []byte) (partial bool, failed *driver.CallError) {
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return false, &driver.CallError{Kind: driver.ContextKind(ctx)}
	case <-c.ended:
		return false, c.Death()
	}
	defer func() { <-c.turn }()
	stop := context.AfterFunc(ctx, func() { _ = c.config.Out.SetWriteDeadline(time.Unix(1, 0)) })
	defer stop()
	message := append(append(make([]byte, 0, len(line)+1), line...), '\n')
	written, err := c.write(ctx, message)
	switch {
	case err == nil:
		return false, nil
	case ctx.Err() == nil:
		// The peer no longer reads. The reader finds out why, and gets the time to report it.
		select {
		case <-c.ended:
			return false, c.Death()
		case <-ctx.Done():
		}
	}
	return written > 0, &driver.CallError{Kind: driver.ContextKind(ctx), Detail: "the target did not read the request"}
}

// write continues after a deadline that was set for an earlier caller.
func (c *Conn) write(ctx context.Context, message []byte) (written int, err error) {
	for {
		_ = c.config.Out.SetWriteDeadline(time.Time{})
		if ctx.Err() != nil {
			return written, ctx.Err()
		}
		n, err := c.config.Out.Write(message[written:])
		written += n
		if !errors.Is(err, os.ErrDeadlineExceeded) || ctx.Err() != nil {
			return written, err
		}
	}
}

// Death returns the error with which the connection ended, nil while it is open.
func (c *Conn) Death() *driver.CallError {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.death
}

// Done is closed when the reading has ended.
func (c *Conn) Done() <-chan struct{} { return c.ended }

// Answered reports whether a reply has arrived.
func (c *Conn) Answered() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answered
}

// Warnings returns the first irregularities, and the number of the others.
func (c *Conn) Warnings() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.warnings.list()
}

// Noise returns what arrived besides messages.
func (c *Conn) Noise() driver.Noise {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.noise
}

// end makes all waiting calls fail. The first reason counts.
func (c *Conn) end(death *driver.CallError) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.death != nil {
		return
	}
	c.death = death
	only := len(c.waiting) == 1
	for id, w := range c.waiting {
		delete(c.waiting, id)
		d := delivery{err: death}
		switch {
		case only && w.candidate != nil:
			d = *w.candidate
		case only && c.partial != nil:
			d.err = withReceived(death, c.partial)
		}
		w.delivered <- d
	}
	c.interrupt() // the reader may be one of these calls
	c.unawaitedTimer.Reset(0)
}

// Fail makes all calls fail with this error, now and later.
func (c *Conn) Fail(death *driver.CallError) { c.end(death) }

// serve answers a request of the peer in another goroutine: a peer that does not read must not
// block the reader.
func (c *Conn) serve(m jsonrpc.Message) {
	var response []byte
	if c.config.Serve != nil {
		if result := c.config.Serve(m.MethodName()); result != nil {
			response = jsonrpc.Response(m.ID, result)
		}
	}
	if response == nil {
		response = jsonrpc.NotFound(m.ID)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.replies >= maxReplies {
		c.warnings.add("a request of the target was not answered, because the target does not read the answers", nil)
		return
	}
	c.replies++
	go c.respond(response)
}

func (c *Conn) respond(response []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), replyTime)
	defer cancel()
	_ = c.Send(ctx, response)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.replies--
}
