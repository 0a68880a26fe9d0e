package display

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Columns returns the number of columns that cleaned text occupies on a terminal.
func Columns(text string) int { return uniseg.StringWidth(text) }

// cutToColumns returns the longest beginning of text that fits into n columns, and the rest. It cuts between
// characters as a reader sees them, which may consist of several runes.
func cutToColumns(text string, n int) (head, rest string) {
	rest = text
	for used, state := 0, -1; rest != ""; {
		_, after, width, next := uniseg.FirstGraphemeClusterInString(rest, state)
		used += width
		if used > n {
			break
		}
		rest, state = after, next
	}
	return text[:len(text)-len(rest)], rest
}

// Truncate cuts text to n columns. If it cuts, the last column is an ellipsis.
func Truncate(text string, n int) string {
	if _, rest := cutToColumns(text, n); rest == "" {
		return text
	}
	head, _ := cutToColumns(text, n-1)
	return strings.TrimRight(head, " ") + "…"
}

// Pad fills text with blanks up to n columns.
func Pad(text string, n int) string {
	return text + strings.Repeat(" ", max(0, n-Columns(text)))
}

// Wrap breaks text at blanks into lines of at most n columns. A word that is longer, such as JSON without blanks, it
// breaks after a comma or another delimiter, and only without one anywhere. It returns at least one line.
func Wrap(text string, n int) []string {
	var lines []string
	for {
		head, rest := cutToColumns(text, n)
		if rest == "" || head == "" { // all of it fits, or not even one wide character
			break
		}
		if cut := strings.LastIndexByte(head, ' '); cut > 0 && !strings.HasPrefix(rest, " ") {
			head, rest = text[:cut], text[cut:]
		} else if cut <= 0 && !strings.HasPrefix(rest, " ") {
			if cut := afterDelimiter(head); cut > 0 {
				head, rest = text[:cut], text[cut:]
			}
		}
		lines = append(lines, strings.TrimRight(head, " "))
		text = strings.TrimLeft(rest, " ")
	}
	if text != "" || len(lines) == 0 {
		lines = append(lines, text)
	}
	return lines
}

// afterDelimiter returns where a line without blanks ends best: after its last comma, or else after another delimiter.
// It returns 0 if there is none.
func afterDelimiter(line string) int {
	if cut := strings.LastIndexByte(line, ','); cut > len(line)/2 {
		return cut + 1
	}
	return strings.LastIndexAny(line, ",:;/&?=[]{}()") + 1
}

// WrapUpTo is Wrap with a bound on the number of lines.
func WrapUpTo(text string, n, most int) []string {
	lines := Wrap(text, n)
	if len(lines) <= most {
		return lines
	}
	lines = lines[:most]
	head, _ := cutToColumns(lines[most-1], n-2)
	lines[most-1] = strings.TrimRight(head, " ") + " …"
	return lines
}

// CutBytes returns the longest beginning of valid UTF-8 that has at most n bytes.
func CutBytes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
