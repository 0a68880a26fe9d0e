package history

import (
	"bytes"
	"crypto/sha256"
	stdjson "encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"

	json "github.com/go-json-experiment/json/v1" // decodes the same texts as encoding/json, in less time

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
)

// Object is a JSON object of the text.
type Object = map[string]any

// Member returns the value at a path of names joined by full stops, or nil if there is none.
func Member(of any, path string) any {
	for further := true; further; {
		var name string
		name, path, further = strings.Cut(path, ".")
		members, _ := of.(Object)
		of = members[name]
	}
	return of
}

// Text returns a string member, or "" if it is not a string.
func Text(of any, path string) string {
	s, _ := Member(of, path).(string)
	return s
}

// Flag returns a boolean member, or the default that the text prints.
func Flag(of any, path string, printed bool) bool {
	if b, is := Member(of, path).(bool); is {
		return b
	}
	return printed
}

// ListOf returns the items of a list of descriptors or ids. The list may be a member of an object.
func ListOf(v any) []any {
	if members, is := v.(Object); is {
		v = members["capabilities"]
	}
	list, _ := v.([]any)
	return list
}

// elements are the items of a list, as they were received.
type elements struct {
	all    []*element
	listed bool // the answer is a list
}

// listDigest identifies a list by its operation and its whole text.
type listDigest [sha256.Size]byte

func digestOf(of record.Entry) listDigest {
	return sha256.Sum256(append([]byte(of.Operation+" "), reading.ResultOf(of)...))
}

// element is an item of a list. It is decoded when it is first needed.
type element struct {
	text     string
	readings record.Readings
}

func (e *element) value() any {
	return record.Keep(&e.readings, func() result { return result{valueOf([]byte(e.text))} }).value
}

// readElements reads a list, which may be a member of an object.
func readElements(of record.Entry) elements {
	text, member := reading.ResultOf(of), listMember(of.Operation)
	var read elements
	var items []stdjson.RawMessage
	if bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("[")) {
		read.listed = json.Unmarshal(text, &items) == nil
	} else {
		var holder map[string]stdjson.RawMessage
		isList := json.Unmarshal(text, &holder) == nil && json.Unmarshal(holder[member], &items) == nil
		read.listed = isList && items != nil
	}
	for _, item := range items {
		if !read.listed {
			break
		}
		read.all = append(read.all, &element{text: string(item)})
	}
	return read
}

func valueOf(text []byte) any {
	if len(text) == 0 {
		return nil
	}
	return schemas.ReadValue(text)
}

// Number returns a member that is an integer, also one written as 7.0 or 7e0, or -1 if it is not an integer.
func Number(of any, path string) int {
	n, is := Member(of, path).(stdjson.Number)
	if !is {
		return -1
	}
	r, ok := new(big.Rat).SetString(string(n))
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return -1
	}
	return int(r.Num().Int64())
}

// Deep returns a deep copy of an object.
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

// result is a result, decoded.
type result struct{ value any }

func readResult(e record.Entry) result { return result{valueOf(reading.ResultOf(e))} }
