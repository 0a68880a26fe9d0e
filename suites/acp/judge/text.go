package judge

import (
	"strings"

	"github.com/capconform/capconform/suites/acp/history"
)

// textsIn returns all JSON strings within a text, one per line.
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

// linewise returns a text in a form that ignores white space within lines, kinds of line ends, and empty
// lines.
func linewise(text string) string {
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r", "\n"), "\n") {
		if line = folded(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// folded returns a text in a form that ignores differences in white space.
func folded(text string) string { return strings.Join(strings.Fields(text), " ") }
