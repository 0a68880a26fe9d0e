package lines

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

const (
	maxReplies  = 16              // answers to the peer's requests that wait to be written
	replyTime   = 5 * time.Second // for such an answer to be taken
	maxWarnings = 16
	shown       = 80 // bytes of a line that a warning shows
	lineCost    = 64 // bytes that a line counts for at least: many short ones cost time too
)

// ErrFlood says that a peer wrote more than Limits.Message bytes in a row that
// answer nothing.
var ErrFlood = errors.New("lines: a flood that answers nothing")

// ErrLine says that a peer wrote a line which goes on after Limits.Total bytes.
var ErrLine = errors.New("lines: a line without end")

// standIn reads while nobody waits for a reply, until it has delivered one.
func (c *Conn) standIn() {
	select {
	case c.ear <- struct{}{}:
	default:
		return // who reads starts the rest again
	}
	c.mu.Lock()
	c.handed = false
	c.mu.Unlock()
	c.listen(func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.handed
	})
}

// interrupt frees who reads, to see whether it is still needed.
func (c *Conn) interrupt() { _ = c.config.In.SetReadDeadline(time.Unix(1, 0)) }

// listen hands out lines until it is enough, and gives up ear; or until the stream
// ends, and nobody reads any more.
func (c *Conn) listen(enough func() bool) {
	for !enough() {
		err := c.next()
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			_ = c.config.In.SetReadDeadline(time.Time{}) // before it is asked whether that was meant for us
		case err != nil:
			go c.over(err)
			return
		}
	}
	<-c.ear
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rest.Reset(restTime)
}

// over ends the connection with its stream.
func (c *Conn) over(cause error) {
	defer close(c.ended)
	death := &driver.CallError{Kind: driver.ErrClosed, Detail: cause.Error()}
	if c.config.Ended != nil {
		death = c.config.Ended(End{Cause: cause, Answered: c.Answered()})
	}
	c.end(death)
}

// next reads a line and hands it out. The error ends the stream, unless it is
// os.ErrDeadlineExceeded: then the line is read on by whoever reads next.
func (c *Conn) next() error {
	err := c.line()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	line, long := driver.Fitted(c.begun), c.long
	c.begun, c.long = nil, false
	switch {
	case long: // dealt with while it came in
	case err != nil && !errors.Is(err, io.EOF):
		c.cut(line)
	default:
		c.take(line, err != nil)
	}
	if err == nil && c.beyond(2*c.limits.Message) {
		return ErrFlood
	}
	return err
}

// line reads up to a line end. What is beyond the limit is read too, since the
// next line stands behind it, but not kept.
func (c *Conn) line() error {
	for {
		piece, err := c.in.ReadSlice('\n')
		if c.long {
			c.count(len(piece))
		} else {
			limit := c.limit()
			c.begun = append(driver.Grow(c.begun, len(piece), limit+int64(len(piece))), piece...)
			if int64(len(c.begun)) > limit {
				c.long = true
				c.tooLong(c.begun, limit)
				c.begun = nil
			}
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		if c.beyond(c.limits.Total) {
			return ErrLine
		}
	}
}

// limit is the length that a line may have now.
func (c *Conn) limit() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	limit := c.limits.Message
	for _, w := range c.waiting {
		limit = max(limit, w.call.Limit)
	}
	return limit
}

func (c *Conn) count(bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unsolicit += int64(bytes)
}

// beyond reports whether more came that answers nothing than is allowed: for a flood of
// lines twice the limit of a message, for the rest of one long line as much as a
// list may have, so that a connection outlives an answer which was merely too long.
func (c *Conn) beyond(allowed int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.unsolicit > allowed
}

// take finds out what a line is and for whom.
func (c *Conn) take(line []byte, last bool) {
	text := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")))
	if len(text) == 0 {
		c.count(len(line))
		return
	}
	if text[0] != '{' && text[0] != '[' {
		c.odd("a line that is no message", line)
		return
	}
	m, err := jsonrpc.Read(text)
	if last && m.NoJSON {
		c.cut(line)
		return
	}
	c.mu.Lock()
	target := c.match(m, text)
	if target != nil {
		c.hand(target, line, m, err)
		c.mu.Unlock()
		return
	}
	candidate := c.candidate(m)
	if candidate != nil {
		candidate.candidate = &delivery{reply: Reply{Line: line,
			Answer: jsonrpc.Malformed("id is that of an earlier request")}}
	}
	c.mu.Unlock()
	switch {
	case m.Defect == "" && m.IsRequest():
		c.count(len(line))
		c.serve(m)
	case m.Defect == "" && m.IsNotification(), c.late(m):
		c.count(len(line))
	default:
		c.odd("a message that answers no call", line)
	}
}

