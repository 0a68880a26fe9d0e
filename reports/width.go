package reports

import (
	"strings"
	"unicode"
)

// wide are the runes that take two columns: East Asian wide forms and emoji.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115F, Stride: 1}, {Lo: 0x231A, Hi: 0x231B, Stride: 1}, {Lo: 0x23E9, Hi: 0x23EC, Stride: 1},
		{Lo: 0x2614, Hi: 0x2615, Stride: 1}, {Lo: 0x2648, Hi: 0x2653, Stride: 1}, {Lo: 0x26C4, Hi: 0x26C5, Stride: 1},
		{Lo: 0x2705, Hi: 0x2705, Stride: 1}, {Lo: 0x274C, Hi: 0x274C, Stride: 1}, {Lo: 0x2753, Hi: 0x2755, Stride: 1},
		{Lo: 0x2795, Hi: 0x2797, Stride: 1}, {Lo: 0x2B50, Hi: 0x2B50, Stride: 1}, {Lo: 0x2E80, Hi: 0x303E, Stride: 1},
		{Lo: 0x3041, Hi: 0xA4CF, Stride: 1}, {Lo: 0xA960, Hi: 0xA97C, Stride: 1}, {Lo: 0xAC00, Hi: 0xD7A3, Stride: 1},
		{Lo: 0xF900, Hi: 0xFAFF, Stride: 1}, {Lo: 0xFE30, Hi: 0xFE6F, Stride: 1}, {Lo: 0xFF00, Hi: 0xFF60, Stride: 1},
		{Lo: 0xFFE0, Hi: 0xFFE6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x16FE0, Hi: 0x18CFF, Stride: 1}, {Lo: 0x1B000, Hi: 0x1B2FF, Stride: 1}, {Lo: 0x1F18E, Hi: 0x1F18E, Stride: 1},
		{Lo: 0x1F191, Hi: 0x1F19A, Stride: 1}, {Lo: 0x1F200, Hi: 0x1F64F, Stride: 1}, {Lo: 0x1F680, Hi: 0x1F6FF, Stride: 1},
		{Lo: 0x1F900, Hi: 0x1FAFF, Stride: 1}, {Lo: 0x20000, Hi: 0x3FFFD, Stride: 1},
	},
}

// columns is the number of columns that cleaned text takes on a terminal.
func columns(text string) int {
	n := 0
	for _, r := range text {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	default:
		return 1
	}
}

// fit gives the longest beginning of text that takes at most n columns, and the rest.
func fit(text string, n int) (head, rest string) {
	used := 0
	for i, r := range text {
		used += runeColumns(r)
		if used > n {
			return text[:i], text[i:]
		}
	}
	return text, ""
}

// truncate cuts text to n columns, the last of them an ellipsis where something is cut.
func truncate(text string, n int) string {
	if columns(text) <= n {
		return text
	}
	head, _ := fit(text, n-1)
	return strings.TrimRight(head, " ") + "…"
}

// pad fills text with blanks up to n columns.
func pad(text string, n int) string {
	return text + strings.Repeat(" ", max(0, n-columns(text)))
}

// wrap breaks text at blanks into lines of at most n columns; a word that is
// longer is broken where it must be. It gives at least one line.
func wrap(text string, n int) []string {
	var lines []string
	for columns(text) > n {
		head, rest := fit(text, n)
		if head == "" { // not even one wide rune fits
			break
		}
		if cut := strings.LastIndexByte(head, ' '); cut > 0 && !strings.HasPrefix(rest, " ") {
			head, rest = text[:cut], text[cut:]
		}
		lines = append(lines, strings.TrimRight(head, " "))
		text = strings.TrimLeft(rest, " ")
	}
	if text != "" || len(lines) == 0 {
		lines = append(lines, text)
	}
	return lines
}

// Wrap breaks cleaned text at blanks into lines of at most n columns, at least one.
func Wrap(text string, n int) []string { return wrap(text, n) }

// wrapUpTo is wrap with a bound on the number of lines.
func wrapUpTo(text string, n, most int) []string {
	lines := wrap(text, n)
	if len(lines) <= most {
		return lines
	}
	lines = lines[:most]
	head, _ := fit(lines[most-1], n-2)
	lines[most-1] = strings.TrimRight(head, " ") + " …"
	return lines
}
