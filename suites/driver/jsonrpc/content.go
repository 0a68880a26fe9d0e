package jsonrpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/capconform/capconform/suites/driver"
)

// The bounds of numbers. The decoders of answers have the same bounds.
const (
	maxNumberLength = 1000 // characters
	maxExponent     = 400
	listLevels      = 3 // levels above the elements of a list, with the result of a tool
)

// checkContent enforces the limits on what a text needs when it is decoded, which is many times its
// length. The syntax was checked when the message was read. An answer that exceeds a limit here is
// not defective, so that no reader has to distinguish the two.
func checkContent(limits driver.Limits, op driver.Operation, text json.RawMessage) error {
	s := scan{limits: limits, single: op.List && op.Single}
	for i := 0; i < len(text); {
		next, err := s.token(text, i)
		if err != nil {
			return err
		}
		i = next
	}
	return nil
}

// scan is one pass over the bytes of a JSON text.
type scan struct {
	limits driver.Limits
	single bool                 // values are counted again for each element of a list
	list   [listLevels + 1]bool // the value at each of the first levels is a list
	depth  int
	values int
}

// token reads one token, and returns the place after it.
func (s *scan) token(text []byte, i int) (next int, err error) {
	switch c := text[i]; c {
	case '{', '[':
		if s.depth++; s.depth > s.limits.Depth {
			return 0, limitError("more than %d levels of nesting", s.limits.Depth)
		}
		if s.depth <= listLevels {
			s.list[s.depth] = c == '['
		}
		return i + 1, s.value()
	case '}', ']':
		s.depth--
		return i + 1, nil
	case ',':
		if s.single && s.depth <= listLevels && s.list[s.depth] {
			s.values = 0 // another element begins
		}
		return i + 1, nil
	case '"':
		return s.text(text, i), s.value()
	case ' ', '\t', '\r', '\n', ':':
		return i + 1, nil
	default:
		length := bytes.IndexAny(text[i:], ",]} \t\r\n")
		if length < 0 {
			length = len(text) - i
		}
		if word := text[i : i+length]; !isCalculable(word) {
			return 0, limitError("a number of more than %d characters, or beyond an exponent of %d", maxNumberLength,
				maxExponent)
		}
		return i + length, s.value()
	}
}

// value counts one value, or the name of a member, which needs as much memory.
func (s *scan) value() error {
	if s.values++; s.values > s.limits.Values {
		return limitError("more than %d values", s.limits.Values)
	}
	return nil
}

// text returns the place after a string.
func (s *scan) text(text []byte, i int) int {
	for i++; i < len(text); i++ {
		end := bytes.IndexByte(text[i:], '"')
		if end < 0 {
			return len(text)
		}
		i += end
		escapes := 0
		for i-escapes > 0 && text[i-escapes-1] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return i + 1
		}
	}
	return len(text)
}

// isCalculable reports whether a literal is not a number, or a number within the bounds.
func isCalculable(word []byte) bool {
	if word[0] != '-' && (word[0] < '0' || word[0] > '9') {
		return true
	}
	if len(word) > maxNumberLength {
		return false
	}
	at := bytes.IndexAny(word, "eE")
	if at < 0 {
		return true
	}
	exponent, err := strconv.Atoi(string(word[at+1:]))
	return err == nil && exponent >= -maxExponent && exponent <= maxExponent
}

func limitError(format string, args ...any) error {
	return &driver.CallError{Kind: driver.ErrTooLarge, Detail: fmt.Sprintf(format, args...)}
}
