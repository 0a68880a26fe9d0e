package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Limits bound the texts that Decode and Compile accept. A zero field stands for its default.
type Limits struct {
	Size     int // bytes of the whole text; 0 means 8 MiB
	Values   int // values in the text, members and items each counted; 0 means 1,000,000
	Elements int // elements of a list that Elements reads; 0 means 250,000
	Depth    int // levels of nesting; 0 means 256
	Number   int // characters of one number; 0 means 1,000
	Exponent int // largest exponent, plus or minus; 0 means 400
}

// WithDefaults fills the zero fields.
func (l Limits) WithDefaults() Limits {
	for _, f := range []struct {
		field *int
		value int
	}{{&l.Size, 8 << 20}, {&l.Values, 1_000_000}, {&l.Elements, 250_000}, {&l.Depth, 256}, {&l.Number, 1000},
		{&l.Exponent, 400}} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	return l
}

// DecodeKind is the reason why a text was refused.
type DecodeKind string

// The reasons of a DecodeError. Depth, Number, Size and Values are limits of the harness, the
// others are defects of the text.
const (
	Syntax    DecodeKind = "syntax"    // not JSON; NaN and Infinity are not JSON either
	Duplicate DecodeKind = "duplicate" // two members of one object have the same name
	UTF8      DecodeKind = "utf-8"     // broken UTF-8
	Trailing  DecodeKind = "trailing"  // text after the value
	Empty     DecodeKind = "empty"     // nothing but white space
	Shape     DecodeKind = "shape"     // Elements only: the list is missing, or is not an array
	Depth     DecodeKind = "depth"     // nested deeper than Limits.Depth
	Number    DecodeKind = "number"    // longer than Limits.Number, or beyond Limits.Exponent
	Size      DecodeKind = "size"      // longer than Limits.Size
	Values    DecodeKind = "values"    // more than Limits.Values, or Limits.Elements
)

// DecodeError reports that Decode or Elements refused a text.
type DecodeError struct {
	Kind    DecodeKind
	Pointer string // JSON pointer to the place, "" for the top
	Offset  int64  // bytes before the place
	Message string // one sentence without values of the text
}

// Error returns message, place and offset.
func (e *DecodeError) Error() string {
	return fmt.Sprintf("schemas: %s at %q, byte %d", e.Message, e.Pointer, e.Offset)
}

// OurLimit reports whether the reason is a limit of the harness. Such an error proves nothing about
// the sender: the status is then error, never a violation.
func (e *DecodeError) OurLimit() bool {
	return e.Kind == Depth || e.Kind == Number || e.Kind == Size || e.Kind == Values
}

// Decode reads one JSON value strictly and within limits. Objects are
// map[string]any, arrays []any, numbers json.Number. The error is a
// *DecodeError.
func Decode(raw []byte, limits Limits) (any, error) {
	limits = limits.WithDefaults()
	if len(raw) > limits.Size {
		return nil, &DecodeError{Kind: Size, Offset: int64(limits.Size),
			Message: fmt.Sprintf("the text is longer than capconform's limit of %d bytes", limits.Size)}
	}
	if isBlank(raw) {
		return nil, &DecodeError{Kind: Empty, Message: "there is not a JSON value"}
	}
	// The map for an object detects a duplicate name as well as the tokenizer does, without further
	// cost. The caller gets the error of the tokenizer.
	r := reader{raw: raw, limits: limits, d: newDecoder(raw, jsontext.AllowDuplicateNames(true)), left: limits.Values}
	value, err := r.value()
	if errors.Is(err, errDuplicateName) {
		r = reader{raw: raw, limits: limits, d: newDecoder(raw), left: limits.Values, checkDuplicates: true}
		value, err = r.value()
	}
	if err != nil {
		return nil, err
	}
	if err := trailingError(raw, r.d.InputOffset()); err != nil {
		return nil, err
	}
	return value, nil
}

// errDuplicateName reports an object with two members of the same name.
var errDuplicateName = errors.New("schemas: a name is repeated")

// reader builds a value token by token. It refuses duplicate names, and the tokenizer refuses
// invalid UTF-8; most decoders accept both silently.
type reader struct {
	raw             []byte
	limits          Limits
	d               *jsontext.Decoder
	left            int  // values that may still follow: each needs memory many times its text
	checkDuplicates bool // the tokenizer looks for repeated names
}

