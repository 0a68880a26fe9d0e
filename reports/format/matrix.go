package format

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

// Matrix is several reports side by side: one column per report, one row per requirement.
type Matrix struct {
	Reports []*reports.Report // the columns
	Rows    []MatrixRow       // in catalogue order, by suite
}

// MatrixRow contains the result of each report for one requirement.
type MatrixRow struct {
	Suite, ID, Level, Summary string                 // of the requirement
	Cells                     []*reports.Requirement // nil if a report does not contain it
}

// NewMatrix puts reports side by side, in the given order.
func NewMatrix(all []*reports.Report) Matrix {
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
			for _, p := range reports.RequirementsOf(r) {
				if p.Suite != suite {
					continue
				}
				q := p.Requirement
				row, known := at[q.ID]
				if !known {
					row = len(m.Rows)
					at[q.ID] = row
					m.Rows = append(m.Rows, MatrixRow{
						Suite: suite, ID: q.ID, Level: q.Level, Summary: q.Summary, Cells: make([]*reports.Requirement, len(all)),
					})
				}
				m.Rows[row].Cells[n] = q
			}
		}
	}
	return m
}

// differs reports whether the reports differ on a requirement.
func (row MatrixRow) differs() bool {
	for _, q := range row.Cells {
		if (q == nil) != (row.Cells[0] == nil) || q != nil && q.Status != row.Cells[0].Status {
			return true
		}
	}
	return false
}

// absentMark is shown if a report does not contain a requirement.
var absentMark = reports.Mark{Word: "absent", Symbol: " ", Color: ""}

func (m Matrix) mark(row MatrixRow, n int) reports.Mark {
	q := row.Cells[n]
	if q == nil {
		return absentMark
	}
	return reports.MarkOf(q, m.Reports[n].Run.Strict)
}

// subjectOf returns the heading of a column.
func subjectOf(r *reports.Report) string {
	name := display.Join(" ", r.Subject.Name, r.Subject.Version)
	if name == "" {
		return "unnamed subject"
	}
	return name
}

// WriteMarkdown writes the matrix as a table, cut at the limit of a forge's page. The error is that
// of w.
func (m Matrix) WriteMarkdown(w io.Writer) error {
	var buf bytes.Buffer
	head, rule, verdict := "| requirement | level |", "| :-- | :-- |", "| **verdict** | |"
	for _, r := range m.Reports {
		head += " " + markdownCell(subjectOf(r)) + " |"
		rule += " :-- |"
		verdict += fmt.Sprintf(" **%s**<br>%s |", r.Verdict, strings.Join(markdownCells(r.Verdicts()), "<br>"))
	}
	fmt.Fprintf(&buf, "%s\n%s\n%s\n", head, rule, verdict)
	for i, row := range m.Rows {
		line := fmt.Sprintf("| %s | %s |", markdownCell(row.ID), row.Level)
		for n := range m.Reports {
			mark := m.mark(row, n)
			line += fmt.Sprintf(" %s %s |", mark.Symbol, mark.Word)
		}
		if buf.Len()+len(line) > markdownLimit {
			fmt.Fprintf(&buf, "\n_Cut here: %s more._\n", display.Plural(len(m.Rows)-i, "requirement"))
			break
		}
		buf.WriteString(line + "\n")
	}
	if _, err := w.Write(buf.Bytes()); err != nil {
		return fmt.Errorf("reports: matrix: %w", err)
	}
	return nil
}

// htmlMatrix is the data for the template of a matrix.
type htmlMatrix struct {
	html
	Columns []htmlColumn      // one for each report
	Groups  []htmlMatrixGroup // one for each suite
	Apart   string            // a sentence: on how many rows they differ
}

type htmlColumn struct {
	Subject  string
	Date     string   // of the start, in UTC
	Verdict  htmlMark // of the run
	Verdicts []string // of its suites, in words
}

type htmlMatrixGroup struct {
	Suite string
	Rows  []htmlMatrixRow
}

type htmlMatrixRow struct {
	ID, Level, Summary string
	Apart              bool             // the reports differ on it
	Cells              []htmlMatrixCell // in the order of Columns
}

type htmlMatrixCell struct {
	Mark htmlMark
	Why  string // the cause of what failed or ended in an error
}

// WriteHTML writes the matrix as one page without external resources. The error is that of w.
func (m Matrix) WriteHTML(w io.Writer) error {
	base, err := assets("")
	if err != nil {
		return fmt.Errorf("reports: matrix: %w", err)
	}
	page := htmlMatrix{html: base}
	for _, r := range m.Reports {
		page.Columns = append(page.Columns, htmlColumn{
			subjectOf(r), r.Run.StartedAt.UTC().Format("2 January 2006"), verdictMarkup(r.Verdict), r.Verdicts(),
		})
	}
	apart := 0
	for _, row := range m.Rows {
		if n := len(page.Groups); n == 0 || page.Groups[n-1].Suite != strings.ToUpper(row.Suite) {
			page.Groups = append(page.Groups, htmlMatrixGroup{Suite: strings.ToUpper(row.Suite)})
		}
		shown := htmlMatrixRow{ID: row.ID, Level: row.Level, Summary: row.Summary, Apart: row.differs()}
		if shown.Apart {
			apart++
		}
		for n, q := range row.Cells {
			cell := htmlMatrixCell{Mark: markup(m.mark(row, n))}
			if q != nil && (q.Status == reports.Failed || q.Status == reports.Error) {
				cell.Why = q.Cause()
			}
			shown.Cells = append(shown.Cells, cell)
		}
		group := &page.Groups[len(page.Groups)-1]
		group.Rows = append(group.Rows, shown)
	}
	page.Apart = fmt.Sprintf(
		"%s. The hosts differ on %d of them, which are marked.",
		display.Plural(len(m.Rows), "requirement"),
		apart,
	)
	return render(w, "matrix.html", page)
}
