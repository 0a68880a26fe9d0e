// Package console prints reports and differences for people on a terminal.
package console

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

// Options are the options of the output for people.
type Options struct {
	Color   bool // with SGR colours; no information depends on them alone
	Verbose bool // every requirement, and every failure of a cause
	Width   int  // columns of the terminal; 0 means 100, less than 60 counts as 60
}

// The numbers of lines of text of each kind that are shown. The report contains the complete text.
const (
	messageLines = 12
	gotLines     = 12
	verboseLines = 40
)

// Write prints a settled report for people: what was examined, then what did not pass, the worst
// first and grouped by cause, then counts and verdicts, and what to do next. Only lines with a
// command to copy or an address are longer than the width. The error is that of w.
func Write(w io.Writer, r *reports.Report, o Options) error {
	if o.Width == 0 {
		o.Width = 100
	}
	// The last column stays free, because LogLine may lengthen a line by one character.
	p := &page{width: max(o.Width, 60) - 1, colour: o.Color}
	groups := r.Groups(r.Run.Strict)
	if r.Verdict == reports.Conformant && len(groups) == 0 && !o.Verbose {
		p.green(r)
		return p.writeTo(w)
	}
	p.examined(r, o.Verbose)
	for _, g := range groups {
		p.gap()
		p.cause(g, o.Verbose)
		if blocks := g.Blocks(); blocks != "" {
			p.entry(4, "blocks", blocks, messageLines)
		}
	}
	if o.Verbose {
		p.everything(r)
	}
	p.ending(r)
	return p.writeTo(w)
}

// The bounds of the output for a run without problems, and of one text in it, in lines.
const (
	greenLines = 12
	greenText  = 3
)

// green prints a run without problems: the verdicts, and further lines up to the bound.
func (p *page) green(r *reports.Report) {
	verdicts := &page{width: p.width, colour: p.colour}
	verdicts.verdicts(r)
	beside := &page{width: p.width, colour: p.colour}
	if r.Subject.Target == "" || !strings.HasPrefix(r.Subject.Target, r.Subject.Name) {
		beside.title(r)
	}
	beside.target(r)
	var invoked []string
	for i := range r.Suites {
		s := &r.Suites[i]
		if left := leftOutText(s); left != "" {
			beside.entry(0, "omitted", s.Suite+" "+left, greenText)
		}
		if s.InvokedInWords() != "" {
			calls, capabilities, _ := s.Calls()
			unit := map[bool]string{true: " calls", false: ""}[len(invoked) == 0]
			invoked = append(invoked, fmt.Sprintf("%s %d%s of %d/%d", s.Suite, calls, unit, capabilities, s.Listed()))
		}
	}
	if len(invoked) > 0 {
		beside.entry(0, "invoked", strings.Join(invoked, ", ")+" capabilities", greenText)
	}
	for i := range r.Suites {
		for _, m := range r.Suites[i].Mappings {
			beside.entry(0, "mapped", display.Join(" · ", m.Operation, m.Request, m.Response), greenText)
		}
	}
	beside.absent(r)
	for _, note := range otherNotes(r) {
		beside.entry(0, "note", note, greenText)
	}
	head, tail := beside.split(), verdicts.split()
	if room := greenLines - len(tail); len(head) > room && room > 1 {
		more := len(head) - (room - 1)
		head = append(
			head[:room-1],
			fmt.Sprintf("%sand %s: -v shows them", blanks(labelColumns), display.Plural(more, "more line")),
		)
	}
	for _, line := range append(head, tail...) {
		p.buf.WriteString(line + "\n")
	}
}

// examined prints what was examined and how, and the notes for the reader.
func (p *page) examined(r *reports.Report, verbose bool) {
	p.title(r)
	p.target(r)
	for i := range r.Suites {
		s := &r.Suites[i]
		p.entry(
			0,
			"suite",
			display.Join(" · ", s.Suite+" "+s.SpecVersion, s.Binding, s.Negotiated, reports.PlanInWords(s.Plan)),
			messageLines,
		)
		p.invocations(s, verbose)
		for _, m := range s.Mappings {
			p.entry(0, "mapped", display.Join(" · ", m.Operation, m.Request, m.Response), gotLines)
		}
	}
	p.absent(r)
	for _, note := range otherNotes(r) {
		p.entry(0, "note", note, messageLines)
	}
}

func (p *page) title(r *reports.Report) {
	name := strings.TrimSpace(display.TerminalText(r.Subject.Name) + " " + display.TerminalText(r.Subject.Version))
	if name == "" {
		name = "unnamed subject"
	}
	p.line("%s", p.paint(bold, display.Truncate(name, p.width)))
}

func (p *page) target(r *reports.Report) {
	by := ""
	if r.Subject.Driver != "documents" && r.Subject.Driver != "" {
		by = " (" + r.Subject.Driver + ")"
	}
	if r.Subject.Target != "" || by != "" {
		p.command(0, "target", strings.TrimSpace(r.Subject.Target+by))
	}
}

func (p *page) absent(r *reports.Report) {
	if len(r.NotSpoken) > 0 {
		p.entry(0, "absent", strings.Join(r.NotSpoken, ", ")+" (not spoken by this target)", messageLines)
	}
}

