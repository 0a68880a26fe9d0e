package console

import (
	"fmt"
	"io"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

// effectWords describes each effect, in the order in which they are shown.
var effectWords = []struct {
	effect reports.Effect
	words  string
}{
	{reports.Breaks, "broken by the gateway"},
	{reports.Fails, "fails through the gateway; the direct run did not judge it"},
	{reports.Hides, "not judged through the gateway"},
	{reports.FailsOther, "fails in both, differently through the gateway"},
	{reports.Keeps, "broken without the gateway"},
	{reports.Shows, "judged only through the gateway"},
	{reports.AsksMore, "only in the run through the gateway"},
}

// WriteGateway prints for people what a gateway changes. The error is that of w.
func WriteGateway(w io.Writer, g reports.Gateway, o Options) error {
	if o.Width == 0 {
		o.Width = 100
	}
	p := &page{width: max(o.Width, 60) - 1, colour: o.Color}
	p.gap()
	p.line(
		"%s",
		p.paint(
			bold,
			"through the gateway "+display.TerminalText(g.Name)+": "+display.TerminalText(g.Difference.New.Subject.Target),
		),
	)
	for _, note := range g.Difference.Notes {
		p.entry(0, "note", note, gotLines)
	}
	for _, e := range effectWords {
		p.effect(g, e.effect, e.words)
	}
	// A gateway has no verdict: only the difference was examined.
	m := map[reports.Exit]reports.Verdict{
		reports.ExitConformant: reports.Conformant, reports.ExitNonconformant: reports.Nonconformant,
		reports.ExitIncomplete: reports.Incomplete}[g.Exit()].Mark()
	p.line("%s  %s", p.paint(bold+";"+m.Color, m.Symbol), display.TerminalText(g.Sentence()))
	return p.writeTo(w)
}

// effect lists the requirements on which a gateway has one effect.
func (p *page) effect(g reports.Gateway, effect reports.Effect, words string) {
	first := true
	for _, c := range g.Difference.Changes {
		if c.Effect() != effect {
			continue
		}
		if first {
			p.gap()
			p.line("%s", words)
			first = false
		}
		head := fmt.Sprintf("  %s  %s  ", display.TerminalText(c.ID), display.TerminalText(c.Level))
		p.line("%s%s", head, display.Truncate(display.TerminalText(c.Summary), p.width-display.Columns(head)))
		if c.Cause != "" {
			p.entry(4, "cause", c.Cause, gotLines)
		}
		p.failure(g.FailureOf(c.ID), gotLines)
	}
	if !first {
		p.gap()
	}
}
