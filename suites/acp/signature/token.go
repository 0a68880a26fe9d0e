package signature

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/capconform/capconform/suites/document"
)

// token is where metadata.signature stands in a file, in bytes. The value of the
// member is file[start:end], quotes included.
type token struct {
	key        int // the name of the member
	start, end int
	quote      string // the quote around the value, or ""
}

// ErrUnsigned is a file without metadata.signature.
var ErrUnsigned = errors.New("signature: the file has no metadata.signature")

// ErrShape is a signature in a style of YAML that the profiles blank-token-ed25519 and remove-line
// do not define.
var ErrShape = errors.New("signature: metadata.signature is not a plain or quoted string on one line")

// metadata returns the section of a package that holds the signature.
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

// locate finds the token. Offsets are bytes, since libraries count characters.
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

// tokenAt reads the token that starts at an offset, if it is the value.
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
	// A value with quotes or escapes within is no signature, and is let be.
	whole := t.quote + n.Text + t.quote
	t.end = start + len(whole)
	return t, bytes.HasPrefix(rest, []byte(whole)) && !strings.ContainsAny(n.Text, `"'\`)
}

// lineBreaks tells where the lines of a text end.
type lineBreaks func(text []byte) (size int)

func lineFeeds(text []byte) int {
	if text[0] == '\n' {
		return 1
	}
	return 0
}

// yamlBreaks are those that YAML libraries count.
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

// offset returns the byte at which a line and a column stand; the end where there
// is no such place.
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
