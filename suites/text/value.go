package text

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/rule"
)

// ofValues are the functions on values that rules and stimuli have:
//
//	flaw_of(SCHEMA, VALUE)   why a value breaks a schema, "" if it does not; SCHEMA is a name in schemas/, or a schema
//	schema_flaw(SCHEMA)      why a value is no JSON Schema of its dialect, "" if it is one or if that cannot be decided
//	parsed(TEXT)             the value of a JSON text, null if it is none
//	until(TEXT, MARK)        the part of a text before a mark, the whole text without one
//	upper(TEXT)              a text in capitals
//	base64(TEXT)             a text in base64
//	repeats_names(TEXT, PATH) whether a name is twice in the object at a path of a JSON text, such as result.items
//	unsorted(TEXT, NAMES)    the first name in a JSON text that is out of order in its object, "" if none is; the members
//	                         with the given names are left out
//	named(VALUE, NAME)       the values of all members of that name, at any depth
//	echoes(SENT, VALUE)      whether a text in VALUE contains one that was sent, in any case
func (t *Text) ofValues() []rule.Function {
	return []rule.Function{
		rule.FunctionOfTwo("flaw_of", func(of, value any) any {
			if name, is := of.(string); is {
				if t.shapes[name] == nil {
					return fmt.Errorf("there is no schema %s", name)
				}
				return flawOf(t.shapes[name].whole, value)
			}
			compiled, err := schemas.CompileValue(of, schemas.Options{})
			if err != nil {
				return err
			}
			return flawOf(compiled, value)
		}),
		rule.FunctionOf("schema_flaw", func(of any) any {
			var invalid *schemas.InvalidSchema
			if _, err := schemas.CompileValue(of, schemas.Options{}); errors.As(err, &invalid) {
				return strings.TrimPrefix(invalid.Error(), "schemas: ")
			}
			return ""
		}),
		rule.FunctionOf("parsed", func(text string) any { return schemas.ReadValue([]byte(text)) }),
		rule.FunctionOfTwo("until", func(text, mark string) any {
			before, _, _ := strings.Cut(text, mark)
			return before
		}),
		rule.FunctionOf("upper", func(text string) any { return strings.ToUpper(text) }),
		rule.FunctionOf("base64", func(text string) any { return base64.StdEncoding.EncodeToString([]byte(text)) }),
		rule.FunctionOfTwo("repeats_names", repeatsNames),
		rule.FunctionOfTwo("unsorted", func(text string, except []any) any {
			return unsorted(jsontext.NewDecoder(strings.NewReader(text)), except)
		}),
		rule.FunctionOfTwo("named", func(in any, name string) any { return named(in, name) }),
		rule.FunctionOfTwo("echoes", func(sent, value any) any {
			all := strings.ToLower(strings.Join(texts(value), "\x00"))
			return slices.ContainsFunc(texts(sent), func(one string) bool {
				return one != "" && strings.Contains(all, strings.ToLower(one))
			})
		}),
	}
}

// texts returns the texts in a value, at any depth.
func texts(in any) []string {
	var all []string
	switch in := in.(type) {
	case string:
		all = append(all, in)
	case []any:
		for _, one := range in {
			all = append(all, texts(one)...)
		}
	case object:
		for _, one := range in {
			all = append(all, texts(one)...)
		}
	}
	return all
}

// repeatsNames reports whether a name is twice in the object at a path of a JSON text, or below it.
func repeatsNames(text, path string) any {
	at := jsontext.Value(text)
	for name := range strings.SplitSeq(path, ".") {
		var members map[string]jsontext.Value
		if jsonv2.Unmarshal(at, &members, jsontext.AllowDuplicateNames(true)) != nil {
			return false
		}
		at = members[name]
	}
	return !at.IsValid() && at.IsValid(jsontext.AllowDuplicateNames(true))
}

// unsorted reads one value and returns the first name in it that is out of order, by code points or by UTF-16.
func unsorted(in *jsontext.Decoder, except []any) string {
	begin, err := in.ReadToken()
	if err != nil || begin.Kind() != '{' && begin.Kind() != '[' {
		return ""
	}
	found, last := "", ""
	for first := true; in.PeekKind() != '}' && in.PeekKind() != ']' && in.PeekKind() != jsontext.KindInvalid; first = false {
		left := false
		if begin.Kind() == '{' {
			name, err := in.ReadToken()
			if err != nil {
				return found
			}
			text := name.String()
			if !first && text < last && slices.Compare(utf16.Encode([]rune(text)), utf16.Encode([]rune(last))) < 0 {
				found = cmp.Or(found, text)
			}
			last, left = text, slices.Contains(except, any(text))
		}
		if inner := unsorted(in, except); !left {
			found = cmp.Or(found, inner)
		}
	}
	_, _ = in.ReadToken()
	return found
}

// named returns the values of all members of a name in a value.
func named(in any, name string) []any {
	all := []any{}
	switch in := in.(type) {
	case []any:
		for _, one := range in {
			all = append(all, named(one, name)...)
		}
	case object:
		for _, member := range slices.Sorted(maps.Keys(in)) {
			if member == name {
				all = append(all, in[member])
			}
			all = append(all, named(in[member], name)...)
		}
	}
	return all
}
