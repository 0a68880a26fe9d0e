package reports

import (
	"fmt"
	"io"
	"strings"
)

// ConsoleOptions say how a report is printed for people.
type ConsoleOptions struct {
	Color   bool // with SGR colours; nothing hangs on them alone
	Verbose bool // every requirement, and every failure of a cause
	Width   int  // columns of the terminal; 0 means 100, less than 60 counts as 60
}

// How many lines of text of one kind are shown. The whole stands in the report.
const (
	messageLines = 6
	gotLines     = 4
	verboseLines = 40
)

// Console prints a settled report for people: what was examined, then what is
// not passed, the worst first and grouped by cause, then counts and verdicts,
// and what to do next. No line is longer than the width but those that hold a
// command to copy or an address. The error is that of w.
func Console(w io.Writer, r *Report, o ConsoleOptions) error {
	if o.Width == 0 {
		o.Width = 100
	}
	// The last column is kept free: LogLine may make a line longer by one.
	p := &page{width: max(o.Width, 60) - 1, colour: o.Color}
	p.examined(r)
	for _, g := range r.groups(r.Run.Strict) {
		p.gap()
		p.cause(g, o.Verbose)
	}
	if o.Verbose {
		p.everything(r)
	}
	p.ending(r)
	return p.writeTo(w)
}

// examined prints who was examined, how, and what a reader has to know.
func (p *page) examined(r *Report) {
	name := strings.TrimSpace(TerminalText(r.Subject.Name) + " " + TerminalText(r.Subject.Version))
	if name == "" {
		name = "unnamed subject"
	}
	p.line("%s", p.paint(bold, truncate(name, p.width)))
	by := ""
	if r.Subject.Driver != "documents" && r.Subject.Driver != "" {
		by = " (" + r.Subject.Driver + ")"
	}
	if r.Subject.Target != "" || by != "" {
		p.command(0, "target", strings.TrimSpace(r.Subject.Target+by))
	}
	for i := range r.Suites {
		s := &r.Suites[i]
		p.entry(0, "suite", joinWords(" · ", s.Suite+" "+s.SpecVersion, s.Binding, s.Negotiated, scenarios(s.Plan)), 2)
		if text := s.InvokedText(); text != "" {
			p.entry(0, "invoked", text, messageLines)
		}
		for _, m := range s.Mappings {
			p.entry(0, "mapped", joinWords(" · ", m.Operation, m.Request, m.Response), 2)
		}
	}
	if len(r.NotSpoken) > 0 {
		p.entry(0, "absent", strings.Join(r.NotSpoken, ", ")+" (not spoken by this target)", 2)
	}
	for _, note := range r.Notes {
		p.entry(0, "note", note, messageLines)
	}
}

// scenarios gives a plan in words.
func scenarios(plan Plan) string {
	if plan.Executed == plan.Planned {
		return plural(plan.Planned, "scenario")
	}
	return fmt.Sprintf("%d of %s", plan.Executed, plural(plan.Planned, "scenario"))
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func joinWords(separator string, words ...string) string {
	var kept []string
	for _, w := range words {
		if w = strings.TrimSpace(w); w != "" {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, separator)
}

// cause prints one cause with its requirements. Several requirements of one
// cause are explained by the first of them, unless verbose.
func (p *page) cause(g group, verbose bool) {
	head := g.mark.symbol + " " + g.mark.word
	lead := columns(head) + 2
	lines := wrapUpTo(TerminalText(g.message), p.width-lead, messageLines)
	p.line("%s  %s", p.paint(bold+";"+g.mark.colour, head), p.paint(bold, lines[0]))
	for _, l := range lines[1:] {
		p.line("%s%s", blanks(lead), p.paint(bold, l))
	}
	if verbose && len(g.requirements) > 1 {
		for _, q := range g.requirements {
			p.requirements([]*Requirement{q})
			p.failure(q, verboseLines)
		}
		return
	}
	p.requirements(g.requirements)
	most := gotLines
	if verbose {
		most = verboseLines
	}
	p.failure(g.requirements[0], most)
}

// requirements prints a line for each: id, level, what it asks.
func (p *page) requirements(reqs []*Requirement) {
	ids, levels := 0, 0
	for _, q := range reqs {
		ids = max(ids, columns(TerminalText(q.ID)))
		levels = max(levels, columns(q.Level))
	}
	for _, q := range reqs {
		head := fmt.Sprintf("  %s  %s  ", pad(TerminalText(q.ID), ids), pad(TerminalText(q.Level), levels))
		p.line("%s%s", head, truncate(TerminalText(q.Summary), p.width-columns(head)))
	}
}

// failure prints the explanation of a requirement's decisive scenario.
func (p *page) failure(q *Requirement, most int) {
	f := q.failure()
	if f == nil {
		return
	}
	for _, e := range []struct{ label, text string }{{"want", f.Want}, {"got", f.Got}, {"hint", f.Hint}} {
		if e.text != "" {
			p.entry(4, e.label, e.text, most)
		}
	}
	if f.Repeat != "" {
		p.command(4, "repeat", f.Repeat)
	}
}

// everything lists all requirements with their status, in catalogue order.
func (p *page) everything(r *Report) {
	for i := range r.Suites {
		s := &r.Suites[i]
		p.gap()
		p.line("%s", p.paint(bold, "Requirements of "+TerminalText(s.Suite)))
		ids := 0
		for _, q := range s.Requirements {
			ids = max(ids, columns(TerminalText(q.ID)))
		}
		for j := range s.Requirements {
			p.requirement(&s.Requirements[j], ids, r.Run.Strict)
		}
	}
}

// Widths of the columns of status and level: the longest words are
// "not applicable" and "SHOULD NOT".
const (
	statusColumns = 16
	levelColumns  = 10
)

func (p *page) requirement(q *Requirement, ids int, strict bool) {
	m := markOf(q, strict)
	status := pad(m.symbol+" "+m.word, statusColumns)
	head := fmt.Sprintf("  %s  %s  ", pad(TerminalText(q.ID), ids), pad(TerminalText(q.Level), levelColumns))
	room := p.width - statusColumns - columns(head)
	p.line("%s%s%s", p.paint(m.colour, status), head, truncate(TerminalText(q.Summary), room))
	if q.Status == NotApplicable || q.Status == Excluded || q.Status == Provided {
		lead := statusColumns + columns(head)
		for _, l := range wrapUpTo(TerminalText(q.Reason), p.width-lead, gotLines) {
			if l != "" {
				p.line("%s%s", blanks(lead), p.paint(dim, l))
			}
		}
	}
}
