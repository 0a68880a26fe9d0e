package console

import (
	"io"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

// WriteDifference prints a difference for people: the conclusion, then one line per change. The error
// is that of w.
func WriteDifference(w io.Writer, d reports.Difference) error {
	p := &page{width: 100}
	p.line("%s", d.Conclusion())
	for _, note := range d.Notes {
		p.line("note: %s", display.TerminalText(note))
	}
	last := reports.ChangeKind("")
	for _, c := range d.Changes {
		if c.Kind != last {
			last = c.Kind
			p.line("%s", last)
		}
		p.line("  %s  %s  %s", display.TerminalText(c.ID), c.Level, display.TerminalText(c.Step()))
		if c.Cause != "" {
			p.line("      %s", display.TerminalText(c.Cause))
		}
	}
	return p.writeTo(w)
}
