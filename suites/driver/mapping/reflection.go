package mapping

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// maxDepth bounds how often a string is parsed as JSON again.
const maxDepth = 3

// Reflected reports whether a result is contained in what jq made of the params and sent: a target
// that returns what it receives has not made the result. An empty result is never reflected.
func Reflected(result json.RawMessage, sent any) bool {
	value, err := Decode(result)
	if err != nil || isEmpty(value) {
		return false
	}
	return contains(sent, value, 0)
}

func isEmpty(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return value == nil
}

// contains searches for a value, also in strings that contain JSON.
func contains(in, value any, depth int) bool {
	if reflect.DeepEqual(in, value) {
		return true
	}
	switch v := in.(type) {
	case map[string]any:
		for _, member := range v {
			if contains(member, value, depth) {
				return true
			}
		}
	case []any:
		for _, element := range v {
			if contains(element, value, depth) {
				return true
			}
		}
	case string:
		text := bytes.TrimSpace([]byte(v))
		if depth == maxDepth || len(text) == 0 || text[0] != '{' && text[0] != '[' {
			return false
		}
		inner, err := Decode(text)
		return err == nil && contains(inner, value, depth+1)
	}
	return false
}
