package history

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
)

// Object is a JSON object of the text.
type Object = map[string]any

// Member gives the value that a path of names joined by full stops leads to, nil where
// there is none.
func Member(of any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		members, _ := of.(Object)
		of = members[name]
	}
	return of
}

// Text gives a string member, "" where it is none.
func Text(of any, path string) string {
	s, _ := Member(of, path).(string)
	return s
}

// Flag gives a boolean member, or what the text prints as its default.
func Flag(of any, path string, printed bool) bool {
	if b, is := Member(of, path).(bool); is {
		return b
	}
	return printed
}

// ListOf gives the items of a list of descriptors or of ids: a bare list, or an object
// that holds it.
func ListOf(v any) []any {
	if members, is := v.(Object); is {
		v = members["capabilities"]
	}
	list, _ := v.([]any)
	return list
}

// elementsOf gives the text of each item of a list, which stands alone or in a member of an
// object, and whether it is a list at all.
func elementsOf(text []byte, member string) (items []json.RawMessage, isList bool) {
	if bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("[")) {
		isList = json.Unmarshal(text, &items) == nil
		return items, isList
	}
	var holder map[string]json.RawMessage
	if json.Unmarshal(text, &holder) != nil || json.Unmarshal(holder[member], &items) != nil {
		return nil, false
	}
	return items, items != nil
}

func valueOf(text []byte) any {
	if len(text) == 0 {
		return nil
	}
	return schemas.ReadValue(text)
}

// Number gives a member that is a whole number, also one written as 7.0 or 7e0; -1 where it is
// none.
func Number(of any, path string) int {
	n, is := Member(of, path).(json.Number)
	if !is {
		return -1
	}
	r, ok := new(big.Rat).SetString(string(n))
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return -1
	}
	return int(r.Num().Int64())
}

// Deep copies an object with all that is in it.
func Deep(of Object) Object {
	made, _ := deepValue(of).(Object)
	return made
}

func deepValue(v any) any {
	switch v := v.(type) {
	case Object:
		made := maps.Clone(v)
		for name, value := range made {
			made[name] = deepValue(value)
		}
		return made
	case []any:
		made := slices.Clone(v)
		for i, item := range made {
			made[i] = deepValue(item)
		}
		return made
	default:
		return v
	}
}
