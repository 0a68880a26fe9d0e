package variant

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/rpc"
)

// Replies returns styles that write the same JSON with other characters, over every front end.
func Replies(suite, allows string) []Variant {
	wire := func(name, summary string, reply func(method string, reply []byte) []byte) Variant {
		return Variant{Name: suite + "-" + name, Suite: suite, Summary: summary, Allows: []string{allows},
			Apply: func(parts *reference.Parts) {
				parts.Reply = reply
			}}
	}
	var styles []Variant
	for _, s := range []struct {
		name, summary string
		print         printer
	}{
		{"spaced", "Writes blanks and tabs between the tokens of every reply.", printer{blank: " \t "}},
		{"reversed", "Writes the members of every object in reverse order.", printer{reverse: true}},
		{"escaped", "Writes every character of a string as an escape.", printer{escape: true}},
		{"exponents", "Writes integers with a point or an exponent.", printer{exponent: true}},
	} {
		styles = append(styles, wire("reply-"+s.name, s.summary, func(_ string, reply []byte) []byte {
			value, err := rpc.Decode(reply)
			if err != nil {
				return reply
			}
			// The id is returned unchanged.
			members, _ := value.(map[string]any)
			id := rpc.Append(nil, members["id"])
			members["id"] = rpc.Raw(id)
			return s.print.append(nil, value)
		}))
	}
	return append(styles, wire("reply-more-members", "Adds a member to every reply.", func(_ string, reply []byte) []byte {
		return append(reply[:len(reply)-1:len(reply)-1], `,"_meta":{"host":"a"}}`...)
	}))
}

// printer writes JSON in an unusual form with the same meaning.
type printer struct {
	blank    string // between tokens; no line breaks, which end a message over stdio
	reverse  bool   // members in reverse order of their names
	escape   bool   // strings in escapes
	exponent bool   // integers as 12e0
}

func (p printer) append(out []byte, value any) []byte {
	switch v := value.(type) {
	case map[string]any:
		return p.object(out, v)
	case []any:
		out = append(append(out, '['), p.blank...)
		for i, element := range v {
			if i > 0 {
				out = append(append(out, ','), p.blank...)
			}
			out = append(p.append(out, element), p.blank...)
		}
		return append(out, ']')
	case string:
		return p.text(out, v)
	case json.Number:
		out = append(out, v...)
		if p.exponent && !strings.ContainsAny(string(v), ".eE") {
			out = append(out, "e0"...)
		}
		return out
	}
	return rpc.Append(out, value)
}

func (p printer) object(out []byte, members map[string]any) []byte {
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	if p.reverse {
		slices.Reverse(names)
	}
	out = append(append(out, '{'), p.blank...)
	for i, name := range names {
		if i > 0 {
			out = append(append(out, ','), p.blank...)
		}
		out = append(append(p.text(out, name), p.blank...), ':')
		out = append(p.append(append(out, p.blank...), members[name]), p.blank...)
	}
	return append(out, '}')
}

func (p printer) text(out []byte, text string) []byte {
	if !p.escape {
		return rpc.Append(out, text)
	}
	out = append(out, '"')
	for _, unit := range utf16.Encode([]rune(text)) {
		out = fmt.Appendf(out, `\u%04x`, unit)
	}
	return append(out, '"')
}
