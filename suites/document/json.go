package document

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonReader builds the tree from tokens, because they have offsets.
type jsonReader struct {
	text   []byte
	limits Limits
	tokens *jsontext.Decoder
	start  place // of the text
	place  place
	values int
}

func parseJSON(text []byte, limits Limits) ([]*Node, *Error) {
	return parseJSONAt(jsontext.NewDecoder(bytes.NewBuffer(text)), text, limits, place{line: 1, column: 1})
}

// parseJSONAt parses a text that starts at a line and a column of its file. The decoder is at the
// beginning of the text.
func parseJSONAt(tokens *jsontext.Decoder, text []byte, limits Limits, start place) ([]*Node, *Error) {
	start.text = text
	r := &jsonReader{text: text, limits: limits, tokens: tokens, start: start, place: start}
	root, err := r.value(1)
	if err != nil {
		return nil, err
	}
	r.next()
	if r.place.offset < len(text) {
		return nil, r.refuse(Syntax, "there is text after the JSON value")
	}
	return []*Node{root}, nil
}

// next moves to the start of the next token.
func (r *jsonReader) next() {
	start := int(r.tokens.InputOffset())
	for start < len(r.text) && strings.IndexByte(" \t\r\n,:", r.text[start]) >= 0 {
		start++
	}
	r.place.forward(start)
}

func (r *jsonReader) refuse(kind ErrorKind, format string, args ...any) *Error {
	return &Error{Kind: kind, Line: r.place.line, Column: r.place.column, Message: fmt.Sprintf(format, args...)}
}

// broken turns an error of the tokenizer into an Error.
func (r *jsonReader) broken(err error, within *Node) *Error {
	r.place = r.start // the error may be before the last token
	syntactic, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok {
		r.place.forward(len(r.text))
		return r.refuse(Syntax, "the JSON ends too early")
	}
	r.place.forward(int(syntactic.ByteOffset))
	if errors.Is(syntactic.Err, jsontext.ErrDuplicateName) {
		name := syntactic.JSONPointer.LastToken()
		return duplicate(name, within.Member(name), r.place.line, r.place.column)
	}
	return r.refuse(Syntax, "this is not JSON: %s", strings.TrimPrefix(syntactic.Err.Error(), "jsontext: "))
}

func (r *jsonReader) value(depth int) (*Node, *Error) {
	r.next()
	n := &Node{Line: r.place.line, Column: r.place.column}
	token, err := r.tokens.ReadToken()
	if err != nil {
		return nil, r.broken(err, nil)
	}
	if r.values++; r.values > r.limits.Values {
		return nil, r.refuse(Limit, "the file contains more than capconform's limit of %d values", r.limits.Values)
	}
	if depth > r.limits.Depth {
		return nil, r.refuse(Limit, "nested deeper than capconform's limit of %d levels", r.limits.Depth)
	}
	switch token.Kind() {
	case jsontext.KindBeginObject:
		n.Kind = Object
		return n, r.members(n, depth)
	case jsontext.KindBeginArray:
		n.Kind = Array
		return n, r.items(n, depth)
	case jsontext.KindString:
		n.Kind, n.Style, n.Text = String, DoubleQuoted, token.String()
	case jsontext.KindNumber:
		if n.Kind, n.Text = Number, token.String(); !isCalculable(n.Text) {
			return nil, r.refuse(Limit, "%s", notCalculable)
		}
	case jsontext.KindTrue, jsontext.KindFalse:
		n.Kind, n.Text = Boolean, token.String()
	}
	return n, nil
}

func (r *jsonReader) members(n *Node, depth int) *Error {
	const usual = 4 // most objects have that many members or more
	for r.tokens.PeekKind() != jsontext.KindEndObject {
		if n.Members == nil {
			n.Members = make([]Member, 0, usual)
		}
		r.next()
		m := Member{Line: r.place.line, Column: r.place.column}
		token, err := r.tokens.ReadToken()
		if err != nil {
			return r.broken(err, n)
		}
		m.Name = token.String()
		value, refused := r.value(depth + 1)
		if refused != nil {
			return refused
		}
		m.Value = value
		n.Members = append(n.Members, m)
	}
	return r.end(n)
}

func (r *jsonReader) items(n *Node, depth int) *Error {
	for r.tokens.PeekKind() != jsontext.KindEndArray {
		item, refused := r.value(depth + 1)
		if refused != nil {
			return refused
		}
		n.Items = append(n.Items, item)
	}
	return r.end(n)
}

func (r *jsonReader) end(n *Node) *Error {
	if _, err := r.tokens.ReadToken(); err != nil {
		return r.broken(err, n)
	}
	return nil
}
