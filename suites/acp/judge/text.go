package judge

import (
	"strings"

	"github.com/capconform/capconform/suites/acp/history"
)

// stringsIn returns all JSON strings within a text, one per line.
func stringsIn(text string) string {
	var all []string
	for _, value := range history.JSONValuesIn(text, history.MaxNesting) {
		history.Each(value, func(_ string, inner any) {
			if s, isText := inner.(string); isText {
				all = append(all, s)
			}
		})
	}
	return strings.Join(all, "\n")
}

// normalizeLines returns a text in a form that ignores white space within lines, kinds of line ends, and
// empty lines.
func normalizeLines(text string) string {
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r", "\n"), "\n") {
		if line = normalizeSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// normalizeSpace returns a text in a form that ignores differences in white space.
func normalizeSpace(text string) string { return strings.Join(strings.Fields(text), " ") }