// hand delivers a line to its call. The lock is held.
func (c *Conn) hand(w *waiter, line []byte, m jsonrpc.Message, err error) {
	delete(c.waiting, w.call.ID)
	c.answered, c.handed, c.unsolicit = true, true, 0
	var tooDeep *driver.CallError
	if errors.As(err, &tooDeep) {
		w.delivered <- delivery{err: withReceived(tooDeep, line)}
		return
	}
	answer := m.Answer()
	if defect := m.IDDefect(w.call.ID); m.Defect == "" && defect != "" {
		answer = jsonrpc.Malformed(defect)
	}
	if m.IsRequest() {
		answer = jsonrpc.Malformed("the request itself came back")
	}
	w.delivered <- delivery{reply: Reply{Line: line, Answer: answer}}
}

// match finds the call that a line answers, also where it does so badly: a line
// that looks like a reply, while just one call waits, is meant for that call.
func (c *Conn) match(m jsonrpc.Message, text []byte) *waiter {
	number, isInteger := m.Number()
	w := c.waiting[number]
	if isInteger && w != nil && (!m.IsRequest() || m.MethodName() == w.call.Method) {
		return w
	}
	if m.Defect == "" && m.Method != nil && !m.IsResponse() {
		return nil
	}
	if isInteger && c.known(number) || len(c.waiting) != 1 || !looksLikeReply(m, text) {
		return nil
	}
	for _, w = range c.waiting {
	}
	return w
}

// known reports whether an id was issued before.
func (c *Conn) known(id int64) bool { return id > 0 && id <= c.last && c.waiting[id] == nil }

// candidate finds the call that a second reply to an earlier request may be meant
// for: a host that gives every answer the same id.
func (c *Conn) candidate(m jsonrpc.Message) *waiter {
	number, isInteger := m.Number()
	if len(c.waiting) != 1 || !isInteger || !c.known(number) || c.abandoned[number] || !m.IsResponse() {
		return nil
	}
	for _, w := range c.waiting {
		return w
	}
	return nil
}

// late reports whether a message answers a call that was given up.
func (c *Conn) late(m jsonrpc.Message) bool {
	number, isInteger := m.Number()
	c.mu.Lock()
	defer c.mu.Unlock()
	return isInteger && c.abandoned[number]
}

// looksLikeReply leaves out what a program may log as JSON.
func looksLikeReply(m jsonrpc.Message, text []byte) bool {
	if text[0] == '[' {
		return bytes.HasPrefix(bytes.TrimSpace(text[1:]), []byte("{"))
	}
	if m.Version != nil || m.ID != nil || m.IsResponse() {
		return true
	}
	return len(bytes.TrimSpace(bytes.Trim(text, "{}"))) == 0 || m.NoJSON && bytes.Contains(text, []byte(`"jsonrpc"`))
}

// tooLong fails the call that an endless line belongs to. Where its beginning does
// not say which that is, it may be any.
func (c *Conn) tooLong(line []byte, limit int64) {
	kept := bytes.Clone(line[:min(len(line), 64<<10)])
	m, _ := jsonrpc.Read(kept)
	number, isInteger := m.Number()
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, w := range c.waiting {
		if isInteger && id != number {
			continue
		}
		delete(c.waiting, id)
		c.abandoned[id] = true
		w.delivered <- delivery{err: &driver.CallError{
			Kind: driver.ErrTooLarge, Detail: "a line of more than " + driver.Size(limit),
			Exchange: driver.Exchange{Received: kept},
		}}
	}
}

// cut keeps what had arrived when the stream broke off.
func (c *Conn) cut(line []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(line) > 0 {
		c.partial = line
		c.warnings.add("the output ends in the middle of a line", line)
	}
}

func (c *Conn) odd(what string, line []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unsolicit += int64(max(len(line), lineCost))
	c.warnings.add(what, line)
}

func withReceived(err *driver.CallError, line []byte) *driver.CallError {
	copied := *err
	copied.Exchange.Received = line
	return &copied
}

// warnings keeps the first few and counts the others.
type warnings struct {
	kept []string
	more int
}

func (w *warnings) add(what string, line []byte) {
	if len(w.kept) >= maxWarnings {
		w.more++
		return
	}
	if line != nil {
		line = bytes.TrimRight(line, "\r\n")
		what = fmt.Sprintf("%s: %q", what, line[:min(len(line), shown)])
	}
	w.kept = append(w.kept, what)
}

func (w *warnings) list() []string {
	if w.more == 0 {
		return slices.Clone(w.kept)
	}
	return append(slices.Clone(w.kept), fmt.Sprintf("%d more", w.more))
}
