package httpdriver

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/capconform/capconform/suites/driver"
)

// ErrEventTooLong reports that a stream exceeds a limit.
var ErrEventTooLong = errors.New("an event or a stream exceeds a limit")

// ServerEvent is one server-sent event.
type ServerEvent struct {
	Name  string
	Data  []byte
	ID    string  // of this or an earlier event
	Own   *string // the id of this event, nil if it has none
	Retry *string
}

// Events reads server-sent events, with any of the three line ends.
type Events struct {
	in     *bufio.Reader
	Limit  int64 // bytes of one event
	total  int64 // bytes that may still come
	LastID string
	Retry  time.Duration // as the stream stated it, 0 if it did not
	after  bool          // the last line ended with CR: an LF that follows belongs to it
}

// NewEvents returns a reader of events of at most limit bytes, together at most total.
func NewEvents(in io.Reader, limit, total int64) *Events {
	return &Events{in: bufio.NewReaderSize(in, 32<<10), Limit: limit, total: total}
}

// Next returns the next event that has data. At the end of the stream the error is io.EOF, and an
// event without a final empty line is dropped, as the format requires.
func (e *Events) Next() (ServerEvent, error) {
	for {
		current, err := e.Any()
		if err != nil || len(current.Data) > 0 {
			return current, err
		}
	}
}

// Any is Next for events with and without data.
func (e *Events) Any() (ServerEvent, error) {
	var current ServerEvent
	fields, hasData := 0, false
	for {
		line, err := e.line(int64(len(current.Data)))
		if err != nil {
			return current, err
		}
		if len(line) == 0 {
			if fields > 0 {
				current.ID = e.LastID
				return current, nil
			}
			continue
		}
		fields++
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "event":
			current.Name = string(value)
		case "data":
			if !hasData { // no other reference to the line exists
				current.Data, hasData = value, true
				continue
			}
			current.Data = append(driver.Grow(current.Data, len(value)+1, e.Limit), '\n')
			current.Data = append(current.Data, value...)
		case "id":
			e.LastID = string(value)
			own := e.LastID
			current.Own = &own
		case "retry":
			text := string(value)
			current.Retry = &text
			if ms, err := strconv.ParseUint(text, 10, 31); err == nil {
				e.Retry = time.Duration(ms) * time.Millisecond
			}
		default: // a comment, or a field that the format does not define
			fields--
		}
	}
}

// Reset continues with another body of the same stream.
func (e *Events) Reset(in io.Reader) { e.in.Reset(in) }

// line reads up to CR, LF or CRLF. It does not wait after a CR: an LF that follows is skipped when
// the next line is read.
func (e *Events) line(before int64) ([]byte, error) {
	var line []byte
	for {
		c, err := e.in.ReadByte()
		if err != nil {
			return line, err
		}
		if c == '\n' && e.after {
			e.after = false
			continue
		}
		e.after = c == '\r'
		if e.total--; e.total < 0 || before+int64(len(line)) > e.Limit+int64(len("data: ")) {
			return line, ErrEventTooLong
		}
		if c == '\n' || c == '\r' {
			return bytes.TrimPrefix(driver.Fitted(line), []byte("\xef\xbb\xbf")), nil
		}
		line = append(driver.Grow(line, 1, e.Limit+16), c)
	}
}
