package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// rawMember is one member of a JSON object: the text of its name with quotes, its JSON pointer (RFC
// 6901), and the text of its value.
type rawMember struct {
	name    json.RawMessage
	pointer string
	value   json.RawMessage
}

// rawMembers are the members of an object in their order. A name may be duplicated.
type rawMembers []rawMember

// read splits the compact text of an object into its members without changing a byte of them. The
// members share the text.
func (m *rawMembers) read(text []byte) error {
	decoder := newDecoder(text)
	if opening, err := decoder.ReadToken(); err != nil || opening.Kind() != jsontext.KindBeginObject {
		return errors.New("not an object")
	}
	*m = (*m)[:0]
	for decoder.PeekKind() != jsontext.KindEndObject {
		begin := decoder.InputOffset()
		key, err := decoder.ReadToken()
		if err != nil {
			return err
		}
		pointer := pointerTo(key.String())
		name := bytes.TrimLeft(text[begin:decoder.InputOffset()], ",")
		value, err := nextValue(decoder, text)
		if err != nil {
			return err
		}
		*m = append(*m, rawMember{name: name, pointer: pointer, value: value})
	}
	return nil
}

// newDecoder returns a decoder for the tokens of a text. It accepts what encoding/json accepts.
func newDecoder(text []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// nextValue returns the part of the text that contains the next value.
func nextValue(decoder *jsontext.Decoder, text []byte) (json.RawMessage, error) {
	value, err := decoder.ReadValue()
	end := decoder.InputOffset()
	return text[end-int64(len(value)) : end : end], err
}

// index finds the member that a JSON pointer of one step names. It returns -1 if there is none or
// its name is duplicated.
func (m rawMembers) index(pointer string) int {
	found := -1
	for i, member := range m {
		if member.pointer != pointer {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// pointerTo returns the JSON pointer of the member with a name.
func pointerTo(name string) string {
	return "/" + strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// text returns the text of the object.
func (m rawMembers) text() []byte {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, member := range m {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(member.name)
		out.WriteByte(':')
		out.Write(member.value)
	}
	out.WriteByte('}')
	return out.Bytes()
}

// elementsOf splits the compact text of an array into its elements. ok is false if the text is not
// an array. The elements share the text.
func elementsOf(text []byte) (elements []json.RawMessage, ok bool) {
	if len(text) == 0 || text[0] != '[' {
		return nil, false
	}
	decoder := newDecoder(text)
	if _, err := decoder.ReadToken(); err != nil {
		return nil, false
	}
	for decoder.PeekKind() != jsontext.KindEndArray {
		element, err := nextValue(decoder, text)
		if err != nil {
			return nil, false
		}
		elements = append(elements, element)
	}
	return elements, true
}