func (r *reader) token() (jsontext.Token, error) {
	token, err := r.d.ReadToken()
	if err != nil {
		return token, refusal(r.raw, err)
	}
	if r.d.StackDepth() > r.limits.Depth {
		return token, r.limitError(Depth, fmt.Sprintf("nested deeper than capconform's limit of %d levels", r.limits.Depth))
	}
	return token, nil
}

func (r *reader) limitError(kind DecodeKind, message string) error {
	return &DecodeError{Kind: kind, Pointer: pointerOf(r.d), Offset: r.d.InputOffset(), Message: message}
}

func (r *reader) value() (any, error) {
	token, err := r.token()
	if err != nil {
		return nil, err
	}
	if r.left--; r.left < 0 {
		return nil, r.limitError(Values, fmt.Sprintf("more than capconform's limit of %d values", r.limits.Values))
	}
	switch token.Kind() {
	case jsontext.KindBeginObject:
		return r.object()
	case jsontext.KindBeginArray:
		return r.array()
	case jsontext.KindString:
		return token.String(), nil
	case jsontext.KindNumber:
		text := token.String()
		if !r.limits.number(text) {
			return nil, r.limitError(Number, fmt.Sprintf("number beyond capconform's limit of %d characters and exponents of %d",
				r.limits.Number, r.limits.Exponent))
		}
		return json.Number(text), nil
	case jsontext.KindTrue, jsontext.KindFalse:
		return token.Bool(), nil
	}
	return nil, nil
}

func (r *reader) object() (any, error) {
	members := map[string]any{}
	for {
		name, err := r.token()
		if err != nil {
			return nil, err
		}
		if name.Kind() == jsontext.KindEndObject {
			return members, nil
		}
		key := name.String()
		if _, twice := members[key]; twice && !r.checkDuplicates {
			return nil, errDuplicateName
		}
		if members[key], err = r.value(); err != nil {
			return nil, err
		}
	}
}

func (r *reader) array() (any, error) {
	items := []any{}
	for r.d.PeekKind() != jsontext.KindEndArray {
		item, err := r.value()
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	_, err := r.token()
	return items, err
}

// newDecoder accepts half of a surrogate pair that is written as an escape: the grammar of RFC 8259
// permits it, and usual encoders write it. Bytes that are not UTF-8 are still refused.
func newDecoder(raw []byte, options ...jsontext.Options) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(raw), append(options, jsontext.AllowInvalidUTF8(utf8.Valid(raw)))...)
}

// pointerLength bounds a pointer in an error: member names come from the sender.
const pointerLength = 300

func pointerOf(d *jsontext.Decoder) string { return clip(string(d.StackPointer()), pointerLength) }

func trailingError(raw []byte, offset int64) error {
	if isBlank(raw[offset:]) {
		return nil
	}
	return &DecodeError{Kind: Trailing, Offset: offset, Message: "there is text after the JSON value"}
}

func isBlank(raw []byte) bool { return len(bytes.TrimLeft(raw, " \t\r\n")) == 0 }

// refusal turns an error of the tokenizer into a DecodeError.
func refusal(raw []byte, err error) error {
	e := &DecodeError{Kind: Syntax, Offset: int64(len(raw)), Message: "the text is not JSON"}
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		e.Offset = syntactic.ByteOffset
		e.Pointer = clip(string(syntactic.JSONPointer), pointerLength)
		switch {
		case syntactic.Err.Error() == "exceeded max depth":
			// The tokenizer's own bound of 10,000 levels, which Elements may meet.
			e.Kind, e.Message = Depth, "nested deeper than the tokenizer permits"
		case errors.Is(syntactic.Err, jsontext.ErrDuplicateName):
			e.Kind, e.Message = Duplicate, "an object has two members of the same name"
		case !utf8.Valid(raw[e.Offset:min(int(e.Offset)+utf8.UTFMax, len(raw))]) && !utf8.Valid(raw):
			e.Kind, e.Message = UTF8, "the text is not UTF-8"
		}
	}
	return e
}

// number reports whether a JSON number may be used in calculations.
func (l Limits) number(text string) bool {
	if len(text) > l.Number {
		return false
	}
	_, exponent, found := strings.Cut(strings.ToLower(text), "e")
	if !found {
		return true
	}
	n, err := strconv.Atoi(exponent)
	return err == nil && n >= -l.Exponent && n <= l.Exponent
}

// clip cuts a text to at most n bytes at a rune boundary.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}
