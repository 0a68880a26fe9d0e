package reports

import (
	"bytes"
	"fmt"
	"io"
	"sort"
)

// FindingCount is how many findings were printed.
type FindingCount struct {
	Errors   int // break a MUST, or with --strict a SHOULD
	Warnings int // break a SHOULD
	Advice   int // a permission or advice that was not followed, and notices
	Unjudged int // requirements that could not be judged
}

// located is a finding with what it means.
type located struct {
	Finding
	id   string
	mark mark
}

// Findings prints what a report says of documents, one finding a line, in the
// form file:line:col: message [REQ-ID], sorted by place. What is not a breach of
// a MUST is marked, such as "file:3:1: warning: message [REQ-ID]". A place that
// is not known is left out. The error is that of w.
func Findings(w io.Writer, r *Report, strict bool) (FindingCount, error) {
	found := append(r.located(strict || r.Run.Strict), r.remarks()...)
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
		case failedMark:
			n.Errors++
		case warningMark:
			n.Warnings++
		case adviceMark, noticeMark:
			n.Advice++
		default:
			n.Unjudged++
		}
		buf.WriteString(LogLine(f.line()) + "\n")
	}
	if _, err := w.Write(buf.Bytes()); err != nil {
		return n, fmt.Errorf("reports: findings: %w", err)
	}
	return n, nil
}

// located collects the findings of all requirements that failed or ended in error.
func (r *Report) located(strict bool) []located {
	var all []located
	for _, g := range r.groups(strict) {
		if g.mark == inconclusiveMark {
			continue
		}
		if g.mark == errorMark && len(g.requirements) > 1 && len(g.requirements[0].places()) == 0 {
			id := fmt.Sprintf("%s and %d more", g.requirements[0].ID, len(g.requirements)-1)
			all = append(all, located{Finding{Message: g.message}, id, g.mark}) // one cause, one line
			continue
		}
		for _, q := range g.requirements {
			places := q.places()
			if len(places) == 0 && q.Reason == summed {
				continue // its parts are told
			}
			if len(places) == 0 {
				places = []Finding{{File: r.Subject.Target, Message: g.message}}
			}
			for _, f := range places {
				all = append(all, located{f, q.ID, g.mark})
			}
		}
	}
	return all
}

// remarks collects those of all scenarios.
func (r *Report) remarks() []located {
	var all []located
	for _, s := range r.Suites {
		for _, q := range s.Requirements {
			for _, sc := range q.Scenarios {
				for _, remark := range sc.Remarks {
					m := warningMark
					if remark.Weight == Notice {
						m = noticeMark
					}
					all = append(all, located{remark.Finding, q.ID, m})
				}
			}
		}
	}
	return all
}

// places gives the findings of every scenario that has the requirement's status.
func (q *Requirement) places() []Finding {
	var all []Finding
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
		place = TerminalText(f.File) + ":"
		if f.Line > 0 {
			place += fmt.Sprintf("%d:%d:", f.Line, max(f.Column, 1))
		}
		place += " "
	}
	if f.mark != failedMark {
		place += f.mark.word + ": "
	}
	return fmt.Sprintf("%s%s [%s]", place, TerminalText(f.Message), TerminalText(f.id))
}
