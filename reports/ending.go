package reports

import (
	"fmt"
	"strconv"
	"strings"
)

// verdictMarks are how verdicts are shown.
var verdictMarks = map[Verdict]mark{
	Conformant:    {"conformant", "✓", "32"},
	Nonconformant: {"nonconformant", "✗", "31"},
	Incomplete:    {"incomplete", "?", "34"},
	Partial:       {"partial", "◦", "36"},
}

// ending prints the counts, the verdict of each suite and what to do next.
func (p *page) ending(r *Report) {
	if len(r.Suites) > 0 {
		p.gap()
		p.counts(r)
	}
	p.gap()
	p.verdicts(r)
	for _, step := range r.nextSteps() {
		p.next(step)
	}
}

// verdicts prints the verdict of each suite and of the run.
func (p *page) verdicts(r *Report) {
	for i := range r.Suites {
		s := &r.Suites[i]
		p.verdict(s.Verdict, TerminalText(r.stated(s)))
	}
	if len(r.Suites) != 1 || r.Suites[0].Verdict != r.Verdict {
		p.verdict(r.Verdict, r.sentence())
	}
}

func (p *page) verdict(v Verdict, text string) {
	m, known := verdictMarks[v]
	if !known {
		m = verdictMarks[Incomplete]
	}
	head := m.symbol + " " + m.word
	lead := columns(head) + 2
	lines := wrap(text, p.width-lead)
	p.line("%s  %s", p.paint(bold+";"+m.colour, head), lines[0])
	for _, l := range lines[1:] {
		p.line("%s%s", blanks(lead), l)
	}
}

// counts prints the table of counts: columns that are zero in every row are left out.
func (p *page) counts(r *Report) {
	rows := countRows(r)
	var shown []Status
	for _, s := range Statuses() {
		for _, row := range rows {
			if row.count.Of(s) > 0 {
				shown = append(shown, s)
				break
			}
		}
	}
	first := 0
	for _, row := range rows {
		first = max(first, columns(row.name))
	}
	head := pad("", first)
	for _, s := range shown {
		head += "  " + statusMarks[s].word
	}
	p.line("%s", p.paint(dim, head))
	for _, row := range rows {
		line := pad(row.name, first)
		for _, s := range shown {
			line += "  " + p.cell(row.count.Of(s), s)
		}
		p.line("%s", line)
	}
}

// cell gives a number, right-aligned below the word of its status.
func (p *page) cell(n int, s Status) string {
	m := statusMarks[s]
	text := strconv.Itoa(n)
	room := blanks(max(0, columns(m.word)-len(text)))
	if n == 0 {
		return room + p.paint(dim, text)
	}
	return room + p.paint(m.colour, text)
}

type countRow struct {
	name  string
	count Count
}

// countRows gives the rows that the tables of counts have: each suite and level
// class that holds anything.
func countRows(r *Report) []countRow {
	var rows []countRow
	for i := range r.Suites {
		s := &r.Suites[i]
		for _, row := range []countRow{{"MUST", s.Counts.Must}, {"SHOULD", s.Counts.Should}, {"MAY", s.Counts.May}} {
			if row.count.Total() > 0 {
				rows = append(rows, countRow{TerminalText(s.Suite) + " " + row.name, row.count})
			}
		}
	}
	return rows
}

// sentence says in words why a suite has its verdict.
func (s *Suite) sentence(strict bool) string {
	must := s.Counts.Must
	judged := must.Passed + must.Provided + must.Failed
	var parts []string
	if must.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s broken", must.Failed, plural(judged, "judged MUST")))
	} else if judged > 0 {
		parts = append(parts, plural(judged, "judged MUST")+" kept")
	}
	if must.Provided > 0 {
		provided := fmt.Sprintf("%d of them by an adapter or a mapping", must.Provided)
		if must.mostlyProvided() {
			provided += ", which is half or more"
		}
		parts = append(parts, provided)
	}
	if strict && s.Counts.Should.Failed > 0 {
		parts = append(parts, plural(s.Counts.Should.Failed, "SHOULD")+" broken")
	}
	if must.Inconclusive > 0 {
		parts = append(parts, fmt.Sprintf("%d inconclusive", must.Inconclusive))
	}
	if must.NotObserved > 0 {
		parts = append(parts, fmt.Sprintf("%d not observed", must.NotObserved))
	}
	if must.Error > 0 {
		parts = append(parts, fmt.Sprintf("%d without an outcome", must.Error))
	}
	if s.Plan.Executed < s.Plan.Planned {
		parts = append(parts, fmt.Sprintf("%s not run", plural(s.Plan.Planned-s.Plan.Executed, "scenario")))
	}
	if len(parts) == 0 {
		return "no MUST was judged"
	}
	return strings.Join(parts, ", ")
}

// sentence says in words why the run has its verdict.
func (r *Report) sentence() string {
	if len(r.Suites) == 0 {
		return "nothing was examined"
	}
	var with []string
	for i := range r.Suites {
		if r.Suites[i].Verdict == r.Verdict {
			with = append(with, TerminalText(r.Suites[i].Suite))
		}
	}
	if len(with) == 0 {
		return "the run did not come to its end"
	}
	if len(with) == len(r.Suites) {
		return "the run as a whole"
	}
	return "the run as a whole, because of " + strings.Join(with, ", ")
}
