package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Body is what one side of an exchange sent: either JSON or bytes.
type Body struct {
	// JSON is the text as received, without white space between tokens. Numbers, escapes and
	// duplicate keys are unchanged. Each list that Lists names is empty here.
	JSON json.RawMessage `json:"json,omitempty"`
	// Lists contains the digests of the elements of a list, by its JSON pointer.
	Lists map[string][]Digest `json:"lists,omitempty"`
	// Bytes contains a text that is not JSON in UTF-8.
	Bytes []byte `json:"bytes,omitempty"`
	// Length is the number of bytes of the complete body if Bytes contains only its beginning,
	// otherwise 0.
	Length int64 `json:"length,omitempty"`

	elements func(Digest) (json.RawMessage, error) // set by a reader
	compact  bool                                  // JSON is known to have no white space between tokens
}

// Digest names an element of a list: the SHA-256 of its JSON text, in hexadecimal.
type Digest string

func digest(text []byte) Digest {
	sum := sha256.Sum256(text)
	return Digest(hex.EncodeToString(sum[:]))
}

// NewBody returns the body for the text of a message.
func NewBody(text []byte) *Body {
	if len(text) == 0 || !utf8.Valid(text) {
		return &Body{Bytes: text}
	}
	compact, err := jsontext.AppendFormat(nil, text, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true),
		jsontext.PreserveRawStrings(true)) // an escape may be half of a surrogate pair
	switch {
	case err != nil:
		return &Body{Bytes: text}
	case len(compact) == len(text):
		return &Body{JSON: text, compact: true}
	}
	return &Body{JSON: compact, compact: true}
}

// JSONBody returns the body for a text that is known to be JSON. It shares the text: a Writer
// removes the white space.
func JSONBody(text []byte) *Body {
	if len(text) == 0 {
		return &Body{Bytes: text}
	}
	return &Body{JSON: text}
}

// NewHead returns the body for the beginning of a message of length bytes.
func NewHead(head []byte, length int64) *Body { return &Body{Bytes: head, Length: length} }

// IsJSON reports whether the body is JSON.
func (b *Body) IsJSON() bool { return b != nil && len(b.JSON) > 0 }

// Text returns the complete body, including the elements of its lists.
func (b *Body) Text() ([]byte, error) {
	switch {
	case b == nil:
		return nil, nil
	case len(b.Lists) == 0 && b.IsJSON():
		return b.JSON, nil
	case len(b.Lists) == 0:
		return b.Bytes, nil
	}
	return b.joined()
}

func (b *Body) element(d Digest) (json.RawMessage, error) {
	if b.elements == nil {
		return nil, errors.New("record: the body is not part of a record that was read")
	}
	return b.elements(d)
}

// joined puts the elements back into the empty lists.
func (b *Body) joined() ([]byte, error) {
	if digests, whole := b.Lists[""]; whole {
		return b.list(digests)
	}
	var members rawMembers
	if err := members.read(b.JSON); err != nil {
		return nil, fmt.Errorf("record: a body with lists: %w", err)
	}
	for _, pointer := range slices.Sorted(maps.Keys(b.Lists)) {
		at := members.index(pointer)
		if at < 0 {
			return nil, fmt.Errorf("record: a body has no list at %q", pointer)
		}
		text, err := b.list(b.Lists[pointer])
		if err != nil {
			return nil, err
		}
		members[at].value = text
	}
	return members.text(), nil
}

func (b *Body) list(digests []Digest) ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('[')
	for i, d := range digests {
		if i > 0 {
			out.WriteByte(',')
		}
		element, err := b.element(d)
		if err != nil {
			return nil, err
		}
		out.Write(element)
	}
	out.WriteByte(']')
	return out.Bytes(), nil
}
