package document

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Nested parses the JSON in a string of a file. The places of its values are those of the file,
// through blocks, quotes and escapes. A value that cannot be located has the place of the string.
// The error is an *Error with a place of the file.
func (f *File) Nested(n *Node, limits Limits) (*Node, error) {
	limits = limits.WithDefaults()
	text := []byte(n.Text)
	follow := func() *follower { return newFollower(f, n) }
	refuse := func(err *Error) (*Node, error) {
		err.Path = f.Path
		err.Line, err.Column = follow().place(max(err.Line, 1), max(err.Column, 1))
		if within := err.earlier; within != [2]int{} {
			err.earlier[0], err.earlier[1] = follow().place(within[0], within[1])
			err.Message = strings.TrimSuffix(err.Message, firstAt(within)) + firstAt(err.earlier)
		}
		return nil, err
	}
	if err := checkText(text, limits); err != nil {
		return refuse(err)
	}
	roots, err := parseJSON(text, limits)
	if err != nil {
		return refuse(err)
	}
	follow().move(roots[0])
	return roots[0], nil
}

// follower walks through a string in its parsed and in its written form at the same time. If the
// two diverge, it stays at the string.
type follower struct {
	n            *Node
	text         []byte // what is left of the string
	line, column int    // within the string
	at           place  // in the file
	lost         bool
}

func newFollower(f *File, n *Node) *follower {
	w := &follower{n: n, text: []byte(n.Text), line: 1, column: 1}
	w.at = place{text: f.decoded, line: 1, column: 1}
	for line := n.Line; w.at.line < line && !w.lost; {
		w.skipPast('\n')
	}
	if n.Style == Literal || n.Style == Folded {
		w.skipPast('\n')
		return w
	}
	for w.at.column < n.Column && !w.lost {
		w.step()
	}
	if n.Style != Plain && !w.lost {
		w.step() // the opening quote
	}
	return w
}

// skipPast moves after the next character of a kind.
func (w *follower) skipPast(r rune) {
	i := bytes.IndexRune(w.at.text[w.at.offset:], r)
	if i < 0 {
		w.lost = true
		return
	}
	w.at.forward(w.at.offset + i + utf8.RuneLen(r))
}

func (w *follower) step() {
	if w.at.offset >= len(w.at.text) {
		w.lost = true
		return
	}
	_, size := utf8.DecodeRune(w.at.text[w.at.offset:])
	w.at.forward(w.at.offset + size)
}

// place returns the place in the file of a line and a column of the string. They must not be before
// those of the last call.
func (w *follower) place(line, column int) (int, int) {
	for !w.lost && (w.line < line || w.line == line && w.column < column) && len(w.text) > 0 {
		w.pass()
	}
	w.align()
	if w.lost {
		return w.n.Line, w.n.Column
	}
	return w.at.line, w.at.column
}

// pass moves over one character of the string.
func (w *follower) pass() {
	w.align()
	r, size := utf8.DecodeRune(w.text)
	w.text = w.text[size:]
	if w.column++; r == '\n' {
		w.line, w.column = w.line+1, 1
	}
	written, length := w.written()
	switch {
	case w.lost:
	case written == r || unicode.IsSpace(written) && unicode.IsSpace(r):
		w.at.forward(w.at.offset + length)
	case unicode.IsSpace(r): // a blank from folding
	default:
		w.lost = true
	}
}

// align skips blanks that are written and not part of the value: indentation, and the ends of lines
// that were folded.
func (w *follower) align() {
	if w.lost || len(w.text) == 0 {
		return
	}
	r, _ := utf8.DecodeRune(w.text)
	for !w.lost {
		written, length := w.written()
		if !unicode.IsSpace(written) || unicode.IsSpace(r) && (r != '\n' || written == '\n') {
			return
		}
		w.at.forward(w.at.offset + length)
	}
}

// written reads the next character in its written form, with escapes resolved.
func (w *follower) written() (r rune, length int) {
	rest := w.at.text[w.at.offset:]
	if len(rest) == 0 {
		w.lost = true
		return utf8.RuneError, 0
	}
	switch {
	case w.n.Style == SingleQuoted && bytes.HasPrefix(rest, []byte("''")):
		return '\'', len("''")
	case w.n.Style == DoubleQuoted && rest[0] == '\\' && len(rest) > 1:
		return escaped(rest)
	}
	return utf8.DecodeRune(rest)
}

// simpleEscapes are the escapes of one letter that stand for another character.
var simpleEscapes = map[byte]rune{
	'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', '0': 0, 'a': '\a', 'v': '\v', 'e': '\x1b', 'N': '\u0085',
	'_': '\u00a0', 'L': '\u2028', 'P': '\u2029',
}

// escaped reads an escape of JSON or YAML.
func escaped(rest []byte) (r rune, length int) {
	const lead = 2 // the backslash and its letter
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[rest[1]]
	if digits == 0 {
		if r, known := simpleEscapes[rest[1]]; known {
			return r, lead
		}
		if rest[1] == '\n' {
			return ' ', lead // the end of the line is ignored
		}
		return rune(rest[1]), lead
	}
	code, ok := hexadecimal(rest, lead, digits)
	if !ok {
		return utf8.RuneError, 1
	}
	length = lead + digits
	if utf16.IsSurrogate(code) && len(rest) > length+lead && rest[length] == '\\' {
		if second, ok := hexadecimal(rest, length+lead, digits); ok {
			return utf16.DecodeRune(code, second), 2 * length
		}
	}
	return code, length
}

func hexadecimal(rest []byte, from, digits int) (rune, bool) {
	if len(rest) < from+digits {
		return 0, false
	}
	code, err := strconv.ParseUint(string(rest[from:from+digits]), 16, 32)
	return rune(code), err == nil // at most eight digits; an invalid rune matches nothing
}

// move sets the place of every value below n to its place in the file.
func (w *follower) move(n *Node) {
	n.Line, n.Column = w.place(n.Line, n.Column)
	for i := range n.Members {
		m := &n.Members[i]
		m.Line, m.Column = w.place(m.Line, m.Column)
		w.move(m.Value)
	}
	for _, item := range n.Items {
		w.move(item)
	}
}
