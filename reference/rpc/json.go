package rpc

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
)

// Raw is JSON text that is written unchanged.
type Raw []byte

// Append writes a JSON value: nil, booleans, numbers, strings, []any, map[string]any with sorted
// names, and Raw. Other types are written by encoding/json. A value that encoding/json cannot
// write becomes null.
func Append(out []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(out, "null"...)
	case Raw:
		return append(out, v...)
	case bool:
		return strconv.AppendBool(out, v)
	case int:
		return strconv.AppendInt(out, int64(v), 10)
	case int64:
		return strconv.AppendInt(out, v, 10)
	case json.Number:
		return append(out, v...)
	case string:
		return appendString(out, v)
	case []any:
		return appendArray(out, v)
	case map[string]any:
		return appendObject(out, v)
	}
	return appendOther(out, value)
}

// Encode returns the text of a value that Append appends. A long text takes less memory than by Append.
func Encode(value any) []byte {
	return drafted(func(out []byte) []byte { return Append(out, value) })
}

// drafts are buffers for texts that are being written: a new one would grow several times for a long text.
var drafts = sync.Pool{New: func() any { return new([]byte) }}

// drafted returns a copy of what write appends to a buffer.
func drafted(write func(out []byte) []byte) []byte {
	draft := drafts.Get().(*[]byte)
	defer drafts.Put(draft)
	*draft = write((*draft)[:0])
	return bytes.Clone(*draft)
}

func appendArray(out []byte, elements []any) []byte {
	out = append(out, '[')
	for i, element := range elements {
		if i > 0 {
			out = append(out, ',')
		}
		out = Append(out, element)
	}
	return append(out, ']')
}

func appendObject(out []byte, members map[string]any) []byte {
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	out = append(out, '{')
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendString(out, name), ':')
		out = Append(out, members[name])
	}
	return append(out, '}')
}

// appendString writes ASCII text as encoding/json does, and passes other text to encoding/json.
func appendString(out []byte, text string) []byte {
	before, written := len(out), 0 // of text
	out = append(out, '"')
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '"' || c == '\\':
		case c == '\n':
			c = 'n'
		case c == '\t':
			c = 't'
		case c < ' ' || c >= 0x7f:
			return appendOther(out[:before], text)
		default:
			continue
		}
		out = append(append(out, text[written:i]...), '\\', c)
		written = i + 1
	}
	return append(append(out, text[written:]...), '"')
}

func appendOther(out []byte, value any) []byte {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return append(out, "null"...)
	}
	return append(out, bytes.TrimRight(buffer.Bytes(), "\n")...)
}

// Clone returns a deep copy of a JSON value made of []any and map[string]any.
func Clone(value any) any { return Transform(value, func(v any) any { return v }) }

// Transform returns a deep copy of such a value in which turn was applied to each value, after the
// values within it.
func Transform(value any, transform func(any) any) any {
	switch v := value.(type) {
	case map[string]any:
		members := make(map[string]any, len(v))
		for name, member := range v {
			members[name] = Transform(member, transform)
		}
		return transform(members)
	case []any:
		elements := make([]any, len(v))
		for i, element := range v {
			elements[i] = Transform(element, transform)
		}
		return transform(elements)
	}
	return transform(value)
}
