package document

import (
	"bytes"
	"unicode/utf8"
)

// place turns ascending offsets into lines and columns in one pass, even if the whole text is one
// line.
type place struct {
	text         []byte
	offset       int
	line, column int
}

// forward moves to an offset, which must not be before the last one.
func (p *place) forward(offset int) {
	passed := p.text[p.offset:min(offset, len(p.text))]
	if last := bytes.LastIndexByte(passed, '\n'); last >= 0 {
		p.line += bytes.Count(passed, []byte("\n"))
		p.column = 1
		passed = passed[last+1:]
	}
	p.column += utf8.RuneCount(passed)
	p.offset = max(p.offset, min(offset, len(p.text)))
}
