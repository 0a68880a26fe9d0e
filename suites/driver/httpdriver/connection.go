package httpdriver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"sync"
	"time"
)

// mostWritten is the longest body that is sent over a connection of our own, in
// bytes. It fits the buffers between the two ends, so that a target may answer
// before it has read all of it and neither waits for the other.
const mostWritten = 16 << 10

// settling is how long the first connection rests before it is used again. A server may
// close it after any answer and need not say so; a request that is on its way then is lost,
// and can't be told from one that was served. Those who do it to every connection are known
// by the first.
const settling = 5 * time.Millisecond

// starving is how long a new connection waits for its answer before those that rest are
// closed: there are servers that serve one connection until it ends, and then the next.
const starving = 250 * time.Millisecond

// errStale: a connection that was kept is of no more use, and nothing that the
// target can have acted on went over it.
var errStale = errors.New("httpdriver: the connection that was kept is closed")

// connections speak HTTP/1.1 on plain TCP. Who calls writes and reads by itself:
// http.Transport has two goroutines for each connection, and to hand a request and
// its response from one to the next takes longer than most targets take to answer.
// Without a rest none is waited for. It is safe for concurrent use.
type connections struct {
	mu      sync.Mutex
	idle    []*connection // the last is the one that was used last
	closed  bool
	settled bool          // it is known whether the target keeps connections
	single  bool          // it does not
	rest    time.Duration // see settling
	hungry  int           // connections that were waiting for too long
}

// roundTrip sends a request to a TCP address and waits for the head of the response.
// The error is errStale where the same request has to be sent again.
func (p *connections) roundTrip(address string, request *http.Request) (*http.Response, error) {
	conn, err := p.take(request.Context(), address)
	if err != nil {
		return nil, err
	}
	fed := func() {}
	if conn.uses == 1 {
		fed = p.feed()
	}
	response, err := conn.exchange(request)
	fed()
	if err == nil {
		response.Body = &body{ReadCloser: response.Body, finish: func(whole bool) {
			if conn.reusable(whole && !response.Close && response.StatusCode != http.StatusSwitchingProtocols) {
				p.keep(conn)
			}
		}}
		return response, nil
	}
	conn.reusable(false)
	if conn.stale(request) {
		return nil, errStale
	}
	return nil, err
}

// take gives a connection that was kept, or else a new one.
func (p *connections) take(ctx context.Context, address string) (*connection, error) {
	for conn := p.kept(); conn != nil; conn = p.kept() {
		if p.settle(ctx, conn) && quiet(conn.Conn) {
			conn.uses++
			return conn, nil
		}
		_ = conn.Conn.Close()
	}
	opened, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	conn := &connection{Conn: opened, uses: 1}
	conn.in, conn.out = bufio.NewReader(conn), bufio.NewWriter(conn)
	return conn, nil
}

func (p *connections) kept() *connection {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.idle) - 1
	if last < 0 {
		return nil
	}
	conn := p.idle[last]
	p.idle = p.idle[:last]
	return conn
}

// settle waits until the first connection that was kept has shown whether it stands.
func (p *connections) settle(ctx context.Context, conn *connection) bool {
	p.mu.Lock()
	settled, single := p.settled, p.single
	p.mu.Unlock()
	if settled {
		return !single
	}
	wait := time.NewTimer(p.rest - time.Since(conn.rests))
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-ctx.Done():
		return true // the exchange says so
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.settled { // else another one was faster
		p.settled, p.single = true, !quiet(conn.Conn)
	}
	return !p.single
}

// feed watches over an exchange on a new connection until it is told that this is done.
func (p *connections) feed() (done func()) {
	var hungry, over bool
	timer := time.AfterFunc(starving, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if over {
			return
		}
		hungry = true
		p.hungry++
		p.letGo()
	})
	return func() {
		timer.Stop()
		p.mu.Lock()
		defer p.mu.Unlock()
		over = true
		if hungry {
			p.hungry--
		}
	}
}

// letGo closes the connections that rest. The caller holds the mutex.
func (p *connections) letGo() {
	for _, conn := range p.idle {
		_ = conn.Conn.Close()
	}
	p.idle = nil
}

func (p *connections) keep(conn *connection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.single || p.hungry > 0 || len(p.idle) >= maxIdle {
		_ = conn.Conn.Close()
		return
	}
	conn.rests = time.Now()
	p.idle = append(p.idle, conn)
}

// close ends the connections that are not in use, and those in use once they are free.
func (p *connections) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.letGo()
}

// connection carries one exchange at a time. It counts what goes over it.
type connection struct {
	net.Conn
	in      *bufio.Reader
	out     *bufio.Writer
	uses    int
	rests   time.Time // since then it is not in use
	allowed int64     // bytes that may still be read
	read    int64     // bytes of this exchange
	written int64
	torn    bool        // the request could not be written to its end
	release func() bool // the context's hold on the connection; false: it has ended it
}

// errHead has the words of http.Transport.
var errHead = fmt.Errorf("server response headers exceeded %d bytes; aborted", maxHeaderBytes)

// Read implements io.Reader.
func (c *connection) Read(p []byte) (int, error) {
	if c.allowed <= 0 {
		return 0, errHead
	}
	n, err := c.Conn.Read(p[:min(int64(len(p)), c.allowed)])
	c.allowed -= int64(n)
	c.read += int64(n)
	return n, err
}

// Write implements io.Writer.
func (c *connection) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.written += int64(n)
	return n, err
}

func (c *connection) exchange(request *http.Request) (*http.Response, error) {
	c.read, c.written, c.allowed, c.torn = 0, 0, maxHeaderBytes, false
	c.release = context.AfterFunc(request.Context(), func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	failed := request.Write(c.out)
	if failed == nil {
		failed = c.out.Flush()
	}
	c.torn = failed != nil
	response, err := c.head(request)
	if err != nil { // it says more than what kept the request from being written
		return nil, err
	}
	c.allowed = math.MaxInt64
	return response, nil
}

// head reads the head of the response, past those that only announce it.
func (c *connection) head(request *http.Request) (*http.Response, error) {
	for {
		response, err := http.ReadResponse(c.in, request)
		if err != nil || response.StatusCode >= 200 || response.StatusCode == http.StatusSwitchingProtocols {
			return response, err
		}
	}
}

// stale tells whether a request that failed was lost on a connection that the target
// had closed meanwhile: nothing was sent, or nothing came back to what can be asked twice.
func (c *connection) stale(request *http.Request) bool {
	switch {
	case c.uses == 1 || request.Context().Err() != nil:
		return false
	case c.written == 0:
		return true
	}
	return c.read == 0 && request.Body == http.NoBody && request.Method == http.MethodGet
}

// reusable frees the connection from its exchange. Where that ended well and nothing
// is left over, it can have another; else it is closed.
func (c *connection) reusable(well bool) bool {
	if free := c.release(); free && well && !c.torn && c.in.Buffered() == 0 {
		return true
	}
	_ = c.Conn.Close()
	return false
}

// body tells its connection when it was read to its end, or is not wanted any more.
type body struct {
	io.ReadCloser
	once   sync.Once
	finish func(whole bool)
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.once.Do(func() { b.finish(errors.Is(err, io.EOF)) })
	}
	return n, err
}

// Close implements io.Closer. The body below is not closed: it would be read to its
// end first, which may never come.
func (b *body) Close() error {
	b.once.Do(func() { b.finish(b.ReadCloser == http.NoBody) })
	return nil
}
