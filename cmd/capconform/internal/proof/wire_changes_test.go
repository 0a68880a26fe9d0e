package proof

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
)

// decodeWire returns nil if the text is not a single JSON value.
func decodeWire(text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	if _, err := d.Token(); err != io.EOF {
		return nil
	}
	return v
}

// encodeWire writes members in the order of their names, or in reverse order.
func encodeWire(v any, backwards bool) []byte {
	switch v := v.(type) {
	case map[string]any:
		var names []string
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		if backwards {
			slices.Reverse(names)
		}
		var parts []string
		for _, name := range names {
			parts = append(parts, string(encodeWire(name, false))+":"+string(encodeWire(v[name], backwards)))
		}
		return []byte("{" + strings.Join(parts, ",") + "}")
	case []any:
		var parts []string
		for _, one := range v {
			parts = append(parts, string(encodeWire(one, backwards)))
		}
		return []byte("[" + strings.Join(parts, ",") + "]")
	default:
		text, err := json.Marshal(v)
		if err != nil {
			return []byte("null")
		}
		return text
	}
}

// cell is one place in a document.
type cell struct {
	value any
	there bool
	put   func(any)
	drop  func() // removes a member
}

// cells returns the places that a JSON Pointer names. A segment * selects every element, and [name=value] every
// element that has the member. The last segment need not exist.
func cells(root any, pointer string) []cell {
	found := []cell{{value: root, there: root != nil}}
	if pointer == "" {
		return found
	}
	for segment := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		var next []cell
		for _, c := range found {
			next = append(next, c.step(segment)...)
		}
		found = next
	}
	return found
}

func (c cell) step(segment string) []cell {
	var next []cell
	switch v := c.value.(type) {
	case map[string]any:
		one, there := v[segment]
		next = append(next, cell{one, there, func(x any) { v[segment] = x }, func() { delete(v, segment) }})
	case []any:
		for i, one := range v {
			if chosen(segment, one, i) {
				next = append(next, cell{one, true, func(x any) { v[i] = x }, nil})
			}
		}
	}
	return next
}

func chosen(segment string, one any, i int) bool {
	if filter, ok := strings.CutPrefix(segment, "["); ok {
		name, want, _ := strings.Cut(strings.TrimSuffix(filter, "]"), "=")
		return text(one, "/"+name) == want
	}
	return segment == "*" || segment == strconv.Itoa(i)
}

// text returns the string at a pointer, or "" if there is none.
func text(root any, pointer string) string {
	for _, c := range cells(root, pointer) {
		if s, ok := c.value.(string); ok {
			return s
		}
	}
	return ""
}

// set writes a JSON value at each place of the pointer.
func set(pointer, value string) change {
	return with(pointer, func(*message, any) any { return decodeWire([]byte(value)) })
}

// with writes the value that a function makes of the old one.
func with(pointer string, another func(m *message, old any) any) change {
	return func(m *message) bool {
		found := cells(m.body, pointer)
		for _, c := range found {
			if c.put == nil {
				return false
			}
			c.put(another(m, c.value))
		}
		return len(found) > 0
	}
}

// changed does the same for each value that exists and is not null.
func changed(pointer string, another func(m *message, old any) any) change {
	return func(m *message) bool {
		done := false
		for _, c := range cells(m.body, pointer) {
			if c.there && c.value != nil {
				c.put(another(m, c.value))
				done = true
			}
		}
		return done
	}
}

// drop removes a member.
func drop(pointer string) change {
	return func(m *message) bool {
		done := false
		for _, c := range cells(m.body, pointer) {
			if c.there {
				c.drop()
				done = true
			}
		}
		return done
	}
}

// list replaces each list by another one. It reports a change if the encoded list differs.
func list(pointer string, another func(m *message, old []any) []any) change {
	return func(m *message) bool {
		done := false
		for _, c := range cells(m.body, pointer) {
			old, ok := c.value.([]any)
			if !ok {
				continue
			}
			before := encodeWire(old, false)
			now := another(m, old)
			c.put(now)
			done = done || !bytes.Equal(before, encodeWire(now, false))
		}
		return done
	}
}

// twice duplicates each element that a segment selects.
func twice(pointer, segment string) change {
	return list(pointer, func(_ *message, old []any) []any {
		var now []any
		for i, one := range old {
			now = append(now, one)
			if chosen(segment, one, i) {
				now = append(now, decodeWire(encodeWire(one, false)))
			}
		}
		return now
	})
}

// without removes the selected elements.
func without(pointer, segment string) change {
	return list(pointer, func(_ *message, old []any) []any {
		now := []any{}
		for i, one := range old {
			if !chosen(segment, one, i) {
				now = append(now, one)
			}
		}
		return now
	})
}

// backwards reverses a list.
func backwards(pointer string) change {
	return list(pointer, func(_ *message, old []any) []any {
		now := slices.Clone(old)
		slices.Reverse(now)
		return now
	})
}

// where changes results of one outcome.
func where(outcome string, c change) change {
	return func(m *message) bool { return text(m.body, "/outcome") == outcome && c(m) }
}

// asked changes results of one fixture.
func asked(fixture string, c change) []rule {
	return result(func(m *message) bool { return text(m.asked, "/capability_id") == "conformance."+fixture && c(m) })
}

// all makes several changes in sequence; if the first makes no change, the rest are omitted.
func all(first change, rest ...change) change {
	return func(m *message) bool {
		if !first(m) {
			return false
		}
		for _, c := range rest {
			c(m)
		}
		return true
	}
}

// counted sets the event count after a change that adds or removes events.
func counted(c change) change {
	return all(c, with("/event_count", func(m *message, _ any) any {
		for _, c := range cells(m.body, "/events") {
			if events, ok := c.value.([]any); ok {
				return json.Number(strconv.Itoa(len(events)))
			}
		}
		return json.Number("0")
	}))
}

// status sends the answer with another status.
func status(code int) change {
	return func(m *message) bool { m.status = code; return true }
}

// bytesInstead sends another body.
func bytesInstead(other string) change {
	return func(m *message) bool { m.text, m.raw = []byte(other), true; return true }
}
