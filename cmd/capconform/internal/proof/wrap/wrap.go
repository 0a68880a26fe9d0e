// Package wrap wraps the text of the matrix and of the survey.
package wrap

import "strings"

// Columns is the width of the lines, if their text can be wrapped.
const Columns = 100

// Paragraph writes a text in lines of at most Columns: the first after a lead, the others indented
// by the width of the lead, but at most by 4.
func Paragraph(out *strings.Builder, lead, text string) {
	at, indent := lead, strings.Repeat(" ", min(len([]rune(lead)), 4))
	for i, word := range strings.Fields(text) {
		if i > 0 && len([]rune(at))+1+len([]rune(word)) > Columns {
			out.WriteString(at + "\n")
			at = indent + word
			continue
		}
		if i > 0 {
			at += " "
		}
		at += word
	}
	out.WriteString(at + "\n")
}
