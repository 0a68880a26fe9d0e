package spec

import "strings"

// Block is the smallest part of a source text that a requirement can stand for:
// a sentence, also one of a list item; a table row; a heading; a signature; the
// printed shape of an object.
type Block struct {
	// Line is the number of the line on which it begins, from 1.
	Line int
	// Text is the block on one line, without list marker.
	Text string
	// Keyword is the strongest keyword of the block, or else of the line that
	// leads in its list or table; empty if there is none.
	Keyword string
	// Fingerprint is Fingerprint(Text).
	Fingerprint string
}

// Normative reports whether a keyword says that the block obliges or permits.
func (b Block) Normative() bool { return b.Keyword != "" }

// Blocks cuts a source text, Markdown or plain text extracted from it, into its
// blocks, in order. It returns those without a keyword too.
func Blocks(source []byte) []Block {
	var out []Block
	var inherited lead
	for _, p := range assemble(readLines(source)) {
		keyword, text := inherited.keywordFor(p), p.text()
		var last Block
		for _, s := range p.spans(text) {
			last = blockOf(text[s.start:s.end], p.lineAt(s.start))
			if last.Keyword == "" {
				last.Keyword = keyword
			}
			if essence(last.Text) != "" {
				out = append(out, last)
			}
		}
		inherited.note(p, last)
	}
	return out
}

// spans are the parts of the passage's text that make a block each.
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

// lead remembers the keyword that the items and rows to come inherit: the one of
// the paragraph above their list, or of an item above a list nested in it.
type lead struct {
	keyword string
	nested  string
	indent  int // of the item that nested comes from
}

func (l *lead) keywordFor(p *passage) string {
	switch {
	case p.header || (p.kind != itemLine && p.kind != rowLine):
		return ""
	case l.nested != "" && p.kind == itemLine && p.indent > l.indent:
		return l.nested
	default:
		return l.keyword
	}
}

// note takes a passage and its last block into account for those that follow.
func (l *lead) note(p *passage, last Block) {
	switch {
	case p.kind == rowLine:
	case p.kind == itemLine:
		if p.indent <= l.indent {
			l.nested = ""
		}
		if leadIn(last.Text) && last.Keyword != "" {
			l.nested, l.indent = last.Keyword, p.indent
		}
	case leadIn(last.Text):
		*l = lead{keyword: last.Keyword}
	default:
		*l = lead{}
	}
}
