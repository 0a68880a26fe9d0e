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
	maxReplies    = 16              // answers to requests of the peer that wait to be written
	replyTime     = 5 * time.Second // time for the peer to read such an answer
	maxWarnings   = 16
	warningLength = 80 // bytes of a line that a warning shows
	minLineCost   = 64 // the least number of bytes that a line counts as: many short lines take time too
)

// ErrFlood reports that a peer wrote more than Limits.Message consecutive bytes that answer
// nothing.
var ErrFlood = errors.New("lines: too much output that answers nothing")

// ErrLine reports that a peer wrote a line of more than Limits.Total bytes.
var ErrLine = errors.New("lines: an endless line")

// readUnawaited reads while no caller waits for a reply, until it has delivered one.
func (c *Conn) readUnawaited() {
	select {
	case c.reading <- struct{}{}:
	default:
		return // the reader restarts the rest
	}
	c.mu.Lock()
	c.deliveredAny = false
	c.mu.Unlock()
	c.listen(func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.deliveredAny
	})
}

// interrupt wakes the reader, which then checks whether it is still needed.
func (c *Conn) interrupt() { _ = c.config.In.SetReadDeadline(time.Unix(1, 0)) }

// listen delivers lines until enough reports true, and releases reading; or until the stream ends,
// after which nobody reads.
func (c *Conn) listen(enough func() bool) {
	for !enough() {
		err := c.next()
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			_ = c.config.In.SetReadDeadline(time.Time{}) // before the check whether the interruption concerns this reader
		case err != nil:
			go c.streamEnded(err)
			return
		}
	}
	<-c.reading
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unawaitedTimer.Reset(unawaitedDelay)
}

// streamEnded ends the connection when its stream has ended.
func (c *Conn) streamEnded(cause error) {
	defer close(c.ended)
	death := &driver.CallError{Kind: driver.ErrClosed, Detail: cause.Error()}
	if c.config.Ended != nil {
		death = c.config.Ended(End{Cause: cause, Answered: c.Answered()})
	}
	c.end(death)
}

// next reads a line and delivers it. An error ends the stream, unless it is os.ErrDeadlineExceeded:
// then the next reader continues the line.
func (c *Conn) next() error {
	err := c.line()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	line, long := driver.Fitted(c.begun), c.long
	c.begun, c.long = nil, false
	switch {
	case long: // handled while it arrived
	case err != nil && !errors.Is(err, io.EOF):
		c.keepPartial(line)
	default:
		c.take(line, err != nil)
	}
	if err == nil && c.beyond(2*c.limits.Message) {
		return ErrFlood
	}
	return err
}

// line reads up to a line end. It reads but does not keep what exceeds the limit, because the next
// line follows.
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

// limit returns the length that a line may have now.
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
	c.unsolicited += int64(bytes)
}

// beyond reports whether more arrived without an answer than permitted: twice the limit of a
// message for many lines, and the limit of a list for the rest of one long line, so that a
// connection survives an answer that is only too long.
func (c *Conn) beyond(allowed int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.unsolicited > allowed
}

// take finds out what a line is, and to which call it belongs.
func (c *Conn) take(line []byte, last bool) {
	text := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")))
	if len(text) == 0 {
		c.count(len(line))
		return
	}
	if text[0] != '{' && (text[0] != '[' || !c.exchanges() && !looksLikeReply(jsonrpc.Message{}, text)) {
		c.addNoise(line)
		return
	}
	m, err := jsonrpc.Read(text)
	if last && m.NoJSON {
		c.keepPartial(line)
		return
	}
	if m.NoJSON && len(text) == 1 {
		m.Defect = "it spans several lines, but a message is one line"
	}
	if c.deliver(m, line, text, err) {
		return
	}
	switch {
	case m.Defect == "" && m.IsRequest():
		c.count(len(line))
		c.config.Heard.Add("request", "", line)
		c.serve(m)
	case m.Defect == "" && m.IsNotification():
		c.count(len(line))
		c.config.Heard.Add("notification", "", line)
	case c.answersAbandoned(m):
		c.count(len(line))
	case m.Method == nil && !looksLikeReply(m, text):
		c.addNoise(line)
	default:
		c.warn("a message that answers no call", line)
	}
}

// deliver passes a line to the call that it answers, and reports whether there is one. A line that
// may answer the only call is used if no better one arrives.
func (c *Conn) deliver(m jsonrpc.Message, line, text []byte, err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.arrives(m, line) {
		return true
	}
	notice := c.answersNotice(m)
	w := c.match(m, text)
	var defect string
	switch {
	case w == nil:
		w, defect = c.candidate(m), "id is that of an earlier request"
	case notice:
		defect = m.IDDefect(w.call.ID)
	default:
		c.deliverTo(w, line, m, err)
		return true
	}
	if w != nil {
		w.candidate = &delivery{reply: Reply{Line: line, Answer: jsonrpc.Malformed(defect)}}
	}
	return false
}

