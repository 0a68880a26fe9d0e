package prove

import (
	"fmt"
	"io"
	"strings"
)

// Write writes the result as text.
func (r *Result) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d edits of the answers, %d defects\n\n", r.Suite, r.Edits, len(r.Defects))
	width := 0
	for _, q := range r.Requirements {
		width = max(width, len(q.ID))
	}
	for _, q := range r.Requirements {
		fmt.Fprintf(&b, "  %-*s  %-10s  %s\n", width, q.ID, q.Level, q.shown())
	}
	for _, d := range r.Defects {
		if !d.Found {
			fmt.Fprintf(&b, "\ndefect not found: %s, which breaks %s: %s\n", d.Defect, d.Breaks, d.Why)
		} else if len(d.Others) > 0 {
			fmt.Fprintf(&b, "\nthe defect %s breaks %s, and also %s\n", d.Defect, d.Breaks, strings.Join(d.Others, ", "))
		}
	}
	list(&b, "\nNo requirement reads:\n", r.Unread)
	list(&b, "\nNo requirement covers:\n", r.Uncovered)
	fmt.Fprintf(&b, "\n%s\n", r.Sentence())
	_, err := io.WriteString(w, b.String())
	return err
}

func (r Requirement) shown() string {
	switch {
	case r.Excluded != "":
		return "not observable: " + r.Excluded
	case r.Broken == 0 && r.Binding:
		return "nobody has seen it fail"
	case r.Broken == 0:
		return "no edit breaks it"
	}
	shown := fmt.Sprintf("broken %d times", r.Broken)
	if len(r.Examples) > 0 {
		shown += ", such as by " + r.Examples[0]
	}
	return shown
}

func list(b *strings.Builder, title string, all []string) {
	if len(all) == 0 {
		return
	}
	b.WriteString(title)
	for _, one := range all {
		b.WriteString("  " + one + "\n")
	}
}

// Markdown writes the result as Markdown.
func (r *Result) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(
		&b,
		"## Proof of %s\n\n%s. %d edits of the answers, %d defects.\n\n| requirement | level | broken | such as by |\n|---|---|---|---|\n",
		r.Suite,
		r.Sentence(),
		r.Edits,
		len(r.Defects),
	)
	for _, q := range r.Requirements {
		by := q.Excluded
		if len(q.Examples) > 0 {
			by = "`" + strings.ReplaceAll(q.Examples[0], "`", "'") + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %s |\n", q.ID, q.Level, q.Broken, strings.ReplaceAll(by, "|", "\\|"))
	}
	list(&b, "\nNo requirement reads:\n\n", bullets(r.Unread))
	list(&b, "\nNo requirement covers:\n\n", bullets(r.Uncovered))
	_, err := io.WriteString(w, b.String())
	return err
}

func bullets(all []string) []string {
	var marked []string
	for _, one := range all {
		marked = append(marked, "- `"+strings.ReplaceAll(one, "`", "'")+"`")
	}
	return marked
}
