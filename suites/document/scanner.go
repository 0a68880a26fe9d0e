package document

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// scanner splits a text of any length into values that are parsed one by one. It only finds the
// ends of JSON values; the parser checks their content.
type scanner struct {
	ctx          context.Context // valid during one call of Each
	in           *bufio.Reader
	path         string
	limits       Limits
	visit        func(Entry)
	line, column int               // of the next byte
	tokens       *jsontext.Decoder // reused for each value
	text         []byte
	long         bool // the value exceeds the limit, and text contains its beginning
}

func newScanner(ctx context.Context, in io.Reader, path string, limits Limits, visit func(Entry)) *scanner {
	const window = 1 << 16
	s := &scanner{ctx: ctx, in: bufio.NewReaderSize(in, window), path: path, limits: limits, visit: visit, line: 1,
		column: 1, tokens: jsontext.NewDecoder(new(bytes.Buffer))}
	if head, err := s.in.Peek(len(byteOrderMark)); err == nil && bytes.Equal(head, byteOrderMark) {
		_, _ = s.in.Discard(len(byteOrderMark))
	}
	return s
}

// isCancelled reports whether reading was cancelled.
func (s *scanner) isCancelled() bool { return s.ctx.Err() != nil }

// lines visits one value per line that is not blank.
func (s *scanner) lines() *Error {
	for !s.isCancelled() {
		s.text, s.long = s.text[:0], false
		ended := false
		for !ended {
			part, err := s.in.ReadSlice('\n')
			s.keep(part)
			if err == nil {
				ended = true
			} else if !errors.Is(err, bufio.ErrBufferFull) {
				if !errors.Is(err, io.EOF) {
					return unreadable(s.path, err)
				}
				break
			}
		}
		if line := bytes.TrimRight(s.text, " \t\r\n"); len(line) > 0 || s.long {
			s.visitText(line, "", !ended)
		}
		if !ended {
			return nil
		}
		s.line++
	}
	return nil
}

func (s *scanner) keep(part []byte) {
	if s.long = s.long || len(s.text)+len(part) > s.limits.Size; !s.long {
		s.text = append(s.text, part...)
	}
}

// visitText parses a value that starts at line and column and visits it.
func (s *scanner) visitText(text []byte, list string, last bool) {
	node, err := s.parse(text, s.line, s.column)
	if err != nil {
		s.visit(Entry{Err: err, List: list, Cut: last && err.Kind != Limit})
		return
	}
	s.visit(Entry{Node: node, List: list})
}

func (s *scanner) parse(text []byte, line, column int) (*Node, *Error) {
	if s.long {
		return nil, &Error{Kind: Limit, Path: s.path, Line: line, Column: column,
			Message: fmt.Sprintf("the value is longer than capconform's limit of %d bytes", s.limits.Size)}
	}
	if err := checkText(text, s.limits); err != nil {
		err.Path = s.path
		if err.Line == 1 {
			err.Column += column - 1
		}
		err.Line = max(err.Line, 1) + line - 1
		err.Column = max(err.Column, 1)
		return nil, err
	}
	s.tokens.Reset(bytes.NewBuffer(text))
	roots, err := parseJSONAt(s.tokens, text, s.limits, place{line: line, column: column})
	if err != nil {
		err.Path = s.path
		return nil, err
	}
	return roots[0], nil
}

// lists visits the items of the lists of one value, and returns its members.
func (s *scanner) lists() (*Node, *Error) {
	opening, err := s.next()
	if err != nil {
		return nil, err
	}
	switch opening {
	case '[':
		_ = s.step()
		err = s.items("")
		if err == nil {
			err = s.end()
		}
		return nil, err
	case '{':
		head := &Node{Kind: Object, Line: s.line, Column: s.column}
		_ = s.step()
		err = s.members(head)
		if err == nil {
			err = s.end()
		}
		return head, err
	}
	return nil, s.refuse("this is neither an object nor a list")
}

// items visits the values of a list after its bracket.
func (s *scanner) items(list string) *Error {
	return s.sequence(']', func() *Error {
		line, column := s.line, s.column
		if err := s.value(); err != nil {
			return err
		}
		node, err := s.parse(s.text, line, column)
		s.visit(Entry{Node: node, Err: err, List: list})
		return nil
	})
}

// headMembers bounds the members of a value that is too long to be held: they are kept, and each
// name is compared with all earlier ones.
const headMembers = 1000

