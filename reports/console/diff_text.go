package console

import (
	"io"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

// WriteDifference prints a difference for people, one line per change, and the verdicts. The error
// is that of w.
func WriteDifference(w io.Writer, d reports.Difference) error {
	p := &page{width: 100}
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
	if len(d.Changes) == 0 {
		p.line("no requirement changed")
	}
	p.line("%s, then %s", d.Old.Verdict, d.New.Verdict)
	return p.writeTo(w)
}