// invocations prints what was invoked and what was not: the numbers, or each capability.
func (p *page) invocations(s *reports.Suite, verbose bool) {
	text := s.InvokedInWords()
	if text == "" {
		return
	}
	if !verbose {
		p.entry(0, "invoked", text, messageLines)
		if left := leftOutText(s); left != "" {
			p.entry(0, "omitted", left, messageLines)
		}
		return
	}
	p.entry(0, "invoked", text, messageLines)
	for _, line := range invokedLines(s) {
		p.hanging(blanks(labelColumns), line)
	}
	for _, line := range notInvokedLines(s) {
		p.entry(0, "omitted", line, gotLines)
	}
}

// otherNotes returns the notes except those about capabilities that were not invoked.
func otherNotes(r *reports.Report) []string {
	var result []string
	for i := range r.Suites {
		result = append(result, r.Suites[i].LeftOutNotes()...)
	}
	return slices.DeleteFunc(slices.Clone(r.Notes), func(note string) bool { return slices.Contains(result, note) })
}

// cause prints one cause with its requirements. Unless verbose, only the first requirement is
// explained.
func (p *page) cause(g reports.Group, verbose bool) {
	head := g.Mark.Symbol + " " + g.Mark.Word
	lead := display.Columns(head) + 2
	lines := display.WrapUpTo(display.TerminalText(g.Message), p.width-lead, messageLines)
	p.line("%s  %s", p.paint(bold+";"+g.Mark.Color, head), p.paint(bold, lines[0]))
	for _, l := range lines[1:] {
		p.line("%s%s", blanks(lead), p.paint(bold, l))
	}
	if verbose && len(g.Requirements) > 1 {
		for _, q := range g.Requirements {
			p.requirements([]*reports.Requirement{q})
			p.failure(q.Failure(), verboseLines)
		}
		return
	}
	p.requirements(g.Requirements)
	most := gotLines
	if verbose {
		most = verboseLines
	}
	p.failure(g.Requirements[0].Failure(), most)
}

// requirements prints a line for each requirement: id, level, summary.
func (p *page) requirements(reqs []*reports.Requirement) {
	ids, levels := 0, 0
	for _, q := range reqs {
		ids = max(ids, display.Columns(display.TerminalText(q.ID)))
		levels = max(levels, display.Columns(q.Level))
	}
	for _, q := range reqs {
		head := fmt.Sprintf(
			"  %s  %s  ",
			display.Pad(display.TerminalText(q.ID), ids),
			display.Pad(display.TerminalText(q.Level), levels),
		)
		p.hanging(head, q.Summary)
	}
	for _, q := range reqs {
		if meaning := reports.LevelMeaning(q.Level); meaning != "" && !slices.Contains(p.explained, q.Level) {
			p.explained = append(p.explained, q.Level)
			p.hanging("  ", q.Level+": "+meaning+".")
		}
	}
}

// hanging prints a text after a head. Its further lines begin below the first one.
func (p *page) hanging(head, text string) {
	lead := display.Columns(head)
	for i, l := range display.WrapUpTo(display.TerminalText(text), p.width-lead, messageLines) {
		if i > 0 {
			head = blanks(lead)
		}
		p.line("%s%s", head, l)
	}
}

// failure prints an explanation, if there is one.
func (p *page) failure(f *reports.Failure, most int) {
	if f == nil {
		return
	}
	for _, e := range []struct{ label, text string }{{"want", f.Want}, {"got", f.Got}, {"found", f.Found()},
		{"hint", f.Hint}} {
		if e.text != "" {
			p.entry(4, e.label, e.text, most)
		}
	}
	if f.Repeat != "" {
		p.command(4, "repeat", f.Repeat)
	}
}

// everything lists all requirements with their status, in catalogue order.
func (p *page) everything(r *reports.Report) {
	for i := range r.Suites {
		s := &r.Suites[i]
		p.gap()
		p.line("%s", p.paint(bold, "Requirements of "+display.TerminalText(s.Suite)))
		ids := 0
		for _, q := range s.Requirements {
			ids = max(ids, display.Columns(display.TerminalText(q.ID)))
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

func (p *page) requirement(q *reports.Requirement, ids int, strict bool) {
	m := reports.MarkOf(q, strict)
	status := display.Pad(m.Symbol+" "+m.Word, statusColumns)
	head := fmt.Sprintf(
		"  %s  %s  ",
		display.Pad(display.TerminalText(q.ID), ids),
		display.Pad(display.TerminalText(q.Level), levelColumns),
	)
	lines := display.WrapUpTo(display.TerminalText(q.Summary), p.width-statusColumns-display.Columns(head), messageLines)
	p.line("%s%s%s", p.paint(m.Color, status), head, lines[0])
	for _, l := range lines[1:] {
		p.line("%s%s", blanks(statusColumns+display.Columns(head)), l)
	}
	if q.Status == reports.NotApplicable || q.Status == reports.Excluded || q.Status == reports.Provided {
		lead := statusColumns + display.Columns(head)
		for _, l := range display.WrapUpTo(display.TerminalText(q.Reason), p.width-lead, gotLines) {
			if l != "" {
				p.line("%s%s", blanks(lead), p.paint(dim, l))
			}
		}
	}
}