// members reads the members of the value after its bracket.
func (s *scanner) members(head *Node) *Error {
	return s.sequence('}', func() *Error {
		m := Member{Line: s.line, Column: s.column}
		if len(head.Members) == headMembers {
			return &Error{Kind: Limit, Path: s.path, Line: s.line, Column: s.column,
				Message: fmt.Sprintf("the value has more than capconform's limit of %d members", headMembers)}
		}
		if b, err := s.next(); err != nil || b != '"' {
			return s.refuse("this is not JSON: want the name of a member here")
		}
		if err := s.value(); err != nil {
			return err
		}
		name, err := s.parse(s.text, m.Line, m.Column)
		if err != nil {
			return err
		}
		m.Name = name.Text
		if before := head.Member(m.Name); before != nil {
			return duplicate(m.Name, before, m.Line, m.Column)
		}
		if b, err := s.next(); err != nil || b != ':' {
			return s.refuse("this is not JSON: want a colon here")
		}
		_ = s.step()
		b, err := s.next()
		if err != nil {
			return err
		}
		line, column := s.line, s.column
		if b == '[' {
			_ = s.step()
			m.Value = &Node{Kind: Array, Line: line, Column: column}
			head.Members = append(head.Members, m)
			return s.items(m.Name)
		}
		if err := s.value(); err != nil {
			return err
		}
		m.Value, err = s.parse(s.text, line, column)
		if err != nil {
			return err
		}
		head.Members = append(head.Members, m)
		return nil
	})
}

// sequence reads what is separated by commas, up to the closing bracket.
func (s *scanner) sequence(closing byte, one func() *Error) *Error {
	for first := true; !s.isCancelled(); first = false {
		b, err := s.next()
		if err != nil {
			return err
		}
		if b == closing && first {
			return s.step()
		}
		if err := one(); err != nil {
			return err
		}
		if b, err = s.next(); err != nil {
			return err
		}
		switch b {
		case closing:
			return s.step()
		case ',':
			_ = s.step()
		default:
			return s.refuse("this is not JSON: want a comma or a closing bracket here")
		}
	}
	return nil
}

// end returns an error if anything follows the value.
func (s *scanner) end() *Error {
	if s.ctx.Err() != nil {
		return nil
	}
	if _, err := s.next(); err == nil {
		return s.refuse("there is text after the JSON value")
	}
	return nil
}

// value reads the text of the next value into s.text, up to the limit.
func (s *scanner) value() *Error {
	s.text, s.long = s.text[:0], false
	var x extent
	for {
		if _, err := s.in.Peek(1); err != nil {
			return s.readError(err)
		}
		window, _ := s.in.Peek(s.in.Buffered())
		n, ended := x.of(window)
		s.keep(window[:n])
		s.advance(window[:n])
		_, _ = s.in.Discard(n)
		switch {
		case ended && !x.begun:
			return s.refuse("this is not JSON: want a value here")
		case ended:
			return nil
		}
	}
}

// extent finds the end of a value that arrives in parts.
type extent struct {
	depth                  int
	begun, quoted, escaped bool
}

// of returns how many bytes of a part belong to the value, and whether it ends there.
func (x *extent) of(part []byte) (n int, ended bool) {
	for i, b := range part {
		switch {
		case x.escaped:
			x.escaped = false
		case x.quoted:
			x.escaped, x.quoted = b == '\\', b != '"'
			if b == '"' && x.depth == 0 {
				return i + 1, true
			}
		case b == '"':
			x.quoted = true
		case b == '{' || b == '[':
			x.depth++
		case b == '}' || b == ']':
			if x.depth == 0 {
				return i, true
			}
			if x.depth--; x.depth == 0 {
				return i + 1, true
			}
		case x.depth == 0 && (b == ',' || b == ':' || b <= ' '):
			return i, true
		}
		x.begun = true
	}
	return len(part), false
}

// advance counts the lines and columns of a text that was read.
func (s *scanner) advance(text []byte) {
	p := place{text: text, line: s.line, column: s.column}
	p.forward(len(text))
	s.line, s.column = p.line, p.column
}

// next skips blanks and returns the next byte without consuming it.
func (s *scanner) next() (byte, *Error) {
	for {
		b, err := s.in.ReadByte()
		if err != nil {
			return 0, s.readError(err)
		}
		if strings.IndexByte(" \t\r\n", b) < 0 {
			_ = s.in.UnreadByte()
			return b, nil
		}
		s.advance([]byte{b})
	}
}

// step consumes the byte that next returned.
func (s *scanner) step() *Error {
	b, err := s.in.ReadByte()
	if err != nil {
		return s.readError(err)
	}
	s.advance([]byte{b})
	return nil
}

func (s *scanner) readError(err error) *Error {
	if !errors.Is(err, io.EOF) {
		return unreadable(s.path, err)
	}
	return s.refuse("the JSON ends too early")
}

func (s *scanner) refuse(message string) *Error {
	return &Error{Kind: Syntax, Path: s.path, Line: s.line, Column: s.column, Message: message}
}
