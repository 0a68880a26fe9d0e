package reports

import (
	"fmt"
	"io"
	"slices"
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
	groups := r.groups(r.Run.Strict)
	if r.Verdict == Conformant && len(groups) == 0 && !o.Verbose {
		p.green(r)
		return p.writeTo(w)
	}
	p.examined(r, o.Verbose)
	for _, g := range groups {
		p.gap()
		p.cause(g, o.Verbose)
	}
	if o.Verbose {
		p.everything(r)
	}
	p.ending(r)
	return p.writeTo(w)
}

// greenLines bounds what is printed of a run in which nothing is wrong.
const greenLines = 12

// green prints a run in which nothing is wrong: the verdicts, and what fits beside them.
func (p *page) green(r *Report) {
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
		if left := s.leftOutText(); left != "" {
			beside.entry(0, "omitted", s.Suite+" "+left, 1)
		}
		if s.invokedText() != "" {
			calls, capabilities, _ := s.calls()
			unit := map[bool]string{true: " calls", false: ""}[len(invoked) == 0]
			invoked = append(invoked, fmt.Sprintf("%s %d%s of %d/%d", s.Suite, calls, unit, capabilities, s.listed()))
		}
	}
	if len(invoked) > 0 {
		beside.entry(0, "invoked", strings.Join(invoked, ", ")+" capabilities", 1)
	}
	for i := range r.Suites {
		for _, m := range r.Suites[i].Mappings {
			beside.entry(0, "mapped", joinWords(" · ", m.Operation, m.Request, m.Response), 1)
		}
	}
	beside.absent(r)
	for _, note := range r.otherNotes() {
		beside.entry(0, "note", note, 1)
	}
	head, tail := beside.split(), verdicts.split()
	if room := greenLines - len(tail); len(head) > room && room > 1 {
		more := len(head) - (room - 1)
		head = append(head[:room-1], fmt.Sprintf("%sand %s: -v shows them", blanks(labelColumns), plural(more, "more line")))
	}
	for _, line := range append(head, tail...) {
		p.buf.WriteString(line + "\n")
	}
}

// examined prints who was examined, how, and what a reader has to know.
func (p *page) examined(r *Report, verbose bool) {
	p.title(r)
	p.target(r)
	for i := range r.Suites {
		s := &r.Suites[i]
		p.entry(0, "suite", joinWords(" · ", s.Suite+" "+s.SpecVersion, s.Binding, s.Negotiated, scenarios(s.Plan)), 2)
		p.invocations(s, verbose)
		for _, m := range s.Mappings {
			p.entry(0, "mapped", joinWords(" · ", m.Operation, m.Request, m.Response), 2)
		}
	}
	p.absent(r)
	for _, note := range r.otherNotes() {
		p.entry(0, "note", note, messageLines)
	}
}

func (p *page) title(r *Report) {
	name := strings.TrimSpace(TerminalText(r.Subject.Name) + " " + TerminalText(r.Subject.Version))
	if name == "" {
		name = "unnamed subject"
	}
	p.line("%s", p.paint(bold, truncate(name, p.width)))
}

func (p *page) target(r *Report) {
	by := ""
	if r.Subject.Driver != "documents" && r.Subject.Driver != "" {
		by = " (" + r.Subject.Driver + ")"
	}
	if r.Subject.Target != "" || by != "" {
		p.command(0, "target", strings.TrimSpace(r.Subject.Target+by))
	}
}

func (p *page) absent(r *Report) {
	if len(r.NotSpoken) > 0 {
		p.entry(0, "absent", strings.Join(r.NotSpoken, ", ")+" (not spoken by this target)", 2)
	}
}

// invocations prints what was invoked and what was not: how many, or each of them.
func (p *page) invocations(s *Suite, verbose bool) {
	text := s.invokedText()
	if text == "" {
		return
	}
	if !verbose {
		p.entry(0, "invoked", text, 1)
		if left := s.leftOutText(); left != "" {
			p.entry(0, "omitted", left, 2)
		}
		return
	}
	p.entry(0, "invoked", text, 1)
	for _, line := range s.invokedLines() {
		p.line("%s%s", blanks(labelColumns), truncate(TerminalText(line), p.width-labelColumns))
	}
	for _, line := range s.notInvokedLines() {
		p.entry(0, "omitted", line, gotLines)
	}
}

// otherNotes are the notes beside those that say what was not invoked.
func (r *Report) otherNotes() []string {
	var told []string
	for i := range r.Suites {
		told = append(told, r.Suites[i].LeftOutNotes()...)
	}
	return slices.DeleteFunc(slices.Clone(r.Notes), func(note string) bool { return slices.Contains(told, note) })
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
