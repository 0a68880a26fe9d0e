package jsonvalue

import (
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxElided bounds the JSON text of which Clip shows all parts, in bytes.
const maxElided = 1 << 20

// node is a JSON value in the order of its text.
type node struct {
	kind    jsontext.Kind // { or [, otherwise a scalar
	text    string        // of a scalar
	names   []string      // of the members of an object, with quotes
	content []*node
}

// elide shortens a JSON text to maxTextLength or less. It shortens long strings, lists and inner objects, so that every
// member of the outer object is shown. It reports false if the text is not JSON, or is too long for that.
func elide(text string) (string, bool) {
	if len(text) > maxElided || text == "" || text[0] != '{' && text[0] != '[' {
		return "", false
	}
	d := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	root, err := readNode(d)
	if err != nil {
		return "", false
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return "", false
	}
	for _, longest := range []int{120, 60, 30, 15, 8} {
		if short := root.within(longest, true); len(short) <= maxTextLength {
			return short, true
		}
	}
	return "", false
}

func readNode(d *jsontext.Decoder) (*node, error) {
	kind := d.PeekKind()
	if kind != '{' && kind != '[' {
		value, err := d.ReadValue()
		return &node{kind: kind, text: string(value)}, err
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	n := &node{kind: kind}
	for d.PeekKind() != '}' && d.PeekKind() != ']' {
		if kind == '{' {
			name, err := d.ReadValue()
			if err != nil {
				return nil, err
			}
			n.names = append(n.names, string(name))
		}
		one, err := readNode(d)
		if err != nil {
			return nil, err
		}
		n.content = append(n.content, one)
	}
	_, err := d.ReadToken()
	return n, err
}

// within returns the text of a value, of which strings have about longest bytes, and lists and inner objects a few
// times that.
func (n *node) within(longest int, outer bool) string {
	switch n.kind {
	case '{', '[':
	default:
		if len(n.text) <= longest+2 {
			return n.text
		}
		return strings.ToValidUTF8(n.text[:longest], "") + `..."`
	}
	var b strings.Builder
	b.WriteByte(byte(n.kind))
	for i, one := range n.content {
		if i > 0 {
			b.WriteByte(',')
		}
		if b.Len() > 3*longest && !(outer && n.kind == '{') {
			fmt.Fprintf(&b, "... %d more", len(n.content)-i)
			break
		}
		if n.kind == '{' {
			b.WriteString(n.names[i] + ":")
		}
		b.WriteString(one.within(longest, false))
	}
	if n.kind == '{' {
		b.WriteByte('}')
	} else {
		b.WriteByte(']')
	}
	return b.String()
}
