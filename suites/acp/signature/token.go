package signature

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/capconform/capconform/suites/document"
)

// token is the position of metadata.signature in a file, in bytes. The value of the member is
// file[start:end], including quotes.
type token struct {
	key        int // the beginning of the member's name
	start, end int
	quote      string // the quote around the value, "" if there is none
}

// ErrUnsigned reports a file without metadata.signature.
var ErrUnsigned = errors.New("signature: the file has no metadata.signature")

// ErrShape reports a signature in a YAML style that the profiles blank-token-ed25519 and remove-line do
// not define.
var ErrShape = errors.New("signature: metadata.signature is not a plain or quoted string on one line")

// metadata returns the section of a package that contains the signature.
func metadata(file []byte) (*document.Node, error) {
	parsed, err := document.Parse("package.yaml", file, document.Limits{})
	if err != nil {
		return nil, fmt.Errorf("signature: %w", err)
	}
	n := parsed.Roots[0].Get("metadata")
	if len(parsed.Roots) != 1 || !n.Is(document.Object) || n.Marks&document.Aliased != 0 {
		return nil, errors.New("signature: the file is no package: it has no section metadata")
	}
	return n, nil
}

// locate returns the token. It computes offsets in bytes, because the YAML library counts characters.
func locate(file []byte) (token, error) {
	meta, err := metadata(file)
	if err != nil {
		return token{}, err
	}
	return tokenOf(file, meta)
}

func tokenOf(file []byte, meta *document.Node) (token, error) {
	m := meta.Member("signature")
	switch {
	case m == nil:
		return token{}, ErrUnsigned
	case m.Value.Kind != document.String || m.Value.Marks&(document.Aliased|document.Tagged|document.Anchored) != 0:
		return token{}, ErrShape
	}
	for _, breaks := range []lineBreaks{lineFeeds, yamlBreaks} {
		key := breaks.offset(file, m.Line, m.Column)
		t, ok := tokenAt(file, breaks.offset(file, m.Value.Line, m.Value.Column), m.Value)
		if ok && bytes.Contains(file[key:t.start], []byte("signature")) {
			t.key = key
			return t, nil
		}
	}
	return token{}, ErrShape
}

// tokenAt returns the token at an offset. It returns false if it is not the value.
func tokenAt(file []byte, start int, n *document.Node) (token, bool) {
	rest := file[start:]
	if line := bytes.IndexAny(rest, "\r\n"); line >= 0 {
		rest = rest[:line]
	}
	t := token{start: start}
	switch n.Style {
	case document.Plain:
		if n.Text == "" || !bytes.HasPrefix(rest, []byte(n.Text)) {
			return t, false
		}
		t.end = start + len(n.Text)
		return t, true
	case document.SingleQuoted:
		t.quote = "'"
	case document.DoubleQuoted:
		t.quote = `"`
	default:
		return t, false
	}
	// A value that contains quotes or escapes is not a signature.
	whole := t.quote + n.Text + t.quote
	t.end = start + len(whole)
	return t, bytes.HasPrefix(rest, []byte(whole)) && !strings.ContainsAny(n.Text, `"'\`)
}

// lineBreaks returns the length, in bytes, of the line break at the beginning of a text, 0 if there is
// none.
type lineBreaks func(text []byte) (size int)

func lineFeeds(text []byte) int {
	if text[0] == '\n' {
		return 1
	}
	return 0
}

// yamlBreaks recognises the line breaks that YAML libraries count.
func yamlBreaks(text []byte) int {
	if bytes.HasPrefix(text, []byte("\r\n")) {
		return len("\r\n")
	}
	switch r, size := utf8.DecodeRune(text); r {
	case '\n', '\r', '\u0085', '\u2028', '\u2029':
		return size
	}
	return 0
}

// offset returns the offset of a line and a column, or the length of the file if it has no such
// position.
func (b lineBreaks) offset(file []byte, line, column int) int {
	at := len(file) - len(bytes.TrimPrefix(file, []byte("\ufeff")))
	for ; line > 1 && at < len(file); line-- {
		for at < len(file) {
			size := b(file[at:])
			at++
			if size > 0 {
				at += size - 1
				break
			}
		}
	}
	for ; column > 1 && at < len(file); column-- {
		_, size := utf8.DecodeRune(file[at:])
		at += size
	}
	return at
}
