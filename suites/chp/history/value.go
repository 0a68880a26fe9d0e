package history

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"unicode"

	"github.com/capconform/capconform/schemas"
)

// Object is a JSON object of the protocol.
type Object = map[string]any

// WholeNumber accepts 7 and 7.0, like the type integer of JSON Schema.
func WholeNumber(v any) (*big.Int, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return nil, false
	}
	r, ok := new(big.Rat).SetString(string(n))
	if !ok || !r.IsInt() {
		return nil, false
	}
	return r.Num(), true
}

// AsInteger writes a whole number as an integer: a host that sends 7.0 need not accept 7.0.
func AsInteger(n json.Number) json.Number {
	if whole, ok := WholeNumber(n); ok {
		return json.Number(whole.String())
	}
	return n
}

// SameName reports whether two ids of a capability differ only in spelling: in case, in punctuation, or
// in a version at the end, as in the stable URI.
func SameName(one, other string) bool {
	return PlainName(one) == PlainName(other) || PlainName(unversioned(one)) == PlainName(other)
}

// PlainName returns the letters and digits of a text, in lower case.
func PlainName(id string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, id)
}

func unversioned(id string) string {
	if at := strings.LastIndexAny(id, ":@"); at > 0 {
		return id[:at]
	}
	return id
}

// Mentions reports whether a text occurs anywhere in a value, as a member name or as a value.
func Mentions(v any, text string) bool {
	switch v := v.(type) {
	case string:
		return v == text
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return Mentions(item, text) })
	case Object:
		for name, item := range v {
			if name == text || Mentions(item, text) {
				return true
			}
		}
	}
	return false
}

// Contains reports whether a text occurs anywhere in a value: in a string, in the name of a member, or in
// the value of which a string is the JSON text.
func Contains(v any, text string) bool {
	switch v := v.(type) {
	case string:
		inner := schemas.ReadValue([]byte(v))
		return strings.Contains(v, text) || inner != nil && Contains(inner, text)
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return Contains(item, text) })
	case Object:
		for name, item := range v {
			if strings.Contains(name, text) || Contains(item, text) {
				return true
			}
		}
	}
	return false
}

// textOf returns a member that is a string, "" if there is none.
func textOf(of Object, name string) string {
	text, _ := of[name].(string)
	return text
}

func objectOf(v any) Object {
	o, _ := v.(Object)
	return o
}

// headOf decodes the members of a replay result beside its events, of which there may be many.
func headOf(raw []byte) Object {
	if head := readHead(raw); head != nil {
		return head
	}
	return schemas.ReadObject(raw)
}
