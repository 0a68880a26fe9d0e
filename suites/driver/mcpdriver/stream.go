package mcpdriver

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/capconform/capconform/suites/driver"
)

// errEventTooLong reports that a stream exceeds a limit.
var errEventTooLong = errors.New("mcpdriver: an event or a stream exceeds a limit")

// event is one server-sent event.
type event struct {
	name  string
	data  []byte
	id    string  // of this or an earlier event
	own   *string // the id of this event, nil if it has none
	retry *string
}

// events reads server-sent events, with any of the three line ends.
type events struct {
	in     *bufio.Reader
	limit  int64 // bytes of one event
	total  int64 // bytes that may still come
	lastID string
	retry  time.Duration
	after  bool // the last line ended with CR: an LF that follows belongs to it
}

func newEvents(in io.Reader, limit, total int64) *events {
	return &events{in: bufio.NewReaderSize(in, 32<<10), limit: limit, total: total}
}

// next returns the next event that has data. At the end of the stream the error is io.EOF, and an
// event without a final empty line is dropped, as the format requires.
func (e *events) next() (event, error) {
	for {
		current, err := e.any()
		if err != nil || len(current.data) > 0 {
			return current, err
		}
	}
}

// any is next for events with and without data.
func (e *events) any() (event, error) {
	var current event
	fields, hasData := 0, false
	for {
		line, err := e.line(int64(len(current.data)))
		if err != nil {
			return current, err
		}
		if len(line) == 0 {
			if fields > 0 {
				current.id = e.lastID
				return current, nil
			}
			continue
		}
		fields++
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "event":
			current.name = string(value)
		case "data":
			if !hasData { // no other reference to the line exists
				current.data, hasData = value, true
				continue
			}
			current.data = append(driver.Grow(current.data, len(value)+1, e.limit), '\n')
			current.data = append(current.data, value...)
		case "id":
			e.lastID = string(value)
			own := e.lastID
			current.own = &own
		case "retry":
			text := string(value)
			current.retry = &text
			if ms, err := strconv.ParseUint(text, 10, 31); err == nil {
				e.retry = time.Duration(ms) * time.Millisecond
			}
		default: // a comment, or a field that the format does not define
			fields--
		}
	}
}

// line reads up to CR, LF or CRLF. It does not wait after a CR: an LF that follows is skipped when
// the next line is read.
func (e *events) line(before int64) ([]byte, error) {
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
		if e.total--; e.total < 0 || before+int64(len(line)) > e.limit+int64(len("data: ")) {
			return line, errEventTooLong
		}
		if c == '\n' || c == '\r' {
			return bytes.TrimPrefix(driver.Fitted(line), []byte("\xef\xbb\xbf")), nil
		}
		line = append(driver.Grow(line, 1, e.limit+16), c)
	}
}
