package reports

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Matrix is several reports side by side, a column each, a row a requirement.
type Matrix struct {
	Reports []*Report
	Rows    []MatrixRow
}

// MatrixRow is what each report says of one requirement.
type MatrixRow struct {
	Suite, ID, Level, Summary string
	Cells                     []*Requirement // nil where a report does not hold it
}

// NewMatrix puts reports side by side, in the order in which they are given.
func NewMatrix(all []*Report) Matrix {
	m := Matrix{Reports: all}
	at := map[string]int{}
	var suites []string
	for _, r := range all {
		for _, s := range r.Suites {
			if !slices.Contains(suites, s.Suite) {
				suites = append(suites, s.Suite)
			}
		}
	}
	for _, suite := range suites {
		for n, r := range all {
			for _, p := range requirementsOf(r) {
				if p.suite != suite {
					continue
				}
				row, known := at[p.q.ID]
				if !known {
					row = len(m.Rows)
					at[p.q.ID] = row
					m.Rows = append(m.Rows, MatrixRow{
						Suite: suite, ID: p.q.ID, Level: p.q.Level, Summary: p.q.Summary, Cells: make([]*Requirement, len(all)),
					})
				}
				m.Rows[row].Cells[n] = p.q
			}
		}
	}
	return m
}

// apart says whether the reports do not say the same of a requirement.
func (row MatrixRow) apart() bool {
	for _, q := range row.Cells {
		if (q == nil) != (row.Cells[0] == nil) || q != nil && q.Status != row.Cells[0].Status {
			return true
		}
	}
	return false
}

// absentMark stands where a report does not hold a requirement.
var absentMark = mark{"not there", " ", ""}

func (m Matrix) mark(row MatrixRow, n int) mark {
	q := row.Cells[n]
	if q == nil {
		return absentMark
	}
	return markOf(q, m.Reports[n].Run.Strict)
}

// subject names a column.
func (r *Report) subject() string {
	name := joinWords(" ", r.Subject.Name, r.Subject.Version)
	if name == "" {
		return "unnamed subject"
	}
	return name
}

// WriteMarkdown writes the matrix as a table, cut where a page of a forge ends.
// The error is that of w.
func (m Matrix) WriteMarkdown(w io.Writer) error {
	var buf bytes.Buffer
	head, rule, verdict := "| requirement | level |", "| :-- | :-- |", "| **verdict** | |"
	for _, r := range m.Reports {
		head += " " + markdownCell(r.subject()) + " |"
		rule += " :-- |"
		verdict += fmt.Sprintf(" **%s**<br>%s |", r.Verdict, strings.Join(markdownCells(r.Verdicts()), "<br>"))
	}
	fmt.Fprintf(&buf, "%s\n%s\n%s\n", head, rule, verdict)
	for i, row := range m.Rows {
		line := fmt.Sprintf("| %s | %s |", markdownCell(row.ID), row.Level)
		for n := range m.Reports {
			mark := m.mark(row, n)
			line += fmt.Sprintf(" %s %s |", mark.symbol, mark.word)
		}
		if buf.Len()+len(line) > markdownLimit {
			fmt.Fprintf(&buf, "\n_Cut here: %s more._\n", plural(len(m.Rows)-i, "requirement"))
			break
		}
		buf.WriteString(line + "\n")
	}
	if _, err := w.Write(buf.Bytes()); err != nil {
		return fmt.Errorf("reports: matrix: %w", err)
	}
	return nil
}

// htmlMatrix is what the template of a matrix shows.
type htmlMatrix struct {
	html
	Columns []htmlColumn
	Groups  []htmlMatrixGroup
	Apart   string
}

type htmlColumn struct {
	Subject  string
	Date     string
	Verdict  htmlMark
	Verdicts []string
}

type htmlMatrixGroup struct {
	Suite string
	Rows  []htmlMatrixRow
}

type htmlMatrixRow struct {
	ID, Level, Summary string
	Apart              bool
	Cells              []htmlMatrixCell
}

type htmlMatrixCell struct {
	Mark htmlMark
	Why  string
}

// WriteHTML writes the matrix as one page that needs nothing beside itself. The
// error is that of w.
func (m Matrix) WriteHTML(w io.Writer) error {
	base, err := assets("")
	if err != nil {
		return fmt.Errorf("reports: matrix: %w", err)
	}
	page := htmlMatrix{html: base}
	for _, r := range m.Reports {
		page.Columns = append(page.Columns, htmlColumn{
			r.subject(), r.Run.StartedAt.UTC().Format("2 January 2006"), verdictMarkup(r.Verdict), r.Verdicts(),
		})
	}
	apart := 0
	for _, row := range m.Rows {
		if n := len(page.Groups); n == 0 || page.Groups[n-1].Suite != strings.ToUpper(row.Suite) {
			page.Groups = append(page.Groups, htmlMatrixGroup{Suite: strings.ToUpper(row.Suite)})
		}
		shown := htmlMatrixRow{ID: row.ID, Level: row.Level, Summary: row.Summary, Apart: row.apart()}
		if shown.Apart {
			apart++
		}
		for n, q := range row.Cells {
			cell := htmlMatrixCell{Mark: markup(m.mark(row, n))}
			if q != nil && (q.Status == Failed || q.Status == Error) {
				cell.Why = q.Cause()
			}
			shown.Cells = append(shown.Cells, cell)
		}
		group := &page.Groups[len(page.Groups)-1]
		group.Rows = append(group.Rows, shown)
	}
	page.Apart = fmt.Sprintf("%s. The hosts differ on %d of them, which are marked.", plural(len(m.Rows), "requirement"),
		apart)
	return render(w, "matrix.html", page)
}
