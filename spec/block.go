package spec

import "strings"

// Block is the smallest part of a source text that a requirement can cover: a sentence, also of a
// list item; a table row; a heading; a signature; the printed shape of an object.
type Block struct {
	// Line is the number of the line where it begins, from 1.
	Line int
	// Text is the block on one line, without list marker.
	Text string
	// Keyword is the strongest keyword of the block, otherwise that of the line that introduces
	// its list or table; empty if there is none.
	Keyword string
	// Fingerprint is Fingerprint(Text).
	Fingerprint string
}

// Normative reports whether the block has a keyword.
func (b Block) Normative() bool { return b.Keyword != "" }

// Blocks splits a source text, Markdown or extracted plain text, into its blocks, in order,
// including those without a keyword.
func Blocks(source []byte) []Block {
	var out []Block
	var inherited inheritedKeyword
	for _, p := range assemble(readLines(source)) {
		keyword, text := inherited.keywordFor(p), p.text()
		var last Block
		for _, s := range p.spans(text) {
			last = blockOf(text[s.start:s.end], p.lineAt(s.start))
			if last.Keyword == "" {
				last.Keyword = keyword
			}
			if fingerprintText(last.Text) != "" {
				out = append(out, last)
			}
		}
		inherited.note(p, last)
	}
	return out
}

// spans returns the parts of the passage's text, one per block.
func (p *passage) spans(text string) []span {
	if p.kind == rowLine || p.kind == headingLine {
		return []span{{0, len(text)}}
	}
	return sentences(text)
}

func blockOf(part string, number int) Block {
	text := strings.Join(strings.Fields(part), " ")
	return Block{Line: number, Text: text, Keyword: keywordOf(text), Fingerprint: Fingerprint(text)}
}

// inheritedKeyword is the keyword that the following items and rows inherit: that of the paragraph above their
// list, or of an item above a nested list.
type inheritedKeyword struct {
	keyword string
	nested  string
	indent  int // of the item that nested comes from
}

func (l *inheritedKeyword) keywordFor(p *passage) string {
	switch {
	case p.header || (p.kind != itemLine && p.kind != rowLine):
		return ""
	case l.nested != "" && p.kind == itemLine && p.indent > l.indent:
		return l.nested
	default:
		return l.keyword
	}
}

// note updates the lead from a passage and its last block.
func (l *inheritedKeyword) note(p *passage, last Block) {
	switch {
	case p.kind == rowLine:
	case p.kind == itemLine:
		if p.indent <= l.indent {
			l.nested = ""
		}
		if isLeadIn(last.Text) && last.Keyword != "" {
			l.nested, l.indent = last.Keyword, p.indent
		}
	case isLeadIn(last.Text):
		*l = inheritedKeyword{keyword: last.Keyword}
	default:
		*l = inheritedKeyword{}
	}
}
