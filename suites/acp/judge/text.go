package judge

import (
	"strings"

	"github.com/capconform/capconform/suites/acp/history"
)

// textsIn returns the texts in the JSON of a text.
func textsIn(text string) string {
	var all []string
	for _, value := range history.Unwrapped(text, history.WrapsAtMost) {
		history.Each(value, func(_ string, inner any) {
			if s, isText := inner.(string); isText {
				all = append(all, s)
			}
		})
	}
	return strings.Join(all, "\n")
}

// linewise makes texts equal that differ in the white space within lines, in line ends and in empty lines alone.
func linewise(text string) string {
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r", "\n"), "\n") {
		if line = folded(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// folded makes texts equal that differ in white space alone.
func folded(text string) string { return strings.Join(strings.Fields(text), " ") }
