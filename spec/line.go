package spec

import (
	"regexp"
	"strings"
)

type lineKind int

const (
	blankLine   lineKind = iota
	fenceLine            // ``` or ~~~: a border, not content
	ruleLine             // --- or |---|---|
	headingLine          // # Heading
	rowLine              // | cell | cell |
	itemLine             // - item, • item, 1. item
	textLine
)

// line is one line of a source text, after repair. Several lines have the same number if an
// extraction joined them.
type line struct {
	number int
	kind   lineKind
	indent int
	level  int    // of a heading, from 1
	text   string // without list marker, hashes and quote marks
}

var (
	fenceForm   = regexp.MustCompile("^(```|~~~)")
	ruleForm    = regexp.MustCompile(`^(\|?[\s:]*-{3,}[\s|:-]*|\*{3,}|_{3,}|={3,})$`)
	headingForm = regexp.MustCompile(`^#{1,6}\s+`)
	markerForm  = regexp.MustCompile(`^(?:[-*+•‣◦]|\d{1,3}[.)])(?:\s+|$)`)
	// rowForm matches a complete row, or one that lost its first or its last border.
	rowForm   = regexp.MustCompile(`^\|.*\||^[^|].*\|\s*$|^\S+\s*\|\s.*\|`)
	quoteForm = regexp.MustCompile(`^(?:>\s?)+`)
	escape    = regexp.MustCompile(`\\([[:punct:]])`)
	breakTag  = regexp.MustCompile(`<br\s*/?>`)

	// An extraction that loses line breaks leaves traces: a list marker after the end of a
	// sentence, and a heading or an introduction that is joined to a line of code.
	joinedMarker  = regexp.MustCompile(`([.;:!?])\s*- (\S)`)
	joinedLeadIn  = regexp.MustCompile(`^(\s*(?:\w+:\s.*|.*->.*[a-zA-Z\])"'|]))([A-Z][a-z]+:)$`)
	joinedHeading = regexp.MustCompile(`^(\s*\w+:\s.*["'\]])([A-Z][a-z]+)$`)
)

// readLines splits a source into classified lines.
func readLines(source []byte) []line {
	text := strings.ToValidUTF8(strings.TrimPrefix(string(source), "\ufeff"), "\ufffd")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var out []line
	for i, raw := range strings.Split(text, "\n") {
		for _, part := range repair(raw) {
			out = append(out, classify(i+1, part))
		}
	}
	return out
}

// repair splits a line if an extraction joined several lines.
func repair(raw string) []string {
	raw = strings.TrimRight(breakTag.ReplaceAllString(raw, " "), " \t\r")
	if rowForm.MatchString(strings.TrimSpace(raw)) {
		return []string{raw}
	}
	raw = joinedMarker.ReplaceAllString(raw, "$1\n- $2")
	if at := strings.LastIndex(raw, "•"); at > 0 && strings.TrimSpace(raw[:at]) != "" {
		raw = strings.ReplaceAll(raw, "•", "\n•")
	}
	raw = joinedLeadIn.ReplaceAllString(raw, "$1\n$2")
	raw = joinedHeading.ReplaceAllString(raw, "$1\n# $2")
	return strings.Split(raw, "\n")
}

func classify(number int, raw string) line {
	body := strings.TrimLeft(raw, " \t")
	l := line{number: number, kind: textLine, indent: len(raw) - len(body)}
	body = escape.ReplaceAllString(quoteForm.ReplaceAllString(body, ""), "$1")
	switch {
	case body == "":
		l.kind = blankLine
	case fenceForm.MatchString(body):
		l.kind = fenceLine
	case ruleForm.MatchString(body):
		l.kind = ruleLine
	case headingForm.MatchString(body):
		l.kind = headingLine
		l.level = strings.IndexFunc(body, func(r rune) bool { return r != '#' })
		body = headingForm.ReplaceAllString(body, "")
		body = markerForm.ReplaceAllString(body, "")
	case rowForm.MatchString(body):
		l.kind = rowLine
	case markerForm.MatchString(body):
		l.kind = itemLine
		body = markerForm.ReplaceAllString(body, "")
	}
	l.text = body
	return l
}
