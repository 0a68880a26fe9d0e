package console

import (
	"strconv"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

// ending prints the counts, the verdict of each suite and what to do next.
func (p *page) ending(r *reports.Report) {
	if len(r.Suites) > 0 {
		p.gap()
		p.counts(r)
		for i := range r.Suites {
			if ids := r.Suites[i].NotObserved(); len(ids) > 0 {
				p.hanging("not observed: ", strings.Join(ids, ", ")+"; -v says why")
			}
		}
	}
	p.gap()
	p.verdicts(r)
	if r.Tolerated() {
		return
	}
	for _, step := range nextSteps(r) {
		p.next(step)
	}
}

// verdicts prints the verdict of each suite and of the run.
func (p *page) verdicts(r *reports.Report) {
	tolerated := r.Tolerated()
	mark := func(v reports.Verdict) reports.Mark {
		if tolerated && v != reports.Conformant {
			return reports.ToleratedMark
		}
		return v.Mark()
	}
	for i := range r.Suites {
		s := &r.Suites[i]
		p.verdict(mark(s.Verdict), display.TerminalText(r.VerdictSentence(s)))
	}
	if !r.SuiteConcludes() {
		p.verdict(mark(r.Verdict), r.Sentence())
	}
}

func (p *page) verdict(m reports.Mark, text string) {
	head := m.Symbol + " " + m.Word
	lead := display.Columns(head) + 2
	lines := display.Wrap(text, p.width-lead)
	p.line("%s  %s", p.paint(bold+";"+m.Color, head), lines[0])
	for _, l := range lines[1:] {
		p.line("%s%s", blanks(lead), l)
	}
}

// counts prints the table of counts, without the columns that are zero in every row.
func (p *page) counts(r *reports.Report) {
	rows, shown := r.LevelCounts(), r.Occurring()
	columns := 0
	for _, s := range shown {
		columns += 2 + display.Columns(s.Mark().Word)
	}
	first, names := 0, make([]string, len(rows))
	for i, row := range rows {
		names[i] = row.Name()
		if display.Columns(names[i])+columns > p.width {
			names[i] = display.TerminalText(row.Suite) + " " + row.Level
		}
		first = max(first, display.Columns(names[i]))
	}
	head := display.Pad("", first)
	for _, s := range shown {
		head += "  " + s.Mark().Word
	}
	p.line("%s", p.paint(dim, head))
	for i, row := range rows {
		line := display.Pad(names[i], first)
		for _, s := range shown {
			line += "  " + p.cell(row.Count.Of(s), s)
		}
		p.line("%s", line)
	}
}

// cell returns a number, right-aligned below the word of its status.
func (p *page) cell(n int, s reports.Status) string {
	m := s.Mark()
	text := strconv.Itoa(n)
	room := blanks(max(0, display.Columns(m.Word)-len(text)))
	if n == 0 {
		return room + p.paint(dim, text)
	}
	return room + p.paint(m.Color, text)
}
