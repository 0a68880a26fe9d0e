package matrix

import (
	"fmt"
	"io"
	"strings"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/wrap"
)

// Write prints the matrix for people: one line per requirement, the counts, and the faults. With
// verbose it lists every trial.
func (m *Matrix) Write(w io.Writer, verbose bool) error {
	var out strings.Builder
	if m.Void != "" {
		wrap.Paragraph(&out, "void: nothing can be concluded: ", m.Void)
		_, err := io.WriteString(w, out.String())
		return err
	}
	m.writeRows(&out)
	if verbose {
		m.writeTrials(&out)
	}
	m.writeTallies(&out)
	m.writeFaults(&out)
	_, err := io.WriteString(w, out.String())
	return err
}

func (m *Matrix) writeRows(out *strings.Builder) {
	if len(m.Rows) == 0 {
		return
	}
	line := func(cells ...string) {
		text := fmt.Sprintf("%-14s  %-10s  %9s  %9s  %9s", cells[0], cells[1], cells[2], cells[3], cells[4])
		out.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	line("REQUIREMENT", "LEVEL", "MUTANTS", "DOCUMENTS", "ELSEWHERE")
	for _, r := range m.Rows {
		line(r.ID, string(r.Level), r.Mutants.String(), r.Documents.String(), r.Elsewhere.String())
	}
	out.WriteString("killed/total; elsewhere means without fixtures, and over the drivers that are not in process\n\n")
}

// String returns killed/total, or a point if nothing was tried.
func (s Score) String() string {
	if s.Total == 0 {
		return "."
	}
	return fmt.Sprintf("%d/%d", s.Killed, s.Total)
}

func (m *Matrix) writeTrials(out *strings.Builder) {
	for _, t := range m.Trials {
		mark := "ok   "
		if !t.OK() {
			mark = "WRONG"
		}
		fmt.Fprintf(out, "%s  %-12s  %s%s", mark, t.Kind, t.Name, t.Where())
		if t.Requirement != "" {
			fmt.Fprintf(out, "  %s", t.Requirement)
		}
		out.WriteString("\n")
	}
	if len(m.Trials) > 0 {
		out.WriteString("\n")
	}
}

// requiredResult describes for each kind the expected result of its trials.
var requiredResult = map[plan.Kind]string{
	plan.KindReference: "conform as required",
	plan.KindMutant:    "killed by their own requirement and no other",
	plan.KindVariant:   "pass",
	plan.KindNull:      "pass nothing",
	plan.KindPlain:     "judged right through the adapter",
	plan.KindDocument:  "judged right",
}

func (m *Matrix) writeTallies(out *strings.Builder) {
	for _, t := range m.Tallies {
		fmt.Fprintf(out, "%-13s %4d in %4d trials, %4d %s\n", t.Kind, t.Hosts, t.Trials, t.Right, requiredResult[t.Kind])
	}
}

func (m *Matrix) writeFaults(out *strings.Builder) {
	wrong, repeated := 0, 0
	for _, t := range m.Trials {
		if t.Repeated {
			repeated++
		}
		if t.OK() {
			continue
		}
		wrong++
		fmt.Fprintf(out, "\nFAIL %s %s%s", t.Kind, t.Name, t.Where())
		if t.Requirement != "" {
			fmt.Fprintf(out, ", breaks %s", t.Requirement)
		}
		out.WriteString("\n")
		for _, fault := range t.Faults {
			wrap.Paragraph(out, "  ", fault)
		}
	}
	for _, scenario := range m.Idle {
		wrap.Paragraph(out, "\nnothing makes this scenario fail: ", scenario)
	}
	if m.stale {
		out.WriteString("\nmake golden writes what is inconclusive or not applicable; " +
			"review its changes before you commit them\n")
	}
	if repeated > 0 {
		fmt.Fprintf(out, "\n%d of %d trials were repeated, because an answer was late\n", repeated, len(m.Trials))
	}
	if wrong > 0 {
		fmt.Fprintf(out, "\n%d of %d trials have a fault\n", wrong, len(m.Trials))
	}
}
