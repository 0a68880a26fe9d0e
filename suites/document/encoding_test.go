package document_test

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/document"
)

// YAML may have any encoding of Unicode, with or without a byte order mark. Places count characters.
func TestEncodings(t *testing.T) {
	const yaml = "name: \"Zo\u00eb \U0001f375\"\nschema: |\n  {\"\u8336\": [1,\n   2]}\n"
	wide16 := func(order binary.AppendByteOrder, text string) (b []byte) {
		for _, unit := range utf16.Encode([]rune(text)) {
			b = order.AppendUint16(b, unit)
		}
		return b
	}
	wide32 := func(order binary.AppendByteOrder, text string) (b []byte) {
		for _, r := range text {
			b = order.AppendUint32(b, uint32(r))
		}
		return b
	}
	for name, encode := range map[string]func(text string) []byte{
		"UTF-8":     func(text string) []byte { return []byte(text) },
		"UTF-16 BE": func(text string) []byte { return wide16(binary.BigEndian, text) },
		"UTF-16 LE": func(text string) []byte { return wide16(binary.LittleEndian, text) },
		"UTF-32 BE": func(text string) []byte { return wide32(binary.BigEndian, text) },
		"UTF-32 LE": func(text string) []byte { return wide32(binary.LittleEndian, text) },
	} {
		for _, mark := range []string{"", "\ufeff"} {
			text := encode(mark + yaml)
			f, err := document.Parse("a.acp.yaml", text, document.Limits{})
			require.NoError(t, err, name)
			require.Equal(t, text, f.Text, name)
			require.Equal(t, "Zo\u00eb \U0001f375", f.Roots[0].Get("name").Text, name)
			nested, err := f.Nested(f.Roots[0].Get("schema"), document.Limits{})
			require.NoError(t, err, name)
			second := nested.Get("\u8336").Items[1]
			require.Equal(t, [2]int{4, 4}, [2]int{second.Line, second.Column}, name)
			start := document.Place{Line: 1, Column: 7}
			require.Equal(t, document.Place{Line: 1, Column: 14}, f.Ends([]document.Place{start})[start], name)
		}
	}
}
