// Package lines speaks JSON-RPC 2.0 over two streams, one message a line. Calls
// may run at the same time and be answered in any order.
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

// Reader is where lines come from. The deadline frees a read that nobody waits for any
// more. Where it means nothing, as on pipes of Windows, one goroutine does all reading.
type Reader interface {
	io.Reader
	SetReadDeadline(t time.Time) error
}

// Writer is where lines are sent. The deadline frees a write that the peer does
// not take, as *os.File and net.Conn have it.
type Writer interface {
	io.Writer
	SetWriteDeadline(t time.Time) error
}

// Config makes a Conn.
type Config struct {
	In     Reader
	Out    Writer
	Limits driver.Limits
	// Serve answers a request of the peer's with a result. Nil, or a nil result,
	// means that nothing is offered: the peer gets -32601.
	Serve func(method string) json.RawMessage
	// Ended is called once, when reading has ended and before the calls that are
	// under way fail, and says in which way they do.
	Ended func(End) *driver.CallError
}

// End states how a connection ended.
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
	turn   chan struct{} // held by who writes: a channel, so that waiting for it can be given up
	ended  chan struct{}

	// Who waits for a reply reads it himself, so that nobody has to be woken for it.
	// While nobody waits, a goroutine stands in: see rest.
	ear   chan struct{} // held by who reads
	in    *bufio.Reader // of the one who holds ear, as the two below
	begun []byte        // of the line that is being read
	long  bool          // it is beyond its limit: the rest is not kept
	rest  *time.Timer

	mu        sync.Mutex
	handed    bool // something was delivered since this was last unset
	waiting   map[int64]*waiter
	abandoned map[int64]bool
	last      int64  // the highest id issued
	partial   []byte // what the stream broke off with
	answered  bool
	death     *driver.CallError
	warnings  warnings
	unsolicit int64 // bytes since the last answer that were part of none
	replies   int   // answers to the peer's requests that are being written
}

// waiter is a call under way.
type waiter struct {
	call      Call
	delivered chan delivery
	candidate *delivery // an answer that may be meant for this call: used if no better one comes
}

type delivery struct {
	reply Reply
	err   *driver.CallError
}

// restTime is how long nobody reads before somebody stands in. A target is not
// held up by it, and not overlooked for long.
const restTime = 20 * time.Millisecond

// New starts to read. Its goroutines end when In does.
func New(config Config) *Conn {
	c := &Conn{
		config: config, limits: config.Limits.WithDefaults(), turn: make(chan struct{}, 1), ended: make(chan struct{}),
		ear: make(chan struct{}, 1), in: bufio.NewReaderSize(config.In, 64<<10),
		waiting: map[int64]*waiter{}, abandoned: map[int64]bool{},
	}
	if config.In.SetReadDeadline(time.Time{}) != nil { // reading can't be interrupted
		c.ear <- struct{}{}
		go c.listen(func() bool { return false })
	}
	c.mu.Lock() // for rest, which standIn uses
	defer c.mu.Unlock()
	c.rest = time.AfterFunc(0, c.standIn)
	return c
}

// Do sends a request and waits for its reply. The error has the received bytes, if any,
// in its Exchange, and nothing else there.
func (c *Conn) Do(ctx context.Context, call Call) (Reply, *driver.CallError) {
	w := &waiter{call: call, delivered: make(chan delivery, 1)}
	if death := c.enter(w); death != nil {
		return Reply{}, death
	}
	if torn, err := c.send(ctx, call.Request); err != nil {
		defer c.tear(torn) // after this call has left, which knows its own reason
		return c.leave(w, err)
	}
	for {
		select {
		case d := <-w.delivered:
			return d.reply, d.err
		case <-ctx.Done():
			return c.leave(w, &driver.CallError{Kind: driver.ContextKind(ctx)})
		case c.ear <- struct{}{}:
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

// leave returns up a call. What was delivered meanwhile counts; so does a reply
// that could not be matched with certainty.
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
	torn, err := c.send(ctx, line)
	c.tear(torn)
	return err
}

// tear ends the connection after a line that was written in part: whatever came
// next would be taken for the rest of it.
func (c *Conn) tear(torn bool) {
	if torn {
		c.end(&driver.CallError{Kind: driver.ErrClosed, Detail: "a request could not be written to its end"})
	}
}

// send writes one line, and reports whether only a part of it was taken.
func (c *Conn) send(ctx context.Context, line []byte) (torn bool, failed *driver.CallError) {
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
		// The peer reads no more. Why, the reader will see: it gets the chance to say so.
		select {
		case <-c.ended:
			return false, c.Death()
		case <-ctx.Done():
		}
	}
	return written > 0, &driver.CallError{Kind: driver.ContextKind(ctx), Detail: "the target did not take the request"}
}

// write goes on after a deadline that was meant for an earlier caller.
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

// Death returns the error with which the connection ended, nil while it lives.
func (c *Conn) Death() *driver.CallError {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.death
}

// Done is closed when reading has ended.
func (c *Conn) Done() <-chan struct{} { return c.ended }

// Answered reports whether a reply has arrived yet.
func (c *Conn) Answered() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answered
}

// Warnings returns the oddities seen so far, at most a few, and how many more there were.
func (c *Conn) Warnings() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.warnings.list()
}

// end lets everybody who waits fail. The first reason counts.
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
	c.interrupt() // who reads for a call of these
	c.rest.Reset(0)
}

// Fail ends all calls with this error, now and later.
func (c *Conn) Fail(death *driver.CallError) { c.end(death) }

// serve answers a request of the peer's beside the reader, which must not be held
// up by a peer that does not read.
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
		c.warnings.add("a request of the target's was left unanswered: it does not read the answers", nil)
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
