package shape

import (
	"encoding/json"
	"strings"
)

// plain describes the values that a part accepts without the schema library: events are many, and
// most members are a text, an object, a boolean or an integer. The library judges every value that
// plain does not accept.
type plain struct{ text, object, flag, whole bool }

// memberSchema is the schema of one member, as far as plain supports it.
type memberSchema struct {
	Type      any          `json:"type"`
	MinLength *int         `json:"minLength"`
	Minimum   *json.Number `json:"minimum"`
}

// plainOf returns the plain form of a part. A part with further keywords has none.
func plainOf(part json.RawMessage, member string) plain {
	var read struct {
		Requirement json.RawMessage         `json:"x-requirement"`
		Required    []string                `json:"required"`
		Properties  map[string]memberSchema `json:"properties"`
	}
	decoder := json.NewDecoder(strings.NewReader(string(part)))
	decoder.DisallowUnknownFields()
	if decoder.Decode(&read) != nil || len(read.Properties) != 1 {
		return plain{}
	}
	of := read.Properties[member]
	var p plain
	types, several := of.Type.([]any)
	if !several {
		types = []any{of.Type}
	}
	for _, t := range types {
		switch t {
		case "string":
			p.text = of.MinLength == nil || *of.MinLength <= 1
		case "object":
			p.object = true
		case "boolean":
			p.flag = true
		case "integer":
			p.whole = of.Minimum == nil || *of.Minimum == "0"
		}
	}
	return p
}

// maxPlainLength bounds the digits of a number that is recognised as an integer.
const maxPlainLength = 18

// accepts reports whether a value is certainly valid.
func (p plain) accepts(value any) bool {
	switch v := value.(type) {
	case string:
		return p.text && v != ""
	case map[string]any:
		return p.object
	case bool:
		return p.flag
	case json.Number:
		return p.whole && v != "" && len(v) <= maxPlainLength && strings.Trim(string(v), "0123456789") == ""
	}
	return false
}
