package format

import (
	"bytes"
	"fmt"
	"io"
	"sort"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

// FindingCount contains the numbers of findings that were printed.
type FindingCount struct {
	Errors   int // break a MUST, or with --strict a SHOULD
	Warnings int // break a SHOULD
	Advice   int // a permission or advice that was not followed, and notices
	Unjudged int // requirements that could not be judged
}

// located is a finding with its mark.
type located struct {
	reports.Finding
	id   string
	mark reports.Mark
}

// Findings prints what a report says about documents, one finding per line, in the form
// file:line:col: message [REQ-ID], sorted by place. A finding that does not break a MUST is marked,
// such as "file:3:1: warning: message [REQ-ID]". An unknown place is omitted. The error is that of
// w.
func Findings(w io.Writer, r *reports.Report, strict bool) (FindingCount, error) {
	found := append(locatedIn(r, strict || r.Run.Strict), locatedRemarks(r)...)
	sort.SliceStable(found, func(i, j int) bool {
		a, b := found[i], found[j]
		if a.File != b.File {
			return a.File < b.File
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Column < b.Column
	})
	var buf bytes.Buffer
	var n FindingCount
	for i, f := range found {
		if i > 0 && f == found[i-1] {
			continue
		}
		switch f.mark {
		case reports.FailedMark:
			n.Errors++
		case reports.WarningMark:
			n.Warnings++
		case reports.AdviceMark, reports.NoticeMark:
			n.Advice++
		default:
			n.Unjudged++
		}
		buf.WriteString(display.LogLine(f.line()) + "\n")
	}
	if _, err := w.Write(buf.Bytes()); err != nil {
		return n, fmt.Errorf("reports: findings: %w", err)
	}
	return n, nil
}

// locatedIn collects the findings of all requirements that failed or ended in error.
func locatedIn(r *reports.Report, strict bool) []located {
	var all []located
	for _, g := range r.Groups(strict) {
		if g.Mark == reports.InconclusiveMark {
			continue
		}
		if g.Mark == reports.ErrorMark && len(g.Requirements) > 1 && len(placesOf(g.Requirements[0])) == 0 {
			id := fmt.Sprintf("%s and %d more", g.Requirements[0].ID, len(g.Requirements)-1)
			all = append(all, located{reports.Finding{Message: g.Message}, id, g.Mark}) // one cause, one line
			continue
		}
		for _, q := range g.Requirements {
			places := placesOf(q)
			if len(places) == 0 && q.IsSum() {
				continue // its parts are printed
			}
			if len(places) == 0 {
				places = []reports.Finding{{File: r.Subject.Target, Message: g.Message}}
			}
			for _, f := range places {
				all = append(all, located{f, q.ID, g.Mark})
			}
		}
	}
	return all
}

// locatedRemarks collects the remarks of all scenarios.
func locatedRemarks(r *reports.Report) []located {
	var all []located
	for _, s := range r.Suites {
		for _, q := range s.Requirements {
			for _, sc := range q.Scenarios {
				for _, remark := range sc.Remarks {
					m := reports.WarningMark
					if remark.Weight == reports.Notice {
						m = reports.NoticeMark
					}
					all = append(all, located{remark.Finding, q.ID, m})
				}
			}
		}
	}
	return all
}

// placesOf returns the findings of every scenario that has the requirement's status.
func placesOf(q *reports.Requirement) []reports.Finding {
	var all []reports.Finding
	for _, sc := range q.Scenarios {
		if sc.Status == q.Status && sc.Failure != nil {
			all = append(all, sc.Failure.Findings...)
		}
	}
	return all
}

func (f located) line() string {
	place := ""
	if f.File != "" {
		place = display.TerminalText(f.File) + ":"
		if f.Line > 0 {
			place += fmt.Sprintf("%d:%d:", f.Line, max(f.Column, 1))
		}
		place += " "
	}
	if f.mark != reports.FailedMark {
		place += f.mark.Word + ": "
	}
	return fmt.Sprintf("%s%s [%s]", place, display.TerminalText(f.Message), display.TerminalText(f.id))
}
