package chpsuite

import (
	"bytes"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/capconform/capconform/schemas"
)

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// readHead decodes the members beside "events", and puts an empty list in their
// place where they are one.
func readHead(raw []byte) object {
	d := jsontext.NewDecoder(bytes.NewBuffer(raw))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil
	}
	head := object{}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil
		}
		member := name.String()
		if member == "events" && d.PeekKind() == '[' {
			if d.SkipValue() != nil {
				return nil
			}
			head[member] = []any{}
			continue
		}
		value, err := d.ReadValue()
		if err != nil {
			return nil
		}
		head[member] = schemas.ReadValue(value)
	}
	return head
}
