package schemas

import (
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Elements reads a list element by element, in time linear in raw and with memory for one element.
// The list is the array at the top, or the one at path through objects, such as "events" in
// {"events": [...]}. Each element is a part of raw, not decoded, with at most limits.Size bytes
// (limits.Depth, limits.Number and limits.Values are for the Decode that follows). Elements stops
// after limits.Elements elements. It skips other members, but checks the whole text for syntax,
// duplicate names, UTF-8 and trailing text; a defect is the error of the last element, a
// *DecodeError.
func Elements(raw []byte, limits Limits, path ...string) iter.Seq2[json.RawMessage, error] {
	limits = limits.WithDefaults()
	return func(yield func(json.RawMessage, error) bool) {
		if isBlank(raw) {
			yield(nil, &DecodeError{Kind: Empty, Message: "there is not a JSON value"})
			return
		}
		l := list{raw: raw, limits: limits, d: newDecoder(raw), yield: yield}
		if !l.value(path) {
			return
		}
		if err := trailingError(raw, l.d.InputOffset()); err != nil {
			yield(nil, err)
		}
	}
}

// list is one pass over a text. Its methods return false at the end of the pass.
type list struct {
	raw    []byte
	limits Limits
	d      *jsontext.Decoder
	yield  func(json.RawMessage, error) bool
}

func (l *list) fail(err error) bool {
	l.yield(nil, err)
	return false
}

func (l *list) shape(want string) bool {
	return l.fail(&DecodeError{Kind: Shape, Pointer: pointerOf(l.d), Offset: l.d.InputOffset(), Message: want})
}

// value reads the next value and finds the list in it.
func (l *list) value(path []string) bool {
	want := jsontext.KindBeginArray
	if len(path) > 0 {
		want = jsontext.KindBeginObject
	}
	kind := l.d.PeekKind()
	if kind != want && kind != jsontext.KindInvalid {
		return l.shape(map[jsontext.Kind]string{
			jsontext.KindBeginArray:  "want a list here",
			jsontext.KindBeginObject: "want an object with the list here",
		}[want])
	}
	if _, err := l.d.ReadToken(); err != nil {
		return l.fail(refusal(l.raw, err))
	}
	read := l.members
	if len(path) == 0 {
		read = l.elements
	}
	if !read(path) {
		return false
	}
	if _, err := l.d.ReadToken(); err != nil {
		return l.fail(refusal(l.raw, err))
	}
	return true
}

func (l *list) members(path []string) bool {
	found := false
	for l.more(jsontext.KindEndObject) {
		name, err := l.d.ReadToken()
		if err != nil {
			return l.fail(refusal(l.raw, err))
		}
		if name.String() == path[0] {
			if found = l.value(path[1:]); !found {
				return false
			}
			continue
		}
		if err := l.d.SkipValue(); err != nil {
			return l.fail(refusal(l.raw, err))
		}
	}
	if !found && l.d.PeekKind() == jsontext.KindEndObject {
		return l.shape(fmt.Sprintf("the object has no member %q with the list", strings.Join(path, "/")))
	}
	return true
}

func (l *list) elements([]string) bool {
	for count := 1; l.more(jsontext.KindEndArray); count++ {
		if count > l.limits.Elements {
			return l.fail(&DecodeError{Kind: Values, Pointer: pointerOf(l.d), Offset: l.d.InputOffset(),
				Message: fmt.Sprintf("the list has more than capconform's limit of %d elements", l.limits.Elements)})
		}
		element, err := l.d.ReadValue()
		if err != nil {
			return l.fail(refusal(l.raw, err))
		}
		if len(element) > l.limits.Size {
			return l.fail(&DecodeError{Kind: Size, Pointer: pointerOf(l.d), Offset: l.d.InputOffset() - int64(len(element)),
				Message: fmt.Sprintf("one element is longer than capconform's limit of %d bytes", l.limits.Size)})
		}
		if !l.yield(json.RawMessage(element), nil) {
			return false
		}
	}
	return true
}

// more reports whether the object or array continues. An invalid text ends it too, and the next
// read returns the error.
func (l *list) more(end jsontext.Kind) bool {
	kind := l.d.PeekKind()
	return kind != end && kind != jsontext.KindInvalid
}
