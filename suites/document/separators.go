package document

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// separators are ordinary characters in YAML 1.2, but ends of lines in the library. Each is listed
// with the first character that may replace it and has the same number of bytes.
var separators = []struct {
	text string
	from rune
}{{"\u0085", 0x100}, {"\u2028", 0xe000}, {"\u2029", 0xe000}}

// maxReplacements bounds the characters that are tried as a replacement that does not occur in the
// text.
const maxReplacements = 64

// withoutSeparators replaces the separators of a text by other characters, so that every place
// stays the same. The replacer undoes it; it is nil if there are no separators.
func withoutSeparators(text []byte) ([]byte, *strings.Replacer) {
	var undo []string
	for _, s := range separators {
		if !bytes.Contains(text, []byte(s.text)) {
			continue
		}
		for in := s.from; in < s.from+maxReplacements; in++ {
			if !bytes.Contains(text, []byte(string(in))) {
				text = bytes.ReplaceAll(text, []byte(s.text), []byte(string(in)))
				undo = append(undo, string(in), s.text)
				break
			}
		}
	}
	if undo == nil {
		return text, nil
	}
	return text, strings.NewReplacer(undo...)
}

// restore puts the separators back into the values of a tree.
func restore(y *yaml.Node, separators *strings.Replacer) {
	if separators == nil {
		return
	}
	y.Value = separators.Replace(y.Value)
	for _, content := range y.Content {
		restore(content, separators)
	}
}
