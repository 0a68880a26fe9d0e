package history

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/capconform/capconform/schemas"
)

// readHead decodes the members other than "events". If events is a list, it is replaced with an
// empty one.
func readHead(raw []byte) Object {
	d := jsontext.NewDecoder(bytes.NewBuffer(raw))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil
	}
	head := Object{}
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
