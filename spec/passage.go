package spec

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// passage is a sequence of lines that belong together: a paragraph, a list item, a table row, a
// heading or the printed shape of an object.
type passage struct {
	kind   lineKind // headingLine, rowLine, itemLine or textLine
	indent int
	lines  []line
	closed bool // nothing more may be added
	header bool // the row above a table's rule
}

// text returns the passage on one line.
func (p *passage) text() string {
	parts := make([]string, len(p.lines))
	for i, l := range p.lines {
		parts[i] = l.text
	}
	return strings.TrimSpace(strings.Join(parts, " "))
}

// tail returns the last line of the passage.
func (p *passage) tail() string { return p.lines[len(p.lines)-1].text }

// lineAt returns the number of the line that contains the byte at offset of text.
func (p *passage) lineAt(offset int) int {
	for _, l := range p.lines {
		if offset <= len(l.text) {
			return l.number
		}
		offset -= len(l.text) + 1
	}
	return p.lines[len(p.lines)-1].number
}

// Up to this length in bytes and in lines, text without punctuation may be a heading that lost its
// markup; wrapped prose is longer.
const (
	headingMax   = 60
	headingLines = 3
)

var (
	// completeForm matches the end of a sentence or of an introduction.
	completeForm = regexp.MustCompile(`[.:;!?](?:["'”’)\]\x60]|\*\*)*$`)
	// startsWithKeyword matches a line that continues a sentence although it begins with a capital.
	startsWithKeyword = regexp.MustCompile(`^[*_]*(?:MUST|SHALL|SHOULD|MAY|REQUIRED|RECOMMENDED|OPTIONAL)\b`)
	// standaloneLine matches a line that always stands alone: a signature, or the name of an object.
	standaloneLine = regexp.MustCompile(`^\x60?[\w.]+\(.*\)\s*->|^\x60?[A-Z]\w*\x60?:$`)
)

func isComplete(text string) bool { return completeForm.MatchString(text) }

// assembly groups lines into passages. A text may be clean Markdown, with blank lines and wrapped
// paragraphs, or an extraction without blank lines in which a code span is on a separate line; so a
// line break alone decides nothing.
type assembly struct {
	passages []*passage
	adjacent bool // no blank line since the last passage
	listed   bool // the last passage was an item, blank lines do not count
	marked   bool // the headings of the text are marked, so nothing else is one
}

func assemble(source []line) []*passage {
	a := &assembly{marked: slices.ContainsFunc(source, func(l line) bool { return l.kind == headingLine && l.level > 1 })}
	for _, l := range source {
		a.add(l)
	}
	return a.passages
}

func (a *assembly) last() *passage {
	if len(a.passages) == 0 {
		return nil
	}
	return a.passages[len(a.passages)-1]
}

func (a *assembly) add(l line) {
	switch l.kind {
	case blankLine:
		if p := a.last(); p != nil && p.tail() != "" {
			p.closed = true
			a.adjacent = false
		}
	case fenceLine, ruleLine:
		a.listed = a.listed && l.indent >= 2
		if p := a.last(); p != nil {
			p.closed = true
			p.header = p.kind == rowLine && strings.Contains(l.text, "|")
		}
	case headingLine, rowLine:
		a.open(l, l.kind)
		a.last().closed = true
	case itemLine:
		a.open(l, itemLine)
	default:
		a.addText(l)
	}
}

func (a *assembly) open(l line, kind lineKind) {
	a.passages = append(a.passages, &passage{kind: kind, indent: l.indent, lines: []line{l}})
	a.adjacent = true
	a.listed = kind == itemLine
}

func (a *assembly) addText(l line) {
	p := a.last()
	switch {
	case p == nil:
		a.open(l, textLine)
	case a.continues(p, l):
		p.lines = append(p.lines, l)
	case a.listed && l.indent >= 2, a.isItemWithoutMarker(p, l):
		a.open(l, itemLine)
	default:
		a.open(l, textLine)
	}
	if standaloneLine.MatchString(l.text) {
		a.last().closed = true
	}
}

// continues reports whether a line continues the passage.
func (a *assembly) continues(p *passage, l line) bool {
	switch {
	case p.closed:
		return false
	case p.tail() == "": // a list marker is the whole line
		return true
	case standaloneLine.MatchString(l.text):
		return false
	case isComplete(p.tail()):
		return p.kind == itemLine && l.indent > p.indent
	case p.kind == itemLine:
		return true
	}
	if a.marked || len(p.lines) > headingLines || !startsUpper(l.text) || startsWithKeyword.MatchString(l.text) {
		return true
	}
	text := p.text()
	likeHeading := len(text) <= headingMax && startsUpper(text) && keywordOf(text) == ""
	return !likeHeading
}

// isItemWithoutMarker reports whether a line is a list item whose marker an extraction dropped, as happens
// before a code span: it is directly below an introduction, or below another item and begins in
// lower case.
func (a *assembly) isItemWithoutMarker(p *passage, l line) bool {
	if !a.adjacent || p.kind == rowLine || p.kind == headingLine {
		return false
	}
	if p.kind == itemLine {
		return isComplete(p.tail()) && !startsUpper(l.text)
	}
	return isLeadIn(p.text()) && keywordOf(lastSentence(p.text())) != ""
}

// startsUpper reports whether a text begins with a capital, after markup.
func startsUpper(text string) bool {
	trimmed := strings.TrimLeft(text, "*_`\"“'([")
	r, _ := utf8.DecodeRuneInString(trimmed)
	return unicode.IsUpper(r)
}
