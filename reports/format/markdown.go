package format

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
)

// markdownLimit bounds the Markdown, in bytes: GitHub drops a step summary above 1,024 KiB
// completely.
const markdownLimit = 900 << 10

// blockLimit bounds the text of want, got or a command of one cause, in bytes.
const blockLimit = 4 << 10

// writeMarkdown writes a summary: verdict and counts first, then what did not pass, grouped by
// cause. It is cut between two causes, never within one.
func writeMarkdown(w io.Writer, r *reports.Report, o Options) error {
	var doc bytes.Buffer
	markdownHead(&doc, r)
	heading := ""
	groups := r.Groups(o.Strict || r.Run.Strict)
	for i, g := range groups {
		var part bytes.Buffer
		if h := markdownHeadings[g.Mark]; h != heading {
			heading = h
			fmt.Fprintf(&part, "\n### %s\n", h)
		}
		markdownCause(&part, g)
		if doc.Len()+part.Len() > markdownLimit {
			fmt.Fprintf(
				&doc,
				"\n_Cut here: %s more. The json report contains everything._\n",
				display.Plural(len(groups)-i, "cause"),
			)
			break
		}
		doc.Write(part.Bytes())
	}
	if doc.Len() < markdownLimit {
		markdownRemarks(&doc, r)
	}
	if _, err := w.Write(doc.Bytes()); err != nil {
		return fmt.Errorf("reports: markdown: %w", err)
	}
	return nil
}

// maxRemarks bounds the remarks of a summary.
const maxRemarks = 100

// markdownRemarks lists the remarks.
func markdownRemarks(w *bytes.Buffer, r *reports.Report) {
	remarks := locatedRemarks(r)
	if len(remarks) == 0 {
		return
	}
	w.WriteString("\n### Remarks\n\n")
	for _, f := range remarks[:min(len(remarks), maxRemarks)] {
		fmt.Fprintf(w, "- %s %s (%s, %s)\n", f.mark.Symbol, markdownCell(f.Message), markdownCell(placeOf(f.Finding)),
			markdownCell(f.id))
	}
	if more := len(remarks) - maxRemarks; more > 0 {
		fmt.Fprintf(w, "\n_%d more are in the json report._\n", more)
	}
}

var markdownHeadings = map[reports.Mark]string{
	reports.FailedMark:       "Failed",
	reports.ErrorMark:        "Without an outcome",
	reports.KnownMark:        "Known failures",
	reports.WarningMark:      "Warnings",
	reports.AdviceMark:       "Advice",
	reports.InconclusiveMark: "Inconclusive",
}

// markdownCell is MarkdownText of at most blockLimit bytes.
func markdownCell(text string) string {
	return display.MarkdownText(display.CutBytes(text, blockLimit))
}

// markdownCells is markdownCell of each text.
func markdownCells(texts []string) []string {
	cells := make([]string, len(texts))
	for i, text := range texts {
		cells[i] = markdownCell(text)
	}
	return cells
}

func markdownHead(w *bytes.Buffer, r *reports.Report) {
	m := r.Verdict.Mark()
	fmt.Fprintf(w, "## %s capconform: %s\n\n", m.Symbol, m.Word)
	name := display.Join(" ", markdownCell(r.Subject.Name), markdownCell(r.Subject.Version))
	if name == "" {
		name = "unnamed subject"
	}
	fmt.Fprintf(w, "**%s**", name)
	if target := display.Join(", ", r.Subject.Driver, r.Subject.Target); target != "" {
		fmt.Fprintf(w, " (%s)", markdownCell(target))
	}
	w.WriteString("\n")
	for i := range r.Suites {
		s := &r.Suites[i]
		binding := display.Join(", ", s.Binding, s.Negotiated, reports.PlanInWords(s.Plan))
		fmt.Fprintf(
			w,
			"\n- **%s**: %s; %s (%s)",
			markdownCell(r.Titled(s)),
			s.Verdict,
			markdownCell(
				display.Join(". ", s.Sentence(r.Run.Strict), strings.TrimSuffix(s.Unexamined(), ".")),
			),
			markdownCell(binding),
		)
		if len(s.Mappings) > 0 {
			fmt.Fprintf(w, "; %s", display.Plural(len(s.Mappings), "mapped operation"))
		}
	}
	if len(r.NotSpoken) > 0 {
		fmt.Fprintf(w, "\n- not spoken by this target: %s", markdownCell(strings.Join(r.NotSpoken, ", ")))
	}
	notes := r.Notes
	if r.Run.Stopped != nil {
		notes = append([]string{"The run stopped: " + r.Run.Stopped.Reason}, notes...)
	}
	if r.Run.Interrupted {
		notes = append([]string{"The run was interrupted."}, notes...)
	}
	if r.Run.Partial {
		notes = append([]string{"Only a selection was examined."}, notes...)
	}
	for _, note := range notes {
		fmt.Fprintf(w, "\n- %s", markdownCell(note))
	}
	if len(r.Suites)+len(r.NotSpoken)+len(notes) > 0 {
		w.WriteString("\n")
	}
	markdownCounts(w, r)
}

func markdownCounts(w *bytes.Buffer, r *reports.Report) {
	rows := r.LevelCounts()
	if len(rows) == 0 {
		return
	}
	head, rule := "|", "|"
	shown := r.Occurring()
	for _, s := range shown {
		head += " " + s.Mark().Word + " |"
		rule += " --: |"
	}
	fmt.Fprintf(w, "\n| %s\n| :-- %s\n", head, rule)
	for _, row := range rows {
		fmt.Fprintf(w, "| %s |", markdownCell(row.Name()))
		for _, s := range shown {
			fmt.Fprintf(w, " %d |", row.Count.Of(s))
		}
		w.WriteString("\n")
	}
}

// markdownCause writes one cause: its requirements as a table, with the explanation of the first.
func markdownCause(w *bytes.Buffer, g reports.Group) {
	fmt.Fprintf(w, "\n**%s %s**\n\n| requirement | level | section | what it demands |\n| :-- | :-- | :-- | :-- |\n",
		g.Mark.Symbol, markdownCell(g.Message))
	for _, q := range g.Requirements {
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", markdownCell(q.ID), markdownCell(q.Level), markdownCell(q.Section),
			markdownCell(q.Summary))
	}
	if blocks := g.Blocks(); blocks != "" {
		fmt.Fprintf(w, "\nBlocks %s\n", markdownCell(blocks))
	}
	f := g.Requirements[0].Failure()
	if f == nil {
		return
	}
	var text []string
	for _, e := range []struct{ label, text string }{{"want  ", f.Want}, {"got   ", f.Got}, {"found ", f.Found()},
		{"hint  ", f.Hint}} {
		if e.text == "" {
			continue
		}
		cut := display.CutBytes(e.text, blockLimit)
		if len(cut) < len(e.text) {
			cut += " …"
		}
		text = append(text, e.label+cut)
	}
	if len(text) > 0 {
		w.WriteString("\n" + display.MarkdownBlock("text", strings.Join(text, "\n")))
	}
	if f.Repeat != "" && len(f.Repeat) <= blockLimit {
		w.WriteString("\nrepeat:\n\n" + display.MarkdownBlock("sh", f.Repeat))
	}
}
