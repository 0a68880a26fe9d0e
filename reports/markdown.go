package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// markdownLimit is how long the Markdown may get, in bytes: GitHub drops a step
// summary above 1,024 KiB as a whole.
const markdownLimit = 900 << 10

// blockLimit is how much of want, got or a command one cause shows, in bytes.
const blockLimit = 4 << 10

// writeMarkdown writes a summary: verdict and counts first, then what is not
// passed, grouped by cause. It is cut between two causes, never within one.
func writeMarkdown(w io.Writer, r *Report, o Options) error {
	var doc bytes.Buffer
	markdownHead(&doc, r)
	heading := ""
	groups := r.groups(o.Strict || r.Run.Strict)
	for i, g := range groups {
		var part bytes.Buffer
		if h := markdownHeadings[g.mark]; h != heading {
			heading = h
			fmt.Fprintf(&part, "\n### %s\n", h)
		}
		markdownCause(&part, g)
		if doc.Len()+part.Len() > markdownLimit {
			fmt.Fprintf(&doc, "\n_Cut here: %s more. The json report holds everything._\n", plural(len(groups)-i, "cause"))
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

// mostRemarks is how many of them a summary holds.
const mostRemarks = 100

// markdownRemarks lists what breaks nothing.
func markdownRemarks(w *bytes.Buffer, r *Report) {
	remarks := r.remarks()
	if len(remarks) == 0 {
		return
	}
	w.WriteString("\n### Remarks\n\n")
	for _, f := range remarks[:min(len(remarks), mostRemarks)] {
		fmt.Fprintf(w, "- %s %s (%s, %s)\n", f.mark.symbol, markdownCell(f.Message), markdownCell(f.place()),
			markdownCell(f.id))
	}
	if more := len(remarks) - mostRemarks; more > 0 {
		fmt.Fprintf(w, "\n_%d more stand in the json report._\n", more)
	}
}

var markdownHeadings = map[mark]string{
	failedMark:       "Failed",
	errorMark:        "Without an outcome",
	knownMark:        "Known failures",
	warningMark:      "Warnings",
	adviceMark:       "Advice",
	inconclusiveMark: "Inconclusive",
}

// markdownCell is MarkdownText of at most blockLimit bytes.
func markdownCell(text string) string { return MarkdownText(cutBytes(text, blockLimit)) }

// markdownCells is markdownCell of each text.
func markdownCells(texts []string) []string {
	cells := make([]string, len(texts))
	for i, text := range texts {
		cells[i] = markdownCell(text)
	}
	return cells
}

func markdownHead(w *bytes.Buffer, r *Report) {
	m, known := verdictMarks[r.Verdict]
	if !known {
		m = verdictMarks[Incomplete]
	}
	fmt.Fprintf(w, "## %s capconform: %s\n\n", m.symbol, m.word)
	name := joinWords(" ", markdownCell(r.Subject.Name), markdownCell(r.Subject.Version))
	if name == "" {
		name = "unnamed subject"
	}
	fmt.Fprintf(w, "**%s**", name)
	if target := joinWords(", ", r.Subject.Driver, r.Subject.Target); target != "" {
		fmt.Fprintf(w, " (%s)", markdownCell(target))
	}
	w.WriteString("\n")
	for i := range r.Suites {
		s := &r.Suites[i]
		binding := joinWords(", ", s.Binding, s.Negotiated, scenarios(s.Plan))
		fmt.Fprintf(w, "\n- **%s**: %s; %s (%s)", markdownCell(r.titled(s)), s.Verdict,
			markdownCell(joinWords(". ", s.sentence(r.Run.Strict), strings.TrimSuffix(s.beyond(), "."))), markdownCell(binding))
		if len(s.Mappings) > 0 {
			fmt.Fprintf(w, "; %s", plural(len(s.Mappings), "mapped operation"))
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

func markdownCounts(w *bytes.Buffer, r *Report) {
	rows := countRows(r)
	if len(rows) == 0 {
		return
	}
	head, rule := "|", "|"
	for _, s := range Statuses() {
		head += " " + statusMarks[s].word + " |"
		rule += " --: |"
	}
	fmt.Fprintf(w, "\n| %s\n| :-- %s\n", head, rule)
	for _, row := range rows {
		fmt.Fprintf(w, "| %s |", markdownCell(row.name))
		for _, s := range Statuses() {
			fmt.Fprintf(w, " %d |", row.count.Of(s))
		}
		w.WriteString("\n")
	}
}

// markdownCause writes one cause: its requirements as a table, explained by the first.
func markdownCause(w *bytes.Buffer, g group) {
	fmt.Fprintf(w, "\n**%s %s**\n\n| requirement | level | section | what it asks |\n| :-- | :-- | :-- | :-- |\n",
		g.mark.symbol, markdownCell(g.message))
	for _, q := range g.requirements {
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", markdownCell(q.ID), markdownCell(q.Level), markdownCell(q.Section),
			markdownCell(q.Summary))
	}
	f := g.requirements[0].failure()
	if f == nil {
		return
	}
	var text []string
	for _, e := range []struct{ label, text string }{{"want  ", f.Want}, {"got   ", f.Got}, {"found ", f.Found()},
		{"hint  ", f.Hint}} {
		if e.text == "" {
			continue
		}
		cut := cutBytes(e.text, blockLimit)
		if len(cut) < len(e.text) {
			cut += " …"
		}
		text = append(text, e.label+cut)
	}
	if len(text) > 0 {
		w.WriteString("\n" + MarkdownBlock("text", strings.Join(text, "\n")))
	}
	if f.Repeat != "" && len(f.Repeat) <= blockLimit {
		w.WriteString("\nrepeat:\n\n" + MarkdownBlock("sh", f.Repeat))
	}
}
