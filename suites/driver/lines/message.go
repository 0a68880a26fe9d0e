package lines

import (
	"context"
	"time"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

const (
	// quietTime is how long Exchange waits for an answer to a message to which none is expected.
	quietTime = time.Second
	// settleTime is how long Exchange waits for further lines after the first one.
	settleTime = 100 * time.Millisecond
)

// arrivals collects the lines that arrive during one Exchange. Conn.mu guards the lines.
type arrivals struct {
	lines [][]byte
	some  chan struct{} // receives a value when a line arrives
}

// Exchange sends a line unchanged, and returns the lines that arrive and answer no other call: requests and
// notifications of the peer do not count. It waits for the first line until the context ends, or a moment if none is
// expected (quiet). The error states why a line that was expected did not arrive. Exchanges are made one at a time.
func (c *Conn) Exchange(ctx context.Context, line []byte, quiet bool) ([][]byte, *driver.CallError) {
	select {
	case c.exchanging <- struct{}{}:
	case <-ctx.Done():
		return nil, &driver.CallError{Kind: driver.ContextKind(ctx)}
	}
	defer func() { <-c.exchanging }()
	a := &arrivals{some: make(chan struct{}, 1)}
	if death := c.collect(a); death != nil {
		return nil, death
	}
	defer c.collect(nil)
	if failed := c.Send(ctx, line); failed != nil {
		return nil, failed
	}
	first := ctx
	if quiet {
		short, cancel := context.WithTimeout(ctx, quietTime)
		defer cancel()
		first = short
	}
	c.await(first, func() bool { return len(c.arrived(a)) > 0 })
	settled, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	if len(c.arrived(a)) > 0 {
		c.await(settled, func() bool { return false })
	}
	got, death := c.arrived(a), c.Death()
	switch {
	case len(got) > 0:
		return got, nil
	case death != nil:
		return nil, death
	case ctx.Err() != nil:
		return nil, &driver.CallError{Kind: driver.ContextKind(ctx)}
	}
	return nil, nil
}

// collect sets where lines go that answer no call, nil for nowhere. It returns the error of a connection that has
// ended.
func (c *Conn) collect(a *arrivals) *driver.CallError {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.arrivals = a
	return c.death
}

func (c *Conn) arrived(a *arrivals) [][]byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return a.lines
}

// await reads until enough reports true, the context ends, or the connection does.
func (c *Conn) await(ctx context.Context, enough func() bool) {
	c.mu.Lock()
	some := c.arrivals.some
	c.mu.Unlock()
	for !enough() && ctx.Err() == nil {
		select {
		case <-some:
		case <-ctx.Done():
		case <-c.ended:
			return
		case c.reading <- struct{}{}:
			stop := context.AfterFunc(ctx, c.interrupt)
			c.listen(func() bool { return enough() || ctx.Err() != nil })
			stop()
		}
	}
}

// arrives passes a line to the exchange in progress, and reports whether it takes the line. The caller holds the lock.
func (c *Conn) arrives(m jsonrpc.Message, line []byte) bool {
	a := c.arrivals
	if number, isInteger := m.Number(); a == nil || isInteger && c.waiting[number] != nil ||
		m.Defect == "" && m.Method != nil && !m.IsResponse() {
		return false
	}
	a.lines = append(a.lines, line)
	c.answered, c.deliveredAny, c.unsolicited = true, true, 0
	select {
	case a.some <- struct{}{}:
	default:
	}
	return true
}
