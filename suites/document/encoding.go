package document

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// wideEncoding is an encoding of Unicode whose units have more than one byte.
type wideEncoding struct {
	name string
	size int // bytes of a unit
	unit func([]byte) rune
}

func unit16(order binary.ByteOrder) func([]byte) rune {
	return func(b []byte) rune { return rune(order.Uint16(b)) }
}

// unit32 returns a function that decodes a unit of four bytes; it returns -1 for one that is not a character.
func unit32(order binary.ByteOrder) func([]byte) rune {
	return func(b []byte) rune {
		if unit := order.Uint32(b); unit <= utf8.MaxRune {
			return rune(unit)
		}
		return -1
	}
}

// wideStarts are the starts of texts in wide encodings, by YAML 1.2, section 5.2: a byte order mark,
// or an ASCII character with its zero bytes (0 stands for itself, any other byte for any but 0).
// The first that fits decides.
var wideStarts = []struct {
	mark  []byte // nil: the form of the first character shows the encoding
	zeros []bool
	wideEncoding
}{
	{[]byte{0, 0, 0xfe, 0xff}, nil, wideEncoding{"UTF-32", 4, unit32(binary.BigEndian)}},
	{nil, []bool{true, true, true, false}, wideEncoding{"UTF-32", 4, unit32(binary.BigEndian)}},
	{[]byte{0xff, 0xfe, 0, 0}, nil, wideEncoding{"UTF-32", 4, unit32(binary.LittleEndian)}},
	{nil, []bool{false, true, true, true}, wideEncoding{"UTF-32", 4, unit32(binary.LittleEndian)}},
	{[]byte{0xfe, 0xff}, nil, wideEncoding{"UTF-16", 2, unit16(binary.BigEndian)}},
	{nil, []bool{true, false}, wideEncoding{"UTF-16", 2, unit16(binary.BigEndian)}},
	{[]byte{0xff, 0xfe}, nil, wideEncoding{"UTF-16", 2, unit16(binary.LittleEndian)}},
	{nil, []bool{false, true}, wideEncoding{"UTF-16", 2, unit16(binary.LittleEndian)}},
}

// inUTF8 returns a text of YAML in UTF-8, without its byte order mark. YAML may also be in UTF-16 and
// in UTF-32; JSON must not.
func inUTF8(text []byte) ([]byte, *Error) {
	for _, start := range wideStarts {
		switch {
		case start.mark != nil && bytes.HasPrefix(text, start.mark):
			return start.decode(text[len(start.mark):])
		case start.mark == nil && begins(text, start.zeros):
			return start.decode(text)
		}
	}
	return bytes.TrimPrefix(text, byteOrderMark), nil
}

// begins reports whether the bytes that are zero at the beginning of a text are exactly those.
func begins(text []byte, zeros []bool) bool {
	if len(text) < len(zeros) {
		return false
	}
	for i, zero := range zeros {
		if (text[i] == 0) != zero {
			return false
		}
	}
	return true
}

// decode returns the text in UTF-8, or an error with the place of the first unit that is not a character.
func (w wideEncoding) decode(text []byte) ([]byte, *Error) {
	decoded := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, size := w.character(text)
		if r < 0 {
			at := place{text: decoded, line: 1, column: 1}
			at.forward(len(decoded))
			return nil, &Error{Kind: Encoding, Line: at.line, Column: at.column,
				Message: fmt.Sprintf("the text is not %s here", w.name)}
		}
		decoded, text = utf8.AppendRune(decoded, r), text[size:]
	}
	return decoded, nil
}

// character returns the first character and its size in bytes; -1 if there is none.
func (w wideEncoding) character(text []byte) (rune, int) {
	if len(text) < w.size {
		return -1, 0
	}
	r := w.unit(text)
	if !utf16.IsSurrogate(r) {
		return r, w.size
	}
	if w.size == 2 && len(text) >= 2*w.size {
		if pair := utf16.DecodeRune(r, w.unit(text[w.size:])); pair != utf8.RuneError {
			return pair, 2 * w.size
		}
	}
	return -1, 0
}
