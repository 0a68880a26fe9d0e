package document

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// separators are characters like any other in YAML 1.2, and ends of lines in the
// library. Each has the first character that may stand in for it, of as many bytes.
var separators = []struct {
	text string
	from rune
}{{"\u0085", 0x100}, {"\u2028", 0xe000}, {"\u2029", 0xe000}}

// mostStandIns bounds how many characters are tried for one that the text lacks.
const mostStandIns = 64

// withoutSeparators writes other characters for the separators of a text, so that
// every place stays where it is. The replacer, nil if there are none, undoes it.
func withoutSeparators(text []byte) ([]byte, *strings.Replacer) {
	var undo []string
	for _, s := range separators {
		if !bytes.Contains(text, []byte(s.text)) {
			continue
		}
		for in := s.from; in < s.from+mostStandIns; in++ {
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

// restore returns the values of a tree their separators back.
func restore(y *yaml.Node, separators *strings.Replacer) {
	if separators == nil {
		return
	}
	y.Value = separators.Replace(y.Value)
	for _, content := range y.Content {
		restore(content, separators)
	}
}
