package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// rawMember is one member of a JSON object: the text of its name, quotes
// included, its JSON pointer (RFC 6901), and the text of its value.
type rawMember struct {
	name    json.RawMessage
	pointer string
	value   json.RawMessage
}

// rawMembers are the members of an object in their order. A name may stand twice.
type rawMembers []rawMember

// read splits the compact text of an object into its members without changing a
// byte of them.
func (m *rawMembers) read(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if opening, err := decoder.Token(); err != nil || opening != json.Delim('{') {
		return errors.New("not an object")
	}
	*m = (*m)[:0]
	for decoder.More() {
		begin := decoder.InputOffset()
		key, err := decoder.Token()
		if err != nil {
			return err
		}
		name := bytes.TrimLeft(text[begin:decoder.InputOffset()], ",")
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		plain, _ := key.(string) // a name is always one
		*m = append(*m, rawMember{name: name, pointer: pointerTo(plain), value: value})
	}
	return nil
}

// index finds the member that a JSON pointer of one step names, -1 if there is
// none or its name stands twice.
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

// pointerTo gives the JSON pointer of the member of a name.
func pointerTo(name string) string {
	return "/" + strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// text writes the object.
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

// elementsOf splits the compact text of an array into its elements, ok is false if
// the text is no array.
func elementsOf(text []byte) (elements []json.RawMessage, ok bool) {
	if len(text) == 0 || text[0] != '[' {
		return nil, false
	}
	err := json.Unmarshal(text, &elements)
	return elements, err == nil
}