// exchanges reports whether an exchange is in progress: then a list is a batch of answers, even if it is empty.
func (c *Conn) exchanges() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.arrivals != nil
}

// answersNotice reports whether a line may be the reply to a notification: an error without an id.
// Each notification explains one such reply. The caller holds the lock.
func (c *Conn) answersNotice(m jsonrpc.Message) bool {
	if c.notices == 0 || m.Error == nil || m.ID != nil && string(m.ID) != "null" {
		return false
	}
	c.notices--
	return true
}

// deliverTo delivers a line to its call. The caller holds the lock.
func (c *Conn) deliverTo(w *waiter, line []byte, m jsonrpc.Message, err error) {
	delete(c.waiting, w.call.ID)
	c.answered, c.deliveredAny, c.unsolicited = true, true, 0
	var tooDeep *driver.CallError
	if errors.As(err, &tooDeep) {
		w.delivered <- delivery{err: withReceived(tooDeep, line)}
		return
	}
	answer := m.Answer()
	if defect := m.IDDefect(w.call.ID); m.Defect == "" && defect != "" {
		answer = m.Malformed(defect)
	}
	if m.IsRequest() {
		answer = jsonrpc.Malformed("the request itself was returned")
	}
	w.delivered <- delivery{reply: Reply{Line: line, Answer: answer}}
}

// match finds the call that a line answers, even if the answer is defective: if only one call
// waits, a line that looks like a reply belongs to it.
func (c *Conn) match(m jsonrpc.Message, text []byte) *waiter {
	number, isInteger := m.Number()
	w := c.waiting[number]
	if isInteger && w != nil && (!m.IsRequest() || m.MethodName() == w.call.Method) {
		return w
	}
	if m.Defect == "" && m.Method != nil && !m.IsResponse() {
		return nil
	}
	if isInteger && c.wasIssued(number) || len(c.waiting) != 1 || !looksLikeReply(m, text) {
		return nil
	}
	for _, w = range c.waiting {
	}
	return w
}

// wasIssued reports whether an id was issued before.
func (c *Conn) wasIssued(id int64) bool { return id > 0 && id <= c.last && c.waiting[id] == nil }

// candidate finds the call to which a second reply with the id of an earlier request may belong:
// some hosts give every answer the same id.
func (c *Conn) candidate(m jsonrpc.Message) *waiter {
	number, isInteger := m.Number()
	if len(c.waiting) != 1 || !isInteger || !c.wasIssued(number) || c.abandoned[number] || !m.IsResponse() {
		return nil
	}
	for _, w := range c.waiting {
		return w
	}
	return nil
}

// answersAbandoned reports whether a message answers an abandoned call.
func (c *Conn) answersAbandoned(m jsonrpc.Message) bool {
	number, isInteger := m.Number()
	c.mu.Lock()
	defer c.mu.Unlock()
	return isInteger && c.abandoned[number]
}

// looksLikeReply excludes JSON that a program may log.
func looksLikeReply(m jsonrpc.Message, text []byte) bool {
	if text[0] == '[' {
		return bytes.HasPrefix(bytes.TrimSpace(text[1:]), []byte("{"))
	}
	if m.Version != nil || m.ID != nil || m.IsResponse() {
		return true
	}
	return len(bytes.TrimSpace(bytes.Trim(text, "{}"))) == 0 || m.NoJSON && bytes.Contains(text, []byte(`"jsonrpc"`))
}

// tooLong fails the call to which an endless line belongs. If its beginning does not show the call,
// it may be any.
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

// keepPartial keeps the incomplete line at the end of the stream.
func (c *Conn) keepPartial(line []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(line) > 0 {
		c.partial = line
		c.warnings.add("the output ends in the middle of a line", line)
	}
}

// addNoise counts a line that is not a message, and keeps the first one.
func (c *Conn) addNoise(line []byte) {
	c.config.Heard.Add("noise", "", line)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unsolicited += int64(max(len(line), minLineCost))
	if c.noise.Lines++; c.noise.Lines == 1 {
		line = bytes.TrimRight(line, "\r\n")
		c.noise.First = string(line[:min(len(line), warningLength)])
	}
}

func (c *Conn) warn(what string, line []byte) {
	c.config.Heard.Add("other", "", line)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unsolicited += int64(max(len(line), minLineCost))
	c.warnings.add(what, line)
}

func withReceived(err *driver.CallError, line []byte) *driver.CallError {
	copied := *err
	copied.Exchange.Received = line
	return &copied
}

// warnings keeps the first warnings and counts the others.
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
		what = fmt.Sprintf("%s: %q", what, line[:min(len(line), warningLength)])
	}
	w.kept = append(w.kept, what)
}

func (w *warnings) list() []string {
	if w.more == 0 {
		return slices.Clone(w.kept)
	}
	return append(slices.Clone(w.kept), fmt.Sprintf("%d more", w.more))
}
