package stdiodriver

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	stderrLines  = 10  // of stderr in an error
	stderrLength = 200 // bytes of each
)

// reasonWords mark the line of stderr that says why a program ended, the surest first.
var reasonWords = []string{"Error:", "error", "not found"}

// lastLines returns the last lines of a text that are not blank. If there are more of them, the line that says why
// precedes the others.
func lastLines(text string) []string {
	var all []string
	for line := range strings.Lines(strings.ToValidUTF8(text, "")) {
		line = strings.TrimRightFunc(strings.Map(printable, line), func(r rune) bool { return r == ' ' })
		if line != "" {
			all = append(all, shortened(line))
		}
	}
	if len(all) <= stderrLines {
		return all
	}
	last := all[len(all)-stderrLines:]
	for _, word := range reasonWords {
		has := func(line string) bool { return strings.Contains(line, word) }
		if slices.ContainsFunc(last, has) {
			return last
		}
		before := all[:len(all)-stderrLines]
		for _, line := range slices.Backward(before) {
			if has(line) {
				return append([]string{line}, last[1:]...)
			}
		}
	}
	return last
}

func printable(r rune) rune {
	switch {
	case r == '\t':
		return ' '
	case r < ' ', r == 0x7f:
		return -1
	}
	return r
}

func shortened(line string) string {
	if len(line) <= stderrLength {
		return line
	}
	end := stderrLength
	for !utf8.RuneStart(line[end]) {
		end--
	}
	return line[:end] + "..."
}
